import type { KeyboardEvent, RefObject } from 'react'
import { useEffect, useRef } from 'react'
import { addDays } from '../records/field/format.ts'
import { localTime } from '../records/field/local-time.ts'
import { useFormat } from '../records/field/use-format.ts'
import { announce } from '../ui/announce.tsx'
import styles from './calendar.module.css'
import { minutesOf } from './days.ts'
import type { Entry } from './entries.ts'
import { slicesOn } from './entries.ts'
import type { Slot } from './hours.ts'
import { y } from './hours.ts'
import type { Place } from './use-place.ts'
import { dayWords, minuteWords } from './words.ts'
import { t } from '../locales/text.ts'

const last = 24 * 60

/** Half an hour from the next half hour on, of today; of another day at nine. */
export function nextSlot(day: string, now: string, timezone: string): Slot {
  const time = minutesOf(localTime(new Date().toISOString(), timezone).slice(11))
  const from = day === now ? Math.min(Math.ceil(time / 30) * 30, last - 30) : 9 * 60
  return { day, from, to: from + 30 }
}

/** What arrows do with the slot: a quarter of an hour, a day, and with Shift its end. */
export function moved({ day, from, to }: Slot, key: string, isLonger: boolean): Slot | undefined {
  const length = to - from
  if (key === 'ArrowLeft') return { day: addDays(day, -1), from, to }
  if (key === 'ArrowRight') return { day: addDays(day, 1), from, to }
  const by = key === 'ArrowUp' ? -15 : key === 'ArrowDown' ? 15 : 0
  if (!by) return undefined
  if (isLonger) return { day, from, to: Math.min(Math.max(to + by, from + 15), last) }
  const next = Math.min(Math.max(from + by, 0), last - length)
  return { day, from: next, to: next + length }
}

/** The keys of the marked slot. */
export function useSlotKeys({
  slot,
  setSlot,
  make,
  place,
}: {
  slot: Slot
  setSlot: (slot: Slot) => void
  make: (slot: Slot) => void
  place: Place
}) {
  return (event: KeyboardEvent) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event
    if (altKey || ctrlKey || metaKey) return
    let next = moved(slot, key, shiftKey)
    // days that are hidden are passed over
    while (next && !place.isShown(next.day)) next = moved(next, key, shiftKey)
    if (key !== 'Enter' && !next) return
    event.preventDefault()
    if (!next) return make(slot)
    // on days that are not read yet it stands on the chosen one
    if (place.days.includes(next.day)) setSlot(next)
    else place.goTo(next.day)
  }
}

/** Where a new meeting would be: has the focus of keys, and says whether the time is free. */
export function SlotButton({
  slot,
  entries,
  focusRef,
  onKeyDown,
  onOpen,
}: {
  slot: Slot
  entries: Entry[]
  /** whether keys move it: in the column of another day it is another element */
  focusRef: RefObject<boolean>
  onKeyDown: (event: KeyboardEvent) => void
  onOpen: (slot: Slot) => void
}) {
  const format = useFormat()
  const ref = useRef<HTMLButtonElement>(null)
  const { day, from, to } = slot
  const busy = slicesOn(entries, day, 12).slices.filter((each) => each.from < to && each.to > from)
  const state = busy.length ? busy.map(({ entry }) => entry.meeting.title).join(', ') : t('free')
  const name = t('{day}, {start} to {end}, {state}', {
    day: dayWords(day, format),
    start: minuteWords(from, format),
    end: minuteWords(to, format),
    state,
  })
  useEffect(() => {
    if (focusRef.current) {
      ref.current?.focus({ preventScroll: true })
      ref.current?.scrollIntoView({ block: 'nearest' })
      announce(name)
    }
  }, [name, focusRef])
  return (
    <button
      ref={ref}
      type="button"
      data-slot
      className={styles.slot}
      style={{ top: y(from), height: y(to - from) }}
      aria-label={name}
      onFocus={() => {
        focusRef.current = true
      }}
      onBlur={({ relatedTarget }) => {
        focusRef.current = relatedTarget === null
      }}
      onKeyDown={onKeyDown}
      onClick={() => onOpen(slot)}
    />
  )
}
