import { useState } from 'react'
import { useSubmit } from '../data/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { DateField } from '../ui/date-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { t } from '../locales/text.ts'

type Holiday = { name: string; date: string; is_repeat_annually: boolean }

/** A line that adds a day to a set of holidays. */
export function HolidayForm({
  place,
  className,
  onAdd,
}: {
  /** whose holidays they are */
  place: string
  className: string | undefined
  onAdd: (holiday: Holiday) => Promise<void>
}) {
  const [name, setName] = useState('')
  const [date, setDate] = useState<string | null>(null)
  const [isYearly, setYearly] = useState(false)
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (!name.trim() || !date) return
    await onAdd({ name: name.trim(), date, is_repeat_annually: isYearly })
    setName('')
    setDate(null)
    setYearly(false)
  })
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label={t('New holiday of {place}', { place })}
        placeholder={t('New holiday')}
        value={name}
        onChange={setName}
      />
      <DateField
        label={t('Day of the new holiday of {place}', { place })}
        value={date}
        onChange={setDate}
      />
      <Checkbox checked={isYearly} onChange={setYearly}>
        {t('Every year')}
      </Checkbox>
      <Button type="submit" busy={isBusy} disabled={!name.trim() || !date}>
        {t('Add holiday')}
      </Button>
      {problem ? <p role="alert">{problem.message}</p> : null}
    </form>
  )
}
