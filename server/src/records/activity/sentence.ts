import { timeOf } from '../../kit/ground/ids.ts'
import { moduleWord } from '../../kit/record/modules.ts'
import { escapeHtml } from '../../kit/ground/html.ts'
import type { Change } from '../../kit/ground/event.ts'
import { languageName } from '../../model/languages/language.ts'
import { wordsOf } from '../field-config/labels.ts'

/** The parts of a log entry from which its sentence is made. */
export type EntryParts = {
  title: string
  actor_name: string
  module_id: number | null
  raw_description: { [key: string]: unknown }
  said: Said[]
  description: string | null
  html_description: string | null
}

/** A change in words: of what, from and to; '' for none, undefined for what has no short form. */
export type Said = {
  field: string
  what: string
  from: string | undefined
  to: string | undefined
}

type Description = { description: string; html_description: string }

/**
 * An entry in words, plain and as HTML: what was written, or else a sentence from what happened,
 * such as "Ada Admin changed industry from Retail to Space". Everything in the HTML is escaped.
 */
export function describe(entry: EntryParts): Description {
  const parts = entry.description === null ? sentence(entry) : [entry.description]
  const html = parts.map((part) =>
    typeof part === 'string' ? escapeHtml(part) : `<b>${escapeHtml(part.bold)}</b>`,
  )
  return {
    description: parts.map((part) => (typeof part === 'string' ? part : part.bold)).join(''),
    html_description: entry.html_description ?? html.join('').replaceAll('\n', '<br>'),
  }
}

/** A part of a sentence; variable parts are bold. */
type Part = string | { bold: string }

/** How many changes a sentence names, and how long a value in it may be. */
const most = { changes: 3, characters: 80 }

const verbs = new Set(['created', 'deleted', 'restored', 'deactivated', 'connected'])
for (const verb of ['disconnected', 'merged', 'unmerged']) verbs.add(verb)

function sentence({ title, actor_name, module_id, raw_description, said }: EntryParts): Part[] {
  const { action, name } = raw_description
  const who = { bold: actor_name }
  if (action === 'updated' && said.length) return [who, ' ', ...changed(said)]
  if (typeof action !== 'string' || !(verbs.has(action) || action === 'updated')) return [title]
  const module = module_id === null ? raw_description.module : moduleWord(module_id)
  const what = typeof module === 'string' ? ` the ${singular(module)}` : ''
  const named: Part[] =
    typeof name === 'string' && name && !timeOf(name) ? [' ', { bold: short(name) }] : []
  return [who, ` ${action === 'updated' ? 'changed' : action}${what}`, ...named]
}

function changed(changes: Said[]): Part[] {
  const phrases = changes.slice(0, most.changes).map(oneChange)
  const left = changes.length - phrases.length
  if (left) phrases.push([`${left} more ${left === 1 ? 'field' : 'fields'}`])
  return phrases.flatMap((parts, i) => [
    ...(i ? [i === phrases.length - 1 ? ' and ' : ', '] : []),
    ...parts,
  ])
}

/** Changes of what no field is declared for, in words by their names. */
export function plainly(changes: Change[]): Said[] {
  return changes.map(({ field, from, to }) => ({
    field,
    what: wordsOf(field.replace(/^custom_fields\.|^is_(?=[a-z])/, '').replace(/_id$/, '')),
    from: inWords(from, field),
    to: inWords(to, field),
  }))
}

function oneChange({ what: name, from, to }: Said): Part[] {
  const what = { bold: name }
  const before = from === undefined ? undefined : short(from)
  const after = to === undefined ? undefined : short(to)
  if (after === '' && before !== '') return ['cleared ', what]
  if (before === after || before === undefined || after === undefined) return ['changed ', what]
  if (before === '') return ['set ', what, ' to ', { bold: after }]
  return ['changed ', what, ' from ', { bold: before }, ' to ', { bold: after }]
}

/** A value in words; '' for none, undefined for what has no short form. */
function inWords(value: unknown, field = ''): string | undefined {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  // a link without a name is not shown: an id would mean nothing to people
  if (typeof value === 'string' && timeOf(value)) return undefined
  if (typeof value === 'string') return textInWords(value, field)
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) {
    const each = value.map((one) => inWords(one, field))
    return each.includes(undefined) ? undefined : each.join(', ')
  }
  // a linked record is an object here; people know it by its name
  const members: [key: string, value: unknown][] = Object.entries(value)
  const [, name] = members.find(([key]) => /^(name|label|title|\w+_name)$/.test(key)) ?? []
  return typeof name === 'string' ? name : undefined
}

/** Codes of languages by their names, keys as words; undefined for times, which have no zone here. */
function textInWords(value: string, field: string): string | undefined {
  if (field === 'language') return languageName(value)
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return undefined
  return /^[a-z]+(_[a-z]+)+$/.test(value) ? value.replaceAll('_', ' ') : value
}

/** A text for a sentence; a long one is cut. */
export function short(text: string): string {
  // the value may be megabytes long; a letter takes two units at most
  const letters = Array.from(text.slice(0, 2 * (most.characters + 1)))
  return letters.length > most.characters ? `${letters.slice(0, most.characters).join('')}…` : text
}

function singular(module: string): string {
  return module.replaceAll('_', ' ').replace(/ies$/, 'y').replace(/s$/, '')
}
