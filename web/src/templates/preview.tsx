import type { TemplateUse } from '../data/templates.ts'
import { day, duration } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Icon } from '../ui/icons.tsx'
import { Bar } from './bars.tsx'
import styles from './templates.module.css'
import { t } from '../locales/text.ts'

type Props = { data: TemplateUse | undefined; isOld: boolean; refusal: string | undefined }

/** The milestones with their dates, and what to look at; the last good answer stays, dimmed, while another is loading. */
export function Preview({ data, isOld, refusal }: Props) {
  const format = useFormat()
  const at = (text: string) => Date.parse(text) / 86_400_000
  const start = at(data?.start_date ?? '')
  const end = at(data?.go_live_date ?? '')
  // the server writes days as YYYY-MM-DD
  const inWords = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\d/g, (each) => day(each, format))
  return (
    <section className={styles.preview} aria-label={t('Preview')} data-old={isOld || undefined}>
      <header>
        <h3>{t('Preview')}</h3>
        {data ? (
          <span>
            {t('{count} task | {count} tasks', { count: data.tasks })},{' '}
            {t('{count} working day | {count} working days', { count: data.working_days })}
            {data.estimate_minutes ? `, ${duration(60 * data.estimate_minutes, format)}` : ''}
          </span>
        ) : null}
      </header>
      {refusal ? (
        <p role="alert" className={styles.refusal}>
          {inWords(refusal)}
        </p>
      ) : null}
      {data ? (
        <>
          <table>
            <tbody>
              {data.milestones.map(({ name, start_date, due_date }, row) => (
                // they have no ids yet
                <tr key={row}>
                  <th scope="row">{name}</th>
                  <td>
                    <Bar
                      start={at(start_date) - start}
                      end={at(due_date) - start + 1}
                      length={end - start + 1}
                    />
                  </td>
                  <td className={styles.dates}>
                    <time dateTime={start_date}>{day(start_date, format)}</time> –{' '}
                    <time dateTime={due_date}>{day(due_date, format)}</time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {data.go_live_date ? (
            <p className={styles.live}>
              <Icon name="flag" /> {t('Live on')} <strong>{day(data.go_live_date, format)}</strong>
            </p>
          ) : null}
          {data.conflicts.length ? (
            <>
              <h3>
                {t('Look at these')} <small>{data.conflicts.length}</small>
              </h3>
              <ul className={styles.concerns}>
                {data.conflicts.map(({ kind, text }) => (
                  <li key={kind + text}>
                    <Icon name={iconOf(kind)} />
                    {inWords(text)}
                  </li>
                ))}
              </ul>
            </>
          ) : null}
        </>
      ) : null}
    </section>
  )
}

function iconOf(kind: TemplateUse['conflicts'][number]['kind']) {
  if (kind === 'left' || kind === 'nobody' || kind === 'load') return 'users'
  return kind === 'holidays' || kind === 'off_day' || kind === 'away' ? 'calendar' : 'circle-alert'
}
