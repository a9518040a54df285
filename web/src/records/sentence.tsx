import { Link } from '@tanstack/react-router'
import type { TimelineEntry } from '../data/timeline.ts'
import { useAddressOf } from './screens.ts'

/** The sentence, with a link on the name of its record. */
export function Sentence({ entry }: { entry: Pick<TimelineEntry, 'text' | 'record'> }) {
  const addressOf = useAddressOf()
  const { text, record } = entry
  const to = record && addressOf(moduleOf(record.type), record.id)
  const name = named(text, record?.name ?? '')
  const at = name ? text.lastIndexOf(name) : -1
  if (!to || at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <Link to={to}>{name}</Link>
      {text.slice(at + name.length)}
    </>
  )
}

/** A record's name in a sentence, where long names are cut. */
function named(text: string, name: string): string {
  if (text.includes(name)) return name
  const cut = `${Array.from(name).slice(0, 80).join('')}…`
  return text.includes(cut) ? cut : ''
}

/** The module of a record's word. */
export function moduleOf(word: string): string {
  return word === 'company' ? 'companies' : `${word}s`
}
