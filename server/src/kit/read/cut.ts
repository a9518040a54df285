import type { Context } from '../ground/context.ts'
import type { Change } from '../ground/event.ts'
import { equal, isObject } from '../ground/object.ts'
import { mine, sql } from '../ground/sql.ts'
import { turns } from '../ground/turns.ts'
import { columnsFor, isLimited, joinsFor, shapeOf, writeRows } from './json.ts'
import type { Member } from './members.ts'
import { membersOf, onlyMembers, withMembers } from './members.ts'
import type { AnyRecord } from '../record/record.ts'
import { isShownField, shownTo } from '../record/audience.ts'
import { readable } from '../record/readable.ts'
import { isLink, ownField } from '../record/record.ts'

/** What an event stores of a record: its id, its JSON text at that time, and what changed. */
export type Content = { id: string | null; data: string | null; changes: Change[] }

/**
 * What a reader is shown of events of one record type: the data and the changes as the reader's own
 * reads would have shown them. Members that reads limit for the reader (links, restricted fields,
 * what is computed from other records) are read again by its rights over the record in the state of
 * the event; all others stay to the byte. No query for a reader of everything, else a fixed number.
 */
export async function cutFor<C extends Content>(
  reader: Context,
  whole: AnyRecord,
  stored: readonly C[],
): Promise<C[]> {
  const record = shownTo(reader, whole)
  const contents = record === whole ? stored : await withoutInternal(reader, whole, stored)
  const named = await withOwnState(reader, record, await withoutHiddenIds(reader, record, contents))
  const limited = Object.keys(record.fields).filter(
    (name) => sharedIn(record, name) !== undefined || isLimited(reader, record, name),
  )
  if (!limited.length) return [...named]
  const turn = turns()
  const states: State[] = []
  for (const [of, content] of named.entries()) {
    await turn(content.data?.length ?? 0)
    states.push(...statesOf(reader, record, limited, content, of))
  }
  const own = await readStates(reader, record, limited, states)
  const cut: C[] = []
  for (const [of, content] of named.entries()) {
    await turn(content.data?.length ?? 0)
    const data = own.get(`data ${of}`)
    const value = (side: Side, field: string): unknown =>
      JSON.parse(own.get(`${side} ${of}`)?.get(field) ?? 'null')
    const changes = content.changes.flatMap(({ field, from, to }) => {
      if (!limited.includes(field)) return [{ field, from, to }]
      const change = { field, from: value('from', field), to: value('to', field) }
      return equal(change.from, change.to) ? [] : [change]
    })
    cut.push({
      ...content,
      data: content.data && data ? withMembers(content.data, data) : content.data,
      changes,
    })
  }
  return cut
}

/** Without the fields that are internal, and with those custom fields and tags that are shared. */
async function withoutInternal<C extends Content>(
  reader: Context,
  record: AnyRecord,
  contents: readonly C[],
): Promise<C[]> {
  const isShown = await isShownField(reader, record)
  const turn = turns()
  const cut: C[] = []
  for (const content of contents) {
    const { data, changes } = content
    await turn(data?.length ?? 0)
    cut.push({
      ...content,
      data: data && onlyMembers(data, isShown),
      changes: changes.filter(({ field }) => isShown(field)),
    })
  }
  return cut
}

type Side = 'data' | 'from' | 'to'

/** A record in an earlier state: as it is stored now, but for these columns. */
type State = {
  key: string
  id: string | null
  columns: { [column: string]: unknown }
}

/**
 * The states in which one event shows its record: its data, and before and after its changes. Computed
 * members have no state of their own: in data they are read as they are now, and as changes they are
 * omitted.
 */
function statesOf(
  reader: Context,
  record: AnyRecord,
  limited: string[],
  { id, data, changes }: Content,
  of: number,
): State[] {
  const state = (side: Side, values: [field: string, value: unknown][]): State => ({
    key: `${side} ${of}`,
    id,
    columns: columnsOf(reader, record, id, values),
  })
  const states: State[] = []
  if (data !== null) {
    const members = membersOf(data).filter(({ name }) => limited.includes(name))
    const value = (at: Member): unknown => JSON.parse(data.slice(at.start, at.end))
    states.push(
      state(
        'data',
        members.map((member) => [member.name, value(member)]),
      ),
    )
  }
  const cut = changes.filter(
    ({ field }) => limited.includes(field) && (linkOf(record, field) ?? sharedIn(record, field)),
  )
  if (cut.length) {
    states.push(
      state(
        'from',
        cut.map(({ field, from }) => [field, from]),
      ),
    )
    states.push(
      state(
        'to',
        cut.map(({ field, to }) => [field, to]),
      ),
    )
  }
  return states
}

/** The limited members of records in these states, as the reader's own reads show them, by key. */
async function readStates(
  reader: Context,
  record: AnyRecord,
  limited: string[],
  states: State[],
): Promise<Map<string, ReadonlyMap<string, string>>> {
  if (!states.length) return new Map()
  const shape = shapeOf(record, limited)
  const ids = [...new Set(states.flatMap(({ id }) => id ?? []))]
  const rows = await reader.cells(sql`
    select ${columnsFor(reader, shape)}, o.key
    from json_to_recordset(${JSON.stringify(states)}::json) as o (key text, id text, columns json)
    left join ${sql.table(record.table)} b on ${mine(reader, 'b')} and b.id = o.id
      -- else the planner, which takes these states to be many, reads the whole table
      and b.id = any(${ids})
    cross join lateral json_populate_record(b, o.columns) t
    ${joinsFor(reader, shape)}`)
  const texts = await writeRows(reader, shape, rows)
  return new Map(
    texts.map((text, i) => [
      rows[i]?.at(-1) ?? '',
      new Map(membersOf(text).map(({ name, start, end }) => [name, text.slice(start, end)])),
    ]),
  )
}

/** The stored columns of links and of what is shown in part; the keys too, for a record that is gone. */
function columnsOf(
  reader: Context,
  record: AnyRecord,
  id: string | null,
  values: [field: string, value: unknown][],
): State['columns'] {
  const columns: State['columns'] = { organization_id: reader.organization.id, id }
  for (const [name, value] of values) {
    const [link, shared] = [linkOf(record, name), sharedIn(record, name)]
    if (link) columns[link.column ?? name] = idIn(value)
    else if (shared) columns[shared.column ?? name] = value
  }
  return columns
}

function linkOf(record: AnyRecord, name: string) {
  const field = ownField(record, name)
  return field && isLink(field) ? field : undefined
}

/** A field of which a customer or partner is shown a part. */
function sharedIn(record: AnyRecord, name: string) {
  const field = ownField(record, name)
  return typeof field?.audience === 'object' ? field : undefined
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
  for (const [field, valuesFor] of Object.entries(record.find.personal ?? {})) {
    const ids = known.flatMap(({ id, data }) => (id !== null && data !== null ? [id] : []))
    const those = await valuesFor(reader, ids)
    const valueOf = (id: string) =>
      those instanceof Map ? JSON.stringify(those.get(id) ?? null) : String(those.has(id))
    known = known.map((content) => {
      const { id, data } = content
      if (id === null || data === null) return content
      return { ...content, data: withMembers(data, new Map([[field, valueOf(id)]])) }
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
  const isNamed = ({ field }: Change) => record.events.loggedIds.includes(field)
  const named = contents.flatMap(({ changes }) => changes.filter(isNamed))
  const ids = named.flatMap(({ from, to }) => [from, to].flat().map(String))
  const may = readable(reader, record.table)
  if (!ids.length || !may) return contents
  const rows = await reader.cells(sql`select t.id from ${sql.table(record.table)} t
    where ${mine(reader)} and t.id = any(${ids}::varchar[]) and ${may}`)
  const seen = new Set(rows.map(([id]) => id))
  const visible = (value: unknown): unknown => {
    if (Array.isArray(value)) return (value as unknown[]).filter((each) => seen.has(String(each)))
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
