import type { SectionProps } from '../records/definition.ts'
import { capital } from '../ui/capital.ts'
import { Empty } from '../ui/empty.tsx'
import styles from './surveys.module.css'

type Page = {
  id?: string
  title?: string
  fields?: { id?: string; label?: string; type?: string; required?: boolean }[]
}

/** What a survey asks, page by page. */
export default function Questions({ record }: SectionProps) {
  const { pages = [] } = (record.form_structure ?? {}) as { pages?: Page[] }
  const asked = pages.filter(({ fields = [] }) => fields.length)
  if (!asked.length) return <Empty small icon="list" title="No questions yet" />
  return asked.map(({ id, title, fields = [] }, at) => (
    <section key={id ?? at} className={styles.page}>
      {title ? <h2>{title}</h2> : null}
      <ol>
        {fields.map(({ id: field, label, type, required }, place) => (
          <li key={field ?? place}>
            <span>{label ?? 'Without a text'}</span>
            <small>
              {[type ? capital(type.replaceAll('-', ' ')) : null, required ? 'required' : null]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </li>
        ))}
      </ol>
    </section>
  ))
}
