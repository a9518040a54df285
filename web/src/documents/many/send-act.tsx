import { idOf } from '../../data/record.ts'
import type { ActProps } from '../../records/definition.ts'
import SendToMany from './send-to-many.tsx'

/** Sends the document of a page to many. */
export default function SendAct({ module, record, onClose }: ActProps) {
  return <SendToMany id={idOf(module, record)} onClose={onClose} />
}
