import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { badField, conflict, forbidden } from '../../kit/ground/errors.ts'
import type { Input } from '../../kit/ground/operation.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import {
  boolean,
  computed,
  date,
  defaulted,
  folded,
  integer,
  isWritable,
  key,
  list,
  object,
  optional,
  readOnly,
  record,
  reference,
  required,
  restrictedTo,
  text,
  timestamp,
  unlisted,
} from '../../kit/record/record.ts'
import { resolveReferences } from '../../kit/write/references.ts'
import { levelOf, scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { equal } from '../../kit/write/changes.ts'
import { lock, remove, restore, update, written } from '../../kit/write/write.ts'
import {
  callersStanding,
  checkAccount,
  checkHolds,
  checkNoCycle,
  checkTouches,
  requireAnAdmin,
  lockPeople,
  standingOf,
} from './guards.ts'
import { associated } from '../projects/associated.ts'
import { person } from './person.ts'
import { Role } from './role.ts'
import { endSessions } from './sessions.ts'

const image = () => optional(text(2048, { format: 'web-address' }))

/** A person of the organization (specification 2.3, UserProfile). */
export const UserProfile = record(
  {
    module: 'users',
    number: 9,
    word: 'user',
    title: 'full_name',
    owners: ['id', 'created_by'],
    search: ['full_name', 'email'],
    searched: true,
    searchable: true,
    scope: { word: 'user', things: 'the people in your organization' },
    defaults: { member: ['none', 'all', 'none', 'none'] },
    // what they did goes by their name for as long as it is shown
    retention: null,
    open: true,
    // there is no user_deleted: who is taken out is deactivated for good
    events: {
      user_created: { on: 'created', summary: 'A user joined the organization' },
      user_updated: { on: 'updated', summary: 'The profile of a user changed' },
      user_deactivated: { on: 'deleted', summary: 'A user was deactivated' },
    },
    attached: (actor) => sql`(t.id = ${actor.user_id} or t.account_id = ${actor.account_id})`,
  },
  {
    profile_id: key(),
    user_id: { ...readOnly(text(25)), column: 'id' },
    full_name: required(text(255)),
    email: required(folded(text(320, { format: 'email' }), 'email_key')),
    phone_no: optional(text(50)),
    designation: optional(text(255)),
    department: optional(text(255)),
    tags: defaulted(list(), []),
    role_id: required(
      reference({
        table: 'roles',
        shows: null,
        to: (): AnyRecord => Role,
        by: { role_id: { column: 'id' }, id: { column: 'id' }, role_name: { column: 'role_name' } },
      }),
    ),
    role: computed(
      text(100),
      `(select r.role_name from roles r
        where r.organization_id = t.organization_id and r.id = t.role_id)`,
    ),
    organization: { ...readOnly(text(25)), column: 'organization_id' },
    // checked by its foreign key
    account_id: optional(text(25)),
    is_active: defaulted(boolean(), true),
    is_fir_login: readOnly(boolean()),
    is_demo_data: defaulted(boolean(), false),
    is_team_head: defaulted(boolean(), false),
    reports_to: optional(person()),
    joining_date: optional(date()),
    profile_image: image(),
    cover_image: image(),
    background_image: image(),
    // the specification's name for it; its value is known to the invited person only
    invite_token: computed(unlisted(text(500)), 'null::text'),
    // how many the person works on, open tasks among them
    projects: count(associated.countOfUser('project'), 'projects'),
    tasks: count(associated.tasksOfUser, 'tasks'),
    deals: count(associated.countOfUser('deal'), 'deals'),
    custom_fields: defaulted(unlisted(object()), {}),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

/** Fields of one's own profile that one may set oneself; the rest is for those who edit users. */
const ownFields = [
  'full_name',
  'phone_no',
  'designation',
  'department',
  'tags',
  'custom_fields',
  'profile_image',
  'cover_image',
  'background_image',
]

/** Fields that decide what a person may do or whether they get in. */
const accessFields = ['email', 'role_id', 'account_id', 'is_active', 'reports_to']

/**
 * Read-only to a PUT, as the specification marks them; `profile/action/` sets them. `role_id` and
 * `is_active` are marked so too, but the contract opens them to those who may edit users.
 */
const readOnlyToPut = [
  'full_name',
  'email',
  'phone_no',
  'profile_image',
  'cover_image',
  'background_image',
]

const plain = crud(UserProfile)

export const users = {
  list: plain.list,
  read: plain.read,
  update: {
    ...plain.update,
    // everyone may edit their own profile, so the rights are looked at with the record in hand
    can: 'signed_in' as const,
    input: { ...plain.update.input, body: without(plain.update.input.body!, readOnlyToPut) },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const given = { ...body }
      for (const name of readOnlyToPut) delete given[name]
      return written(await changeUser(ctx, params.id, given, ifMatch))
    },
  },
  remove: {
    ...plain.remove,
    async run(ctx: Context, { params, ifMatch }: Input) {
      await lockPeople(ctx)
      const { row } = await lock(ctx, UserProfile, params.id, 'delete', ifMatch)
      const current = (await standingOf(ctx, row.role_id))!
      const held = await callersStanding(ctx)
      checkTouches(held, current)
      checkHolds(held, current)
      if (current.kind === 'admin' && row.is_active)
        await requireAnAdmin(ctx, { user_id: params.id })
      const removed = await remove(ctx, UserProfile, params.id)
      await endAccess(ctx, params.id)
      return removed
    },
  },
  restore: {
    ...plain.restore,
    async run(ctx: Context, { params }: Input) {
      await lockPeople(ctx)
      const restored = await restore(ctx, UserProfile, params.id)
      const role = await standingOf(ctx, JSON.parse(await restored.json()).role_id)
      if (!role) throw conflict('The role of this user has been deleted', 'role_deleted')
      checkHolds(await callersStanding(ctx), role)
      ctx.forget()
      return written(restored)
    },
  },
}

/**
 * Merges a body into a profile with everything that must hold: 403 beyond the caller's rights, 409
 * for the last admin, 400 for a circle in `reports_to`. A deactivation ends all access at once.
 */
export async function changeUser(
  ctx: Context,
  id: string,
  given: Body,
  ifMatch?: number[],
): Promise<Written> {
  await lockPeople(ctx)
  const isSelf = id === ctx.actor.user_id
  const { row } = await lock(isSelf ? entitled(ctx) : ctx, UserProfile, id, 'read', ifMatch)
  const isEditor = await mayEdit(ctx, id)
  if (!isEditor && !isSelf) throw forbidden('Your role may not update this user')
  const body = bodyOver(row, given)
  const forbiddenToSelf = Object.keys(body).filter((name) => !isOwn(name))
  if (!isEditor && forbiddenToSelf.length) {
    throw forbidden(`Only those who may edit users may change ${forbiddenToSelf.join(', ')}`)
  }
  await checkAccess(ctx, id, row, body)
  const set = body.email === undefined ? {} : { email_key: String(body.email).toLowerCase() }
  const after = await update(entitled(ctx), UserProfile, id, body, { set })
  ctx.forget()
  if (body.is_active === false) {
    await endAccess(ctx, id)
    ctx.emit({
      type: 'user_deactivated',
      title: 'User deactivated',
      module_id: UserProfile.number,
      reference_id: id,
      changes: [{ field: 'is_active', from: true, to: false }],
      data: await after.json(),
      version: after.version,
      raw_description: { action: 'deactivated', module: 'users', name: row.full_name },
    })
  }
  return after
}

/** The caller with every right on users, for a write whose own conditions have been checked. */
export function entitled(ctx: Context): Context {
  const users = { create: 'all', read: 'all', update: 'all', delete: 'all' } as const
  const permission = { ...ctx.actor.permission, users }
  return { ...ctx, actor: { ...ctx.actor, is_confined: false, permission } }
}

/** 400 for a password: unknown keys are kept, and shown to everyone who sees the profile. */
export function refuseSecrets(body: Body) {
  const { custom_fields } = body
  const names = [
    ...Object.keys(body),
    ...(isObject(custom_fields) ? Object.keys(custom_fields) : []),
  ]
  const secret = names.find((name) => /password/i.test(name))
  if (secret) throw badField(secret, 'is not kept in a profile')
}

/** The specification types `reports_to` as an object: an empty one says nothing. */
export function isEmptyObject(value: unknown): boolean {
  return isObject(value) && !Object.keys(value).length
}

type Body = { [key: string]: unknown }
// oxlint-disable-next-line typescript/no-explicit-any -- a profile as a read gives it
type Row = { [field: string]: any }

/** What a body changes: what merely repeats the profile says nothing. */
function bodyOver(row: Row, given: Body): Body {
  refuseSecrets(given)
  const body: Body = {}
  for (const [name, value] of Object.entries(given)) {
    if (!repeats(name, row[name], value)) body[name] = value
  }
  return body
}

function repeats(name: string, old: unknown, value: unknown): boolean {
  if (name !== 'reports_to') return Object.hasOwn(UserProfile.fields, name) && isSame(old, value)
  const named = isObject(value) ? (value.user_id ?? value.profile_id ?? value.id) : value
  if (isEmptyObject(value)) return true
  return named !== undefined && ((old as Row | null)?.user_id ?? null) === named
}

function isOwn(name: string): boolean {
  const { fields }: AnyRecord = UserProfile
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return !field || !isWritable(field) || ownFields.includes(name)
}

/** Whether the caller edits this user as somebody who edits users; `own` is not enough for oneself. */
async function mayEdit(ctx: Context, id: string): Promise<boolean> {
  if (id === ctx.actor.user_id && levelOf(ctx.actor, 'users', 'update') === 'own') return false
  const found = await ctx.one(
    sql`select 1 from users t where ${scope(ctx, UserProfile, 'update')} and t.id = ${id}`,
  )
  return found !== undefined
}

/** What a change may not do, whoever asks for it. */
async function checkAccess(ctx: Context, id: string, row: Row, body: Body) {
  const isSelf = id === ctx.actor.user_id
  const decides = accessFields.some((name) => body[name] !== undefined)
  if (isSelf && !decides) return
  const held = await callersStanding(ctx)
  const current = (await standingOf(ctx, row.role_id))!
  if (!isSelf) {
    checkTouches(held, current)
    // whoever could set the e-mail of somebody with more rights could become them
    if (decides) checkHolds(held, current)
  }
  const given = pick(body, ['role_id', 'reports_to'])
  const { ids, visible } = await resolveReferences(ctx, UserProfile, given)
  await visible
  checkAccount(ctx, body.account_id)
  const next = ids.role_id ? (await standingOf(ctx, ids.role_id))! : current
  if (next !== current) checkHolds(held, next)
  const staysAdmin = next.kind === 'admin' && body.is_active !== false
  if (current.kind === 'admin' && row.is_active && !staysAdmin) {
    await requireAnAdmin(ctx, { user_id: id })
  }
  if (ids.reports_to) await checkNoCycle(ctx, id, ids.reports_to)
}

/** Ends every session, integration grant and invitation of a user. */
async function endAccess(ctx: Context, user_id: string) {
  await endSessions(ctx, user_id)
  await ctx.run(sql`update grants t set revoked_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and user_id = ${user_id} and revoked_at is null`)
  await ctx.run(sql`update users t set invite_hash = null, invite_expires_at = null,
      reset_hash = null, reset_expires_at = null
    where ${mine(ctx)} and id = ${user_id} and (invite_hash is not null or reset_hash is not null)`)
}

function pick(body: Body, names: string[]): Body {
  return Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  )
}

function isSame(a: unknown, b: unknown): boolean {
  return equal(a ?? null, b ?? null)
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function without(schema: JSONSchema, names: string[]) {
  const properties = { ...(schema.properties as { [name: string]: unknown }) }
  for (const name of names) delete properties[name]
  return { ...schema, properties }
}

/** For those who may read all of them: to others null, since the number would tell of the rest. */
function count(expression: string, module: string): Field<number | null> {
  return restrictedTo(computed(unlisted(integer()), expression), module)
}
