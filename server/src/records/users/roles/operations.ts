import { Type } from 'typebox'
import type { Permission } from '../../../kit/ground/context.ts'
import { crud } from '../../../kit/crud.ts'
import { badField, badRequest, conflict, forbidden } from '../../../kit/ground/errors.ts'
import { arrayOf, extend } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import type { Row } from '../../../kit/record/record.ts'
import { scope } from '../../../kit/record/scope.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { insert, lock, remove, update, written } from '../../../kit/write/write.ts'
import {
  callersStanding,
  checkHolds,
  checkTouches,
  lockPeople,
  requireAnAdmin,
} from '../../../model/users/guards.ts'
import type { RoleKind } from '../../../model/users/roles/permissions.ts'
import {
  beyond,
  confinedKinds,
  defaultPermission,
  mergePermission,
  noPermission,
} from '../../../model/users/roles/permissions.ts'
import { Role, flags } from '../../../model/users/roles/role.ts'

const plain = crud(Role)

const flagInput = Type.Optional(Type.Boolean())
const flagInputs = {
  is_customer_role: flagInput,
  is_admin_role: flagInput,
  is_manager_role: flagInput,
  is_observer_role: flagInput,
  is_user_role: flagInput,
  is_partner_role: flagInput,
  is_organization_admin_role: flagInput,
} satisfies { [flag in keyof typeof flags]: unknown }

/** The operations on roles. */
export const roles = {
  list: plain.list,
  read: plain.read,
  options: operation({
    name: 'list_role_options',
    summary: 'List roles as options',
    description: 'At most 500 roles, by name.',
    can: { module: 'roles', action: 'read' },
    writes: false,
    input: {},
    output: arrayOf(
      Type.Object(
        {
          role_id: Type.String(),
          role_name: Type.String(),
          value: Type.String({ description: 'equal to role_id' }),
          label: Type.String({ description: 'equal to role_name' }),
        },
        { title: 'RoleOption' },
      ),
    ),
    run: (ctx) =>
      ctx.all(sql`select id as role_id, role_name, id as value, role_name as label from roles t
        where ${scope(ctx, Role, 'read')} order by lower(role_name), id limit 500`),
  }),
  create: operation({
    ...plain.create,
    input: { body: extend(plain.create.input.body, flagInputs) },
    async run(ctx, { body }) {
      const kind = kindAfter(body, undefined)
      const base = body.permission && kind !== 'admin' ? noPermission() : defaultPermission(kind)
      const permission = mergePermission(base, body.permission ?? {})
      checkAdminHasAll(kind, permission)
      checkHolds(ctx, await callersStanding(ctx), { kind, permission })
      return written(await insert(ctx, Role, { ...body, kind, permission }))
    },
  }),
  update: operation({
    ...plain.update,
    input: { ...plain.update.input, body: extend(plain.update.input.body, flagInputs) },
    async run(ctx, { params, body, ifMatch }) {
      await lockPeople(ctx)
      const locked = await lock(ctx, Role, params.id, 'update', ifMatch)
      const { row: before } = locked
      const kind = kindAfter(body, before.kind)
      if (before.is_system_role) checkUnchanged(before, { ...body, kind })
      const becomesAdmin = kind === 'admin' && before.kind !== 'admin'
      const base = becomesAdmin ? defaultPermission('admin') : before.permission
      const permission = mergePermission(base, body.permission ?? {})
      checkAdminHasAll(kind, permission)
      const held = await callersStanding(ctx)
      checkTouches(ctx, held, before)
      const widens = confinedKinds.includes(before.kind) && !confinedKinds.includes(kind)
      const raised = widens ? permission : raisedOver(before.permission, permission)
      checkHolds(ctx, held, { kind, permission: raised })
      if (before.kind === 'admin' && kind !== 'admin')
        await requireAnAdmin(ctx, { role_id: params.id })
      ctx.forget()
      return written(await update(ctx, locked, { ...body, kind, permission }))
    },
  }),
  remove: operation({
    ...plain.remove,
    async run(ctx, { params, ifMatch }) {
      await lockPeople(ctx)
      const { row } = await lock(ctx, Role, params.id, 'delete', ifMatch)
      if (row.is_system_role) throw forbidden('System roles cannot be deleted', 'system_role')
      checkTouches(ctx, await callersStanding(ctx), row)
      const holders = await ctx.one<{ n: number }>(sql`select count(*) as n from users t
        where ${mine(ctx)} and role_id = ${params.id} and deleted_at is null`)
      const n = holders?.n ?? 0
      const people = n === 1 ? '1 person has' : `${n} people have`
      if (n) throw conflict(`${people} this role`, 'role_in_use')
      ctx.forget()
      return remove(ctx, Role, params.id)
    },
  }),
}

const flagKinds = Object.entries(flags) as [keyof typeof flags, RoleKind][]

/**
 * The kind that a body requests by `kind` or by the flags. Repeating the current one changes
 * nothing; clearing a flag results in `member`, as for a new role; two kinds at once are 400.
 */
function kindAfter(
  body: { kind?: RoleKind } & { [flag in keyof typeof flags]?: boolean },
  current: RoleKind | undefined,
): RoleKind {
  const requested = new Set<RoleKind>()
  if (body.kind !== undefined) requested.add(body.kind)
  for (const [name, kind] of flagKinds) if (body[name] === true) requested.add(kind)
  if (current) requested.delete(current)
  if (requested.size > 1) {
    const message = `a role is of one kind, not ${[...requested].join(' and ')}`
    throw badRequest(message, [{ field: 'kind', message }])
  }
  const [kind] = requested
  if (kind) return kind
  const present = current ?? 'member'
  const off = flagKinds.find(([name, of]) => of === present && body[name] === false)
  if (off && present === 'member') {
    throw badField(off[0], 'a role is of one kind: switch another one on instead')
  }
  return off ? 'member' : present
}

type Fixed = Pick<Row<typeof Role>, 'role_name' | 'kind' | 'is_pre_sales_consultant'>

/** 403 if a body would change the defining properties of a system role. */
function checkUnchanged(before: Fixed, body: Partial<Fixed>) {
  for (const field of ['role_name', 'kind', 'is_pre_sales_consultant'] as const) {
    if (body[field] !== undefined && body[field] !== before[field]) {
      throw forbidden(`System roles keep their name and flags: ${field}`, 'system_role')
    }
  }
}

/** Refuses changes by which an organization would lock itself out. */
function checkAdminHasAll(kind: RoleKind, permission: Permission) {
  const less = kind === 'admin' && beyond(permission, defaultPermission('admin'))
  if (less) throw forbidden(`Admins may do everything: ${less} stays all`, 'admin_has_all')
}

/** The levels of `after` that are higher than before. */
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
