import { useState } from 'react'
import QuickCreate from '../calendar/quick-create.tsx'
import type { Slot } from '../calendar/hours.ts'
import { slotOf } from '../calendar/hours.ts'
import type { NewFormProps } from '../records/definition.ts'
import { useFormat } from '../records/field/use-format.ts'

/** A new meeting: when, with whom, and who of them is free; or the form with all fields. */
export default function NewMeeting({ onClose, onPlain }: NewFormProps) {
  const { timezone } = useFormat()
  const [slot, setSlot] = useState<Slot>(() => {
    // the next full hour
    const next = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000)
    const end = new Date(next.getTime() + 3_600_000)
    return slotOf(next.toISOString(), end.toISOString(), timezone)
  })
  return <QuickCreate {...{ slot, onClose, onPlain }} onChange={setSlot} />
}
