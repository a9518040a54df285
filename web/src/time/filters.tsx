import type { ReportParams } from '../data/time.ts'
import { addDays, shortDay } from '../records/field/format.ts'
import { LinkFilter, PersonFilter } from '../records/field/link-filters.tsx'
import { useFormat } from '../records/field/use-format.ts'
import { Choice } from '../ui/choice.tsx'
import { DateField } from '../ui/date-field.tsx'
import styles from './report.module.css'
import { t } from '../locales/text.ts'

/** What the address of a report holds. */
export type Search = {
  group?: string
  from?: string
  to?: string
  billable?: string
  person?: string
  project?: string
}

type Props = {
  params: ReportParams
  search: Search
  /** the first day of a week that the report knows; any, if it does not stand yet */
  week: string | undefined
  today: string
  onChange: (next: Search) => void
}

/** Whose time is shown, of which project and days, and whether customers pay for it. */
export function TimeFilters({ params, search, week, today, onChange }: Props) {
  const { from, to } = params
  return (
    <>
      <PersonFilter
        id={search.person || null}
        className={styles.choice}
        onChange={(person) => onChange({ person: person ?? '' })}
      />
      <LinkFilter
        id={search.project || null}
        of={{ module: 'tasks', field: 'project_id', to: 'projects' }}
        words={[t('Project'), t('projects')]}
        className={styles.choice}
        onChange={(project) => onChange({ project: project ?? '' })}
      />
      {week ? <WeekFilter {...{ week, today, from, to, onChange }} /> : null}
      <DateField
        label={t('From')}
        className={styles.date}
        value={from}
        max={to}
        onChange={(next) => onChange({ from: next ?? '' })}
      />
      <DateField
        label={t('To')}
        className={styles.date}
        value={to}
        min={from}
        onChange={(next) => onChange({ to: next ?? '' })}
      />
      <Choice
        label={t('Billable')}
        className={styles.choice}
        value={search.billable ?? 'all'}
        options={billing}
        onChange={(billable) => onChange({ billable: billable ?? 'all' })}
      />
    </>
  )
}

const billing = [
  { value: 'all', label: t('All time') },
  { value: 'true', label: t('Billable') },
  { value: 'false', label: t('Not billable') },
]

/** How many weeks can be chosen; others are two days. */
const weeksBack = 12

type WeekProps = {
  week: string
  today: string
  from: string
  to: string
  onChange: (next: Search) => void
}

function WeekFilter({ week, today, from, to, onChange }: WeekProps) {
  const format = useFormat()
  const days = (Date.parse(today) - Date.parse(week)) / 86_400_000
  const current = addDays(week, 7 * Math.floor(days / 7))
  const weeks = Array.from({ length: weeksBack }, (_, back) => addDays(current, -7 * back))
  const chosen = weeks.find((first) => first === from && addDays(first, 6) === to)
  return (
    <Choice
      label={t('Week')}
      className={styles.choice}
      clearable
      placeholder={t('Week: any')}
      value={chosen ?? null}
      options={weeks.map((first, back) => ({
        value: first,
        label: t('Week of {day}', { day: shortDay(first, format) }),
        ...(back ? {} : { description: t('This week') }),
      }))}
      onChange={(first) =>
        onChange(first ? { from: first, to: addDays(first, 6) } : { from: '', to: '' })
      }
    />
  )
}
