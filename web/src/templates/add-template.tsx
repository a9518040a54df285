import { idOf, titleOf } from '../data/record.ts'
import type { ActProps } from '../records/definition.ts'
import UseTemplate from './use-template.tsx'

/** Adds the plan of a template to a running project. */
export default function AddTemplate({ module, record, onClose }: ActProps) {
  const target = {
    kind: 'project',
    id: idOf(module, record),
    name: titleOf(module, record),
    record,
  } as const
  return <UseTemplate target={target} onClose={onClose} />
}
