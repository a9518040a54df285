import type { Context, Query } from '../../kit/context.ts'
import { crud } from '../../kit/crud.ts'
import { badField, notFound } from '../../kit/errors.ts'
import type { Notice } from '../../kit/events.ts'
import { newId } from '../../kit/ids.ts'
import { moduleWord } from '../../kit/modules.ts'
import { listCursor } from '../../kit/list.ts'
import type { Input, Operation } from '../../kit/operation.ts'
import type { Json } from '../../kit/operation.ts'
import { Answer } from '../../kit/operation.ts'
import type { AnyRecord } from '../../kit/record.ts'
import type { JSONSchema } from '../../kit/schema.ts'
import { createSchema, readSchema } from '../../kit/schema.ts'
import { scope } from '../../kit/scope.ts'
import { all, mine, sql } from '../../kit/sql.ts'
import type { Written } from '../../kit/write.ts'
import { insert, lock, readOne, remove, update } from '../../kit/write.ts'
import { escapeHtml, safeHtml, textOf } from '../activity/html.ts'
import { givenSubject, writableSubject } from '../activity/subject.ts'
import { subjectsByModule } from '../by-module.ts'
import { loadActor } from '../users/actor.ts'
import { attach, checkAttachments } from './attachments.ts'
import { Interaction } from './interaction.ts'

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
      const subject = givenSubject(query)
      if (subject?.id) await readOne(ctx, recordOf(subject.module), subject.id)
      const parent = query.parent_interaction_id
      if (parent) await readOne(ctx, Interaction, parent)
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
    async run(ctx: Context, { params, body }: Input) {
      const { row } = await lock(ctx, Interaction, params.id, 'update')
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
        const before = idsOf(row[name] as unknown[])
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
      const changed = await update(ctx, Interaction, params.id, fields, {}, told)
      if (fields.is_private !== undefined || fields.visible_to_users) {
        await passPrivacyOn(ctx, params.id)
      }
      return shown(ctx, changed)
    },
  } satisfies Operation,
  remove: {
    ...plain.remove,
    async run(ctx: Context, { params }: Input) {
      const { row } = await lock(ctx, Interaction, params.id, 'delete')
      if (row.is_deleted) throw notFound('Interaction')
      if (!row.reply_count) return remove(ctx, Interaction, params.id)
      // its replies would hang in the air: the place stays, the text goes
      await update(
        ctx,
        Interaction,
        params.id,
        {},
        { content: '', is_deleted: true, mentions: '[]' },
      )
      return new Answer(null, { id: params.id })
    },
  } satisfies Operation,
  react: {
    name: 'toggle_reaction',
    summary: 'Add your reaction to a comment, or take it back',
    can: { module: 'interactions', action: 'read' },
    writes: true,
    input: {
      body: {
        type: 'object',
        properties: {
          interaction_id: id,
          reaction: { type: 'string', minLength: 1, maxLength: 60, pattern: '\\S' },
        },
        required: ['interaction_id', 'reaction'],
      },
    },
    output: item,
    async run(ctx: Context, { body }: Input) {
      const { interaction_id, reaction } = body
      const found = await ctx.one<{ version: number; module_id: number; content: string }>(sql`
        select t.version, t.module_id, t.content from interactions t
        where ${scope(ctx, Interaction, 'read')} and t.id = ${interaction_id} and not t.is_deleted
        for update`)
      if (!found) throw badField('interaction_id', 'no such record')
      const gone = await ctx.run(sql`delete from interaction_reactions t
        where ${mine(ctx)} and t.interaction_id = ${interaction_id}
          and t.user_id = ${ctx.actor.user_id} and t.reaction = ${reaction}`)
      if (!gone) {
        await ctx.run(sql`
          insert into interaction_reactions
            (organization_id, interaction_id, user_id, reaction, creation_time)
          values (${ctx.organization.id}, ${interaction_id}, ${ctx.actor.user_id}, ${reaction},
            ${ctx.now().toISOString()})`)
      }
      ctx.emit({
        type: null,
        title: gone ? 'Reaction taken back' : 'Reaction added',
        module_id: null,
        reference_id: interaction_id,
        changes: [{ field: 'reactions', from: gone ? reaction : null, to: gone ? null : reaction }],
        raw_description: { action: 'updated', module: 'interactions', name: reaction },
      })
      return readShown(ctx, interaction_id)
    },
  } satisfies Operation,
  markRead: {
    name: 'mark_interactions_read',
    summary: 'Mark comments as read: by their ids, or all of a record',
    can: { module: 'interactions', action: 'read' },
    writes: true,
    input: {
      body: {
        type: 'object',
        properties: {
          interaction_ids: { type: 'array', items: id, maxItems: 500 },
          module_name: module,
          module_id: module,
          reference_id: id,
        },
      },
    },
    output: {
      type: 'object',
      properties: { status: { type: 'string' }, marked: { type: 'integer' } },
      required: ['status', 'marked'],
    },
    async run(ctx: Context, { body }: Input) {
      // a body in the shape of one interaction means that one
      const one = typeof body.interaction_id === 'string' ? [body.interaction_id] : undefined
      const ids = body.interaction_ids ?? one
      if (!ids && !body.reference_id) {
        throw badField('interaction_ids', 'is required, or module_name and reference_id')
      }
      const subject = body.reference_id ? await writableSubject(ctx, body) : undefined
      const which = ids
        ? sql`t.id = any(${ids}::varchar[])`
        : sql`t.module_id = ${subject!.number!} and t.reference_id = ${subject!.id!}`
      const marked = await ctx.run(sql`
        insert into interaction_reads (organization_id, user_id, interaction_id, creation_time)
        select t.organization_id, ${ctx.actor.user_id}, t.id, ${ctx.now().toISOString()}
        from interactions t where ${scope(ctx, Interaction, 'read')} and ${which}
        on conflict do nothing`)
      return { status: 'success', marked }
    },
  } satisfies Operation,
  unreadCounts: {
    name: 'count_unread_interactions',
    summary: 'How many comments of records you have not read',
    can: { module: 'interactions', action: 'read' },
    writes: false,
    input: {
      body: {
        type: 'object',
        properties: {
          module_name: module,
          module_id: module,
          reference_ids: { type: 'array', items: id, maxItems: 500 },
        },
      },
    },
    output: {
      type: 'object',
      properties: {
        counts: { type: 'object', additionalProperties: { type: 'integer' } },
        total: { type: 'integer' },
      },
      required: ['counts', 'total'],
    },
    async run(ctx: Context, { body }: Input) {
      const { reference_ids, reference_id, ...named } = body
      const subject = givenSubject(named)
      if (!subject?.number) throw badField('module_name', 'is required')
      const ids = reference_ids ?? (typeof reference_id === 'string' ? [reference_id] : [])
      const found = await ctx.all<{ id: string; unread: number }>(sql`
        select t.reference_id as id, count(*)::int as unread from interactions t
        where ${scope(ctx, Interaction, 'read')} and t.module_id = ${subject.number}
          and t.reference_id = any(${ids}::varchar[]) and not t.is_deleted
          and t.created_by is distinct from ${ctx.actor.user_id}
          and not exists (select from interaction_reads r where r.organization_id = t.organization_id
            and r.user_id = ${ctx.actor.user_id} and r.interaction_id = t.id)
        group by 1`)
      const known = new Map(found.map(({ id: key, unread }) => [key, unread]))
      const counts = Object.fromEntries(ids.map((key: string) => [key, known.get(key) ?? 0]))
      return { counts, total: found.reduce((sum, { unread }) => sum + unread, 0) }
    },
  } satisfies Operation,
  summary: {
    name: 'summarize_interactions',
    summary: 'Counts, people, last activity and open threads of a record',
    can: { module: 'interactions', action: 'read' },
    writes: false,
    input: {
      query: {
        type: 'object',
        properties: {
          module_name: { type: 'string', minLength: 1, maxLength: 40 },
          module_id: { type: 'string', minLength: 1, maxLength: 40 },
          reference_id: id,
        },
      },
    },
    output: {
      type: 'object',
      properties: {
        total: { type: 'integer' },
        threads: { type: 'integer' },
        open_threads: { type: 'integer' },
        pinned: { type: 'integer' },
        unread: { type: 'integer' },
        last_activity: { type: ['string', 'null'], format: 'date-time' },
        people: { type: 'array', items: { type: 'object' } },
      },
      required: ['total', 'threads', 'open_threads', 'pinned', 'unread', 'last_activity', 'people'],
    },
    async run(ctx: Context, { query }: Input) {
      const subject = givenSubject(query)
      if (subject?.id) await readOne(ctx, recordOf(subject.module), subject.id)
      const which = all(
        scope(ctx, Interaction, 'read'),
        sql`not t.is_deleted`,
        subject ? sql`t.module_id = ${subject.number ?? 0}` : undefined,
        subject?.id ? sql`t.reference_id = ${subject.id}` : undefined,
      )
      const [counts, persons] = await Promise.all([
        ctx.one(sql`
          select count(*)::int as total,
            count(*) filter (where t.parent_interaction_id is null)::int as threads,
            count(*) filter (where t.parent_interaction_id is null and not t.is_resolved)::int
              as open_threads,
            count(*) filter (where t.is_pinned)::int as pinned,
            count(*) filter (where t.created_by is distinct from ${ctx.actor.user_id}
              and not exists (select from interaction_reads r
                where r.organization_id = t.organization_id and r.interaction_id = t.id
                  and r.user_id = ${ctx.actor.user_id}))::int as unread,
            max(t.last_update_time) as last_activity
          from interactions t where ${which}`),
        ctx.all(sql`
          select u.id as user_id, u.full_name, u.profile_image, n.count
          from (select t.created_by, count(*)::int as count from interactions t where ${which}
            group by 1 order by 2 desc limit 50) n
          join users u on u.organization_id = ${ctx.organization.id} and u.id = n.created_by
          order by n.count desc, u.id`),
      ])
      return { ...counts, people: persons }
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
  return insert(ctx, Interaction, body, {
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
): Notice[] {
  const did = notification_type === 1 ? 'mentioned you' : 'replied'
  return users.map((user_id) => ({
    user_id,
    notification_type,
    title: `${ctx.actor.full_name} ${did}`.slice(0, 255),
    description: textOf(content).slice(0, 255),
    notification_obj,
  }))
}

/** What a comment is about. */
type About = { module: string; id: string }

type Privacy = { is_private: boolean; visible_to_users: string[]; created_by: string | null }

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

/** The privacy of replies: that of what they reply to, whose author sees them too. */
function privacyBelow(above: Privacy): Pick<Privacy, 'is_private' | 'visible_to_users'> {
  const { is_private, visible_to_users, created_by } = above
  if (!is_private || !created_by) return { is_private, visible_to_users }
  return { is_private, visible_to_users: [...new Set([...visible_to_users, created_by])] }
}

/** 400 for somebody whom a private comment names as a reader and who may not see the record. */
async function checkReaders(ctx: Context, readers: string[], subject: About) {
  for (const [i, user] of readers.entries()) {
    if (!(await sees(ctx, user, subject))) {
      throw badField(`visible_to_users.${i}`, 'cannot see this record')
    }
  }
}

/** Who is mentioned anew; 400 for somebody who may not see the record, or the private thread. */
async function audience(
  ctx: Context,
  mentions: unknown[],
  subject: About,
  { is_private, visible_to_users, created_by }: Privacy,
  before: string[] = [],
): Promise<string[]> {
  const mentioned = idsOf(mentions)
  const readers = [...visible_to_users, created_by, ctx.actor.user_id]
  for (const [i, user] of mentioned.entries()) {
    if (before.includes(user)) continue
    if ((is_private && !readers.includes(user)) || !(await sees(ctx, user, subject))) {
      throw badField(`mentions.${i}`, 'cannot see this')
    }
  }
  return [...new Set(mentioned)].filter((user) => !before.includes(user))
}

/** Whether a user may read a record, by the rights that it has. */
async function sees(ctx: Context, user: string, { module: word, id: key }: About) {
  const loaded = await loadActor(ctx, ctx.organization.id, user)
  if (!loaded?.is_active) return false
  const record = recordOf(word)
  const theirs = { ...ctx, actor: loaded.actor }
  const found = await ctx.one(sql`select t.id from ${sql.table(record.table)} t
    where ${scope(theirs, record, 'read')} and t.id = ${key}`)
  return found !== undefined
}

/** The others who wrote in a thread, as far as they may see what is written there now. */
async function participants(
  ctx: Context,
  { thread_id, is_private, visible_to_users }: Parent,
  subject: About,
  without: string[],
): Promise<string[]> {
  const found = await ctx.all<{ id: string }>(sql`
    select distinct t.created_by as id from interactions t
    where ${mine(ctx)} and t.thread_id = ${thread_id} and t.created_by is not null
      and t.deleted_at is null and t.created_by <> ${ctx.actor.user_id ?? ''}`)
  const others = found
    .map((each) => each.id)
    .filter((user) => !without.includes(user) && (!is_private || visible_to_users.includes(user)))
  const seeing = await Promise.all(others.map((user) => sees(ctx, user, subject)))
  return others.filter((_, i) => seeing[i])
}

async function readShown(ctx: Context, key: string): Promise<Answer> {
  const { body, meta } = await readOne(ctx, Interaction, key)
  const [row] = await withReads(ctx, [JSON.parse((body as Json).text) as Body])
  if (row!.is_deleted) throw notFound('Interaction')
  return new Answer(row, meta)
}

function shown(ctx: Context, { id: key, version, json }: Written): Answer {
  const body = async () => {
    const [row] = await withReads(ctx, [JSON.parse(await json()) as Body])
    return row
  }
  return new Answer(body, { id: key, version })
}

/** Whether the caller has read each: its own always, others once it says so. */
async function withReads(ctx: Context, rows: Body[]): Promise<Body[]> {
  if (!rows.length) return rows
  const ids = rows.map(({ interaction_id }) => interaction_id)
  const read = await ctx.all<{ id: string }>(sql`
    select t.interaction_id as id from interaction_reads t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id}
      and t.interaction_id = any(${ids}::varchar[])`)
  const known = new Set(read.map((each) => each.id))
  return rows.map((row) => ({
    ...row,
    is_read: known.has(row.interaction_id) || row.user_details?.user_id === ctx.actor.user_id,
  }))
}

function recordOf(word: string | undefined): AnyRecord {
  const record = word === undefined ? undefined : subjectsByModule[word]
  if (!record) throw badField('module_name', 'has no records to comment on')
  return record
}

function idsOf(given: unknown[]): string[] {
  return given.map((each) =>
    typeof each === 'string' ? each : (each as { user_id: string }).user_id,
  )
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
