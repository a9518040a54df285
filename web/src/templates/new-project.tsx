import type { NewFormProps } from '../records/definition.ts'
import UseTemplate from './use-template.tsx'

/** A new project begins with a template, or with the plain form. */
export default function NewProject({ onClose, onPlain }: NewFormProps) {
  return <UseTemplate target={{ kind: 'new' }} onClose={onClose} onPlain={onPlain} />
}
