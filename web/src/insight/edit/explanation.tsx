import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Asked, DashboardWidget, WidgetAnswer, WidgetConfig } from '../../data/dashboards.ts'
import type { Clause } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { fieldOf, moduleQuery } from '../../data/modules.ts'
import { reportQuery } from '../../data/views.ts'
import { ConditionValue } from '../../records/filters/condition-value.tsx'
import { needsValue, wordsOf } from '../../records/filters/words.ts'
import { day, instant } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from '../insight.module.css'
import { appliedTo } from '../report/applied.ts'
import { listAddress, lists } from '../report/lists.ts'
import { countedNamed, countedReports } from '../report/shipped.ts'
import { widgetAbout } from '../words.ts'
import { t } from '../../locales/text.ts'

type Props = {
  widget: DashboardWidget
  name: string
  answer: WidgetAnswer | undefined
  /** what the dashboard is filtered by */
  filters: Asked['filters']
  onClose: () => void
}

/** What a number counts: its definition, the time, the conditions of its records, and when it was read. */
export default function Explanation({ widget, name, answer, filters, onClose }: Props) {
  const format = useFormat()
  const { report_id } = widget.config as WidgetConfig
  const shipped = countedNamed(report_id)
  const { data: view } = useQuery({
    ...reportQuery(report_id ?? ''),
    enabled: Boolean(report_id) && !shipped,
  })
  const { data } = answer ?? {}
  const module = report_id ? view?.module : (data?.module ?? undefined)
  const screens = lists.of(module)
  const { data: described } = useQuery({ ...moduleQuery(module ?? ''), enabled: Boolean(module) })
  const ofReport = view &&
    described && [...(view.conditions as Clause[]), ...appliedTo(described, filters).clauses]
  const filter = (report_id ? ofReport : (data?.filter ?? [])) as Clause[] | undefined
  const isLed = screens && filter && (report_id || data?.filter)
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={name}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <dl className={styles.facts}>
        <div>
          <dt>{t('What is counted')}</dt>
          <dd>
            {shipped
              ? countedReports[shipped].note
              : report_id
                ? t('A saved report: the records of a list in groups')
                : widgetAbout[widget.widget_type]}
          </dd>
        </div>
        {data ? (
          <div>
            <dt>{t('Time [period]')}</dt>
            <dd>{`${day(data.from, format)} – ${day(data.to, format)}`}</dd>
          </div>
        ) : null}
        {isLed && described && filter.length ? (
          <div>
            <dt>{t('Conditions')}</dt>
            {filter.map((clause, at) => (
              <dd key={at}>
                <ClauseWords clause={clause} module={described} />
              </dd>
            ))}
          </div>
        ) : null}
        <div>
          <dt>{t('Whose')}</dt>
          <dd>{t('Only records that you may see')}</dd>
        </div>
        {data ? (
          <div>
            <dt>{t('Read')}</dt>
            <dd>{instant(data.generated_at, format)}</dd>
          </div>
        ) : null}
      </dl>
      {isLed ? (
        <p className={styles.records}>
          <Link to={listAddress(screens, filter)}>{t('Show these records')}</Link>
        </p>
      ) : null}
    </Dialog>
  )
}

/** A condition in words, and those within it. */
function ClauseWords({ clause, module }: { clause: Clause; module: Module }) {
  if ('field' in clause) {
    const field = fieldOf(module, clause.field)
    return (
      <>
        {`${field?.label ?? clause.field} ${wordsOf(clause.operator, field)} `}
        {needsValue(clause.operator) && field ? (
          <ConditionValue field={field} value={clause.value} />
        ) : null}
      </>
    )
  }
  if ('not' in clause)
    return (
      <>
        {t('Not [condition]')} <ClauseWords clause={clause.not} module={module} />
      </>
    )
  const all = 'and' in clause ? clause.and : clause.or
  return all.map((each, at) => (
    <span key={at}>
      {at ? ` ${'and' in clause ? t('and') : t('or')} ` : ''}
      <ClauseWords clause={each} module={module} />
    </span>
  ))
}
