import type { Context } from '../ground/context.ts'
import type { Change } from '../ground/event.ts'
import { isObject } from '../ground/object.ts'
import { mine, sql } from '../ground/sql.ts'
import { columnsFor, isLimited, joinsFor, shapeOf, writeRows } from '../read/json.ts'
import { membersOf, withMembers } from '../read/members.ts'
import type { AnyRecord } from '../record/record.ts'
import { isLink } from '../record/record.ts'
import { rights, seenAmong } from '../record/scope.ts'
import { equal } from './changes.ts'

/** What an event holds of a record: its id, its JSON text as it was, and what changed. */
export type Content = { id: string | null; data: string | null; changes: Change[] }

/**
 * What a reader is shown of events of one record type: the data and the changes as the reader's own
 * reads would have shown them. Members that reads limit for the reader (links, restricted fields,
 * what is computed from other records) are read again by its rights over the record in the state of
 * the event; all others stay to the byte. No query for a reader of everything, else a fixed number.
 */
export async function cutFor<C extends Content>(
  reader: Context,
  record: AnyRecord,
  contents: readonly C[],
): Promise<C[]> {
  const named = await withOwnState(reader, record, await withoutHiddenIds(reader, record, contents))
  const limited = Object.keys(record.fields).filter((name) => isLimited(reader, record, name))
  if (!limited.length) return [...named]
  const states: State[] = []
  const add = (id: string | null, links: Values) =>
    states.push({ nth: states.length, id, columns: columnsOf(reader, record, id, links) }) - 1
  const places = named.map(({ id, data, changes }) => {
    const links = changes.filter(({ field }) => limited.includes(field) && linkOf(record, field))
    const side = (which: 'from' | 'to') =>
      links.length
        ? add(id, Object.fromEntries(links.map((each) => [each.field, each[which]])))
        : -1
    const values = data === null ? undefined : valuesIn(data, limited)
    return { data: values ? add(id, values) : -1, from: side('from'), to: side('to') }
  })
  const read = await readStates(reader, record, limited, states)
  return named.map((content, i) => {
    const place = places[i] ?? { data: -1, from: -1, to: -1 }
    const own = read[place.data]
    return {
      ...content,
      data: content.data && own ? withMembers(content.data, own) : content.data,
      changes: content.changes.flatMap((change) => {
        if (!limited.includes(change.field)) return [change]
        const value = (of: ReadonlyMap<string, string> | undefined): unknown =>
          JSON.parse(of?.get(change.field) ?? 'null')
        if (!linkOf(record, change.field)) return []
        const [from, to] = [value(read[place.from]), value(read[place.to])]
        return equal(from, to) ? [] : [{ field: change.field, from, to }]
      }),
    }
  })
}

type Values = { [field: string]: unknown }

/** A record in an earlier state: as it is stored now, but for these columns. */
type State = { nth: number; id: string | null; columns: { [column: string]: unknown } }

/** The limited members of records in these states, as the reader's own reads show them. */
async function readStates(
  reader: Context,
  record: AnyRecord,
  limited: string[],
  states: State[],
): Promise<ReadonlyMap<string, string>[]> {
  if (!states.length) return []
  const shape = shapeOf(record, limited)
  const rows = await reader.cells(sql`
    select ${columnsFor(reader, shape)}, o.nth
    from json_to_recordset(${JSON.stringify(states)}::json) as o (nth int, id text, columns json)
    left join ${sql.table(record.table)} b on ${mine(reader, 'b')} and b.id = o.id
    cross join lateral json_populate_record(b, o.columns) t
    ${joinsFor(reader, shape)} order by o.nth`)
  const texts = await writeRows(reader, shape, rows)
  return texts.map(
    (text) =>
      new Map(membersOf(text).map(({ name, start, end }) => [name, text.slice(start, end)])),
  )
}

/** The stored columns of links; the keys too, for a record that is gone altogether. */
function columnsOf(reader: Context, record: AnyRecord, id: string | null, values: Values) {
  const columns: State['columns'] = { organization_id: reader.organization.id, id }
  for (const [name, value] of Object.entries(values)) {
    const link = linkOf(record, name)
    if (link) columns[link.column ?? name] = idIn(value)
  }
  return columns
}

/** The members of a text that links are made of; computed ones are read from what is stored. */
function valuesIn(data: string, names: string[]): Values {
  const found = membersOf(data).filter(({ name }) => names.includes(name))
  return Object.fromEntries(
    found.map(({ name, start, end }) => [name, JSON.parse(data.slice(start, end)) as unknown]),
  )
}

function linkOf({ fields }: AnyRecord, name: string) {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field && isLink(field) ? field : undefined
}

/** The id of a linked record: itself, or first in the object that a read shows. */
function idIn(value: unknown): unknown {
  return isObject(value) ? (Object.values(value)[0] ?? null) : (value ?? null)
}

/** With the fields that are about the reader, such as whether a comment is read. */
async function withOwnState<C extends Content>(
  reader: Context,
  record: AnyRecord,
  contents: readonly C[],
): Promise<readonly C[]> {
  let known = contents
  for (const [field, trueFor] of Object.entries(record.personal ?? {})) {
    const ids = known.flatMap(({ id, data }) => (id !== null && data !== null ? [id] : []))
    const those = await trueFor(reader, ids)
    known = known.map((content) => {
      const { id, data } = content
      if (id === null || data === null) return content
      return { ...content, data: withMembers(data, new Map([[field, String(those.has(id))]])) }
    })
  }
  return known
}

/** Without the ids of records that the reader may not see, in what changes name beside the fields. */
async function withoutHiddenIds<C extends Content>(
  reader: Context,
  record: AnyRecord,
  contents: readonly C[],
): Promise<readonly C[]> {
  const isNamed = ({ field }: Change) => record.loggedIds.includes(field)
  const named = contents.flatMap(({ changes }) => changes.filter(isNamed))
  const ids = named
    .flatMap(({ from, to }) => [from, to].flat())
    .filter((id) => typeof id === 'string')
  if (!ids.length || !rights(reader, record, 'read')) return contents
  const seen = await seenAmong(reader, record, [...new Set(ids)])
  const visible = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((id) => seen.has(String(id)))
    return seen.has(String(value)) ? value : null
  }
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && !value.length)
  return contents.map((content) => ({
    ...content,
    changes: content.changes.flatMap((change) => {
      if (!isNamed(change)) return [change]
      const [from, to] = [visible(change.from), visible(change.to)]
      return isEmpty(from) && isEmpty(to) ? [] : [{ field: change.field, from, to }]
    }),
  }))
}
