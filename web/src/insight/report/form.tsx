import { lists } from './lists.ts'
import type { Unit } from '../../data/figures.ts'
import type { Module } from '../../data/modules.ts'
import { Filters } from '../../records/filters/filters.tsx'
import { Button } from '../../ui/button.tsx'
import { capital } from '../../ui/capital.ts'
import { Choice } from '../../ui/choice.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import type { Question } from './address.ts'
import {
  chartOf,
  charts,
  groupable,
  isRanged,
  isTime,
  kinds,
  measurable,
  measureIn,
  measuresOf,
  units,
  widthOf,
} from './question.ts'
import styles from './report.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  question: Question
  currencies: string[]
  currency: string | null
  onChange: (next: Partial<Question>) => void
}

/** The question of a report: what, which ones, in groups of what, and what is measured. */
export function QuestionForm({ module, question, currencies, currency, onChange }: Props) {
  const fields = groupable(module)
  const options = fields.map(({ name, label }) => ({ value: name, label }))
  const field = (name: string | undefined) => fields.find((each) => each.name === name)
  const measures = measuresOf(question)
  const measure = (at: number, next: string) =>
    onChange({ show: measures.with(at, next).join(',') })
  const other = measurable(module, 'sum')[0] ? 'sum' : 'share'
  return (
    <form
      className={styles.form}
      aria-label={t('Question')}
      onSubmit={(event) => event.preventDefault()}
    >
      <Part title={t('What')}>
        <ModuleChoice
          of={question.of}
          onChange={(of) =>
            // fields of another kind of record have no meaning here
            onChange({
              of,
              f: undefined,
              by: undefined,
              unit: undefined,
              width: undefined,
              then: undefined,
              then_unit: undefined,
              show: undefined,
              in: undefined,
              report: undefined,
            })
          }
        />
      </Part>
      <Part title={t('Which ones')}>
        <Filters
          module={module}
          filter={question.f ?? []}
          onChange={(f) => onChange({ f: f.length ? f : undefined })}
        />
      </Part>
      <Part title={t('In groups of')}>
        <div className={styles.pair}>
          <Choice
            label={t('In groups of')}
            placeholder={t('Choose a field')}
            value={question.by ?? null}
            options={options}
            onChange={(by) =>
              onChange({
                by: by ?? undefined,
                unit: undefined,
                width: undefined,
                ...(by === question.then ? { then: undefined, then_unit: undefined } : {}),
              })
            }
          />
          {isTime(field(question.by)) ? (
            <UnitChoice
              label={t('Length of time')}
              value={question.unit}
              onChange={(unit) => onChange({ unit })}
            />
          ) : null}
          {isRanged(field(question.by)) ? (
            <NumberField
              label={t('Size of the ranges')}
              value={widthOf(question)}
              onChange={(width) => width && width > 0 && onChange({ width: String(width) })}
            />
          ) : null}
        </div>
      </Part>
      <Part title={t('then of')}>
        <div className={styles.pair}>
          <Choice
            label={t('then of')}
            placeholder={t('Nothing else')}
            clearable
            value={question.then ?? null}
            options={options.filter(
              ({ value }) => value !== question.by && !isRanged(field(value)),
            )}
            onChange={(then) => onChange({ then: then ?? undefined, then_unit: undefined })}
          />
          {isTime(field(question.then)) ? (
            <UnitChoice
              label={t('Length of time of the second field')}
              value={question.then_unit}
              onChange={(then_unit) => onChange({ then_unit })}
            />
          ) : null}
        </div>
      </Part>
      <Part
        title={t('Show')}
        action={
          measures.length < 3 ? (
            <Button
              size="small"
              variant="quiet"
              onClick={() => onChange({ show: [...measures, initial(module, other)].join(',') })}
            >
              {t('Add')}
            </Button>
          ) : undefined
        }
      >
        {measures.map((each, at) => (
          // a measure has no id, and the same may stand twice while it is chosen
          <div key={at} className={styles.pair}>
            <MeasureChoice module={module} measure={each} onChange={(next) => measure(at, next)} />
            {measures.length > 1 ? (
              <IconButton
                size="small"
                icon="x"
                label={t('Remove measure {number}', { number: String(at + 1) })}
                onClick={() =>
                  onChange({ show: measures.filter((_, other) => other !== at).join(',') })
                }
              />
            ) : null}
          </div>
        ))}
      </Part>
      <Part title={t('As [chart]')}>
        <SegmentedControl
          label={t('As [chart]')}
          iconsOnly
          value={chartOf(question)}
          options={charts}
          onChange={(as) => onChange({ as })}
        />
      </Part>
      {currencies.length > 1 ? (
        <Part title={t('Amounts in')}>
          <Choice
            label={t('Amounts in')}
            value={currency}
            options={currencies.map((value) => ({ value, label: value }))}
            onChange={(next) => onChange({ in: next ?? undefined })}
          />
        </Part>
      ) : null}
    </form>
  )
}

type PartProps = { title: string; action?: React.ReactNode; children: React.ReactNode }

function Part({ title, action, children }: PartProps) {
  return (
    <div className={styles.part}>
      <div className={styles.partHead}>
        <span>{title}</span>
        {action}
      </div>
      {children}
    </div>
  )
}

type ModuleProps = { of: string | undefined; onChange: (of: string) => void }

/** The kinds of records that have a list which the person may read. */
export function ModuleChoice({ of, onChange }: ModuleProps) {
  const known = lists.useKnown()
  return (
    <Choice
      label={t('What')}
      placeholder={t('Choose a kind of record')}
      value={of ?? null}
      options={known.map(({ module, word }) => ({ value: module, label: capital(word.many) }))}
      onChange={(next) => next && onChange(next)}
    />
  )
}

type UnitProps = { label: string; value: string | undefined; onChange: (unit: Unit) => void }

function UnitChoice({ label, value, onChange }: UnitProps) {
  return (
    <Choice
      label={label}
      value={units.find((unit) => unit.value === value)?.value ?? 'month'}
      options={units}
      onChange={(next) => next && onChange(next as Unit)}
    />
  )
}

/** A measure of a kind, of the first field that has it. */
function initial(module: Module, kind: string): string {
  if (kind === 'count' || kind === 'share') return kind
  const fields = measurable(module, kind)
  const first = fields.find(({ type }) => type === 'currency') ?? fields[0]
  return first ? `${kind}:${first.name}` : 'count'
}

type MeasureProps = { module: Module; measure: string; onChange: (measure: string) => void }

function MeasureChoice({ module, measure, onChange }: MeasureProps) {
  const { kind, field } = measureIn(measure)
  const offered = kinds.filter(
    ({ value }) => value === 'count' || value === 'share' || measurable(module, value).length > 0,
  )
  const ofRecords = { value: '', label: t('Records') }
  const fields = measurable(module, kind).map(({ name, label }) => ({ value: name, label }))
  return (
    <>
      <Choice
        label={t('Measure')}
        value={kind}
        options={offered}
        onChange={(next) => next && onChange(initial(module, next))}
      />
      {kind === 'count' ? null : (
        <Choice
          label={t('Of [field]')}
          value={field}
          options={kind === 'share' ? [ofRecords, ...fields] : fields}
          onChange={(next) => onChange(next ? `${kind}:${next}` : kind)}
        />
      )}
    </>
  )
}
