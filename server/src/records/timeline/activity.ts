import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { endOfDay, startOfDay } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { foldedText } from '../../kit/ground/fold.ts'
import { firstIdAt, idInQuery } from '../../kit/ground/ids.ts'
import { arrayOf, enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { idsIn } from '../../kit/read/named-values.ts'
import { conditions } from '../../kit/read/selection.ts'
import { namedRecord } from '../../model/health/schema.ts'
import { readableRecords } from '../../model/readable-module.ts'
import { waysToName } from '../../model/people/people.ts'
import { author } from '../../model/people/person.ts'
import type { Entry } from '../activity/entry.ts'
import { readEntries } from '../activity/entry.ts'
import { ofAction } from '../activity/log.ts'
import { about, subjectModule } from '../activity/subject.ts'
import { visibleEntries } from '../activity/visible.ts'
import type { FromLog } from './named.ts'
import { formerName, recordsNamed } from './named.ts'
import { cursorOf, placeOf } from './page.ts'
import { loggedSentence } from './sentences.ts'

/** Ways by which the service is changed. */
export const sources = ['application', 'integration', 'mcp', 'import', 'job'] as const

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }))

const query = Type.Object({
  from: day("only entries from this day on, in the organization's zone"),
  to: day('only entries to the end of this day'),
  created_by: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description: `only what this user did, by ${waysToName}`,
    }),
  ),
  module: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'only about records of this module' }),
  ),
  action: Type.Optional(
    enumeration(['created', 'updated', 'deleted', 'restored'], { title: 'ActivityAction' }),
  ),
  source: Type.Optional(
    enumeration(sources, { title: 'ActivitySource', description: 'only what came this way' }),
  ),
  reference_id: Type.Optional(idInQuery('only about this record of `module`')),
  field: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'only what changed this field of records of `module`, by its name',
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'only entries with this text in what happened, in the name of the record or in a value',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: 'entries per page (50)' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 2000, description: 'next_cursor of the previous answer' }),
  ),
})
type Asked = Static<typeof query>

const inWords = 'in words; empty for none, null for what has no short form or name here'

const entry = Type.Object(
  {
    log_id: Type.String(),
    at: Type.String({ format: 'date-time' }),
    text: Type.String({ description: 'what happened as a sentence with names' }),
    actor: Type.Object(
      { user_id: orNull(Type.String()), full_name: orNull(Type.String()) },
      { title: 'ActivityActor', description: 'without a name where the service did it by itself' },
    ),
    record: orNull(namedRecord),
    action: orNull(Type.String({ description: 'what was done, such as updated' })),
    source: Type.String({ description: 'the way by which it came' }),
    changes: Type.Array(
      Type.Object(
        {
          field: Type.String({ description: 'its name' }),
          label: Type.String({ description: 'the label of the field' }),
          from: orNull(Type.String({ description: inWords })),
          to: orNull(Type.String({ description: inWords })),
        },
        { title: 'ActivityChange' },
      ),
    ),
  },
  { title: 'ActivityEntry' },
)

/** Who did what, when, and by which way, field by field. */
export const activityFeed = operation({
  name: 'list_activity_feed',
  summary: 'List what happened',
  description:
    'The activity log in words, newest first: sentences with names, and each change by the label of its field ' +
    'with its values as people read them.',
  can: { module: 'activity', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: { query },
  output: Type.Object(
    { results: arrayOf(entry), next_cursor: orNull(Type.String()) },
    { title: 'ActivityFeed' },
  ),
  async run(ctx, { query: asked }) {
    const { limit = 50, cursor, from, to, created_by, module, action, source } = asked
    const { reference_id, field, q } = asked
    // in one order, however the address has them
    const whole = [from, to, created_by, module, action, source]
    const narrowed = [reference_id, field, q]
    const isNarrowed = narrowed.some((each) => each !== undefined)
    const bound = JSON.stringify(isNarrowed ? [...whole, ...narrowed] : whole)
    const after = cursor ? placeOf(cursor, bound) : undefined
    const condition = all(
      visibleEntries(ctx),
      await among(ctx, asked),
      after && sql`e.id < ${after.id}`,
    )
    const { entries, isCut } = await readEntries(ctx, condition, { limit: limit + 1 })
    const page = entries.slice(0, limit)
    const last = page.at(-1)
    const isMore = entries.length > limit || isCut
    const next = isMore && last ? cursorOf({ ms: 0, rank: 0, id: last.id }, bound) : null
    const results = await shown(ctx, page)
    return { results: results.filter((each) => isFound(each, asked)), next_cursor: next }
  },
})

async function among(ctx: Context, asked: Asked) {
  const { from, to, created_by, module, action, source, reference_id, field, q } = asked
  const { timezone } = ctx.organization
  const subject = module === undefined ? undefined : subjectModule(module)
  if (module !== undefined && !subject) {
    throw badField('module', 'must be a module, such as companies, or its number')
  }
  for (const name of ['reference_id', 'field'] as const) {
    if (asked[name] !== undefined && !subject) throw badField(name, 'needs module')
  }
  if (from && to && from > to) throw badField('to', 'must not be before from')
  const people =
    created_by === undefined ? undefined : await idsIn(ctx, author(), created_by, 'created_by')
  const since = from === undefined ? undefined : startOfDay(from, timezone)
  const until = to === undefined ? undefined : endOfDay(to, timezone)
  return all(
    // ids grow with time, so that the primary key finds the first; one day more, in case clocks differ
    since === undefined
      ? undefined
      : sql`e.id >= ${idAround(since, -1)} and e.occurred_at >= ${since}`,
    until === undefined
      ? undefined
      : sql`e.id < ${idAround(until, 1)} and e.occurred_at < ${until}`,
    subject && about(ctx, { ...subject, ...(reference_id ? { id: reference_id } : {}) }),
    field === undefined
      ? undefined
      : sql`json_typeof(e.changes) = 'array' and exists (select from json_array_elements(e.changes) c
          where c.value ->> 'field' = ${field})`,
    q?.trim() ? await saying(ctx, q.trim()) : undefined,
    people && sql`e.actor_id = any(${people})`,
    action === undefined ? undefined : ofAction(action),
    source === undefined ? undefined : sql`e.source = ${source}`,
  )
}

/** Records whose names are looked for in a text are at most so many of each module. */
const mostNamed = 200

/** Entries that may have a text: in what was written, in a value, or in the name of their record. */
async function saying(ctx: Context, q: string): Promise<Query> {
  const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const records = readableRecords(ctx).filter(({ find, number }) => find.searchable && number)
  const named = await Promise.all(
    records.map(async (record) => {
      const { condition } = await conditions(ctx, record, { q })
      const found = await ctx.all<{ id: string }>(sql`
        select t.id from ${sql.table(record.table)} t where ${condition} limit ${mostNamed}`)
      return { number: record.number, ids: found.map(({ id }) => id) }
    }),
  )
  const ofRecords = named
    .filter(({ ids }) => ids.length)
    .map(
      ({ number, ids }) =>
        sql`(e.module_id = ${number} and e.reference_id = any(${ids}::varchar[]))`,
    )
  const texts = ['title', 'description', 'actor_name', 'changes'].map(
    (column) => sql`e.${sql.ref(column)}::text ilike ${like}`,
  )
  return sql`(${sql.join([...texts, ...ofRecords], sql` or `)})`
}

/** Whether what the caller is shown of an entry has what was asked for: values that it does not see find nothing. */
function isFound({ text, record, actor, changes }: Static<typeof entry>, { field, q }: Asked) {
  if (field !== undefined && !changes.some((change) => change.field === field)) return false
  if (!q?.trim()) return true
  const values = changes.flatMap(({ label, from, to }) => [label, from, to])
  const words = [text, record?.name, actor.full_name, ...values].filter(Boolean).join('\n')
  return foldedText(words).includes(foldedText(q.trim()))
}

function idAround(instant: string, days: number): string {
  return firstIdAt(new Date(Date.parse(instant) + days * 86_400_000))
}

async function shown(ctx: Context, page: Entry[]): Promise<Static<typeof entry>[]> {
  const read = page.map(({ text }) => JSON.parse(text) as FromLog & Read)
  const named = await recordsNamed(ctx, read)
  return read.map((log, at) => {
    const record = named.get(`${log.module_id} ${log.reference_id}`) ?? formerName(log)
    const { user_id = null, full_name = null } = log.created_by ?? {}
    return {
      log_id: log.log_id,
      at: log.creation_time,
      text: loggedSentence(log, full_name ?? 'The service', record, false),
      actor: { user_id, full_name },
      record,
      action: typeof log.raw_description.action === 'string' ? log.raw_description.action : null,
      source: log.source,
      changes: (page[at]?.said ?? []).map(({ field, what, from = null, to = null }) => ({
        field,
        label: what,
        from,
        to,
      })),
    }
  })
}

type Read = { log_id: string; creation_time: string; source: string }
