import type { Context } from '../../../kit/ground/context.ts'
import type { StoredEvent } from '../../../kit/ground/event.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { cutFor } from '../../../kit/read/cut.ts'
import { readsInternal } from '../../../kit/record/audience.ts'
import { readable, scopeWords } from '../../../kit/record/readable.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { wordOf } from '../../../kit/record/record.ts'
import { levelOf } from '../../../kit/record/scope.ts'
import { records } from '../../../model/all.ts'
import { recordsByModule } from '../../../model/by-module.ts'
import { UserProfile } from '../../../model/users/user.ts'

/** What a stream reports about a record: that it changed, without its data. */
export type Changed = {
  module: string
  id: string
  version: number | null
  type: 'created' | 'updated' | 'deleted'
  fields: string[]
  actor_id: string | null
}

/** One event of a stream, with the id of the last stored event that it covers. */
export type Outgoing =
  | { id: string; event: 'changed'; data: Changed }
  | { id: string; event: 'many'; data: { module: string } }

/** If more records of a module changed at once, only the module is reported. */
const most = 50

/**
 * What a stream sends of stored events: the records that the reader may see, deleted ones
 * too, each once, with the visible fields. One query for the rights, none for a reader of
 * everything.
 */
export async function changesFor(ctx: Context, events: StoredEvent[]): Promise<Outgoing[]> {
  const visible = await visibleOnes(ctx, events)
  const outgoing: Outgoing[] = []
  for (const [record, its] of Map.groupBy(visible.known, ({ record }) => record)) {
    const module = moduleOf(record)
    const ids = new Set(its.map(({ event }) => event.reference_id))
    const last = its.at(-1)?.event.id ?? ''
    if (ids.size > most) outgoing.push({ id: last, event: 'many', data: { module } })
    else {
      const changes = await changesOf(ctx, record, its, visible.people)
      outgoing.push(...changes.map((each) => ({ ...each, event: 'changed' as const })))
    }
  }
  return outgoing.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * The writes that stored events report, each with the id of its last one, in their order: of the records that scopes
 * open to apps and that the reader may see, of these modules only if some are named.
 */
export async function eachChange(
  ctx: Context,
  events: StoredEvent[],
  only: readonly string[] = changeModules,
): Promise<{ id: string; data: Changed }[]> {
  const { known, people } = await visibleOnes(ctx, events)
  const open = known.filter(
    ({ record }) => scopeWords(record).length && only.includes(moduleOf(record)),
  )
  const changes: { id: string; data: Changed }[] = []
  for (const [record, its] of Map.groupBy(open, (each) => each.record)) {
    const writeOf = ({ reference_id, version, id }: StoredEvent) =>
      `${reference_id} ${version ?? id}`
    changes.push(...(await changesOf(ctx, record, its, people, writeOf)))
  }
  return changes.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Reports that something changed in every module that the reader may read. */
export function everything(ctx: Context, id: string): Outgoing[] {
  const modules = logged
    .filter(({ rights: { decide, follows }, module }) =>
      (decide && follows ? follows : [module]).some(
        (each) => levelOf(ctx.actor, each, 'read') !== 'none',
      ),
    )
    .map(moduleOf)
  return [...new Set(modules)].map((module) => ({ id, event: 'many', data: { module } }))
}

/** The module's name, as in its description; for parts of another record, such as insights, their table. */
function moduleOf(record: AnyRecord): string {
  const word = wordOf(record)
  if (recordsByModule[record.module] === record) return record.module
  return Object.hasOwn(recordsByModule, word) ? record.table : word
}

/** A stored event, and the record that it is about. */
type Known = { event: StoredEvent; record: AnyRecord }

const logged = records.filter(({ events: { isLogged } }) => isLogged)

/** The modules of which apps read changes. */
export const changeModules: readonly string[] = [
  ...new Set(logged.filter((record) => scopeWords(record).length).map(moduleOf)),
]

const byEvent = new Map(
  logged.flatMap((record) =>
    Object.keys(record.events.kinds).map((name) => [name, record] as const),
  ),
)
const byNumber = Map.groupBy(logged, ({ number }) => number)

/** The record types that an event may be about; none if it is about no record. */
function candidates({ type, module_id, module }: StoredEvent): AnyRecord[] {
  const known = type ? byEvent.get(type) : undefined
  if (known) return [known]
  const its = byNumber.get(module_id) ?? []
  return module_id ? its : its.filter((each) => [each.module, wordOf(each)].includes(module ?? ''))
}

/** Whether the entry comes from a write to the record, and not only from a note in the log. */
function isWrite({ type, version }: StoredEvent): boolean {
  return type !== null || version !== null
}

/** The events about records that the reader may see, and which of the actors it may see. */
async function visibleOnes(ctx: Context, events: StoredEvent[]) {
  const known: Known[] = []
  const questions = new Map<AnyRecord, { ids: Set<string>; events: StoredEvent[] }>()
  for (const event of events) {
    const { reference_id, changes } = event
    if (!reference_id || !(isWrite(event) || changes.length)) continue
    const may = candidates(event)
    for (const record of may) {
      // a log entry may contain any id
      const isCertain = may.length === 1 && isWrite(event)
      if (isCertain && !readable(ctx, record.table)) known.push({ event, record })
      else {
        const question = questions.get(record) ?? { ids: new Set(), events: [] }
        questions.set(record, question)
        question.ids.add(reference_id)
        question.events.push(event)
      }
    }
  }
  const actors = new Set(events.flatMap(({ actor_id }) => actor_id ?? []))
  const isShownPeople = !ctx.actor.is_confined || !readable(ctx, UserProfile.table)
  const asked = [...questions].map(([record, { ids }]) => ({ record, ids }))
  if (!isShownPeople) asked.push({ record: UserProfile, ids: actors })
  const found = await readableAmong(ctx, asked)
  const people = isShownPeople ? actors : found.at(-1)
  for (const [nth, [record, question]] of [...questions].entries()) {
    for (const event of question.events) {
      if (found[nth]?.has(event.reference_id ?? '')) known.push({ event, record })
    }
  }
  known.sort((a, b) => (a.event.id < b.event.id ? -1 : 1))
  return { known, people }
}

/** The visible ids of each record type, in one query. */
async function readableAmong(
  ctx: Context,
  asked: { record: AnyRecord; ids: Set<string> }[],
): Promise<Set<string>[]> {
  const found = asked.map(() => new Set<string>())
  if (!asked.length) return found
  const selects = asked.map(
    ({ record: { table, only }, ids }, nth) => sql`select ${nth}::integer as nth, t.id
      from ${sql.table(table)} t
      where ${all(mine(ctx), only ? sql.raw(only) : undefined, readable(ctx, table))}
        and t.id = any(${[...ids]}::varchar[])`,
  )
  const rows = await ctx.all<{ nth: number; id: string }>(sql.join(selects, sql` union all `))
  for (const { nth, id } of rows) found[nth]?.add(id)
  return found
}

/** Each record once, or each of its writes, with the visible part of all its changes. */
async function changesOf(
  ctx: Context,
  record: AnyRecord,
  its: Known[],
  people: ReadonlySet<string> | undefined,
  keyOf = ({ reference_id }: StoredEvent) => reference_id ?? '',
): Promise<{ id: string; data: Changed }[]> {
  const contents = its.map(({ event }) => ({
    event,
    id: event.reference_id,
    data: null,
    changes: event.changes,
  }))
  const cut = await cutFor(ctx, record, contents)
  const byKey = new Map<string, { id: string; data: Changed }>()
  for (const { event, changes } of cut) {
    const { id, reference_id, version, actor_id } = event
    const type = typeOf(event)
    // that an internal field changed is internal, too
    const isEmpty = event.changes.length > 0 && !changes.length
    if (type === 'updated' && isEmpty && !readsInternal(ctx.actor)) continue
    const before = byKey.get(keyOf(event))?.data
    const data: Changed = {
      module: moduleOf(record),
      id: reference_id ?? '',
      version: version ?? before?.version ?? null,
      type: before?.type === 'created' && type === 'updated' ? 'created' : type,
      fields: [...new Set([...(before?.fields ?? []), ...changes.map(({ field }) => field)])],
      actor_id: actor_id !== null && people?.has(actor_id) ? actor_id : null,
    }
    byKey.set(keyOf(event), { id, data })
  }
  return [...byKey.values()]
}

function typeOf(event: StoredEvent): Changed['type'] {
  const { action } = event
  return isWrite(event) && (action === 'created' || action === 'deleted') ? action : 'updated'
}
