import { foldedText } from '../../../server/src/kit/ground/fold.ts'
import type { Almanac } from './day-words.ts'
import { readDay, weekdayOf } from './day-words.ts'
import { t } from '../locales/text.ts'

/** What a word at the end of a title sets, and how it is shown. */
export type Chip = { word: string; label: string; set: Sets }

/** What is set besides the title; a person with the name that is shown. */
export type Sets = {
  owner?: { user_id: string; full_name: string; profile_image: string | null }
  priority?: { value: string; label: string }
  due?: string
  days?: number
}

/** What the words are found in. */
export type Words = {
  /** a milestone has neither a priority nor days of its own */
  isTask: boolean
  people: NonNullable<Sets['owner']>[]
  priorities: { value: string; label: string }[]
  almanac: Almanac
  /** a day as it is shown */
  day: (day: string) => string
}

/** The chip of the last word of a text, and the text without it; undefined where it is only a word. */
export function lastChip(text: string, words: Words): { chip: Chip; rest: string } | undefined {
  const [, rest, word] = /^(.*?)(?:^|\s+)(\S+)\s*$/s.exec(text) ?? []
  if (rest === undefined || word === undefined) return undefined
  const found = setBy(word, words)
  return found && { chip: { word, ...found }, rest: rest.trimEnd() }
}

/** All chips at the end of a text, in their order, and the title before them; `literal` words are left in it. */
export function chipsAtEnd(text: string, words: Words, literal: ReadonlySet<string> = new Set()) {
  const chips: Chip[] = []
  let title = text.trim()
  for (;;) {
    const found = lastChip(title, words)
    // a title is never made of nothing but such words
    if (!found?.rest || literal.has(found.chip.word)) return { title, chips }
    chips.unshift(found.chip)
    title = found.rest
  }
}

/** What chips set together; the last of a kind counts. */
export function setsOf(chips: Chip[]): Sets {
  return chips.reduce<Sets>((all, { set }) => ({ ...all, ...set }), {})
}

function setBy(word: string, words: Words): Omit<Chip, 'word'> | undefined {
  const { isTask, people, priorities, almanac } = words
  const folded = fold(word.slice(1))
  if (word.startsWith('@')) {
    const owner = personCalled(folded, people)
    return owner && { label: owner.full_name, set: { owner } }
  }
  if (isTask && word.startsWith('!') && folded) {
    const priority = priorities.find(({ label }) => fold(label).startsWith(folded))
    return priority && { label: priority.label, set: { priority } }
  }
  const [, days] = /^(\d{1,3})d$/i.exec(word) ?? []
  if (isTask && days !== undefined && Number(days) > 0) {
    const count = Number(days)
    return { label: t('{count} day | {count} days', { count }), set: { days: count } }
  }
  const isDay =
    /^\+\d{1,3}$/.test(word) ||
    ['today', t('today').toLowerCase()].includes(word.toLowerCase()) ||
    weekdayOf(word.toLocaleLowerCase(almanac.locale), almanac.locale) !== undefined
  const due = isDay ? readDay(word, almanac) : undefined
  return due ? { label: words.day(due), set: { due } } : undefined
}

/** The one person whose name, or a part of it, begins so; the one who is called exactly so before others. */
function personCalled(folded: string, people: Words['people']) {
  if (!folded) return undefined
  const partsOf = (name: string) => [fold(name), ...name.split(/\s+/).map(fold)]
  const exact = people.filter(({ full_name }) => partsOf(full_name).includes(folded))
  if (exact.length) return exact.length === 1 ? exact[0] : undefined
  const found = people.filter(({ full_name }) =>
    partsOf(full_name).some((part) => part.startsWith(folded)),
  )
  return found.length === 1 ? found[0] : undefined
}

function fold(text: string): string {
  return foldedText(text).replaceAll(/\s/g, '')
}
