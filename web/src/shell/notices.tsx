import { useEffect } from 'react'
import { onNotice } from '../data/notices.ts'
import { toast } from '../ui/toast.tsx'

/** Shows what the data layer has to say in passing. */
export function Notices() {
  useEffect(
    () =>
      onNotice(({ message, detail, problem, undo }) =>
        toast({
          message: problem ? 'Not saved' : message,
          detail: problem ? described(problem.message, problem.requestId) : detail,
          kind: problem ? 'bad' : undefined,
          undo,
        }),
      ),
    [],
  )
  return null
}

function described(message: string, requestId: string | null): string {
  return requestId ? `${message} (request ${requestId})` : message
}
