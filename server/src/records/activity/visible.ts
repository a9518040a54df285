import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { wordOf } from '../../kit/record/record.ts'
import { readable, restrictRows } from '../../kit/record/readable.ts'
import { readsInternal, shownTo } from '../../kit/record/audience.ts'
import { moduleWordIn, numberedRecords } from '../../kit/record/modules.ts'
import { levelOf, rights } from '../../kit/record/scope.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { records } from '../all.ts'
import { permissionModules } from '../users/roles/permissions.ts'

/**
 * Which entries of the log the caller sees, as a condition over `e`: those of records that it sees,
 * by the record's own rights, and of no record at all. Of a record deleted since, whoever its rights
 * reached still sees what happened; a confined caller loses it with the record.
 */
export function visibleEntries(ctx: Context): Query {
  return visibleAmong(ctx, alternatives(ctx))
}

/** The same among entries of these modules only, by their words: rights on the others are not looked at. */
export function visibleEntriesOf(ctx: Context, modules: readonly string[]): Query {
  const among = subjects.filter(({ module }) => modules.includes(module))
  return visibleAmong(ctx, alternatives(ctx, among))
}

/**
 * What entries must be themselves for the caller to see them, as a condition over `e`; the rights on what
 * they are about come beside it, by `visibleReferences`.
 */
export function readableEntries(ctx: Context): Query {
  return all(mine(ctx, 'e'), whose(ctx.actor), saysMore(ctx))
}

/** Those of these records of a module, by its number, whose entries the caller sees. */
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
  // `is true` hides the alternatives from the planner: it would gather all that any of them lets
  // through and sort it, where a page is a walk along the newest (450 ms against 6 for 300,000)
  return all(mine(ctx, 'e'), whose, sql`(${sql.join(either, sql` or `)}) is true`)
}

/**
 * Those of the entries that `among` lets through that the caller sees, as rows: for counting many,
 * each record is looked up once, however many entries are about it.
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

// the entries that a project shows: for who sees everything there is nothing to leave out
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
 * How records behind entries are looked up: one by one where a page walks along the entries, or as PostgreSQL
 * likes where there are many, which gathers all that the caller may read (600 ms for 300,000 tasks).
 */
type LookedUp = 'one by one' | 'gathered'

/** Whose entries, then which of them: by what the entry itself holds, or by a look-up of its record. */
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

/** What the entries of a module are about. */
type Subject = {
  /** a word that entries may name the module by */
  module: string
  /** the module's number; the log names those without one by their word */
  number: number | undefined
  /** undefined where none is behind the word */
  record: AnyRecord | undefined
  /** the records whose entries go by the number or the word: its own, and parts such as automations */
  logged: AnyRecord[]
}

/** Of each word; a record's permission module is one too, such as `calendar` of meetings. */
const subjects = allSubjects()

/** What the entries that belong to a project are about. */
const ofProjects = subjects.filter(({ module }) =>
  ['deals', 'projects', 'milestones', 'tasks', 'documents'].includes(module),
)

function allSubjects(): Subject[] {
  const ofLog = records.filter(({ isLogged }) => isLogged)
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
  /** it looks at the record behind the entry */
  isLookUp?: boolean
}

function ofSubject(
  ctx: Context,
  { module, number, record, logged }: Subject,
  how: LookedUp = 'one by one',
): Seen {
  const level = levelOf(ctx.actor, record?.module ?? module, 'read')
  const only = (query: Query): Seen => ({ module, number, query })
  if (level === 'none' && !record?.rights) return only(sql`false`)
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
  // records without rights of their own: what others did with them is for those who see all
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
  const isAlive = ctx.actor.is_confined && record.softDelete
  const alive = isAlive ? sql`t.deleted_at is null` : undefined
  // a subquery with another condition on the entry cannot be gathered for all entries
  const each = how === 'one by one' ? sql`e.reference_id is not null` : undefined
  return sql`exists (select from ${sql.table(record.table)} t
    where ${all(mine(ctx), sql`t.id = e.reference_id`, each, alive, allowed)})`
}

/**
 * Entries that say more than what changed in internal fields, for customers and partners; undefined for
 * everybody else. Those without changes say that something happened.
 */
export function saysMore(ctx: Context): Query | undefined {
  if (readsInternal(ctx.actor)) return undefined
  const known = numberedRecords().map((record) => {
    const { fields, loggedIds } = shownTo(ctx, record)
    return sql`when e.module_id = ${record.number}::int then ${[...Object.keys(fields), ...loggedIds]}::text[]`
  })
  const shared = sql`select f.key from field_definitions f where ${mine(ctx, 'f')} and f.is_shared
    and f.module = ${sql.raw(moduleWordIn('e.module_id'))}`
  return sql`(coalesce(json_typeof(e.changes), 'null') <> 'array' or json_array_length(e.changes) = 0
    or exists (select from json_array_elements(e.changes) c
      where c ->> 'field' = any(case ${sql.join(known, sql` `)} else '{}'::text[] end)
      or (c ->> 'field' like 'custom\\_fields.%' and substr(c ->> 'field', 15) in (${shared}))))`
}
