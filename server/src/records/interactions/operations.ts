import type { Draft } from '../../kit/record/record.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { moduleWord } from '../../kit/record/modules.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import type { Json } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { createSchema, readSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { checkReadable, insert, lock, remove, update } from '../../kit/write/write.ts'
import { escapeHtml, safeHtml, textOf } from '../activity/html.ts'
import { subjectFrom, writableSubject } from '../activity/subject.ts'
import { attach, checkAttachments } from './attachments.ts'
import type { Privacy } from './audience.ts'
import { audience, checkReaders, idsOf, participants, privacyBelow, recordOf } from './audience.ts'
import { Interaction } from './interaction.ts'
import { readShown, shown, withReads } from './shown.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { NewNotification } from '../../kit/ground/event.ts'
import { listCursor } from '../../kit/read/cursor.ts'

type Body = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

const plain = crud(Interaction)
const item = readSchema(Interaction)
const id = { type: 'string', minLength: 1, maxLength: 25 }
const module = { type: ['integer', 'string'], maxLength: 40 }
const people: JSONSchema = {
  type: 'array',
  maxItems: 50,
  items: { anyOf: [id, { type: 'object', properties: { user_id: id }, required: ['user_id'] }] },
}
const deepest = 5

export const interactions = {
  list: {
    name: 'list_interactions',
    summary: 'List comments, threads by their first one',
    can: { module: 'interactions', action: 'read' },
    writes: false,
    input: {
      query: {
        type: 'object',
        properties: {
          module_name: { type: 'string', minLength: 1, maxLength: 40 },
          module_id: { type: 'string', minLength: 1, maxLength: 40, description: 'the same' },
          reference_id: id,
          interaction_type: { type: 'string', minLength: 1, maxLength: 60 },
          parent_interaction_id: { ...id, description: 'the replies to this one instead' },
          is_pinned: { type: 'boolean' },
          is_resolved: { type: 'boolean' },
          items_per_page: { type: 'integer', minimum: 1, maximum: 500, description: '20' },
          limit: { type: 'integer', minimum: 1, maximum: 500, description: 'the same' },
          cursor: {
            type: 'string',
            maxLength: 4000,
            description: 'next_cursor of the answer before',
          },
          next_cursor: { type: 'string', maxLength: 4000, description: 'the same' },
          sort: {
            type: 'string',
            enum: ['asc', 'desc', 'creation_time', '-creation_time'],
            description: 'by creation_time, desc',
          },
          reverse: { type: 'boolean', description: 'newest first' },
        },
      },
    },
    output: {
      type: 'object',
      properties: {
        results: { type: 'array', items: item },
        next_cursor: { type: ['string', 'null'] },
      },
      required: ['results', 'next_cursor'],
    },
    async run(ctx: Context, { query }: Input) {
      const subject = subjectFrom(query)
      if (subject?.id) await checkReadable(ctx, recordOf(subject.module), subject.id)
      const parent = query.parent_interaction_id
      if (parent) await checkReadable(ctx, Interaction, parent)
      const conditions: Query[] = [
        parent ? sql`t.parent_interaction_id = ${parent}` : sql`t.parent_interaction_id is null`,
      ]
      if (subject) conditions.push(sql`t.module_id = ${subject.number ?? 0}`)
      if (subject?.id) conditions.push(sql`t.reference_id = ${subject.id}`)
      for (const name of ['interaction_type', 'is_pinned', 'is_resolved']) {
        if (query[name] !== undefined)
          conditions.push(sql`${sql.ref(`t.${name}`)} = ${query[name]}`)
      }
      const rises =
        query.reverse === undefined ? ['asc', 'creation_time'].includes(query.sort) : !query.reverse
      const { items_per_page, limit, cursor, next_cursor } = query
      const asked = {
        limit: limit ?? items_per_page,
        next_cursor: cursor ?? next_cursor,
        sort: rises ? 'creation_time' : '-creation_time',
      }
      const chosen = [subject, parent, query.interaction_type, query.is_pinned, query.is_resolved]
      const words = JSON.stringify(chosen)
      const { body } = await listCursor(ctx, Interaction, asked, {
        condition: all(...conditions),
        words,
      })
      const page = JSON.parse((body as Json).text) as {
        results: Body[]
        next_cursor: string | null
      }
      return { ...page, results: await withReads(ctx, page.results) }
    },
  } satisfies Operation,
  create: {
    ...plain.create,
    input: {
      body: {
        ...createSchema(Interaction),
        properties: {
          ...(createSchema(Interaction).properties as object),
          module_id: module,
          module_name: module,
          reference_id: id,
          parent_interaction_id: { type: ['string', 'null'], maxLength: 25 },
          mentions: people,
          visible_to_users: people,
          attachment_ids: { type: 'array', items: id, maxItems: 50 },
        },
      },
    },
    async run(ctx: Context, { body }: Input) {
      const made = await write(ctx, body)
      return shown(ctx, made)
    },
  } satisfies Operation,
  read: {
    ...plain.read,
    run: (ctx: Context, { params }: Input) => readShown(ctx, params.id),
  } satisfies Operation,
  update: {
    ...plain.update,
    input: {
      ...plain.update.input,
      body: withPeople(plain.update.input.body!),
    },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const { row } = await lock(ctx, Interaction, params.id, 'update', ifMatch)
      if (row.is_deleted) throw notFound('Interaction')
      const fields: Body = { ...body }
      if (row.parent_interaction_id) {
        // a reply is as private as its thread, whatever it says
        delete fields.is_private
        delete fields.visible_to_users
      }
      if (typeof fields.content === 'string') fields.content = safe(fields.content)
      const subject = { module: row.module_name as string, id: row.reference_id as string }
      for (const name of ['mentions', 'visible_to_users']) {
        if (!fields[name]) continue
        fields[name] = idsOf(fields[name])
        const before = idsOf((row as unknown as Body)[name] as unknown[])
        if (sameSet(before, fields[name])) delete fields[name]
      }
      await checkReaders(ctx, fields.visible_to_users ?? [], subject)
      const privacy: Privacy = {
        is_private: fields.is_private ?? row.is_private,
        visible_to_users: fields.visible_to_users ?? row.visible_to_users,
        created_by: row.user_details?.user_id ?? null,
      }
      const before = idsOf(row.mentions as unknown[])
      const fresh = await audience(ctx, fields.mentions ?? [], subject, privacy, before)
      const { module_id, reference_id } = row
      const what = { module_id, reference_id, interaction_id: params.id }
      const told = notices(ctx, fresh, 1, fields.content ?? row.content, what)
      const changed = await update(ctx, Interaction, params.id, fields, { notify: told })
      if (fields.is_private !== undefined || fields.visible_to_users) {
        await passPrivacyOn(ctx, params.id)
      }
      return shown(ctx, changed)
    },
  } satisfies Operation,
  remove: {
    ...plain.remove,
    async run(ctx: Context, { params, ifMatch }: Input) {
      const { row } = await lock(ctx, Interaction, params.id, 'delete', ifMatch)
      if (row.is_deleted) throw notFound('Interaction')
      if (!row.reply_count) return remove(ctx, Interaction, params.id)
      // its replies would hang in the air: the place stays, the text goes
      await update(
        ctx,
        Interaction,
        params.id,
        {},
        { set: { content: '', is_deleted: true, mentions: '[]' } },
      )
      return new Answer(null, { id: params.id })
    },
  } satisfies Operation,
}

async function write(ctx: Context, given: Body): Promise<Written> {
  const {
    module_id,
    module_name,
    reference_id,
    parent_interaction_id,
    attachment_ids = [],
    ...fields
  } = given
  await checkAttachments(ctx, attachment_ids)
  const parent = parent_interaction_id ? await parentOf(ctx, parent_interaction_id) : undefined
  const subject = parent
    ? { module: parent.module_name, number: parent.module_id, id: parent.reference_id }
    : await writableSubject(ctx, { module_id, module_name, reference_id })
  if (!subject?.number) throw badField('module_id', 'is required, with reference_id')
  if (!subject.id) throw badField('reference_id', 'is required')
  const about = { module: subject.module!, id: subject.id }
  const readers = idsOf(fields.visible_to_users ?? [])
  if (!parent) await checkReaders(ctx, readers, about)
  const privacy: Privacy = parent ?? {
    is_private: fields.is_private ?? false,
    visible_to_users: readers,
    created_by: ctx.actor.user_id,
  }
  const mentioned = await audience(ctx, fields.mentions ?? [], about, privacy)
  const body: Body = {
    ...fields,
    is_private: privacy.is_private,
    visible_to_users: privacy.visible_to_users,
    mentions: mentioned,
    content: safe(fields.content),
  }
  const key = newId()
  const what = { module_id: subject.number, reference_id: subject.id, interaction_id: key }
  const others = parent ? await participants(ctx, parent, about, mentioned) : []
  return insert(ctx, Interaction, body as Draft<typeof Interaction>, {
    id: key,
    along: (id) => attach(ctx, id, attachment_ids),
    set: {
      module_id: subject.number,
      reference_id: subject.id,
      parent_interaction_id: parent ? parent_interaction_id : null,
      thread_id: parent?.thread_id ?? key,
      thread_level: parent ? parent.thread_level + 1 : 0,
    },
    notify: [
      ...notices(ctx, mentioned, 1, body.content, what),
      ...notices(ctx, others, 5, body.content, what),
    ],
  })
}

/** Gives the replies of a thread the privacy that its first comment has now. */
async function passPrivacyOn(ctx: Context, thread: string) {
  const first = await ctx.one<Privacy>(sql`
    select t.is_private, t.visible_to_users, t.created_by from interactions t
    where ${mine(ctx)} and t.id = ${thread}`)
  const { is_private, visible_to_users } = privacyBelow(first!)
  const readers = JSON.stringify(visible_to_users)
  await ctx.run(sql`
    update interactions t set is_private = ${is_private}, visible_to_users = ${readers}::jsonb,
      version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.thread_id = ${thread} and t.id <> ${thread}
      and (t.is_private, t.visible_to_users) is distinct from (${is_private}, ${readers}::jsonb)`)
}

/** Who is told that it was mentioned (1), or that somebody replied where it wrote (5). */
function notices(
  ctx: Context,
  users: string[],
  notification_type: 1 | 5,
  content: string,
  notification_obj: { [key: string]: unknown },
): NewNotification[] {
  const did = notification_type === 1 ? 'mentioned you' : 'replied'
  return users.map((user_id) => ({
    user_id,
    notification_type,
    title: `${ctx.actor.full_name} ${did}`.slice(0, 255),
    description: textOf(content).slice(0, 255),
    notification_obj,
  }))
}

type Parent = Privacy & {
  module_id: number
  module_name: string
  reference_id: string
  thread_id: string
  thread_level: number
}

async function parentOf(ctx: Context, key: string): Promise<Parent> {
  const found = await ctx.one<Omit<Parent, 'module_name'>>(sql`
    select t.module_id, t.reference_id, t.thread_id, t.thread_level, t.is_private,
      t.visible_to_users, t.created_by
    from interactions t
    where ${scope(ctx, Interaction, 'read')} and t.id = ${key} and not t.is_deleted`)
  if (!found) throw badField('parent_interaction_id', 'no such record')
  if (found.thread_level >= deepest) {
    throw badField('parent_interaction_id', `threads go at most ${deepest} levels deep`)
  }
  return { ...found, ...privacyBelow(found), module_name: moduleWord(found.module_id)! }
}

function sameSet(a: string[], b: string[]): boolean {
  return [...a].sort().join() === [...b].sort().join()
}

/** HTML is made safe; text without a tag is kept to the letter. */
function safe(content: string): string {
  return /<[a-z!/]/i.test(content) ? safeHtml(content) || escapeHtml(content) : content
}

function withPeople(schema: JSONSchema): JSONSchema {
  const properties = {
    ...(schema.properties as object),
    mentions: people,
    visible_to_users: people,
  }
  return { ...schema, properties }
}
