import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { conflict, notFound } from '../../kit/ground/errors.ts'
import { suppliedId } from '../../kit/ground/ids.ts'
import { orNull, schema } from '../../kit/ground/json-schema.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { idsIn } from '../../kit/read/named-values.ts'
import type { PageRequest } from '../../kit/read/page.ts'
import { author } from '../../model/people/person.ts'
import { readEntries, writtenByCaller } from './entry.ts'
import { listPageOfEntries } from './page.ts'
import { safeHtml, textOf } from '../../kit/ground/html.ts'
import type { Subject } from './subject.ts'
import { about, isKnown, subjectProperties, writableSubject } from './subject.ts'
import { manyVisibleEntries, visibleEntries } from './visible.ts'

/** The body that writes an entry. */
export const createBody = Type.Object(
  {
    log_id: Type.Optional(schema<string>({ ...suppliedId, description: 'generated when absent' })),
    title: Type.String({ pattern: '\\S', maxLength: 255 }),
    raw_description: Type.Optional(
      schema<{ [key: string]: unknown }>({ type: 'object', additionalProperties: true }),
    ),
    description: Type.Optional(orNull(Type.String({ maxLength: 10_000 }))),
    html_description: Type.Optional(
      orNull(
        Type.String({
          maxLength: 50_000,
          description: 'formatting and links stay, other tags are shown as text',
        }),
      ),
    ),
    ...subjectProperties,
  },
  { title: 'ActivityLogCreate' },
)

/** Writes an entry of the caller's own; 400 for a record not visible, 409 for a taken `log_id`. */
export async function createEntry(ctx: Context, body: Static<typeof createBody>): Promise<Answer> {
  const { log_id, title, raw_description, description } = body
  const subject = await writableSubject(ctx, body)
  if (log_id !== undefined) await checkFree(ctx, log_id)
  const html = body.html_description ? safeHtml(body.html_description) : undefined
  // not announced: the caller wrote it, and it is no event of a record
  const id = ctx.emit({
    type: null,
    title,
    ...columnsOf(subject),
    raw_description: raw_description && writtenByCaller(raw_description),
    description: description ?? (html && textOf(html)),
    html_description: html,
    log_id,
  })
  return writtenEntry(ctx, id)
}

/** One visible entry; 404 for others. */
export async function readEntry(ctx: Context, log_id: string): Promise<Json> {
  const {
    entries: [entry],
  } = await readEntries(ctx, all(visibleEntries(ctx), hasId(log_id)))
  if (!entry) throw notFound('Log entry')
  return new Json(entry.text)
}

/** A new entry, as a read returns it. */
export async function writtenEntry(ctx: Context, id: string): Promise<Answer> {
  const {
    entries: [entry],
  } = await readEntries(ctx, sql`e.id = ${id}`)
  return new Answer(new Json(entry?.text ?? 'null'), { id: entry?.log_id })
}

/** The columns that hold the subject of an entry. */
export function columnsOf(subject: Subject | undefined) {
  return { module_id: subject?.number ?? null, reference_id: subject?.id ?? null }
}

/** A page of the visible entries, about one subject or all; 404 for a record that is not visible. */
export async function listEntries(
  ctx: Context,
  query: PageRequest & {
    created_by?: string
    type?: string
    action?: string
    include_count?: boolean
  },
  subject: Subject | undefined,
): Promise<Answer> {
  const { created_by } = query
  const authors =
    created_by === undefined ? undefined : await idsIn(ctx, author(), created_by, 'created_by')
  const among = all(
    subject && about(ctx, subject),
    authors && sql`e.actor_id = any(${authors})`,
    query.type === undefined ? undefined : ofType(query.type),
    query.action === undefined ? undefined : ofAction(query.action),
  )
  const total = query.include_count
    ? sql`select count(*) as n from (${manyVisibleEntries(ctx, among)}) e`
    : undefined
  const page = await listPageOfEntries(ctx, all(visibleEntries(ctx), among), query, total)
  const isEmpty = page.body instanceof Json && page.body.text === '[]'
  if (isEmpty && subject?.id !== undefined && !(await isKnown(ctx, subject))) {
    throw notFound('Record')
  }
  return page
}

/** Entries of an event. Those of others than creations and updates have an index, whose condition is repeated. */
function ofType(type: string): Query {
  const isIndexed = /_(created|updated)$/.test(type)
    ? undefined
    : sql`e.type !~ '_(created|updated)$'`
  return all(sql`e.type = ${type}`, isIndexed)
}

/** Entries of an action; see `ofType`. */
export function ofAction(action: string): Query {
  const common = ['created', 'updated']
  const isIndexed = common.includes(action)
    ? undefined
    : sql`e.raw_description ->> 'action' not in ('created', 'updated')`
  return all(sql`e.raw_description ->> 'action' = ${action}`, isIndexed)
}

/** Whether an entry is the one that callers know by an id. */
export function hasId(log_id: string): Query {
  return sql`(e.log_id = ${log_id} or (e.id = ${log_id} and e.log_id is null))`
}

/** 409 for an id that another entry has; the unique index refuses one that is written concurrently. */
async function checkFree(ctx: Context, log_id: string) {
  const taken = await ctx.one(sql`select 1 from events e where ${mine(ctx, 'e')}
    and ${hasId(log_id)}`)
  if (taken) throw conflict('This log_id is already taken', 'duplicate')
}
