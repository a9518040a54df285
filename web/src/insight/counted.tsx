import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { sidesOf } from '../../../server/src/model/dashboards/reports.ts'
import type { Counted, CountedAsked, CountedName } from '../data/counted.ts'
import { countedQuery } from '../data/counted.ts'
import { pipelinesQuery } from '../data/deal.ts'
import { useSession } from '../data/session.ts'
import type { Clause } from '../data/list.ts'
import { useFormat } from '../records/field/use-format.ts'
import { usePageTitle } from '../records/page-title.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Choice } from '../ui/choice.tsx'
import { Empty } from '../ui/empty.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Toolbar } from '../ui/toolbar.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { PipelineFilter } from './filters.tsx'
import { AddToDashboard } from './add-to-dashboard.tsx'
import insight from './insight.module.css'
import { CountedChart } from './report/counted-chart.tsx'
import { columnWords, rowWords, sideWords, valueWords } from './report/counted-words.ts'
import { FigureTable } from './report/figure-table.tsx'
import { listAddress, lists } from './report/lists.ts'
import { nextCurrency, OtherCurrencies } from './report/other-currencies.tsx'
import styles from './report/report.module.css'
import { countedNamed, countedReports, mayCount } from './report/shipped.ts'
import { TableHead } from './report/table-head.tsx'
import { ranges, rangeWords } from './words.ts'
import { t } from '../locales/text.ts'

type Search = { by?: string; range?: string; pipeline?: string; in?: string }

/** A report that comes with the product and is counted by more than groups of one list. */
export default function CountedReport() {
  const { report = '' } = useParams({ strict: false }) as { report?: string }
  const known = countedNamed(report)
  const session = useSession()
  usePageTitle(known ? countedReports[known].name : t('Reports'))
  if (!known || !mayCount(session, known)) {
    return (
      <div className={insight.page}>
        <PageHeader title={t('Reports')} />
        <Empty
          icon="chart"
          title={known ? t('You may not see these records') : t('There is no such report')}
        >
          <Link to="/reports">{t('All reports')}</Link>
        </Empty>
      </div>
    )
  }
  return <Shown key={known} report={known} />
}

function Shown({ report }: { report: CountedName }) {
  const { name, note, module, isTimeless } = countedReports[report]
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const sides = sidesOf[report]
  const by = sides.find((each) => each === search.by) ?? sides[0]
  const range = ranges.find((each) => each === search.range) ?? '12_months'
  const isOfOne = module === 'deals' && Boolean(search.pipeline)
  const { data: pipelines, isLoading } = useQuery({ ...pipelinesQuery, enabled: isOfOne })
  // of a pipeline that is not there any more, all are counted
  const isThere = pipelines?.some(({ pipeline_id }) => pipeline_id === search.pipeline)
  const pipeline = isOfOne && isThere ? search.pipeline : undefined
  const asked: CountedAsked = {
    ...(by ? { by } : {}),
    time_filter: range,
    ...(pipeline ? { pipeline_id: pipeline } : {}),
    ...(/^[A-Z]{3}$/.test(search.in ?? '') ? { currency_unit: search.in ?? '' } : {}),
  }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...countedQuery(report, asked),
    enabled: !isLoading,
  })
  const change = (next: Search) => {
    const all = Object.entries({ ...search, ...next }).filter(([, value]) => value)
    void navigate({
      to: '/reports/$report',
      params: { report },
      search: Object.fromEntries(all) as never,
      replace: true,
    })
  }
  const isNarrow = useNarrow()
  return (
    <div className={insight.page}>
      <PageHeader
        title={name}
        note={isNarrow ? undefined : note}
        before={
          <>
            <Link to="/reports" search={{} as never}>
              {t('Reports')}
            </Link>
            <span aria-hidden="true">/</span>
          </>
        }
        actions={
          <AddToDashboard
            name={name}
            module={module}
            config={{
              report_id: report,
              ...(by && by !== sides[0] ? { by } : {}),
              ...(search.range && !isTimeless ? { time_filter: range } : {}),
              ...(pipeline ? { pipeline_id: pipeline } : {}),
              ...(asked.currency_unit ? { currency_unit: asked.currency_unit } : {}),
            }}
          />
        }
        focusKey={report}
      />
      {isTimeless ? null : (
        <Toolbar label={t('What is shown')} wrap>
          <Choice
            label={t('Time [period]')}
            className={insight.choice}
            value={range}
            options={ranges.map((value) => ({ value, label: rangeWords(value) }))}
            onChange={(next) => change({ range: next ?? '' })}
          />
          {sides.length > 1 ? (
            <Choice
              label={t('In groups of')}
              className={insight.choice}
              value={by ?? null}
              options={sides.map((value) => ({ value, label: sideWords[value] }))}
              onChange={(next) => change({ by: next ?? '' })}
            />
          ) : null}
          {module === 'deals' ? (
            <PipelineFilter
              id={search.pipeline ?? null}
              onChange={(next) => change({ pipeline: next })}
            />
          ) : null}
        </Toolbar>
      )}
      <div className={styles.counted}>
        {error ? (
          <ReadFault title={t('The report could not be read')} error={error} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows count={8} />
        ) : data.rows.some(({ values }) => values.some(Boolean)) ? (
          <Answer
            data={data}
            name={name}
            isStale={isPlaceholderData}
            onCurrency={(next) => change({ in: next })}
          />
        ) : (
          <Empty icon="chart" title={t('Nothing to count in this time')}>
            {note}
          </Empty>
        )}
      </div>
    </div>
  )
}

type AnswerProps = {
  data: Counted
  name: string
  isStale: boolean
  onCurrency: (currency: string) => void
}

function Answer({ data, name, isStale, onCurrency }: AnswerProps) {
  const format = useFormat()
  const drawn = useRef<HTMLDivElement>(null)
  const { columns, rows, total, by, currency_unit: currency, left_out, currencies } = data
  const words = (at: number, value: number | null | undefined) => {
    const column = columns[at]
    return column ? valueWords(column, value, currency, format) : ''
  }
  const isInWorkingDays = columns.some(({ unit }) => unit === 'working_days')
  const head = [sideWords[by], ...columns.map(columnWords)]
  const raw = (values: (number | null)[]) => values.map((value) => String(value ?? ''))
  const table = {
    head,
    rows: rows.map((row) => {
      const screens = lists.of(row.module ?? undefined)
      return {
        label: { text: rowWords(row, by, format) },
        isPart: row.level > 0,
        cells: row.values.map((value, at) => {
          const filter = row.filters[columns[at]?.key ?? '']
          const to =
            value && filter && screens ? listAddress(screens, filter as Clause[]) : undefined
          return { text: words(at, value), to }
        }),
      }
    }),
    last: total
      ? {
          label: { text: t('Total') },
          cells: total.map((value, at) => ({ text: words(at, value) })),
        }
      : undefined,
    texts: [
      head,
      ...rows.map((row) => [rowWords(row, by, format), ...raw(row.values)]),
      ...(total ? [[t('Total'), ...raw(total)]] : []),
    ],
  }
  return (
    <div className={styles.result} aria-busy={isStale}>
      <div ref={drawn}>
        <CountedChart data={data} label={name} />
      </div>
      <TableHead
        note={isInWorkingDays ? t('in working days of each project') : ''}
        {...{ name, drawn }}
        texts={table.texts}
      />
      <FigureTable table={table} label={name} />
      {left_out ? (
        <p className={styles.notes}>
          <OtherCurrencies
            count={left_out}
            onNext={() => onCurrency(nextCurrency(currencies, currency) ?? '')}
          />
        </p>
      ) : null}
    </div>
  )
}
