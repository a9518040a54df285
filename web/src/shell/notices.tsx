import { useEffect } from 'react'
import { onNotice } from '../data/notices.ts'
import { toast } from '../ui/toast.tsx'
import { t } from '../locales/text.ts'

/** Shows the notices of the data layer. */
export function Notices() {
  useEffect(
    () =>
      onNotice(({ message, detail, problem, undo, undoByKey, action }) =>
        toast({
          message: problem && !action ? t('Not saved') : message,
          ...(detail !== undefined
            ? { detail }
            : problem
              ? { detail: described(problem.message, problem.requestId) }
              : {}),
          kind: problem ? 'fault' : 'done',
          ...(undo ? { undo: () => void undo() } : {}),
          ...(undoByKey ? { undoByKey: () => void undoByKey() } : {}),
          ...(action ? { action: { label: action.label, onSelect: () => void action.run() } } : {}),
        }),
      ),
    [],
  )
  return null
}

function described(message: string, requestId: string | null): string {
  return requestId ? t('{message} (request {requestId})', { message, requestId }) : message
}
