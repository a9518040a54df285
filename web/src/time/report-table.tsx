import { Link } from '@tanstack/react-router'
import type { TimeReport } from '../data/time.ts'
import { duration, hours, shortDay } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { classes } from '../ui/classes.ts'
import look from '../ui/table.module.css'
import styles from './report.module.css'
import { t } from '../locales/text.ts'

type Row = TimeReport['rows'][number]

const heads = { person: t('Person'), project: t('Project'), week: t('Week of') }

/** The rows of a report with a column for each week, and what they come to. */
export function ReportTable({ report, isStale }: { report: TimeReport; isStale: boolean }) {
  const format = useFormat()
  const { group, rows, is_complete: isComplete } = report
  // a week has no weeks
  const weeks = group === 'week' ? [] : report.weeks
  const shown = (seconds = 0) =>
    seconds ? (seconds < 3600 ? duration : hours)(seconds, format) : '–'
  const number = classes(look.cell, look.number)
  const week = classes(number, styles.week)
  const line = (each: Pick<Row, 'seconds' | 'billable_seconds' | 'weeks'>) => (
    <>
      {weeks.map(({ week: first }) => (
        <td key={first} className={week}>
          {shown(each.weeks.find((other) => other.week === first)?.seconds)}
        </td>
      ))}
      <td className={number}>{shown(each.billable_seconds)}</td>
      <td className={classes(number, styles.total)}>{shown(each.seconds)}</td>
    </>
  )
  return (
    <section
      className={classes(look.scroll, styles.scroll, isStale && look.stale)}
      tabIndex={0}
      aria-label={t('Time by row and week')}
    >
      <table className={classes(look.table, styles.table)}>
        <thead>
          <tr>
            <th scope="col" className={classes(look.head, look.first)}>
              {heads[group]}
            </th>
            {weeks.map(({ week: first }) => (
              <th key={first} scope="col" className={classes(look.head, look.number, styles.week)}>
                {shortDay(first, format)}
              </th>
            ))}
            <th scope="col" className={classes(look.head, look.number)}>
              {t('Billable')}
            </th>
            <th scope="col" className={classes(look.head, look.number)}>
              {t('Total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key ?? ''} className={look.row}>
              <th scope="row" className={classes(look.cell, look.first)}>
                <Name group={group} row={row} />
              </th>
              {line(row)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className={classes(look.cell, look.first, styles.total)}>
              {t('Total')}
            </th>
            {line(report)}
          </tr>
        </tfoot>
      </table>
      {isComplete ? null : (
        <p className={styles.more}>
          {t('Only the {count} largest rows; the totals are of all.', { count: rows.length })}
        </p>
      )}
    </section>
  )
}

function Name({ group, row: { key, label } }: { group: TimeReport['group']; row: Row }) {
  const format = useFormat()
  if (group === 'week') return shortDay(key ?? '', format)
  if (group === 'project' && key) {
    return (
      <Link to="/projects/$id/{-$tab}" params={{ id: key }} className={styles.name}>
        {label}
      </Link>
    )
  }
  return label ?? t('Without a project')
}
