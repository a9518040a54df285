import type { SubmitEvent } from 'react'
import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import type { TimeDraft } from '../data/time.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Field } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { spentIn, spentText } from './spent.ts'
import styles from './time.module.css'
import { t } from '../locales/text.ts'

type Props = {
  label: string
  /** what stands in it at first */
  initial: Omit<TimeDraft, 'seconds'> & { seconds: number | null }
  action: string
  /** saves it; throws the `Problem` */
  onSave: (draft: TimeDraft) => Promise<void>
  onClose: () => void
}

/** The longest entry, as the service takes it, in seconds. */
const longest = 31 * 86_400

/** How long, on which day, and what: for a new entry and for one that is there. */
export function TimeForm({ label, initial, action, onSave, onClose }: Props) {
  const [spent, setSpent] = useState(initial.seconds === null ? '' : spentText(initial.seconds))
  const [date, setDate] = useState<string | null>(initial.date)
  const [note, setNote] = useState(initial.note ?? '')
  const [isBillable, setBillable] = useState(initial.is_billable)
  const [fault, setFault] = useState<{ field?: string; message: string }>()
  const [isBusy, setBusy] = useState(false)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    // what is shown in minutes keeps its seconds
    const isSame = initial.seconds !== null && spent === spentText(initial.seconds)
    const seconds = isSame ? initial.seconds : spentIn(spent)
    if (!seconds || seconds > longest) {
      const message = seconds ? t('at most 31 days') : t('such as 2h 30m, 90m, 1.5 or 2d')
      return setFault({ field: 'seconds', message })
    }
    if (!date) return setFault({ field: 'date', message: t('choose the day') })
    setBusy(true)
    try {
      await onSave({ seconds, date, note: note.trim() || null, is_billable: isBillable })
      onClose()
    } catch (error) {
      const { message, fields } = asProblem(error)
      const [first] = fields
      setFault(first ? { field: first.field, message: first.message } : { message })
      setBusy(false)
    }
  }
  const faultOf = (field: string) => (fault?.field === field ? fault.message : undefined)
  return (
    <form
      className={styles.form}
      aria-label={label}
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <Field label={t('Time')} error={faultOf('seconds')} className={styles.short}>
        <TextField autoFocus value={spent} onChange={setSpent} placeholder="2h 30m" />
      </Field>
      <Field label={t('Day')} error={faultOf('date')} className={styles.short}>
        <DateField value={date} onChange={setDate} />
      </Field>
      <Field label={t('Note')} error={faultOf('note')} className={styles.note}>
        <TextField value={note} onChange={setNote} maxLength={2000} />
      </Field>
      <div className={styles.end}>
        <Checkbox checked={isBillable} onChange={setBillable}>
          {t('Billable')}
        </Checkbox>
        <span className={styles.space} />
        <Button size="small" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button size="small" variant="primary" type="submit" busy={isBusy}>
          {action}
        </Button>
      </div>
      {fault && !['seconds', 'date', 'note'].includes(fault.field ?? '') ? (
        <p role="alert" className={styles.fault}>
          {fault.message}
        </p>
      ) : null}
    </form>
  )
}
