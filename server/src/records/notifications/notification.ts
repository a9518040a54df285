import type { Context } from '../../kit/ground/context.ts'
import { crud, pageQuery } from '../../kit/crud.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import { suppliedId } from '../../kit/ground/ids.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import {
  boolean,
  defaulted,
  integer,
  key,
  object,
  optional,
  readOnly,
  record,
  reference,
  required,
  text,
  timestamp,
} from '../../kit/record/record.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { insert, update, written } from '../../kit/write/write.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { notificationTypes } from '../../kit/ground/event.ts'

/** What a user is told of (specification 2.3). Everybody has their own alone. */
export const Notification = record(
  {
    module: 'notifications',
    word: 'notification',
    title: 'title',
    isLogged: false,
    rights: (ctx) => sql`t.user_id = ${ctx.actor.user_id}`,
  },
  {
    notification_id: key(),
    user_id: required(
      reference({ table: 'people', shows: null, by: { user_id: { column: 'id' } } }),
    ),
    notification_type: defaulted(integer({ minimum: 1, maximum: 9 }), 9),
    title: defaulted(text(255), ''),
    description: optional(text()),
    notification_obj: defaulted(object(), {}),
    notify_time: timestamp(),
    read: defaulted(boolean(), false),
    category: text(60),
    is_system: boolean(),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

const plain = crud(Notification)
const own = 'signed_in' as const
const topic = 'notifications'
const categories = Object.values(notificationTypes)

/** How a user wants to be told, a line a category. */
const preference: JSONSchema = {
  type: 'object',
  properties: {
    in_app: { type: 'boolean' },
    email: { type: 'string', enum: ['off', 'immediately', 'daily'] },
  },
}
const preferencesSchema: JSONSchema = {
  type: 'object',
  properties: Object.fromEntries(categories.map((word) => [word, preference])),
  required: [...categories],
}

export const notifications = {
  list: {
    ...plain.list,
    can: own,
    topic,
    input: {
      query: {
        ...pageQuery(true),
        properties: {
          ...withoutFilters(pageQuery(true)),
          read: { type: 'boolean' },
          category: { type: 'string', maxLength: 60, description: categories.join(', ') },
          notification_type: { type: 'integer', minimum: 1, maximum: 9 },
        },
      },
    },
    run(ctx: Context, { query }: Input) {
      const given = ['read', 'category', 'notification_type'].filter(
        (name) => query[name] !== undefined,
      )
      const only = given.map((name) => sql`${sql.ref(`t.${name}`)} = ${query[name]}`)
      // ids may be the sender's, so that they do not tell which is newer
      const order = query.sort ? {} : { sort: 'creation_time', reverse: !query.reverse }
      return listPage(
        ctx,
        Notification,
        { ...query, ...order },
        only.length ? all(...only) : undefined,
      )
    },
  } satisfies Operation,
  read: { ...plain.read, can: own, topic } satisfies Operation,
  create: {
    ...plain.create,
    can: own,
    topic,
    input: {
      body: {
        ...plain.create.input.body,
        properties: {
          ...(plain.create.input.body!.properties as object),
          notification_id: suppliedId,
        },
      },
    },
    async run(ctx: Context, { body }: Input) {
      const { notification_id: id, ...given } = body
      const named = typeof given.user_id === 'string' ? given.user_id : given.user_id?.user_id
      const isOwn = named === ctx.actor.user_id
      const known = await ctx.one(sql`select t.id from users t
        where ${mine(ctx)} and t.id = ${String(named)} and t.deleted_at is null`)
      if (!known) throw badField('user_id', 'no such record')
      if (!isOwn && levelOf(ctx.actor, 'users', 'update') !== 'all') {
        throw forbidden('Your role may notify yourself only')
      }
      const type = (given.notification_type ?? 9) as keyof typeof notificationTypes
      given.notify_time ??= ctx.now().toISOString()
      given.category ??= notificationTypes[type]
      given.is_system ??= type === 9
      const made = await insert(ctx, Notification, given, id ? { id } : {})
      // wakes the streams of every process, as the notifications of events do
      await ctx.run(
        sql`select pg_notify('perennial_notified', ${`${ctx.organization.id} ${named}`})`,
      )
      return written(made)
    },
  } satisfies Operation,
  update: {
    ...plain.update,
    can: own,
    topic,
    input: {
      ...plain.update.input,
      body: { type: 'object', properties: { read: { type: 'boolean' } }, required: ['read'] },
    },
    run: async (ctx: Context, { params, body, ifMatch }: Input) =>
      written(await update(ctx, Notification, params.id, { read: body.read }, { ifMatch })),
  } satisfies Operation,
  markAllRead: {
    name: 'mark_all_notifications_read',
    summary: 'Mark all your notifications as read',
    can: own,
    topic,
    writes: true,
    input: {},
    output: {
      type: 'object',
      properties: { status: { type: 'string' }, marked: { type: 'integer' } },
      required: ['status', 'marked'],
    },
    async run(ctx: Context) {
      const marked = await ctx.run(sql`
        update notifications t set read = true, version = version + 1,
          last_update_time = ${ctx.now().toISOString()}
        where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id} and not t.read`)
      return { status: 'success', marked }
    },
  } satisfies Operation,
  unreadCount: {
    name: 'count_unread_notifications',
    summary: 'How many notifications you have not read',
    can: own,
    topic,
    writes: false,
    input: {},
    output: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    run: (ctx: Context) =>
      ctx.one(sql`select count(*)::int as count from notifications t
        where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id} and not t.read`),
  } satisfies Operation,
  readPreferences: {
    name: 'read_notification_preferences',
    summary: 'How you are told of things, by category',
    can: own,
    topic,
    writes: false,
    input: {},
    output: preferencesSchema,
    run: (ctx: Context) => preferences(ctx),
  } satisfies Operation,
  updatePreferences: {
    name: 'update_notification_preferences',
    summary: 'Change how you are told of things; what is left out stays',
    can: own,
    topic,
    writes: true,
    input: {
      body: {
        type: 'object',
        properties: preferencesSchema.properties,
      },
    },
    output: preferencesSchema,
    async run(ctx: Context, { body }: Input) {
      const before = await preferences(ctx)
      const given = Object.entries(body as { [category: string]: object })
      const changed = given
        .filter(([category]) => Object.hasOwn(before, category))
        .map(([category, each]) => ({ category, ...before[category]!, ...each }))
      await ctx.run(sql`
        insert into notification_preferences (organization_id, user_id, category, in_app, email)
        select ${ctx.organization.id}, ${ctx.actor.user_id}, p.category, p.in_app, p.email
        from json_to_recordset(${JSON.stringify(changed)}) as p (category text, in_app boolean,
          email text)
        on conflict (organization_id, user_id, category)
          do update set in_app = excluded.in_app, email = excluded.email`)
      const after = await preferences(ctx)
      const changes = Object.keys(after)
        .filter((word) => JSON.stringify(after[word]) !== JSON.stringify(before[word]))
        .map((word) => ({ field: word, from: before[word], to: after[word] }))
      if (changes.length) {
        ctx.emit({
          type: null,
          title: 'Notification preferences updated',
          module_id: null,
          reference_id: ctx.actor.user_id,
          changes,
          raw_description: { action: 'updated', module: 'users', name: ctx.actor.full_name },
        })
      }
      return after
    },
  } satisfies Operation,
}

type Preferences = { [category: string]: { in_app: boolean; email: string } }

async function preferences(ctx: Context): Promise<Preferences> {
  const rows = await ctx.all<{ category: string; in_app: boolean; email: string }>(sql`
    select t.category, t.in_app, t.email from notification_preferences t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id}`)
  const usual = categories.map((word): [string, Preferences[string]] => [
    word,
    { in_app: true, email: 'off' },
  ])
  const stored = rows.map(({ category, ...each }): [string, Preferences[string]] => [
    category,
    each,
  ])
  return Object.fromEntries([...usual, ...stored])
}

function withoutFilters(schema: JSONSchema): { [name: string]: JSONSchema } {
  const {
    filter: _,
    filter_id: __,
    ...properties
  } = schema.properties as {
    [name: string]: JSONSchema
  }
  return properties
}
