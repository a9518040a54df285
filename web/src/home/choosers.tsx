import { useEffect, useState } from 'react'
import type { HomeRow } from '../data/home.ts'
import { searchPeople } from '../records/field/choices.ts'
import type { Format } from '../records/field/format.ts'
import { holdsTyped } from '../ui/holds.ts'
import { PaletteDialog } from '../ui/palette.tsx'
import { useOptions } from '../ui/use-options.ts'
import { daysAhead } from './words.ts'
import { t } from '../locales/text.ts'

/** Days that are shown for what was typed. */
const mostDays = 8

export type Choosing = { what: 'person' | 'day'; row: HomeRow }

type Props = {
  choosing: Choosing
  today: string
  workday: string
  format: Format
  onDay: (row: HomeRow, day: string) => void
  onPerson: (row: HomeRow, person: { id: string; name: string }) => void
  /** what has the focus afterwards */
  finalFocus: () => HTMLElement | null
  onClose: () => void
}

/** Asks above the page to whom a task is given, or to which day it moves. */
export default function Chooser({ choosing: { what, row }, onDay, onPerson, ...rest }: Props) {
  return what === 'person' ? (
    <People {...rest} row={row} onChoose={(person) => onPerson(row, person)} />
  ) : (
    <Days {...rest} row={row} onChoose={(day) => onDay(row, day)} />
  )
}

type PeopleProps = {
  row: HomeRow
  onChoose: (person: { id: string; name: string }) => void
  finalFocus: () => HTMLElement | null
  onClose: () => void
}

function People({ row, onChoose, finalFocus, onClose }: PeopleProps) {
  const { options, query, busy, fault, search } = useOptions(searchPeople)
  useEffect(() => search(''), [search])
  const others = options.filter(({ id }) => id !== row.owner)
  return (
    <PaletteDialog
      open
      finalFocus={finalFocus}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      label={t('Give {title} to', { title: row.title })}
      placeholder={t('Give to whom?')}
      query={query}
      onQuery={search}
      busy={busy}
      groups={[
        {
          label: t('People'),
          items: others.map(({ id, name, email }) => ({
            id,
            label: name,
            detail: email ?? null,
            avatar: 'round' as const,
          })),
        },
      ]}
      empty={fault ?? t('Nobody is called “{query}”', { query })}
      onChoose={({ id, label }) => {
        onChoose({ id, name: label })
        onClose()
      }}
    />
  )
}

type DaysProps = Omit<Props, 'choosing' | 'onDay' | 'onPerson'> & {
  row: HomeRow
  onChoose: (day: string) => void
}

function Days({ row, today, workday, format, onChoose, finalFocus, onClose }: DaysProps) {
  const [query, setQuery] = useState('')
  const { near, all } = daysAhead(today, workday, format)
  const typed = query.trim()
  const found = typed ? [...near, ...all].filter((each) => holdsTyped(each.found, typed)) : near
  const items = found
    .filter((each, at) => found.findIndex(({ day }) => day === each.day) === at)
    .slice(0, mostDays)
  return (
    <PaletteDialog
      open
      finalFocus={finalFocus}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      label={t('Move {title} to', { title: row.title })}
      placeholder={t('To which day? fri, dec 4')}
      query={query}
      onQuery={setQuery}
      groups={[
        {
          label: t('Days'),
          items: items.map(({ day, label, detail }) => ({
            id: day,
            label,
            detail,
            icon: 'calendar' as const,
          })),
        },
      ]}
      empty={t('“{typed}” is no day of the next months', { typed })}
      onChoose={({ id }) => {
        onChoose(id)
        onClose()
      }}
    />
  )
}
