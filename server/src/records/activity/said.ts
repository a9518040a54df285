import type { Context } from '../../kit/ground/context.ts'
import type { Change } from '../../kit/ground/event.ts'
import { timeOf } from '../../kit/ground/ids.ts'
import { isObject } from '../../kit/ground/object.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { currencyOf } from '../../kit/read/groups.ts'
import { definitions } from '../../kit/record/custom.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import { columnOf, fieldNamed, ownField } from '../../kit/record/record.ts'
import { rights } from '../../kit/record/scope.ts'
import { fieldTypeOf } from '../field-config/built-in.ts'
import { fieldLabelOf } from '../field-config/labels.ts'
import { choicesOf } from '../modules/choices.ts'
import { textOf } from '../../kit/ground/html.ts'
import type { Said } from './sentence.ts'
import { plainly } from './sentence.ts'
import { recordOf } from './visible-changes.ts'

type Entry = {
  reference_id: string | null
  raw_description: { [key: string]: unknown }
  changes: Change[]
}

/** Fields that pages do not show among the facts, but that people know by other parts of the page. */
const known = new Set(
  `currency_unit pipeline_id template_id holidays_id current_milestone_id project_type is_draft
  attendees users optional_users private_users`.split(/\s+/),
)

/** How the values of a field become words. */
type Words = {
  what: string
  type: string
  /** the label of each value that can be chosen */
  labels: Map<string, string>
  /** the record whose id the field holds, where reads show no name of it */
  of: AnyRecord | undefined
}

/**
 * The changes of entries as sentences say them: fields by their labels, without those that only the service uses,
 * such as sort keys; amounts with their currency, choices by their labels, records by their names as far as the
 * caller may read them, times in the organization's zone.
 */
export async function sayChanges<E extends Entry>(
  ctx: Context,
  entries: E[],
): Promise<Map<E, Said[]>> {
  const said = new Map<E, Said[]>()
  for (const [record, its] of Map.groupBy(entries, recordOf)) {
    if (!record) {
      for (const entry of its) said.set(entry, plainly(entry.changes))
      continue
    }
    const words = await wordsFor(ctx, record, its)
    const each = its.flatMap(({ changes }) => changes)
    const [names, currencies] = await Promise.all([
      namesOf(ctx, words, each),
      currenciesOf(ctx, record, its, words),
    ])
    for (const entry of its) {
      const currency = currencies.get(entry.reference_id ?? '') ?? currencies.get('')
      said.set(
        entry,
        entry.changes.flatMap((change) => {
          const word = words.get(change.field)
          if (word === null) return []
          if (!word) return plainly([change])
          const value = (of: unknown) => valueOf(ctx, word, of, names, currency)
          const { field } = change
          return [{ field, what: word.what, from: value(change.from), to: value(change.to) }]
        }),
      )
    }
  }
  return said
}

/** The words of each field that changed; null for a field of the service, none for one that nobody declared. */
async function wordsFor(ctx: Context, record: AnyRecord, entries: Entry[]) {
  const names = new Set(entries.flatMap(({ changes }) => changes.map(({ field }) => field)))
  const words = new Map<string, Words | null>()
  for (const module of record.find.filteredAs?.length ? record.find.filteredAs : [record.module]) {
    const defined = await definitions(ctx, module)
    for (const name of names) {
      const field = ownField(record, name)
      const own = defined.get(name.replace(/^custom_fields\./, ''))
      if (field) {
        const isTold = known.has(name) || !(field.isUnshown || field.access === 'key')
        words.set(name, isTold ? await wordsOfField(ctx, record, name, field, own?.label) : null)
      } else if (record.events.loggedIds.includes(name) && name !== 'predecessor_id') {
        words.set(name, null)
      } else if (own && !own.is_built_in && name.startsWith('custom_fields.')) {
        const labels = new Map(own.options.map(({ value, label }) => [value, label]))
        words.set(name, { what: own.label, type: own.type, labels, of: undefined })
      }
    }
  }
  return words
}

async function wordsOfField(
  ctx: Context,
  record: AnyRecord,
  name: string,
  field: Field,
  label: string | undefined,
): Promise<Words> {
  const choices = await choicesOf(ctx, record, name, field)
  const usual = fieldLabelOf(name, field, record)
  return {
    // the organization's own label stays as it is written
    what: label && label !== usual ? label : inSentence(usual),
    type: field.isMoney ? 'currency' : (lookedAs(field) ?? fieldTypeOf(name, field)),
    labels: new Map(choices.map(({ value, label: shown }) => [String(value), shown])),
    of: field.reference?.to?.(),
  }
}

/** Numbers that say nothing as they are stored: seconds, and days that are left. */
function lookedAs({ look }: Field): string | undefined {
  return look === 'duration' || look === 'days_left' ? look : undefined
}

/** A label within a sentence: `Deal value` → `deal value`, but `ARR` and `LinkedIn URL` stay. */
function inSentence(label: string): string {
  const [first = ''] = label.split(' ')
  return /^.+[A-Z]/.test(first) ? label : label.slice(0, 1).toLowerCase() + label.slice(1)
}

/** The names of records that changes hold by id alone, as far as the caller may read these. */
async function namesOf(
  ctx: Context,
  words: Map<string, Words | null>,
  changes: Change[],
): Promise<Map<string, string>> {
  const wanted = new Map<AnyRecord, Set<string>>()
  for (const { field, from, to } of changes) {
    const of = words.get(field)?.of
    if (!of) continue
    const ids = wanted.get(of) ?? new Set()
    for (const value of [from, to].flat()) if (typeof value === 'string') ids.add(value)
    wanted.set(of, ids)
  }
  const names = new Map<string, string>()
  for (const [record, ids] of wanted) {
    if (!ids.size) continue
    const title = sql.raw(columnOf(record.title, fieldNamed(record, record.title)))
    const found = await ctx.all<{ id: string; name: string | null }>(sql`
      select t.id, ${title} as name from ${sql.table(record.table)} t
      where ${all(mine(ctx), rights(ctx, record, 'read'))} and t.id = any(${[...ids]}::varchar[])`)
    for (const { id, name } of found) if (name) names.set(id, name)
  }
  return names
}

/** The currency of each record whose amounts changed, and the organization's under no id. */
async function currenciesOf(
  ctx: Context,
  record: AnyRecord,
  entries: Entry[],
  words: Map<string, Words | null>,
): Promise<Map<string, string>> {
  const ids = entries.flatMap(({ reference_id: id, changes }) =>
    changes.some(({ field }) => words.get(field)?.type === 'currency') ? [id ?? ''] : [],
  )
  if (!ids.length) return new Map()
  const found = await ctx.all<{ id: string; currency: string | null }>(sql`
    select t.id, ${currencyOf(ctx, record)} as currency from ${sql.table(record.table)} t
    where ${mine(ctx)} and t.id = any(${[...new Set(ids)]}::varchar[])
    union all select '', t.currency_unit from organizations t where ${mine(ctx)}`)
  return new Map(found.flatMap(({ id, currency }) => (currency ? [[id, currency]] : [])))
}

/** A value in words; '' for none, undefined for what has no short form. */
function valueOf(
  ctx: Context,
  words: Words,
  value: unknown,
  names: Map<string, string>,
  currency: string | undefined,
): string | undefined {
  if (value === null || value === undefined || value === '') return ''
  if (Array.isArray(value)) {
    const each = value.map((one: unknown) => valueOf(ctx, words, one, names, currency))
    return each.includes(undefined) ? undefined : each.join(', ')
  }
  const { type, labels, of } = words
  if (isObject(value)) {
    const found = Object.entries(value).find(([key]) => /^(name|label|title|\w+_name)$/.test(key))
    return typeof found?.[1] === 'string' ? found[1] : undefined
  }
  const label = labels.get(String(value))
  if (label !== undefined) return label
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return numberIn(type, value, currency)
  if (typeof value !== 'string') return undefined
  if (of) return names.get(value)
  // an id without a name means nothing to people
  if (timeOf(value)) return undefined
  if (type === 'json') return undefined
  if (type === 'date') return dateIn(value, day)
  if (type === 'datetime') return dateIn(value, timeIn(ctx.organization.timezone))
  // a sentence shows a line of it at most
  const begin = value.slice(0, 1000)
  return /<[a-z!/]/i.test(begin) ? textOf(begin) : begin
}

// to make a format takes a hundred times as long as to use it, and a page of entries has thousands of values
const plainNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 20 })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const timeIn = remembered(
  (timeZone) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }),
)
const amountIn = remembered((currency) => {
  const form = { style: 'currency', currency, currencyDisplay: 'code' } as const
  return new Intl.NumberFormat('en', { ...form, trailingZeroDisplay: 'stripIfInteger' })
})

/** A function of a word whose results are kept: of time zones and currencies there are some hundred. */
function remembered<T>(make: (word: string) => T): (word: string) => T {
  const made = new Map<string, T>()
  return (word) => {
    const kept = made.get(word) ?? make(word)
    if (made.size < 1000) made.set(word, kept)
    return kept
  }
}

/** Amounts as `USD 1,234.50`; without decimals where these are zero. */
function numberIn(type: string, value: number, currency: string | undefined): string {
  const number = plainNumber.format(value)
  if (type === 'percent') return `${number}%`
  if (type === 'duration') return durationIn(value)
  if (type === 'days_left') return `${number} ${Math.abs(value) === 1 ? 'day' : 'days'}`
  if (type !== 'currency' || !currency) return number
  if (!/^[A-Z]{3}$/.test(currency)) return `${currency} ${number}`
  return amountIn(currency).format(value).replaceAll('\u00a0', ' ')
}

/** Seconds as `2 h 5 min`; below a minute as seconds. */
function durationIn(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  const sign = seconds < 0 ? '−' : ''
  if (minutes < 1) return `${sign}${Math.abs(Math.round(seconds))} s`
  return sign + hoursAndMinutes(minutes)
}

/** Minutes as `3 h 12 min`. */
export function hoursAndMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours ? `${hours} h` : '', rest ? `${rest} min` : ''].filter(Boolean).join(' ')
}

function dateIn(value: string, form: Intl.DateTimeFormat): string {
  const at = new Date(value)
  return Number.isNaN(+at) ? value : form.format(at)
}
