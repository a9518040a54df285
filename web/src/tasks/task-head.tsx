import { useState } from 'react'
import { changeRecord, notifyRefusal } from '../data/change.ts'
import type { components } from '../api/schema.d.ts'
import { idOf } from '../data/record.ts'
import { useMayOf } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { later } from '../records/later.tsx'
import { Strip } from '../records/page/strip.tsx'
import { day } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { repetitionIn, sentenceOf, shortMonths } from './repetition.ts'
import styles from './tasks.module.css'
import { t } from '../locales/text.ts'

const RepetitionDialog = later(() => import('./repetition-dialog.tsx'))

type Recurrence = components['schemas']['Recurrence']

/** What of a task says how it repeats. */
export type Repeating = {
  recurrence_pattern?: Recurrence | null
  recurrence_status?: components['schemas']['RecurrenceStatus'] | null
  sub_items?: unknown[] | null
  due_date?: string | null
}

/** The figures of a task, and how it repeats. */
export default function TaskHead(props: SectionProps) {
  return (
    <div className={styles.head}>
      <Strip {...props} />
      <Repetition {...props} />
    </div>
  )
}

/** How a task repeats, in a sentence, and when the next one comes; set, changed and ended from here. */
function Repetition({ module, record }: SectionProps) {
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const mayChange = useMayOf('tasks', record, 'update')
  const task: Repeating = record
  const pattern = task.recurrence_pattern ?? null
  const subtasks = task.sub_items?.length ?? 0
  if (!pattern && !mayChange) return null
  const repetition = pattern ? repetitionIn(pattern.rrule) : undefined
  const shown = (text: string) => day(text, format)
  const sentence = pattern
    ? repetition
      ? sentenceOf(repetition, shown)
      : t('Repeats by a rule of its own')
    : t('Does not repeat')
  const short = repetition ? shortMonths(repetition) : null
  const notes = pattern
    ? [
        nextIn(task, shown),
        ...(short ? [short] : []),
        ...(subtasks && isGoingOn(task)
          ? [
              t(
                'the next one brings its {count} subtask | the next one brings its {count} subtasks',
                { count: subtasks },
              ),
            ]
          : []),
      ]
    : []
  const end = () =>
    void changeRecord(
      module,
      idOf(module, record),
      { recurrence_pattern: null },
      { message: t('The repetition ended'), shown: { recurrence_status: null } },
    ).catch(notifyRefusal)
  return (
    <section className={styles.repetition} aria-label={t('Repetition')}>
      <Icon name="refresh-cw" />
      <p data-set={pattern !== null || undefined}>
        <span>{sentence}</span> {notes.length ? <small>{notes.join(' · ')}</small> : null}
      </p>
      {mayChange ? (
        <span className={styles.acts}>
          <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
            {pattern ? t('Change') : t('Repeat')}
          </Button>
          {pattern ? (
            <Button size="small" variant="quiet" onClick={end}>
              {t('End [verb]')}
            </Button>
          ) : null}
        </span>
      ) : null}
      {isOpen ? (
        <RepetitionDialog
          {...{ module, task, subtasks }}
          id={idOf(module, record)}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </section>
  )
}

/** Whether another task follows this one. */
function isGoingOn({ recurrence_status, recurrence_pattern }: Repeating): boolean {
  return recurrence_status === 'active' && Boolean(recurrence_pattern?.next_occurrence)
}

function nextIn(
  { recurrence_status, recurrence_pattern }: Repeating,
  shown: (text: string) => string,
): string {
  if (recurrence_status === 'paused') return t('paused')
  // the series goes on with another task
  if (recurrence_status === 'completed') return t('the next one is there already')
  if (recurrence_status === 'cancelled') return t('cancelled [repetition]')
  const next = recurrence_pattern?.next_occurrence
  if (!next) return t('this is the last one')
  return recurrence_pattern.mode === 'on_schedule'
    ? t('next on {day}', { day: shown(next) })
    : t('next on {day}, once this one is done', { day: shown(next) })
}
