import { withoutNames } from '../../../server/src/model/forms/piping.ts'
import type { SectionProps } from '../records/definition.ts'
import { Empty } from '../ui/empty.tsx'
import type { Structure } from './structure.ts'
import { typeWords } from './structure.ts'
import styles from './surveys.module.css'
import { t } from '../locales/text.ts'

/** What a survey asks, page by page. */
export default function Questions({ record }: SectionProps) {
  const { pages = [] } = (record.form_structure ?? {}) as Structure
  const asked = pages.filter(({ fields = [] }) => fields.length)
  if (!asked.length) return <Empty small icon="list" title={t('No questions yet')} />
  return asked.map(({ id, title, fields = [] }, at) => (
    <section key={id ?? at} className={styles.page}>
      {title ? <h2>{withoutNames(title)}</h2> : null}
      <ol>
        {fields.map(({ id: field, label, type, required }, place) => (
          <li key={field ?? place}>
            <span>{label ? withoutNames(label) : t('Without a text')}</span>
            <small>
              {[type ? typeWords(type) : null, required ? t('required') : null]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </li>
        ))}
      </ol>
    </section>
  ))
}
