import { Link } from '@tanstack/react-router'
import { withoutNames } from '../../../../server/src/model/forms/piping.ts'
import type { AnyRecord } from '../../data/record.ts'
import { useMay } from '../../data/session.ts'
import { language, t } from '../../locales/text.ts'
import styles from './answer-value.module.css'

/** A question of a survey, as its structure has it. */
export type Question = {
  id?: string
  type?: string
  label?: string
  options?: { value: string; label: string }[] | null
  rows?: { value: string; label: string }[] | null
}

/** All questions of a survey in their order; what goes into a question stands as “…”. */
export function questionsIn({ form_structure }: AnyRecord): Question[] {
  const { pages = [] } = (form_structure ?? {}) as { pages?: { fields?: Question[] }[] }
  return pages
    .flatMap(({ fields = [] }) => fields)
    .map((field) => (field.label ? { ...field, label: withoutNames(field.label) } : field))
}

type Props = { question: Pick<Question, 'type' | 'options' | 'rows'> | undefined; value: unknown }
type File = { document_id: string; name?: string }

/** An answer as it is read: choices by their labels, files to be opened, and a signature as it was drawn. */
export function AnswerValue({ question, value }: Props) {
  const mayOpen = useMay('documents', 'read')
  const files = filesIn(value)
  if (files && mayOpen) {
    return files.map(({ document_id: id, name }) => (
      <p key={id}>
        <Link to={`/documents/${id}/view` as never}>{name ?? t('Open the file')}</Link>
      </p>
    ))
  }
  const text = answerText(question, value)
  const path = question?.type === 'signature' ? (value as { path?: string }).path : undefined
  return (
    <>
      {text}
      {path ? (
        <svg className={styles.drawn} viewBox="0 0 600 200" role="img" aria-label={t('Signature')}>
          <path d={path} fill="none" stroke="currentColor" strokeWidth="4" strokeLinecap="round" />
        </svg>
      ) : null}
    </>
  )
}

/** The files of an answer; undefined if it is another. */
function filesIn(value: unknown): File[] | undefined {
  if (!Array.isArray(value) || !value.length) return undefined
  const isFile = (each: unknown) =>
    typeof each === 'object' && each !== null && 'document_id' in each
  return value.every(isFile) ? (value as File[]) : undefined
}

/** The parts of a person and of an address, in the order in which they are read. */
const parts =
  'name first_name last_name email phone job_title company street postal_code city region country'.split(
    ' ',
  )
const allOf = new Intl.ListFormat(language)

/** An answer in words, choices by their labels; empty for none. */
export function answerText(question: Props['question'], answer: unknown): string {
  const { type, options, rows } = question ?? {}
  const labelOf = (value: unknown) =>
    options?.find((each) => each.value === value)?.label ?? String(value)
  if (answer === null || answer === undefined) return ''
  const files = filesIn(answer)
  if (files) return allOf.format(files.map(({ name }) => name ?? t('Document')))
  if (Array.isArray(answer)) return allOf.format(answer.map(labelOf))
  if (typeof answer === 'boolean') {
    if (type === 'yes-no') return answer ? t('Yes') : t('No')
    return answer ? t('Agreed') : t('Not agreed')
  }
  if (typeof answer !== 'object') return labelOf(answer).trim()
  const own = answer as { [part: string]: unknown }
  // of a deleted question, too, the lines that were drawn are no text
  if (!question || type === 'contact' || type === 'address' || type === 'signature') {
    const { path: _, ...rest } = own
    const known = [...parts.filter((part) => part in rest), ...Object.keys(rest)]
    return [...new Set(known)].map((part) => String(rest[part])).join(', ')
  }
  return Object.entries(own)
    .map(([row, value]) => {
      const label = rows?.find((each) => each.value === row)?.label ?? row
      return `${label}: ${labelOf(value)}`
    })
    .join('; ')
}
