import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { asProblem } from '../api/problem.ts'
import { Fault } from '../ui/fault.tsx'

/** What stands in the place of a page that could not be shown. */
export function PageFault({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const { status, message, requestId } = asProblem(error)
  const title =
    status === 403
      ? 'You may not see this'
      : status === 404
        ? 'This is not here any more'
        : 'This page could not be shown'
  const text = status === 403 ? `${message}. An admin of your organization can let you.` : message
  return (
    <Fault
      title={title}
      message={text}
      requestId={requestId}
      onRetry={() => {
        reset()
        void router.invalidate()
      }}
    />
  )
}
