import { useEffect } from 'react'
import { onNotice } from '../data/notices.ts'
import { toast } from '../ui/toast.tsx'

/** Shows the notices of the data layer. */
export function Notices() {
  useEffect(
    () =>
      onNotice(({ message, detail, problem, undo }) =>
        toast({
          message: problem ? 'Not saved' : message,
          ...(problem
            ? { detail: described(problem.message, problem.requestId) }
            : detail === undefined
              ? {}
              : { detail }),
          kind: problem ? 'fault' : 'done',
          ...(undo ? { undo: () => void undo() } : {}),
        }),
      ),
    [],
  )
  return null
}

function described(message: string, requestId: string | null): string {
  return requestId ? `${message} (request ${requestId})` : message
}
