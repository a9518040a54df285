import type { Context, Permission } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { badRequest, conflict, forbidden } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import type { Field } from '../../kit/record/record.ts'
import {
  boolean,
  defaulted,
  key,
  object,
  oneOf,
  readOnly,
  record,
  required,
  text,
  timestamp,
  unlisted,
} from '../../kit/record/record.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert, lock, remove, update, written } from '../../kit/write/write.ts'
import { callersStanding, checkHolds, checkTouches, requireAnAdmin, lockPeople } from './guards.ts'
import type { RoleKind } from './permissions.ts'
import {
  beyond,
  confinedKinds,
  defaultPermission,
  mergePermission,
  noPermission,
  nothing,
  roleKinds,
} from './permissions.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

/** The specification's flags that say of which kind a role is. */
const flags = {
  is_customer_role: 'customer',
  is_admin_role: 'admin',
  is_manager_role: 'manager',
  is_observer_role: 'observer',
  is_user_role: 'member',
  is_partner_role: 'partner',
  is_organization_admin_role: 'admin',
} as const

/** What its holders may do, per module and action (specification 2.3). */
export const Role = record(
  {
    module: 'roles',
    word: 'role',
    title: 'role_name',
    aliases: { name: 'role_name' },
    defaults: {
      member: ['none', 'all', 'none', 'none'],
      customer: nothing,
      partner: nothing,
      observer: nothing,
    },
    // who sees only what they are attached to sees the roles of people like them
    attached: () => sql`t.kind = any(${confinedKinds})`,
  },
  {
    role_id: key(),
    role_name: required(text(100)),
    kind: defaulted(oneOf(...roleKinds), 'member'),
    is_customer_role: flag('customer'),
    is_admin_role: flag('admin'),
    is_manager_role: flag('manager'),
    is_observer_role: flag('observer'),
    is_user_role: flag('member'),
    is_partner_role: flag('partner'),
    is_organization_admin_role: flag('admin'),
    is_pre_sales_consultant: defaulted(boolean(), false),
    is_system_role: readOnly(boolean()),
    permission: defaulted(unlisted(object()), {}),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

const plain = crud(Role)

export const roles = {
  list: plain.list,
  read: plain.read,
  options: {
    name: 'list_role_options',
    summary: 'List the roles to choose from, by name',
    can: { module: 'roles', action: 'read' },
    writes: false,
    input: {},
    output: arrayOf({
      type: 'object',
      properties: {
        role_id: { type: 'string' },
        role_name: { type: 'string' },
        value: { type: 'string', description: 'equal to role_id' },
        label: { type: 'string', description: 'equal to role_name' },
      },
      required: ['role_id', 'role_name', 'value', 'label'],
    }),
    run: (ctx: Context) =>
      ctx.all(sql`select id as role_id, role_name, id as value, role_name as label from roles t
        where ${scope(ctx, Role, 'read')} order by lower(role_name), id limit 500`),
  } as Operation,
  create: {
    ...plain.create,
    input: { body: withFlags(plain.create.input.body!) },
    async run(ctx: Context, { body }: Input) {
      const kind = kindAfter(body, 'member')
      const base = body.permission && kind !== 'admin' ? noPermission() : defaultPermission(kind)
      const permission = mergePermission(base, body.permission ?? {})
      checkAdminHasAll(kind, permission)
      checkHolds(await callersStanding(ctx), { kind, permission })
      return written(await insert(ctx, Role, { ...body, kind, permission }))
    },
  },
  update: {
    ...plain.update,
    input: { ...plain.update.input, body: withFlags(plain.update.input.body!) },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      await lockPeople(ctx)
      const { row: before } = await lock(ctx, Role, params.id, 'update', ifMatch)
      const kind = kindAfter(body, before.kind)
      if (before.is_system_role) checkKept(before, { ...body, kind })
      const base =
        kind === before.kind || kind !== 'admin' ? (before.permission as Permission) : undefined
      const permission = mergePermission(base ?? defaultPermission('admin'), body.permission ?? {})
      checkAdminHasAll(kind, permission)
      const held = await callersStanding(ctx)
      checkTouches(held, before as { kind: RoleKind; permission: Permission })
      const widens = confinedKinds.includes(before.kind) && !confinedKinds.includes(kind)
      const raised = widens ? permission : raisedOver(before.permission as Permission, permission)
      checkHolds(held, { kind, permission: raised })
      if (before.kind === 'admin' && kind !== 'admin')
        await requireAnAdmin(ctx, { role_id: params.id })
      ctx.forget()
      return written(await update(ctx, Role, params.id, { ...body, kind, permission }))
    },
  },
  remove: {
    ...plain.remove,
    async run(ctx: Context, { params, ifMatch }: Input) {
      await lockPeople(ctx)
      const { row } = await lock(ctx, Role, params.id, 'delete', ifMatch)
      if (row.is_system_role) throw forbidden('System roles cannot be deleted', 'system_role')
      checkTouches(await callersStanding(ctx), row as { kind: RoleKind; permission: Permission })
      const holders = await ctx.one<{ n: number }>(sql`select count(*) as n from users t
        where ${mine(ctx)} and role_id = ${params.id} and deleted_at is null`)
      if (holders!.n) throw conflict(`${holders!.n} people have this role`, 'role_in_use')
      ctx.forget()
      return remove(ctx, Role, params.id)
    },
  },
}

function flag(kind: RoleKind): Field<boolean> {
  return { ...readOnly(boolean()), expression: `(t.kind = '${kind}')` }
}

function withFlags(schema: JSONSchema): JSONSchema {
  const given = Object.keys(flags).map((name) => [name, { type: 'boolean' }])
  return {
    ...schema,
    properties: { ...(schema.properties as object), ...Object.fromEntries(given) },
  }
}

/**
 * The kind that a body asks for by `kind` or by the flags. What it repeats of the present says
 * nothing; a flag switched off leaves a member; two kinds at once are 400.
 */
function kindAfter(body: { [key: string]: unknown }, current: RoleKind): RoleKind {
  const wanted = new Set<RoleKind>()
  if (body.kind !== undefined) wanted.add(body.kind as RoleKind)
  for (const [name, kind] of Object.entries(flags)) if (body[name] === true) wanted.add(kind)
  wanted.delete(current)
  if (wanted.size > 1) {
    const message = `a role is of one kind, not ${[...wanted].join(' and ')}`
    throw badRequest(message, [{ field: 'kind', message }])
  }
  const [kind] = wanted
  if (kind) return kind
  const isOff = Object.entries(flags).some(([name, of]) => of === current && body[name] === false)
  return isOff ? 'member' : current
}

/** 403 when a body would change what makes a system role what it is. */
function checkKept(before: { [field: string]: unknown }, body: { [key: string]: unknown }) {
  for (const field of ['role_name', 'kind', 'is_pre_sales_consultant']) {
    if (body[field] !== undefined && body[field] !== before[field]) {
      throw forbidden(`System roles keep their name and flags: ${field}`, 'system_role')
    }
  }
}

/** An organization must not lock itself out. */
function checkAdminHasAll(kind: RoleKind, permission: Permission) {
  const less = kind === 'admin' && beyond(permission, defaultPermission('admin'))
  if (less) throw forbidden(`Admins may do everything: ${less} stays all`, 'admin_has_all')
}

/** The levels of `after` that are wider than before. */
function raisedOver(before: Permission, after: Permission): Permission {
  const raised: Permission = {}
  for (const [module, levels] of Object.entries(after)) {
    for (const [action, level] of Object.entries(levels)) {
      const one = { [module]: { [action]: level } }
      if (beyond(before, one)) raised[module] = { ...raised[module], [action]: level }
    }
  }
  return raised
}
