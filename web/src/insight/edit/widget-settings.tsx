import { useState } from 'react'
import { sidesOf } from '../../../../server/src/model/dashboards/reports.ts'
import type { DashboardWidget, WidgetConfig } from '../../data/dashboards.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { CountedName } from '../../data/counted.ts'
import { DashboardFilters, PipelineFilter } from '../filters.tsx'
import { sideWords } from '../report/counted-words.ts'
import { countedNamed, countedReports } from '../report/shipped.ts'
import { countedRange } from '../report-widget.tsx'
import { useWidgetName } from '../widget-card.tsx'
import { isByPipeline, ranges, rangeWords } from '../words.ts'
import css from './edit.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  widget: DashboardWidget
  onClose: () => void
  onChange: (widget: DashboardWidget) => void
}

/** A widget's title, and the time and filters that it has for itself. */
export function WidgetSettings({ widget, onClose, onChange }: Props) {
  const [config, setConfig] = useState(widget.config as WidgetConfig)
  const [isVisible, setVisible] = useState(widget.is_visible)
  const usual = useWidgetName({ ...widget, config: { ...widget.config, title: '' } })
  const change = (next: WidgetConfig) =>
    setConfig(
      Object.fromEntries(Object.entries({ ...config, ...next }).filter(([, value]) => value)),
    )
  const { time_filter: time } = config
  const options = time && !ranges.includes(time) ? [time, ...ranges] : ranges
  const shipped = countedNamed(config.report_id)
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('{name}: settings', { name: usual })}
      onSubmit={() => onChange({ ...widget, config, is_visible: isVisible })}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('Apply')}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <Field label={t('Title')}>
          <TextField
            value={config.title ?? ''}
            placeholder={usual}
            onChange={(title) => change({ title })}
            maxLength={255}
            autoFocus
          />
        </Field>
        {shipped ? (
          <ShippedSettings report={shipped} config={config} onChange={change} />
        ) : config.report_id ? (
          <p className={css.note}>{t('A report has its own time and filters.')}</p>
        ) : (
          <>
            <Field label={t('Time [period]')}>
              <Choice
                value={time ?? null}
                clearable
                placeholder={t('As the dashboard')}
                options={options.map((value) => ({ value, label: rangeWords(value) }))}
                onChange={(next) => change({ time_filter: next ?? '' })}
              />
            </Field>
            <DashboardFilters
              search={{
                ...(config.owner ? { owner: config.owner } : {}),
                ...(config.account_id ? { account: config.account_id } : {}),
                ...(config.pipeline_id ? { pipeline: config.pipeline_id } : {}),
              }}
              without={isByPipeline(widget.widget_type) ? [] : ['pipeline']}
              onChange={({ owner, account, pipeline }) =>
                change({
                  ...(owner === undefined ? {} : { owner }),
                  ...(account === undefined ? {} : { account_id: account }),
                  ...(pipeline === undefined ? {} : { pipeline_id: pipeline }),
                })
              }
            />
          </>
        )}
        <Checkbox checked={isVisible} onChange={setVisible}>
          {t('Show it on the dashboard')}
        </Checkbox>
      </div>
    </Dialog>
  )
}

type ShippedProps = {
  report: CountedName
  config: WidgetConfig
  onChange: (next: WidgetConfig) => void
}

/** What a shipped report is asked on a dashboard: its time, its rows and of which pipeline. */
function ShippedSettings({ report, config, onChange }: ShippedProps) {
  const sides = sidesOf[report]
  const [usual] = sides
  const range = countedRange(report, config)
  return (
    <>
      {range === undefined ? null : (
        <Field label={t('Time [period]')}>
          <Choice
            value={range}
            options={ranges.map((value) => ({ value, label: rangeWords(value) }))}
            onChange={(next) => onChange({ time_filter: next ?? '' })}
          />
        </Field>
      )}
      {sides.length > 1 ? (
        <Field label={t('In groups of')}>
          <Choice
            value={config.by ?? usual ?? null}
            options={sides.map((value) => ({ value, label: sideWords[value] }))}
            onChange={(next) => onChange({ by: next ?? '' })}
          />
        </Field>
      ) : null}
      {countedReports[report].module === 'deals' ? (
        <PipelineFilter
          id={config.pipeline_id ?? null}
          onChange={(next) => onChange({ pipeline_id: next })}
        />
      ) : null}
    </>
  )
}
