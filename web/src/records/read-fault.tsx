import type { ReactNode } from 'react'
import { asProblem } from '../api/problem.ts'
import { Fault } from '../ui/fault.tsx'

type Props = {
  title: string
  /** replaces the title for a 404 */
  missing?: string
  error: unknown
  onRetry: () => unknown
  small?: boolean
  /** another action */
  action?: ReactNode
}

/** Shown instead of something that could not be loaded: the reason, the request's id, and a retry. */
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
