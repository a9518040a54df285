import { Type } from 'typebox'
import type { Static } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { arrayOf, enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { readEntries } from '../activity/entry.ts'
import { namedRecord } from '../../model/health/schema.ts'
import { readBy } from '../../model/interactions/interaction.ts'
import { kinds } from './kinds.ts'
import type { FromLog } from './named.ts'
import { formerName, recordsNamed } from './named.ts'
import type { Item } from './page.ts'
import { cursorOf, placeOf, readItems } from './page.ts'
import { activitySentence, loggedSentence } from './sentences.ts'
import type { FeedName, SubjectName } from './subject.ts'
import { subjectOf } from './subject.ts'

const subjectId = (word: string) => Type.Optional(idInQuery(`the timeline of ${word}`))

const entry = Type.Object(
  {
    kind: enumeration(kinds, { title: 'TimelineKind' }),
    at: Type.String({ format: 'date-time' }),
    text: Type.String({ description: 'what happened as a sentence with names' }),
    actor: Type.Object(
      {
        user_id: orNull(Type.String({ description: 'null for contacts, signers and the service' })),
        contact_id: orNull(Type.String()),
        full_name: orNull(Type.String()),
      },
      { title: 'TimelineActor' },
    ),
    record: orNull(namedRecord),
    log_id: orNull(Type.String({ description: 'its entry of the activity log' })),
    comment: orNull(
      Type.Object(
        {
          interaction_id: Type.String(),
          content: Type.String({ description: 'its text, or its HTML, at most 2,000 characters' }),
          is_read: Type.Boolean({ description: 'whether you have read it' }),
          rating: orNull(
            Type.Integer({ description: 'from 1 to 5, of a completed milestone; null for others' }),
          ),
        },
        { title: 'TimelineComment' },
      ),
    ),
  },
  { title: 'TimelineEntry' },
)
export type Entry = Static<typeof entry>

const names: FeedName[] = ['account_id', 'company_id', 'contact_id', 'project_id']

const paging = {
  kinds: Type.Optional(
    Type.String({
      maxLength: 300,
      description: `only these, comma-separated: ${kinds.join()}`,
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'entries per page (25)' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 1000, description: 'next_cursor of the previous answer' }),
  ),
}
const pageQuery = Type.Object(paging)
type PageQuery = Static<typeof pageQuery>

const answer = Type.Object(
  { results: arrayOf(entry), next_cursor: orNull(Type.String()) },
  { title: 'Timeline' },
)

/** Reads everything about a contact, company, account, project or deal in one feed. */
export const timeline = operation({
  name: 'read_timeline',
  summary: 'Retrieve a timeline',
  description:
    'Everything about a contact, company, account, project or deal, newest first: answers to surveys, ' +
    'signatures, documents opened, meetings, mails, comments, tasks, stage moves, feedback, milestones ' +
    'and changes. Each entry is there for whoever may read what it is about.',
  can: 'signed_in',
  topic: 'timeline',
  writes: false,
  lane: 'heavy',
  input: {
    query: Type.Object({
      account_id: subjectId('an account'),
      company_id: subjectId('a company'),
      contact_id: subjectId('a contact'),
      project_id: subjectId('a project or deal'),
      ...paging,
    }),
  },
  output: answer,
  run(ctx, { query }) {
    const [name, ...more] = names.filter((each) => query[each] !== undefined)
    if (!name) throw badField('account_id', 'or company_id, contact_id or project_id is required')
    if (more[0]) throw badField(more[0], `cannot be combined with ${name}`)
    return readTimeline(ctx, name, query[name] ?? '', query)
  },
})

const namesByModule: { [module: string]: SubjectName } = {
  accounts: 'account_id',
  companies: 'company_id',
  contacts: 'contact_id',
  projects: 'project_id',
  deals: 'project_id',
  tasks: 'task_id',
  documents: 'document_id',
  surveys: 'survey_id',
  meetings: 'meeting_id',
  calendar: 'meeting_id',
}

/** The same for a record by its module, for the screens. */
export const recordTimeline = operation({
  ...timeline,
  name: 'read_record_timeline',
  summary: 'Retrieve the timeline of a record',
  description:
    'The timeline of a contact, company, account, project or deal, as its own parameter gives it; of a ' +
    'task, document, survey or meeting what was done to the record itself, newest first.',
  input: {
    params: Type.Object({
      module: Type.String({ description: Object.keys(namesByModule).join(', ') }),
      id: Type.String(),
    }),
    query: pageQuery,
  },
  run: (ctx, { params, query }) => timelineOfRecord(ctx, params, query),
})

/** A page of the timeline of a record by its module, of the entries that are open. 404 for a module that has none. */
export function timelineOfRecord(
  ctx: Context,
  { module, id }: { module: string; id: string },
  query: PageQuery,
  isOpen?: (entry: Entry) => boolean,
) {
  const name = Object.hasOwn(namesByModule, module) ? namesByModule[module] : undefined
  if (!name) throw notFound('Module')
  return readTimeline(ctx, name, id, query, isOpen)
}

/** How often a page is filled up whose entries are not open; then it ends early, with a cursor. */
const mostRounds = 5
/** How many entries such a page reads at once, at least. */
const leastRead = 100

async function readTimeline(
  ctx: Context,
  name: SubjectName,
  id: string,
  query: PageQuery,
  isOpen?: (entry: Entry) => boolean,
) {
  const { limit = 25, cursor } = query
  const size = isOpen ? Math.max(limit + 1, leastRead) : limit + 1
  const wanted = wantedKinds(query.kinds)
  const bound = `${name} ${id} ${wanted.join()}`
  const subject = await subjectOf(ctx, name, id)
  const open: { item: Item; entry: Entry }[] = []
  let next = cursor ?? null
  for (let round = 0; round < mostRounds; round++) {
    const after = next ? placeOf(next, bound) : undefined
    const items = await readItems(ctx, subject, wanted, after, size)
    const entries = await shown(ctx, items, id)
    const both = entries.flatMap((entry, i) => (items[i] ? [{ entry, item: items[i] }] : []))
    open.push(...(isOpen ? both.filter(({ entry }) => isOpen(entry)) : both))
    const isFull = open.length > limit
    const last = isFull ? open[limit - 1]?.item : items[size - 1]
    next = last ? cursorOf(last, bound) : null
    if (!next || isFull) break
  }
  return { results: open.slice(0, limit).map(({ entry }) => entry), next_cursor: next }
}

function wantedKinds(list: string | undefined): string[] {
  if (list === undefined) return kinds
  const words = new Set(list.split(',').map((word) => word.trim()))
  const unknown = [...words].find((word) => !kinds.includes(word))
  if (unknown !== undefined) throw badField('kinds', `must be one or more of ${kinds.join(', ')}`)
  return kinds.filter((kind) => words.has(kind))
}

/** The entries as shown in the timeline of the record with this id. */
async function shown(ctx: Context, items: Item[], of: string): Promise<Entry[]> {
  const entries = await logged(ctx, items)
  const about = items.map(({ id, activity }) => activity ?? entries.get(id))
  const named = await recordsNamed(ctx, about)
  const comments = items.filter(({ kind }) => kind === 'comment').map(({ id }) => id)
  const read = await readBy(ctx, comments)
  return items.map((item, i): Entry => {
    const its = about[i]
    const found = its && named.get(`${its.module_id} ${its.reference_id}`)
    const at = new Date(item.ms).toISOString()
    const { activity } = item
    if (activity) {
      const { what, contact_id } = activity
      return {
        kind: item.kind,
        at,
        text: activitySentence(activity, found ?? null),
        actor: {
          user_id: typeof what.user_id === 'string' ? what.user_id : null,
          contact_id,
          full_name: typeof what.who === 'string' ? what.who : null,
        },
        record: found ?? null,
        log_id: null,
        comment:
          item.kind === 'comment'
            ? {
                interaction_id: item.id,
                content: typeof what.text === 'string' ? what.text : '',
                is_read: read.has(item.id),
                rating: typeof what.rating === 'number' ? what.rating : null,
              }
            : null,
      }
    }
    const log = entries.get(item.id)
    const record = found ?? (log ? formerName(log) : null)
    const { user_id = null, full_name = null } = log?.created_by ?? {}
    return {
      kind: item.kind,
      at,
      text: log ? loggedSentence(log, full_name ?? 'The service', record, record?.id === of) : '',
      actor: { user_id, contact_id: null, full_name },
      record,
      log_id: log?.id ?? null,
      comment: null,
    }
  })
}

/** The log entries on a page, by their ids. */
async function logged(ctx: Context, items: Item[]): Promise<Map<string, FromLog>> {
  const ids = items.filter(({ activity }) => !activity).map(({ id }) => id)
  if (!ids.length) return new Map()
  const those = sql`e.id = any(${ids}::varchar[])`
  const { entries } = await readEntries(ctx, those, { limit: ids.length })
  return new Map(
    entries.map(({ id, log_id, text }) => {
      const read = JSON.parse(text) as Omit<FromLog, 'id'>
      return [id, { ...read, id: log_id }]
    }),
  )
}
