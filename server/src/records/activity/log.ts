import type { Context, Query } from '../../kit/ground/context.ts'
import { conflict, notFound } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { entrySchema, readEntries } from './entry.ts'
import { safeHtml, textOf } from './html.ts'
import type { PageRequest } from '../../kit/read/page.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'
import type { Subject } from './subject.ts'
import { about, subjectFrom, isKnown, subjectModule, writableSubject } from './subject.ts'
import { manyVisibleEntries, visibleEntries } from './visible.ts'

/** How a body names the record that an entry is about. */
export const subjectProperties = {
  module_id: {
    type: ['integer', 'string', 'null'],
    maxLength: 40,
    description: 'the module of the record it is about, by number or word',
  },
  module_name: { type: ['string', 'integer', 'null'], maxLength: 40 },
  reference_id: { type: ['string', 'null'], maxLength: 25, description: 'the record' },
}

const module = { type: 'string', minLength: 1, maxLength: 40 }

const pages = {
  ...pageProperties,
  created_by: { type: 'string', minLength: 1, maxLength: 25, description: 'only this user’s' },
  type: {
    type: 'string',
    minLength: 1,
    maxLength: 60,
    description: 'only this event’s, such as company_updated',
  },
  include_count: { type: 'boolean', description: 'adds X-Total-Count' },
}

export const activityLog = {
  list: {
    name: 'list_activity',
    summary: 'List what happened, newest first',
    can: { module: 'activity', action: 'read' },
    writes: false,
    input: {
      query: {
        type: 'object',
        properties: {
          ...pages,
          module_id: { ...module, description: 'a module’s number or word' },
          module_name: { ...module, description: 'the same' },
          reference_id: { ...module, description: 'a record of that module' },
        },
      },
    },
    output: arrayOf(entrySchema),
    run: (ctx: Context, { query }: Input) => listEntries(ctx, query, subjectFrom(query)),
  },
  ofRecord: {
    name: 'list_record_activity',
    summary: 'List what happened to one record, newest first',
    can: { module: 'activity', action: 'read' },
    writes: false,
    input: {
      params: {
        type: 'object',
        properties: {
          module_id: { type: 'string', description: 'a module’s number or word' },
          reference_id: { type: 'string', description: 'the record' },
        },
        required: ['module_id', 'reference_id'],
      },
      query: { type: 'object', properties: pages },
    },
    output: arrayOf(entrySchema),
    run(ctx: Context, { params, query }: Input) {
      const found = subjectModule(params.module_id)
      if (!found || !/^\w+$/.test(params.reference_id)) throw notFound('Record')
      return listEntries(ctx, query, { ...found, id: params.reference_id })
    },
  },
  read: {
    name: 'read_activity',
    summary: 'Read one entry of the activity log',
    can: { module: 'activity', action: 'read' },
    writes: false,
    input: {
      params: {
        type: 'object',
        properties: { id: { type: 'string', description: 'its log_id' } },
        required: ['id'],
      },
    },
    output: entrySchema,
    async run(ctx: Context, { params }: Input) {
      const [entry] = await readEntries(ctx, all(visibleEntries(ctx), named(params.id)))
      if (!entry) throw notFound('Log entry')
      return entry
    },
  },
  create: {
    name: 'create_activity',
    summary: 'Write an entry into the activity log; what is left out is derived',
    can: { module: 'activity', action: 'create' },
    writes: true,
    input: {
      body: {
        title: 'ActivityLogCreate',
        type: 'object',
        properties: {
          log_id: {
            type: 'string',
            maxLength: 25,
            pattern: '^[\\w.~-]+$',
            description: 'made when absent',
          },
          title: { type: 'string', pattern: '\\S', maxLength: 255 },
          raw_description: { type: 'object' },
          description: { type: ['string', 'null'], maxLength: 10_000 },
          html_description: {
            type: ['string', 'null'],
            maxLength: 50_000,
            description: 'formatting and links are kept, other tags are shown as text',
          },
          ...subjectProperties,
        },
        required: ['title'],
      },
    },
    output: entrySchema,
    async run(ctx: Context, { body }: Input) {
      const { log_id, title, raw_description, description } = body
      const subject = await writableSubject(ctx, body)
      if (log_id !== undefined) await checkFree(ctx, log_id)
      const html = body.html_description ? safeHtml(body.html_description) : undefined
      const id = ctx.emit({
        type: null,
        title,
        ...columnsOf(subject),
        raw_description,
        description: description ?? (html && textOf(html)),
        html_description: html,
        log_id,
      })
      return writtenEntry(ctx, id)
    },
  },
} satisfies { [name: string]: Operation }

/** The answer to a new entry, as a read gives it. */
export async function writtenEntry(ctx: Context, id: string): Promise<Answer> {
  const [entry] = await readEntries(ctx, sql`e.id = ${id}`)
  return new Answer(entry, { id: entry!.log_id })
}

/** Where an entry keeps its subject. */
export function columnsOf(subject: Subject | undefined) {
  return { module_id: subject?.number ?? null, reference_id: subject?.id ?? null }
}

async function listEntries(
  ctx: Context,
  query: PageRequest & { created_by?: string; type?: string; include_count?: boolean },
  subject: Subject | undefined,
): Promise<Answer> {
  const { number, size, ...slice } = pageOf(query)
  const among = all(
    subject && about(ctx, subject),
    query.created_by === undefined ? undefined : sql`e.actor_id = ${query.created_by}`,
    query.type === undefined ? undefined : sql`e.type = ${query.type}`,
  )
  const [entries, counted] = await Promise.all([
    readEntries(ctx, all(visibleEntries(ctx), among), slice),
    query.include_count
      ? ctx.one<{ n: number }>(sql`select count(*) as n from (${manyVisibleEntries(ctx, among)}) e`)
      : undefined,
  ])
  if (!entries.length && subject?.id !== undefined && !(await isKnown(ctx, subject))) {
    throw notFound('Record')
  }
  const more = entries.length > size
  if (more) entries.pop()
  return new Answer(entries, { page: { number, size, more, total: counted?.n } })
}

function named(log_id: string): Query {
  return sql`(e.log_id = ${log_id} or (e.id = ${log_id} and e.log_id is null))`
}

/** 409 for a name that another entry has; one written at this very moment is the index's to refuse. */
async function checkFree(ctx: Context, log_id: string) {
  const taken = await ctx.one(sql`select 1 from events e where ${mine(ctx, 'e')}
    and ${named(log_id)}`)
  if (taken) throw conflict('This log_id is already taken', 'duplicate')
}
