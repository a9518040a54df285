import type { Context } from '../ground/context.ts'
import type { Change, NewNotification } from '../ground/event.ts'
import { all, mine, sql } from '../ground/sql.ts'
import { shapeOf, textRows, wholeColumns, wholeJoins } from '../read/json.ts'
import type { AnyRecord, Field } from '../record/record.ts'
import { fieldNamed, isWritable } from '../record/record.ts'
import type { Announcement } from './announce.ts'
import { about, eventOf, eventOfWrite } from './announce.ts'
import { equal } from '../ground/object.ts'
import { displayedValues, firstShown, firstValues } from './changes.ts'
import { hasSubscribers } from './events.ts'

type Row = { [field: string]: unknown }

/** What is announced of one of many records; see `about`. */
export type Described = ReturnType<typeof about> & Pick<Announcement, 'more' | 'notify'>

type Beside = Pick<Announcement, 'more'> & { notify?: ReadonlyMap<string, NewNotification[]> }

/**
 * Announces many records that an operation wrote with its own statements, as single writes do:
 * created, restored and changed ones afterwards, deleted ones before they are gone. `what` is as for
 * `announce`; `changes` are the same for all, or the fields with new values: then only records that have one
 * of these values are announced. `more` is for every entry's `raw_description`, and `notify` says who is notified with a record.
 */
export async function announceAll(
  ctx: Context,
  record: AnyRecord,
  what: string,
  ids: string[],
  changes: Change[] | { first: string[] } = [],
  { more, notify }: Beside = {},
): Promise<void> {
  const first = Array.isArray(changes) ? [] : changes.first
  const type = eventOf(record, what)
  const isShown = type && (await hasSubscribers(ctx, type))
  for (let at = 0; at < ids.length; at += batch) {
    const found = await readMany(
      ctx,
      record,
      ids.slice(at, at + batch),
      isShown ? undefined : namesFor(record, what, first),
    )
    const changesOf = (row: Row): Change[] => {
      if (what === 'created') return asCreated(record, row)
      return Array.isArray(changes) ? changes : firstValues(displayedValues(row, first), {})
    }
    const announced = [...found]
      .map(([id, { row, version }]) => ({
        ...about(record, {
          id,
          version: what === 'deleted' ? version + 1 : version,
          changes: changesOf(row),
          row,
        }),
        more,
        notify: notify?.get(id),
      }))
      .filter(({ changes: its }) => its.length || !first.length)
    await announceRows(ctx, record, what, announced, textsOf(found))
  }
}

/** The same for records that changed each in its own way; those that changed alike are read together. */
export async function announceEach(
  ctx: Context,
  record: AnyRecord,
  what: string,
  changed: { id: string; changes: Change[] }[],
): Promise<void> {
  const alike = Map.groupBy(changed, ({ changes }) => JSON.stringify(changes))
  for (const group of alike.values()) {
    const ids = group.map(({ id }) => id)
    await announceAll(ctx, record, what, ids, group[0]?.changes)
  }
}

/** The fields that the log needs of a record to whose events nobody subscribed. */
function namesFor(record: AnyRecord, what: string, first: string[]): string[] {
  const names = Object.keys(record.fields)
  const needed = [record.title, 'project_id', ...first]
  if (what !== 'created') return names.filter((name) => needed.includes(name))
  return names.filter((name) => isStored(fieldNamed(record, name)))
}

function isStored(field: Field): boolean {
  return isWritable(field) && !field.expression
}

/** What a new record holds beside its defaults, as changes from nothing. */
function asCreated(record: AnyRecord, row: Row): Change[] {
  const named = Object.entries(record.fields).filter(
    ([name, field]) => isStored(field) && !equal(row[name] ?? null, field.default ?? null),
  )
  return firstShown(
    record,
    row,
    named.map(([name]) => name).filter((name) => name !== 'custom_fields'),
  )
}

/** The log entries and events; the records' texts are read only where somebody subscribed. */
export async function announceRows(
  ctx: Context,
  record: AnyRecord,
  what: string,
  announced: Described[],
  texts?: Map<string, string>,
) {
  if (!announced.length) return
  const type = eventOf(record, what)
  const isShown = type && (await hasSubscribers(ctx, type))
  const ids = announced.map(({ id }) => id)
  const known = isShown ? (texts ?? textsOf(await readMany(ctx, record, ids))) : undefined
  ctx.emitMany(
    announced.map((each) => ({
      ...eventOfWrite(record, what, each),
      data: known?.get(each.id),
      notify: each.notify,
    })),
  )
}

function textsOf(rows: Map<string, { text: string }>): Map<string, string> {
  return new Map([...rows].map(([id, { text }]) => [id, text]))
}

/**
 * Records as this transaction sees them, with nothing hidden, or some of their fields: in the order of
 * the ids.
 */
export async function readMany(ctx: Context, record: AnyRecord, ids: string[], only?: string[]) {
  const shape = shapeOf(record, only)
  const cells = await ctx.cells(sql`select ${wholeColumns(shape)}
    from ${sql.table(record.table)} t ${wholeJoins(shape)}
    where ${all(mine(ctx), sql`t.id = any(${ids})`)} order by t.id`)
  const rows = await textRows(ctx, shape, cells)
  return new Map(
    rows.map(({ id, version, text }) => [id, { text, row: JSON.parse(text) as Row, version }]),
  )
}

/** How many records one statement announces. */
const batch = 500
