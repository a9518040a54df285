import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { DashboardWidget, WidgetAnswer, WidgetData } from '../data/dashboards.ts'
import { number, percent } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Card } from '../ui/card.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import type { Headline } from './drawn.tsx'
import { drawn } from './drawn.tsx'
import styles from './insight.module.css'
import { beforeWords, leftOutWords, rangeWords, widgetNames } from './words.ts'
import { t } from '../locales/text.ts'

type Props = {
  widget: DashboardWidget
  answer: WidgetAnswer | undefined
  /** the range of the dashboard, from which a widget's own may differ */
  range: string
}

/** A widget: its number beside that of the time before, and a chart or a table. */
export function WidgetCard({ widget, answer, range }: Props) {
  const [isTable, setTable] = useState(false)
  const { title } = widget.config as { title?: string }
  const name = title || widgetNames[widget.widget_type]
  const { data, error } = answer ?? {}
  const own = data && data.time_filter !== range ? rangeWords(data.time_filter) : undefined
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
        data ? (
          <IconButton
            label={
              isTable ? t('{name}: show as chart', { name }) : t('{name}: show as table', { name })
            }
            icon={isTable ? 'chart' : 'table'}
            size="small"
            onClick={() => setTable(!isTable)}
          />
        ) : undefined
      }
    >
      {!answer ? (
        <div className={styles.waiting} aria-hidden />
      ) : error ? (
        <p className={styles.refused}>{error.message}</p>
      ) : data?.is_filter_deleted ? (
        <p className={styles.refused}>{t('The saved filter of this widget was deleted.')}</p>
      ) : data ? (
        <Numbers
          {...{ data, name, isTable }}
          leftOut={answer.left_out}
          onTable={() => setTable(!isTable)}
        />
      ) : null}
    </Card>
  )
}

type NumbersProps = {
  data: WidgetData
  name: string
  isTable: boolean
  leftOut: string[]
  onTable: () => void
}

function Numbers({ data, name, isTable, leftOut, onTable }: NumbersProps) {
  const format = useFormat()
  const navigate = useNavigate()
  const { headline, finding, isEmpty, chart } = drawn(data, format)
  const look = {
    label: name,
    finding,
    isTable,
    onTable,
    onOpen: (to: string) => void navigate({ to }),
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
  const { value, before, isBad } = of
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
      <strong>{value}</strong>
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
