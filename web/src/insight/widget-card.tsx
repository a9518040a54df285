import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type {
  Asked,
  DashboardWidget,
  WidgetAnswer,
  WidgetConfig,
  WidgetData,
} from '../data/dashboards.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { reportQuery } from '../data/views.ts'
import { later } from '../records/later.tsx'
import { number, percent } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Card } from '../ui/card.tsx'
import type { Look, Table } from '../ui/chart/frame.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import type { Headline } from './drawn.tsx'
import { drawn } from './drawn.tsx'
import styles from './insight.module.css'
import { saveCsv, savePicture } from './report/files.ts'
import { searchOf } from './report/question.ts'
import { countedNamed } from './report/shipped.ts'
import { countedPipeline, countedRange, ReportWidget, useReportName } from './report-widget.tsx'
import { beforeWords, leftOutWords, rangeWords, widgetNames } from './words.ts'
import { t } from '../locales/text.ts'

const Explanation = later(() => import('./edit/explanation.tsx'), 'shown')

type Props = {
  widget: DashboardWidget
  answer: WidgetAnswer | undefined
  /** the range of the dashboard, from which a widget's own may differ */
  range: string
  /** what the dashboard is filtered by */
  filters: Asked['filters']
}

/** A widget: its number beside that of the time before, and a chart or a table. */
export function WidgetCard({ widget, answer, range, filters }: Props) {
  const [isTable, setTable] = useState(false)
  const name = useWidgetName(widget)
  const navigate = useNavigate()
  const config = widget.config as WidgetConfig
  const { report_id } = config
  const openReport = async (id: string) => {
    const report = countedNamed(id)
    if (report) {
      const { by, time_filter: time, currency_unit } = config
      const pipeline = countedPipeline(report, config, filters)
      const search = { by: by ?? undefined, range: time, pipeline, in: currency_unit }
      await navigate({ to: '/reports/$report', params: { report }, search: search as never })
      return
    }
    const view = await queryClient.fetchQuery(reportQuery(id))
    await navigate({ to: '/reports', search: searchOf(view) as never })
  }
  const { data } = answer ?? {}
  const counted = countedNamed(report_id ?? undefined)
  const shownRange = counted ? countedRange(counted, config) : data?.time_filter
  const own = shownRange && shownRange !== range ? rangeWords(shownRange) : undefined
  const turn = () => setTable(!isTable)
  const table = useRef<Table | null>(null)
  const body = useRef<HTMLDivElement>(null)
  const [isExplained, setExplained] = useState(false)
  const items: MenuItem[] = [
    {
      label: t('Explain this number'),
      icon: 'help',
      onSelect: () => setExplained(true),
    },
    {
      label: t('Copy as a table'),
      icon: 'copy',
      onSelect: () => void copyTable(table.current),
    },
    {
      label: t('Save as CSV'),
      icon: 'download',
      onSelect: () =>
        table.current && saveCsv(name, [table.current.columns, ...table.current.rows]),
    },
    ...(isTable
      ? []
      : [
          {
            label: t('Save as picture'),
            icon: 'image' as const,
            onSelect: () => body.current && void savePicture(name, body.current),
          },
        ]),
    ...(report_id
      ? [
          {
            label: t('Open the report'),
            icon: 'chart-line' as const,
            onSelect: () => void openReport(report_id),
          },
        ]
      : []),
  ]
  return (
    <Card
      className={styles.card}
      title={
        <>
          {name}
          {own ? <small className={styles.own}>{own}</small> : null}
        </>
      }
      actions={
        data || report_id ? (
          <>
            <IconButton
              label={
                isTable
                  ? t('{name}: show as chart', { name })
                  : t('{name}: show as table', { name })
              }
              icon={isTable ? 'chart' : 'table'}
              size="small"
              onClick={turn}
            />
            <Menu
              align="end"
              items={items}
              trigger={
                <IconButton size="small" icon="more" label={t('More about {name}', { name })} />
              }
            />
          </>
        ) : undefined
      }
    >
      <div ref={body}>
        <WidgetBody
          {...{ widget, answer, name, isTable, filters }}
          onTable={turn}
          tableRef={table}
        />
      </div>
      {isExplained ? (
        <Explanation
          {...{ widget, name, filters }}
          answer={answer ?? undefined}
          onClose={() => setExplained(false)}
        />
      ) : null}
    </Card>
  )
}

/** What a widget is called: its own title, else the name of its report or its type. */
export function useWidgetName({ config, widget_type }: DashboardWidget): string {
  const { title, report_id } = config as WidgetConfig
  const report = useReportName(title ? undefined : report_id)
  return title || (report_id ? (report ?? t('Report')) : widgetNames[widget_type])
}

/** Puts a table on the clipboard as spreadsheets read it. */
async function copyTable(table: Table | null): Promise<void> {
  if (!table) return
  const lines = [table.columns, ...table.rows].map((row) =>
    row.map((cell) => cell.replaceAll(/\s/g, ' ')).join('\t'),
  )
  await navigator.clipboard.writeText(lines.join('\n'))
  notify({ message: t('Copied') })
}

type BodyProps = Omit<Props, 'range'> &
  Pick<Look, 'tableRef'> & { name: string; isTable: boolean; onTable: () => void }

/** What a widget shows below its name. */
export function WidgetBody({ widget, answer, name, filters, ...look }: BodyProps) {
  const config = widget.config as WidgetConfig
  if (config.report_id) return <ReportWidget label={name} {...{ config, filters }} {...look} />
  const { data, error } = answer ?? {}
  if (!answer) return <div className={styles.waiting} aria-hidden />
  if (error) return <p className={styles.refused}>{error.message}</p>
  if (!data) return null
  if (data.is_filter_deleted)
    return <p className={styles.refused}>{t('The saved filter of this widget was deleted.')}</p>
  return <Numbers {...{ data, name }} {...look} leftOut={answer.left_out} />
}

type NumbersProps = {
  data: WidgetData
  name: string
  isTable: boolean
  leftOut: string[]
  onTable: () => void
} & Pick<Look, 'tableRef'>

function Numbers({ data, name, leftOut, ...rest }: NumbersProps) {
  const format = useFormat()
  const navigate = useNavigate()
  const { headline, finding, isEmpty, chart } = drawn(data, format)
  const look = {
    ...rest,
    label: name,
    finding,
    onOpen: (href: string) => void navigate({ href }),
  }
  return (
    <>
      {headline ? <Change of={headline} range={data.time_filter} /> : null}
      {isEmpty ? <p className={styles.refused}>{finding}</p> : chart(look)}
      {leftOut.length ? <p className={styles.leftOut}>{leftOutWords(leftOut)}</p> : null}
    </>
  )
}

/** A number, and how it has changed, in words and by its sign. */
function Change({ of, range }: { of: Headline; range: string }) {
  const format = useFormat()
  const { value, before, isBad, to } = of
  const difference = before ? before.now - before.then : 0
  const isGood = isBad ? difference < 0 : difference > 0
  const size = before?.isPoints
    ? t('{number} point | {number} points', {
        number: number(Math.abs(Math.round(difference)), format),
        count: Math.abs(Math.round(difference)),
      })
    : percent(Math.round((100 * Math.abs(difference)) / Math.abs(before?.then || 1)), format)
  // per cent of nothing is nothing
  const much = before && (before.isPoints || before.then) ? size : t('more')
  return (
    <p className={styles.headline}>
      <strong>{to ? <Link to={to}>{value}</Link> : value}</strong>
      {before ? (
        difference && (!before.isPoints || Math.round(difference)) ? (
          <span data-tone={isGood ? 'good' : 'bad'}>
            <span aria-hidden>{difference > 0 ? '▲' : '▼'}</span>{' '}
            <span className={styles.hidden}>{difference > 0 ? t('up') : t('down')}</span>{' '}
            {t('{change} from {before} {period}', {
              change: much,
              before: before.value,
              period: beforeWords(range),
            })}
          </span>
        ) : (
          <span>{t('as {period}', { period: beforeWords(range) })}</span>
        )
      ) : null}
    </p>
  )
}
