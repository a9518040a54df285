import { roleWord } from './lines.ts'
import type { TemplateWork } from './use-template-work.ts'
import styles from './editor.module.css'
import { t } from '../../locales/text.ts'

/** A template on a phone, to be read. */
export function LineList({ work }: { work: TemplateWork }) {
  const { all, roles } = work
  return (
    <>
      <ul className={styles.list} aria-label={t('Template')}>
        {all.map((row) => {
          if (row.kind === 'loose') return null
          const { start, days } = row.kind === 'task' ? row.task : row.milestone
          const word = row.kind === 'task' && row.task.role ? roleWord(row.task.role) : null
          const role = roles.find(({ key }) => roleWord(key) === word)
          return (
            <li key={row.id} data-level={row.level}>
              <span>
                {row.number} {row.title} {role ? <small>{role.name}</small> : null}
              </span>
              <small>
                {t('day {start} · {count} day | day {start} · {count} days', {
                  start: start + 1,
                  count: days,
                })}
              </small>
            </li>
          )
        })}
      </ul>
      {work.mayEdit ? (
        <p className={styles.foot}>{t('Open it on a wider screen to change it.')}</p>
      ) : null}
    </>
  )
}
