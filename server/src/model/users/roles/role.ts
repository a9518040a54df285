import type { Level, Permission } from '../../../kit/ground/context.ts'
import { enumeration, schema } from '../../../kit/ground/json-schema.ts'
import { record } from '../../../kit/record/record.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { mayTouchAdmins } from '../standing.ts'
import type { RoleKind } from './permissions.ts'
import { confinedKinds, levelWords, nothing, permissionActions, roleKinds } from './permissions.ts'
import { boolean, key, object, oneOf, stamp, text, valueOf } from '../../../kit/record/fields.ts'

/** The specification's flags for the kind of a role. */
export const flags = {
  is_customer_role: 'customer',
  is_admin_role: 'admin',
  is_manager_role: 'manager',
  is_observer_role: 'observer',
  is_user_role: 'member',
  is_partner_role: 'partner',
  is_organization_admin_role: 'admin',
} as const

const level = enumeration<Level>(levelWords, { title: 'PermissionLevel' })

/** A role that is older than a module has no level for it: that means `none`. */
const permissionSchema = schema<Permission>({
  title: 'Permission',
  type: 'object',
  description: 'the level of each action by module; none by default',
  additionalProperties: {
    title: 'PermissionLevels',
    type: 'object',
    properties: Object.fromEntries(permissionActions.map((action) => [action, level])),
  },
})

/** A role: what its holders may do, per module and action (specification 2.3). */
export const Role = record(
  {
    module: 'roles',
    word: 'role',
    title: 'role_name',
    aliases: { name: 'role_name' },
    rights: {
      defaults: {
        member: ['none', 'all', 'none', 'none'],
        customer: nothing,
        partner: nothing,
        observer: nothing,
      },
      can(ctx, action, allowed) {
        if (action === 'restore') return sql`false`
        const mayTouch = sql`(${mayTouchAdmins(ctx)} or t.kind <> 'admin')`
        if (action === 'update') return sql`(${allowed} and ${mayTouch})`
        return sql`(${allowed} and ${mayTouch} and not t.is_system_role)`
      },
      // confined callers see the roles of confined users
      attached: () => sql`t.kind = any(${confinedKinds})`,
    },
  },
  {
    role_id: key(),
    role_name: text(100, { required: true }),
    kind: oneOf(roleKinds, { default: 'member', title: 'RoleKind' }),
    is_customer_role: flag('customer'),
    is_admin_role: flag('admin'),
    is_manager_role: flag('manager'),
    is_observer_role: flag('observer'),
    is_user_role: flag('member'),
    is_partner_role: flag('partner'),
    is_organization_admin_role: flag('admin'),
    is_pre_sales_consultant: boolean({ default: false }),
    is_system_role: boolean({
      readOnly: true,
      default: false,
      refusal: 'marks the roles that every organization starts with',
    }),
    permission: permission(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

function flag(kind: RoleKind) {
  return boolean({ expression: `(t.kind = '${kind}')` })
}

/** Written module by module, also with true and false; see `mergePermission`. */
function permission() {
  return object({
    default: {},
    schema: {
      additionalProperties: true,
      description: 'by module and action: all, team, own or none; true means all, false means none',
    },
    shown: valueOf(permissionSchema),
  })
}
