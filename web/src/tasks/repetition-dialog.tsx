import { useState } from 'react'
import { changeRecord } from '../data/change.ts'
import type { Module } from '../data/modules.ts'
import { useSubmit } from '../data/use-submit.ts'
import { day, today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import type { Repetition } from './repetition.ts'
import {
  nthOf,
  nthWords,
  ordinal,
  repetitionIn,
  rruleOf,
  sentenceOf,
  shortMonths,
  unitWords,
  units,
  weekdayName,
  weekdayOf,
  weekdays,
} from './repetition.ts'
import type { Repeating } from './task-head.tsx'
import styles from './tasks.module.css'
import { t } from '../locales/text.ts'

type Props = { module: Module; id: string; task: Repeating; subtasks: number; onClose: () => void }

/** Sets how a task repeats; what it comes to is said in a sentence. */
export default function RepetitionDialog({ module, id, task, subtasks, onClose }: Props) {
  const format = useFormat()
  const stored = task.recurrence_pattern ?? null
  const first = task.due_date ?? today(format.timezone)
  const [repetition, setRepetition] = useState<Repetition>(
    () =>
      (stored ? repetitionIn(stored.rrule) : undefined) ?? {
        every: 1,
        unit: 'week',
        weekdays: [weekdayOf(first)],
        monthDay: null,
        nth: null,
        until: null,
        count: null,
      },
  )
  const [mode, setMode] = useState(stored?.mode ?? 'on_completion')
  const { every, unit, until, count } = repetition
  const set = (values: Partial<Repetition>) => setRepetition({ ...repetition, ...values })
  const [ends, setEnds] = useState<'never' | 'until' | 'count'>(
    until ? 'until' : count === null ? 'never' : 'count',
  )
  const isWhole = (ends !== 'until' || until !== null) && (ends !== 'count' || count !== null)
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (!isWhole) return
    const recurrence_pattern = {
      rrule: rruleOf(repetition),
      mode,
      ...(stored ? { holiday_policy: stored.holiday_policy } : {}),
    }
    const message = stored ? t('The repetition changed') : t('The task repeats')
    // what the server makes of it, with the next day, is shown once it answers
    await changeRecord(
      module,
      id,
      { recurrence_pattern },
      { message, shown: { recurrence_pattern: stored } },
    )
    onClose()
  })
  const inMonth = repetition.nth ? 'nth' : repetition.monthDay === -1 ? 'last' : 'day'
  const onDay = Number(first.slice(8))
  const short = shortMonths(repetition)
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Repeat the task')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!isWhole}>
            {stored ? t('Change') : t('Repeat')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <div className={styles.pair}>
          <Field label={t('Every')}>
            <NumberField
              integer
              min={1}
              max={1000}
              value={every}
              onChange={(next) => set({ every: next ?? 1 })}
            />
          </Field>
          <Field label={t('Unit')}>
            <Choice
              value={unit}
              onChange={(next) => {
                const wanted = units.find((each) => each === next) ?? 'week'
                set({
                  unit: wanted,
                  weekdays: wanted === 'week' ? [weekdayOf(first)] : [],
                  monthDay: wanted === 'month' ? onDay : null,
                  nth: null,
                })
              }}
              options={units.map((value) => ({
                value,
                label: unitWords(value, every),
              }))}
            />
          </Field>
        </div>
        {unit === 'week' ? (
          <fieldset className={styles.days}>
            <legend>{t('On [day]')}</legend>
            {weekdays.map((each) => (
              <Checkbox
                key={each}
                checked={repetition.weekdays.includes(each)}
                onChange={(isChosen) =>
                  set({
                    weekdays: isChosen
                      ? [...repetition.weekdays, each]
                      : repetition.weekdays.filter((other) => other !== each),
                  })
                }
              >
                {weekdayName(each)}
              </Checkbox>
            ))}
          </fieldset>
        ) : null}
        {unit === 'month' ? (
          <Field label={t('On [day]')} hint={short ?? undefined}>
            <Choice
              value={inMonth}
              onChange={(next) =>
                set({
                  monthDay: next === 'day' ? onDay : next === 'last' ? -1 : null,
                  nth: next === 'nth' ? nthOf(first) : null,
                })
              }
              options={[
                {
                  value: 'day',
                  label: t('The {number}', {
                    number: ordinal(inMonth === 'day' ? (repetition.monthDay ?? onDay) : onDay),
                  }),
                },
                { value: 'last', label: t('The last day') },
                {
                  value: 'nth',
                  label: nthWords(repetition.nth ?? nthOf(first)),
                },
              ]}
            />
          </Field>
        ) : null}
        <Field label={t('Ends')}>
          <SegmentedControl
            value={ends}
            onChange={(next) => {
              setEnds(next)
              set({ until: null, count: null })
            }}
            options={[
              { value: 'never', label: t('Never') },
              { value: 'until', label: t('On a day') },
              { value: 'count', label: t('After [times]') },
            ]}
          />
        </Field>
        {ends === 'until' ? (
          <Field label={t('Last day')}>
            <DateField value={until} min={first} onChange={(next) => set({ until: next })} />
          </Field>
        ) : null}
        {ends === 'count' ? (
          <Field label={t('Times [count]')}>
            <NumberField
              integer
              min={1}
              max={10_000}
              value={count}
              onChange={(next) => set({ count: next })}
            />
          </Field>
        ) : null}
        <Field label={t('The next one comes')}>
          <SegmentedControl
            value={mode}
            onChange={setMode}
            options={[
              { value: 'on_completion', label: t('Once this is done') },
              { value: 'on_schedule', label: t('On its day') },
            ]}
          />
        </Field>
        <p role="status">
          {sentenceOf(repetition, (text) => day(text, format))}.
          {subtasks
            ? ` ${t(
                'The next one brings its {count} subtask. | The next one brings its {count} subtasks.',
                { count: subtasks },
              )}`
            : ''}
        </p>
        {problem ? <p role="alert">{problem.message}</p> : null}
      </div>
    </Dialog>
  )
}
