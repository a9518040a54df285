import type { ReactNode } from 'react'
import { asProblem } from '../api/problem.ts'
import { Fault } from '../ui/fault.tsx'

type Props = {
  title: string
  /** in place of the title where there is no such thing (404) */
  missing?: string
  error: unknown
  onRetry: () => unknown
  small?: boolean
  /** another way out */
  action?: ReactNode
}

/** What stands in the place of something that could not be read: why, the request's id, and another try. */
export function ReadFault({
  title,
  missing = title,
  error,
  onRetry,
  small = false,
  action,
}: Props) {
  const { status, message, requestId } = asProblem(error)
  return (
    <Fault
      small={small}
      title={status === 404 ? missing : title}
      message={message}
      requestId={requestId}
      onRetry={() => void onRetry()}
      action={action}
    />
  )
}
