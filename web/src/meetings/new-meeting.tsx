import { useState } from 'react'
import QuickCreate from '../calendar/quick-create.tsx'
import { minutesOf } from '../calendar/days.ts'
import type { Slot } from '../calendar/hours.ts'
import type { NewFormProps } from '../records/definition.ts'
import { localTime } from '../records/field/local-time.ts'
import { useFormat } from '../records/field/use-format.ts'

/** A new meeting: when, with whom, and who of them is free; or the form with all fields. */
export default function NewMeeting({ onClose, onPlain }: NewFormProps) {
  const { timezone } = useFormat()
  const [slot, setSlot] = useState<Slot>(() => {
    // the next full hour
    const next = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000)
    const begins = localTime(next.toISOString(), timezone)
    const from = minutesOf(begins.slice(11))
    return { day: begins.slice(0, 10), from, to: from + 60 }
  })
  return <QuickCreate {...{ slot, onClose, onPlain }} onChange={setSlot} />
}
