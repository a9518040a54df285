import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { asProblem } from '../api/problem.ts'
import { figuresQuery } from '../data/figures.ts'
import type { CountedName, CountedSide } from '../data/counted.ts'
import { countedQuery } from '../data/counted.ts'
import type { Asked, WidgetConfig } from '../data/dashboards.ts'
import type { Clause } from '../data/list.ts'
import { levelOf, useSession } from '../data/session.ts'
import type { View } from '../data/views.ts'
import { reportQuery } from '../data/views.ts'
import type { Screens } from '../records/definition.ts'
import { useFormat } from '../records/field/use-format.ts'
import type { Look } from '../ui/chart/frame.tsx'
import styles from './insight.module.css'
import type { Applied } from './report/applied.ts'
import { appliedTo } from './report/applied.ts'
import { CountedChart } from './report/counted-chart.tsx'
import { gridOf } from './report/grid.ts'
import { useGroupedModule } from './report/grouped-module.ts'
import { lists } from './report/lists.ts'
import { askedOf, chartOf, searchOf } from './report/question.ts'
import { Drawing, findingOf } from './report/result.tsx'
import { otherCurrencyWords } from './report/other-currencies.tsx'
import { countedNamed, countedReports, mayCount } from './report/shipped.ts'
import { leftOutWords } from './words.ts'
import { t } from '../locales/text.ts'

type Filters = Asked['filters']
type Props = {
  /** what the dashboard is filtered by */
  filters: Filters
} & Omit<Look, 'finding'>

/** The name of a report; undefined until a saved one is read, or where it is not seen. */
export function useReportName(id: string | undefined): string | undefined {
  const shipped = countedNamed(id)
  const { data } = useQuery({
    ...reportQuery(id ?? ''),
    enabled: id !== undefined && shipped === undefined,
  })
  return shipped ? countedReports[shipped].name : data?.name
}

/** A report on a dashboard: its chart, whose marks lead to their records, with the rights of whoever looks. */
export function ReportWidget({ config, ...props }: Props & { config: WidgetConfig }) {
  const { report_id: id = '' } = config
  const report = countedNamed(id)
  return report ? <Shipped {...{ report, config }} {...props} /> : <Saved id={id} {...props} />
}

/** The pipeline that a shipped report on a dashboard is counted for; undefined for all, and for what is not of deals. */
export function countedPipeline(
  report: CountedName,
  config: WidgetConfig,
  filters: Filters,
): string | undefined {
  if (countedReports[report].module !== 'deals') return undefined
  return filters.pipeline_id ?? config.pipeline_id
}

/** The time that a shipped report on a dashboard is counted for; undefined where it is of no time. */
export function countedRange(report: CountedName, { time_filter }: WidgetConfig) {
  return countedReports[report].isTimeless ? undefined : time_filter || '12_months'
}

function Shipped({
  report,
  config,
  filters,
  ...look
}: Props & { report: CountedName; config: WidgetConfig }) {
  const session = useSession()
  const format = useFormat()
  const may = mayCount(session, report)
  const isOfDeals = countedReports[report].module === 'deals'
  const pipeline = countedPipeline(report, config, filters)
  const { data, error } = useQuery({
    ...countedQuery(report, {
      ...(config.by ? { by: config.by as CountedSide } : {}),
      ...(config.time_filter ? { time_filter: config.time_filter } : {}),
      ...(config.currency_unit ? { currency_unit: config.currency_unit } : {}),
      ...(pipeline ? { pipeline_id: pipeline } : {}),
    }),
    enabled: may,
  })
  if (!may) return <p className={styles.refused}>{t('You may not see these records')}</p>
  if (error) return <p className={styles.refused}>{asProblem(error).message}</p>
  if (!data) return <div className={styles.waiting} aria-hidden />
  const leftOut = Object.keys(filters).filter((each) => each !== 'pipeline_id' || !isOfDeals)
  return (
    <>
      {data.rows.some(({ values }) => values.some(Boolean)) ? (
        <CountedChart height={190} {...look} data={data} />
      ) : (
        <p className={styles.refused}>{t('Nothing to count in this time')}</p>
      )}
      {leftOut.length ? <p className={styles.leftOut}>{leftOutWords(leftOut)}</p> : null}
      {data.left_out ? (
        <p className={styles.leftOut}>{otherCurrencyWords(data.left_out, format)}</p>
      ) : null}
    </>
  )
}

function Saved({ id, filters, ...look }: Props & { id: string }) {
  const session = useSession()
  const { data: view, error } = useQuery(reportQuery(id))
  if (error) {
    const isGone = asProblem(error).status === 404 || asProblem(error).status === 403
    return (
      <p className={styles.refused}>
        {isGone
          ? t('This report was deleted, or is not shared with you.')
          : asProblem(error).message}
      </p>
    )
  }
  if (!view) return <div className={styles.waiting} aria-hidden />
  const screens = lists.of(view.module)
  if (!screens || levelOf(session, view.module, 'read') === 'none')
    return <p className={styles.refused}>{t('You may not see these records')}</p>
  return <Figures {...{ view, screens, filters }} {...look} />
}

type FiguresProps = { view: View; screens: Screens; filters: Filters } & Omit<Look, 'finding'>

function Figures({ view, screens, filters, ...look }: FiguresProps) {
  const format = useFormat()
  const navigate = useNavigate()
  const question = searchOf(view)
  const { module, error: unread } = useGroupedModule(screens.module, [question.by, question.then])
  const asked = module && askedOf(module, question)
  const { clauses, leftOut } = module ? appliedTo(module, filters) : nothing
  const filter: Clause[] = [...(question.f ?? []), ...clauses]
  const { data, error } = useQuery({
    ...figuresQuery(module ?? { module: screens.module, path: '' }, {
      ...(asked ?? { by: '', measures: '' }),
      ...(filter.length ? { filter } : {}),
      ...(screens.only ? { more: screens.only } : {}),
    }),
    enabled: asked !== undefined,
  })
  const problem = error ?? (module ? null : unread)
  if (problem) return <p className={styles.refused}>{asProblem(problem).message}</p>
  if (module && !asked)
    return <p className={styles.refused}>{t('The field of this report is not there any more.')}</p>
  if (!module || !asked || !data) return <div className={styles.waiting} aria-hidden />
  const note = leftOut.length ? <p className={styles.leftOut}>{leftOutWords(leftOut)}</p> : null
  if (!data.total)
    return (
      <>
        <p className={styles.refused}>{t('No records of this kind')}</p>
        {note}
      </>
    )
  const grid = gridOf(data, asked, question.in, format.currency)
  const chart = chartOf(question)
  return (
    <>
      <Drawing
        height={190}
        {...look}
        {...{ grid, asked, module, screens, filter, chart }}
        isTable={look.isTable !== (chart === 'table')}
        finding={findingOf({ grid, asked, module, total: data.total }, format)}
        onOpen={(href) => void navigate({ href })}
      />
      {note}
    </>
  )
}

const nothing: Applied = { clauses: [], leftOut: [] }
