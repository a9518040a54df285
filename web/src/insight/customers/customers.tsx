/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled by keys */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { CustomerActivity } from '../../data/activity.ts'
import { customerActivityQuery } from '../../data/activity.ts'
import type { Format } from '../../records/field/format.ts'
import { number, shortDay } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Toolbar, ToolbarSpace } from '../../ui/toolbar.tsx'
import insight from '../insight.module.css'
import { rangeWords } from '../words.ts'
import css from './customers.module.css'
import { t } from '../../locales/text.ts'

const spans = ['7_days', '30_days', '90_days', '12_months'] as const
const people = [
  { value: 'all', label: t('All') },
  { value: 'us', label: t('Us') },
  { value: 'customer', label: t('Customers') },
] as const

type Search = { range?: string; who?: string }

/** Who of the customers is active and who is silent: by day, and by weekday and hour. */
export default function Customers() {
  const format = useFormat()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Search
  const range = spans.find((each) => each === search.range) ?? '30_days'
  const who = people.find(({ value }) => value === search.who)?.value ?? 'all'
  const { data, error, refetch } = useQuery(customerActivityQuery(range, who))
  const change = (next: Search) =>
    void navigate({
      to: '/activity',
      search: { view: 'customers', range, who, ...next } as never,
      replace: true,
    })
  return (
    <>
      <Toolbar label={t('What is shown')} wrap>
        <Choice
          label={t('Time [period]')}
          className={insight.choice}
          value={range}
          options={spans.map((value) => ({ value, label: rangeWords(value) }))}
          onChange={(next) => change({ range: next ?? '' })}
        />
        <SegmentedControl
          label={t('By whom')}
          value={who}
          options={[...people]}
          onChange={(next) => change({ who: next })}
        />
        <ToolbarSpace />
      </Toolbar>
      <div className={css.scroll}>
        {error && !data ? (
          <ReadFault title={t('The activity could not be read')} error={error} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows count={10} />
        ) : data.accounts.length ? (
          <>
            <Accounts data={data} format={format} />
            <Hours data={data} format={format} />
          </>
        ) : (
          <Empty icon="activity" title={t('No customers with open work')}>
            {t('Accounts with open projects or deals appear here.')}
          </Empty>
        )}
      </div>
    </>
  )
}

type PartProps = { data: CustomerActivity; format: Format }

/** More days than these are shown as weeks. */
const mostDays = 45

/** The days of a period in columns of one or seven. */
function columnsOf({ from, to }: CustomerActivity): { from: string; to: string }[] {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const day = 86_400_000
  const size = (last - first) / day >= mostDays ? 7 : 1
  const columns = []
  for (let at = first; at <= last; at += size * day) {
    const end = Math.min(last, at + (size - 1) * day)
    columns.push({ from: dayOf(at), to: dayOf(end) })
  }
  return columns
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

function Accounts({ data, format }: PartProps) {
  const columns = columnsOf(data)
  const lines = data.accounts.map((account) => ({
    ...account,
    cells: columns.map(({ from, to }) =>
      account.days
        .filter(({ date }) => date >= from && date <= to)
        .reduce((sum, { count }) => sum + count, 0),
    ),
  }))
  const most = Math.max(1, ...lines.flatMap(({ cells }) => cells))
  const nth = Math.ceil(columns.length / 8)
  return (
    <section>
      <h2>{t('Customers by day')}</h2>
      <p className={css.note}>{t('Those that are silent longest come first')}</p>
      <div className={css.table} role="region" aria-label={t('Customers by day')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Account')}</th>
              {columns.map(({ from, to }, at) => (
                <th key={from} scope="col" className={css.day}>
                  {at % nth === 0 && (at === 0 || at < columns.length - 2) ? (
                    <Link to="/activity" search={{ from, to } as never}>
                      {shortDay(from, format)}
                    </Link>
                  ) : (
                    <span className={insight.hidden}>{shortDay(from, format)}</span>
                  )}
                </th>
              ))}
              <th scope="col">{t('Silent')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ account_id: id, account_name: name, cells, silent_days: silent }) => (
              <tr key={id}>
                <th scope="row">
                  <Link to="/accounts/$id/{-$tab}" params={{ id }}>
                    {name}
                  </Link>
                </th>
                {cells.map((count, at) => (
                  <Cell
                    key={at}
                    count={count}
                    most={most}
                    format={format}
                    label={shortDay(columns[at]?.from ?? '', format)}
                  />
                ))}
                <td
                  className={css.silent}
                  data-tone={
                    silent === null || silent > 14 ? 'bad' : silent > 6 ? 'warn' : undefined
                  }
                >
                  {silent === null
                    ? t('all this time')
                    : silent
                      ? t('{count} day | {count} days', { count: silent })
                      : t('today')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

type CellProps = { count: number; most: number; label: string; format: Format }

/** A number as one of five shades; readers hear the number. */
function Cell({ count, most, label, format }: CellProps) {
  const shade = count ? Math.ceil((5 * count) / most) : 0
  return (
    <td
      className={css.cell}
      data-shade={shade}
      title={t('{label}: {number}', { label, number: number(count, format) })}
    >
      <span className={insight.hidden}>{number(count, format)}</span>
    </td>
  )
}

/** The weekdays from Monday in the person's language. */
function weekdays({ locale }: Format): string[] {
  const look = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  // 5 January 2026 is a Monday
  return Array.from({ length: 7 }, (_, at) => look.format(Date.UTC(2026, 0, 5 + at)))
}

function Hours({ data: { hours }, format }: PartProps) {
  const most = Math.max(1, ...hours.map(({ count }) => count))
  const counts = new Map(hours.map(({ weekday, hour, count }) => [weekday * 24 + hour, count]))
  const all = Array.from({ length: 24 }, (_, hour) => hour)
  return (
    <section>
      <h2>{t('By weekday and hour')}</h2>
      <div className={css.table} role="region" aria-label={t('By weekday and hour')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Weekday')}</th>
              {all.map((hour) => (
                <th key={hour} scope="col" className={css.day}>
                  {hour % 3 ? <span className={insight.hidden}>{hour}</span> : hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weekdays(format).map((name, at) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {all.map((hour) => (
                  <Cell
                    key={hour}
                    count={counts.get((at + 1) * 24 + hour) ?? 0}
                    most={most}
                    format={format}
                    label={t('{day}, {hour} h', { day: name, hour })}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
