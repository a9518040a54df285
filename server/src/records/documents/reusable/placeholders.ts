import type { Context } from '../../../kit/ground/context.ts'
import type { FieldError } from '../../../kit/ground/errors.ts'
import { badField, badFields } from '../../../kit/ground/errors.ts'
import { escapeHtml } from '../../../kit/ground/html.ts'
import { all, sql } from '../../../kit/ground/sql.ts'
import type { Filterable } from '../../../kit/read/filter-fields.ts'
import { entryOf } from '../../../kit/read/filter-fields.ts'
import { filterRegistry } from '../../../kit/read/filter-registry.ts'
import { linkedEntry } from '../../../kit/read/sort.ts'
import { forReader } from '../../../kit/record/readable.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { ownField } from '../../../kit/record/record.ts'
import { scope } from '../../../kit/record/scope.ts'
import { Account } from '../../../model/accounts/account.ts'
import { languages } from '../../../model/languages/language.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'

/** `{{account.account_name}}`, with a form (`| short`) and a text for where it is empty (`| "to follow"`). */
type Placeholder = { path: string; form: 'short' | 'long'; otherwise: string | undefined }

/** Where values come from: the records that a document is made for, and texts that are known. */
export type Sources = {
  account_id: string | null
  project_id: string | null
  /** by their whole paths, in lower case; empty ones are asked for */
  known: { [path: string]: string }
  /** what the caller says instead, by path */
  values: { [path: string]: string }
}

type Text = { text: string; isHtml?: boolean }

/** How many placeholders there may be, how often they may stand in the texts, and how long these become, in characters. */
const most = { paths: 100, places: 2000, length: 500_000 }

/**
 * Fills in the placeholders of texts, of which those of `html` get values as HTML. 400 naming `values.<path>` for what
 * is empty and has no text for that, and for paths that are none.
 */
export async function filledTexts<K extends string>(
  ctx: Context,
  texts: Map<K, Text>,
  sources: Sources,
): Promise<(name: K) => string> {
  const [filling] = await fillings(ctx, texts, [sources])
  if (!filling) throw new Error('there is one for each of the sources')
  const filled = filling.fill()
  const errors = filling.errors()
  if (errors.length) throw badFields(errors)
  return (name) => filled.get(name) ?? ''
}

/** The same texts for one of many: what is empty for it, by `values.<path>`, and the texts with its values. */
export type Filling<K extends string> = { errors(): FieldError[]; fill(): Map<K, string> }

/** Fills in the same texts for each of many, whose values are read together. 400 for paths that are none. */
export async function fillings<K extends string>(
  ctx: Context,
  texts: Map<K, Text>,
  many: Sources[],
): Promise<Filling<K>[]> {
  const found = [...texts.values()].flatMap(({ text }) => placeholdersIn(text))
  const paths = [...new Set(found.map(({ path }) => path))]
  if (paths.length > most.paths)
    throw badField('values', `are for ${most.paths} placeholders at most`)
  if (found.length > most.places)
    throw badField('values', `would stand at more than ${most.places} places`)
  const { valuesFor, errors: unknownOnes } = await valuesOf(ctx, paths, many)
  if (unknownOnes.length) throw badFields(unknownOnes)
  return many.map((sources) =>
    fillingOf(ctx, texts, found, { sources, values: valuesFor(sources) }),
  )
}

function fillingOf<K extends string>(
  ctx: Context,
  texts: Map<K, Text>,
  found: Placeholder[],
  { sources, values }: { sources: Sources; values: Map<string, Value> },
): Filling<K> {
  const errors = new Map<string, FieldError>()
  const textOf = ({ path, form, otherwise }: Placeholder): string => {
    const said = own(sources.values, path)?.trim()
    const text = said || shown(values.get(path), form, ctx) || otherwise
    if (text === undefined) {
      const message = 'is empty: say what stands in its place'
      errors.set(path, { field: `values.${path}`, message })
    }
    return text ?? ''
  }
  return {
    errors() {
      // each of them once, however often it stands in the texts
      const distinct = new Map(found.map((each) => [JSON.stringify(each), each]))
      for (const each of distinct.values()) textOf(each)
      return [...errors.values()]
    },
    fill() {
      const known = new Map<string, string>()
      let length = [...texts.values()].reduce((sum, { text }) => sum + text.length, 0)
      const filled = [...texts].map(([name, { text, isHtml = false }]) => {
        const next = text.replaceAll(pattern, (_, inner: string) => {
          const value = known.get(inner) ?? textOf(placeholder(inner))
          known.set(inner, value)
          const shownValue = isHtml ? escapeHtml(value) : value
          length += shownValue.length
          if (length > most.length)
            throw badField('values', `would make the texts longer than ${most.length} characters`)
          return shownValue
        })
        return [name, next] as const
      })
      return new Map(filled)
    },
  }
}

const pattern = /\{\{([^{}]{1,500})\}\}/g

function placeholdersIn(text: string): Placeholder[] {
  return [...text.matchAll(pattern)].map(([, inner = '']) => placeholder(inner))
}

function placeholder(inner: string): Placeholder {
  const plain = inner.replaceAll('&nbsp;', ' ').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const [path = '', ...rest] = plain.split('|').map((part) => part.trim())
  const read: Placeholder = { path, form: 'short', otherwise: undefined }
  for (const part of rest) {
    if (part === 'short' || part === 'long') read.form = part
    else if (part.length > 1 && /^["“”].*["“”]$/s.test(part)) read.otherwise = part.slice(1, -1)
    else throw badField(`values.${path}`, 'has | short, | long or | "a text for where it is empty"')
  }
  return read
}

/** The values of paths for each of many: null where there is none, or where the caller may not read it. */
async function valuesOf(
  ctx: Context,
  paths: string[],
  many: Sources[],
): Promise<{ valuesFor: (sources: Sources) => Map<string, Value>; errors: FieldError[] }> {
  const records = { account_id: Account, project_id: ProjectOrDeal } as const
  const errors: FieldError[] = []
  const read: ((sources: Sources) => [string, Value][])[] = []
  for (const key of ['account_id', 'project_id'] as const) {
    const own = paths.filter((path) => path.startsWith(`${key.slice(0, -'_id'.length)}.`))
    if (!own.length) continue
    const record = records[key]
    const entries = await entriesOf(ctx, record, own)
    for (const path of own) if (!entries.has(path)) errors.push(unknown(path))
    const columns = [...entries.values()].map((field) => forReader(ctx, field.sql))
    const ids = [...new Set(many.flatMap((sources) => sources[key] ?? []))]
    const rows =
      columns.length && ids.length
        ? await ctx.all<{ id: string; values: unknown[] }>(sql`
            select t.id, jsonb_build_array(${sql.join(columns)}) as values
            from ${sql.table(record.table)} t
            where ${all(scope(ctx, record, 'read'), sql`t.id = any(${ids}::varchar[])`)}`)
        : []
    const byId = new Map(rows.map(({ id, values }) => [id, values]))
    read.push((sources) =>
      [...entries].map(([path, field], at) => [
        path,
        { field, value: byId.get(sources[key] ?? '')?.[at] ?? null },
      ]),
    )
  }
  const others = paths.filter((each) => !/^(account|project)\./.test(each))
  // each of many knows the same
  for (const path of others) {
    if (own(many[0]?.known ?? {}, path.toLowerCase()) === undefined) errors.push(unknown(path))
  }
  const valuesFor = (sources: Sources) => {
    const values = new Map(read.flatMap((each) => each(sources)))
    for (const path of others) {
      const value = own(sources.known, path.toLowerCase())
      if (value !== undefined)
        values.set(path, path === 'today' ? { value, field: { kind: 'date' } } : { value })
    }
    return values
  }
  return { valuesFor, errors }
}

/** What stands in the place of a placeholder now; null if it is empty, undefined if there is none of this name. */
export type Current = string | null | undefined

/** What placeholders stand for now, by what is between their braces. */
export async function currentValues(
  ctx: Context,
  placeholders: string[],
  sources: Sources,
): Promise<Map<string, Current>> {
  const read = placeholders.flatMap((inner) => {
    try {
      return [{ inner, its: placeholder(inner) }]
    } catch {
      return []
    }
  })
  const paths = [...new Set(read.map(({ its }) => its.path))]
  const { valuesFor } = await valuesOf(ctx, paths, [sources])
  const values = valuesFor(sources)
  return new Map(
    read.map(({ inner, its: { path, form, otherwise } }): [string, Current] => {
      const found = values.get(path)
      return [inner, found && (shown(found, form, ctx) ?? otherwise ?? null)]
    }),
  )
}

/** A text with what its placeholders stand for now; those without a value stay. */
export async function readableText(
  ctx: Context,
  html: string,
  sources: () => Promise<Sources>,
): Promise<string> {
  const found = [...html.matchAll(pattern)].map(([, inner = '']) => inner)
  const wanted = [...new Set(found)].slice(0, most.paths)
  if (!wanted.length) return html
  const values = await currentValues(ctx, wanted, await sources())
  let length = html.length
  return html.replaceAll(pattern, (whole, inner: string) => {
    const value = values.get(inner)
    if (value === null || value === undefined) return whole
    length += value.length
    return length > most.length ? whole : escapeHtml(value)
  })
}

function unknown(path: string): FieldError {
  const message =
    'is no placeholder: account.…, project.… as filters name them, today, me.name, organization.name, or a role with .name or .email'
  return { field: `values.${path}`, message }
}

type Value = { value: unknown; field?: Pick<Filterable, 'kind' | 'options'> }

/** What paths stand for, as filters of the record know them; links by the name of what they lead to. */
async function entriesOf(ctx: Context, record: AnyRecord, paths: string[]) {
  const registry = await filterRegistry(ctx, record)
  const entries = new Map<string, Pick<Filterable, 'kind' | 'options' | 'sql'>>()
  for (const path of paths) {
    const name = path.slice(path.indexOf('.') + 1)
    const entry =
      linkedEntry(new Map(registry), name, ownField(record, name)) ?? entryOf(registry, name)
    if (entry) entries.set(path, entry)
  }
  return entries
}

/** A value as a reader of the document sees it; undefined if it is empty. */
function shown(found: Value | undefined, form: 'short' | 'long', ctx: Context): string | undefined {
  const { value = null, field } = found ?? {}
  const words = (one: unknown) =>
    field?.options?.find((option) => option.value === one)?.label ?? String(one)
  if (value === null || value === '') return undefined
  const locale = languages.find((each) => each === ctx.actor.language) ?? 'en'
  const dateStyle = form === 'long' ? 'long' : 'medium'
  if (field?.kind === 'date' || field?.kind === 'timestamp') {
    const timeZone = field.kind === 'date' ? 'UTC' : ctx.organization.timezone
    return new Intl.DateTimeFormat(locale, { dateStyle, timeZone }).format(new Date(String(value)))
  }
  if (Array.isArray(value)) return value.map(words).join(', ') || undefined
  if (typeof value === 'number' && !field?.options) {
    return new Intl.NumberFormat(locale).format(value)
  }
  return words(value)
}

function own(all: { [name: string]: string }, name: string): string | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined
}
