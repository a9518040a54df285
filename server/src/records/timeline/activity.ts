import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { endOfDay, startOfDay } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { firstIdAt } from '../../kit/ground/ids.ts'
import { arrayOf, enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { idsIn } from '../../kit/read/named-values.ts'
import { namedRecord } from '../../model/health/schema.ts'
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
    source: Type.String({ description: 'the way by which it came' }),
    changes: Type.Array(
      Type.Object(
        {
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
    // in one order, however the address has them
    const bound = JSON.stringify([from, to, created_by, module, action, source])
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
    return { results: await shown(ctx, page), next_cursor: next }
  },
})

async function among(ctx: Context, { from, to, created_by, module, action, source }: Asked) {
  const { timezone } = ctx.organization
  const subject = module === undefined ? undefined : subjectModule(module)
  if (module !== undefined && !subject) {
    throw badField('module', 'must be a module, such as companies, or its number')
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
    subject && about(ctx, subject),
    people && sql`e.actor_id = any(${people})`,
    action === undefined ? undefined : ofAction(action),
    source === undefined ? undefined : sql`e.source = ${source}`,
  )
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
      source: log.source,
      changes: (page[at]?.said ?? []).map(({ what, from = null, to = null }) => ({
        label: what,
        from,
        to,
      })),
    }
  })
}

type Read = { log_id: string; creation_time: string; source: string }
