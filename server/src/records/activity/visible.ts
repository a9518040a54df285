import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { wordOf } from '../../kit/record/record.ts'
import { readable, restrictRows } from '../../kit/record/readable.ts'
import { readsInternal, shownTo } from '../../kit/record/audience.ts'
import { moduleWordIn, numberedRecords } from '../../kit/record/modules.ts'
import { levelOf, rights } from '../../kit/record/scope.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { records } from '../../model/all.ts'
import { permissionModules } from '../../model/users/roles/permissions.ts'

/**
 * The log entries that the caller sees, as a condition over `e`: those about records that it sees,
 * by the record's own rights, and those about no record. If a record was deleted, whoever could
 * see it still sees its entries, except confined callers.
 */
export function visibleEntries(ctx: Context): Query {
  return visibleAmong(ctx, alternatives(ctx))
}

/** The same for entries of these modules only, by their words; rights on other modules are not evaluated. */
export function visibleEntriesOf(ctx: Context, modules: readonly string[]): Query {
  const among = subjects.filter(({ module }) => modules.includes(module))
  return visibleAmong(ctx, alternatives(ctx, among))
}

/**
 * The condition over `e` on the entries themselves; the rights on the records that
 * they are about are added by `visibleReferences`.
 */
export function readableEntries(ctx: Context): Query {
  return all(mine(ctx, 'e'), whose(ctx.actor), saysMore(ctx))
}

/** The ids among these, of records of the module with this number, whose entries the caller sees. */
export async function visibleReferences(
  ctx: Context,
  number: number,
  ids: (string | null)[],
): Promise<(string | null)[]> {
  const subject = subjects.find((each) => each.number === number)
  if (!subject) return []
  const { query } = ofSubject(ctx, subject)
  if (!query) return ids
  const found = await ctx.all<{ id: string }>(sql`select e.reference_id as id
    from (select ${number}::int as module_id, unnest((select ${ids}::varchar[])) as reference_id) e
    where ${query}`)
  return found.map(({ id }) => id)
}

function visibleAmong(ctx: Context, { whose, direct, lookedUp }: Alternatives): Query {
  const either = [...direct, ...lookedUp.map(({ query }) => query)]
  // `is true` hides the alternatives from the planner, which would otherwise collect all rows that any of them
  // allows and sort them, although a page only needs the newest (450 ms instead of 6 for 300,000)
  return all(mine(ctx, 'e'), whose, sql`(${sql.join(either, sql` or `)}) is true`)
}

/**
 * The entries that meet `among` and that the caller sees, as rows. For counting many entries:
 * each record is looked up once, however many entries it has.
 */
export function manyVisibleEntries(ctx: Context, among: Query): Query {
  const { whose, direct, lookedUp } = alternatives(ctx, subjects, 'gathered')
  const these = all(mine(ctx, 'e'), whose, among)
  if (!lookedUp.length) {
    return sql`select e.* from events e where ${these} and (${sql.join(direct, sql` or `)})`
  }
  const numbers = lookedUp.map(({ number }) => number)
  const records = lookedUp.map(({ query }) => query)
  return sql`
    select e.* from events e
    left join (
      select e.module_id, e.reference_id from (
        select distinct e.module_id, e.reference_id from events e
        where ${these} and e.module_id = any(${numbers}::int[])
      ) e where ${sql.join(records, sql` or `)}
    ) seen on seen.module_id = e.module_id and seen.reference_id = e.reference_id
    where ${these} and (seen.module_id is not null or ${sql.join(direct, sql` or `)})`
}

// the entries that a project shows: whoever sees everything needs no condition
restrictRows('events', (ctx) => {
  const isWhole = levelOf(ctx.actor, 'activity', 'read') === 'all' && !ctx.actor.is_confined
  if (isWhole && ofProjects.every(({ record }) => !record || !readable(ctx, record.table))) {
    return undefined
  }
  const among = alternatives(ctx, ofProjects)
  return sql`(select e.* from events e where ${visibleAmong(ctx, among)})`
})

type Alternatives = {
  whose: Query
  direct: Query[]
  lookedUp: { number: number; query: Query }[]
}

/**
 * How the records of entries are looked up: one by one for a page of entries, or for many entries as PostgreSQL
 * chooses, which collects all records that the caller may read (600 ms for 300,000 tasks).
 */
type LookedUp = 'one by one' | 'gathered'

/** The subjects, then which of their entries: by the entry alone, or by looking up its record. */
function alternatives(ctx: Context, among = subjects, how: LookedUp = 'one by one'): Alternatives {
  const { actor } = ctx
  const each = among.map((subject) => ofSubject(ctx, subject, how))
  const whole = each.filter(({ query }) => !query)
  const numbers = whole.flatMap(({ number }) => number ?? [])
  const words = whole.filter(({ number }) => !number).map(({ module }) => module)
  const lookedUp: { number: number; query: Query }[] = []
  const direct = [
    sql`(e.module_id is null and e.reference_id is null
      and ${actor.is_confined ? sql`e.actor_id = ${actor.user_id}` : sql`true`})`,
    sql`e.module_id = any(${numbers}::int[])`,
    sql`(e.module_id is null and e.raw_description ->> 'module' = any(${words}::text[]))`,
  ]
  for (const { number, query, isLookUp } of each) {
    if (!query) continue
    if (number && isLookUp) lookedUp.push({ number, query })
    else direct.push(query)
  }
  return { whose: all(whose(actor), saysMore(ctx)), direct, lookedUp }
}

function whose(actor: Actor): Query | undefined {
  const level = levelOf(actor, 'activity', 'read')
  if (level === 'none') return sql`false`
  if (level === 'all') return undefined
  return sql`e.actor_id = any(${level === 'own' ? [actor.user_id] : actor.team})`
}

/** A subject of log entries: a record type under one of its names. */
type Subject = {
  /** a word by which entries may name the module */
  module: string
  /** the module's number; in the log, modules without one are named by their word */
  number: number | undefined
  /** undefined if the word has none */
  record: AnyRecord | undefined
  /** the records whose entries use the number or the word: its own, and parts such as automations */
  logged: AnyRecord[]
}

/** The subjects by word; a record's permission module is one too, such as `calendar` for meetings. */
const subjects = allSubjects()

/** The subjects of entries that belong to a project. */
const ofProjects = subjects.filter(({ module }) =>
  ['deals', 'projects', 'milestones', 'tasks', 'documents'].includes(module),
)

function allSubjects(): Subject[] {
  const ofLog = records.filter(({ events: { isLogged } }) => isLogged)
  const known = new Map<string, AnyRecord | undefined>()
  for (const record of ofLog) {
    for (const word of [wordOf(record), record.module]) {
      if (!known.has(word)) known.set(word, record)
    }
  }
  for (const module of permissionModules()) if (!known.has(module)) known.set(module, undefined)
  return [...known].map(([module, record]) => {
    const number = record && wordOf(record) === module ? (record.number ?? undefined) : undefined
    const logged = ofLog.filter((each) =>
      number
        ? each.number === number
        : each.number === null && [each.module, wordOf(each)].includes(module),
    )
    return { module, number, record, logged: logged.length || !record ? logged : [record] }
  })
}

/** Which of a subject's entries the caller sees. */
type Seen = Pick<Subject, 'module' | 'number'> & {
  /** undefined for all of them */
  query: Query | undefined
  /** whether it looks up the entry's record */
  isLookUp?: boolean
}

function ofSubject(
  ctx: Context,
  { module, number, record, logged }: Subject,
  how: LookedUp = 'one by one',
): Seen {
  const level = levelOf(ctx.actor, record?.module ?? module, 'read')
  const only = (query: Query): Seen => ({ module, number, query })
  if (level === 'none' && !record?.rights.decide) return only(sql`false`)
  const isModule = number
    ? sql`e.module_id = ${number}`
    : sql`e.module_id is null and e.raw_description ->> 'module' = ${module}`
  if (record) {
    const each = logged.map((one) => ({ one, allowed: rights(ctx, one, 'read') }))
    if (each.every(({ allowed }) => !allowed)) return { module, number, query: undefined }
    const either = each.map(({ one, allowed }) => existing(ctx, one, allowed, how))
    const query = sql`(${isModule} and (${sql.join(either, sql` or `)}))`
    return { module, number, query, isLookUp: true }
  }
  // records without rights of their own: what others did with them is visible to those who see everything
  if (ctx.actor.is_confined) return only(sql`false`)
  if (level === 'all') return { module, number, query: undefined }
  const people = level === 'own' ? [ctx.actor.user_id] : ctx.actor.team
  return only(sql`(${isModule} and e.actor_id = any(${people}))`)
}

function existing(
  ctx: Context,
  record: AnyRecord,
  allowed: Query | undefined,
  how: LookedUp,
): Query {
  const isAlive = ctx.actor.is_confined && record.life.softDelete
  const alive = isAlive ? sql`t.deleted_at is null` : undefined
  // a subquery with another condition on the entry cannot be gathered for all entries
  const each = how === 'one by one' ? sql`e.reference_id is not null` : undefined
  return sql`exists (select from ${sql.table(record.table)} t
    where ${all(mine(ctx), sql`t.id = e.reference_id`, each, alive, allowed)})`
}

/**
 * Entries that do not only report changes of internal fields, for customers and partners; undefined for
 * everybody else. Entries without changes are included.
 */
export function saysMore(ctx: Context): Query | undefined {
  if (readsInternal(ctx.actor)) return undefined
  const known = numberedRecords().map((record) => {
    const {
      fields,
      events: { loggedIds },
    } = shownTo(ctx, record)
    return sql`when e.module_id = ${record.number}::int then ${[...Object.keys(fields), ...loggedIds]}::text[]`
  })
  const shared = sql`select f.key from field_definitions f where ${mine(ctx, 'f')} and f.is_shared
    and f.module = ${sql.raw(moduleWordIn('e.module_id'))}`
  return sql`(coalesce(json_typeof(e.changes), 'null') <> 'array' or json_array_length(e.changes) = 0
    or exists (select from json_array_elements(e.changes) c
      where c ->> 'field' = any(case ${sql.join(known, sql` `)} else '{}'::text[] end)
      or (c ->> 'field' like 'custom\\_fields.%' and substr(c ->> 'field', 15) in (${shared}))))`
}
