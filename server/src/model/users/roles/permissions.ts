import type { Level, Permission } from '../../../kit/ground/context.ts'
import type { FieldError } from '../../../kit/ground/errors.ts'
import { badFields } from '../../../kit/ground/errors.ts'
import type { Levels } from '../../../kit/record/record.ts'
import { registered } from '../../../kit/record/registry.ts'

/** The levels of a role that may do nothing on a module. */
export const nothing: Levels = ['none', 'none', 'none', 'none']

/** Permission modules without a record, with the levels that differ from the general ones. */
const withoutRecords: Defaults = {
  activity: {},
  apps: { member: nothing, customer: nothing, partner: nothing, observer: nothing },
}

type Defaults = { [module: string]: { [kind: string]: Levels } }
let cached: Defaults | undefined

/** The permissions of the built-in roles by module, if they differ from `general`. */
function defaults(): Defaults {
  if (cached) return cached
  const known: Defaults = {}
  // a record with rights of its own follows the permissions of others
  for (const { module, rights } of registered())
    if (!rights.decide) known[module] ??= rights.defaults
  cached = Object.assign(known, withoutRecords)
  return cached
}

/** Every module that has permissions. */
export function permissionModules(): string[] {
  return Object.keys(defaults())
}

export type RoleKind = 'admin' | 'manager' | 'member' | 'customer' | 'partner' | 'observer'

export const roleKinds: readonly RoleKind[] = [
  'admin',
  'manager',
  'member',
  'customer',
  'partner',
  'observer',
]

/** Kinds of roles whose users only see what they are attached to. */
export const confinedKinds: RoleKind[] = ['customer', 'partner', 'observer']

/** Kinds of roles for people of a customer or a partner: they only see what is shared with them. */
export const externalKinds: RoleKind[] = ['customer', 'partner']

/** Levels from lowest to highest. */
export const levelWords: readonly Level[] = ['none', 'own', 'team', 'all']

/** The actions that have a level. */
export const permissionActions = ['create', 'read', 'update', 'delete'] as const

/** What a built-in role may do where a module does not say otherwise; what `all` means to customers,
 * partners and observers is decided by attachment. */
const general: { [kind in RoleKind]: Levels } = {
  admin: ['all', 'all', 'all', 'all'],
  manager: ['all', 'all', 'all', 'team'],
  member: ['all', 'all', 'team', 'own'],
  customer: ['none', 'all', 'none', 'none'],
  partner: ['none', 'all', 'none', 'none'],
  observer: ['none', 'all', 'none', 'none'],
}

/** The permissions of each built-in role in a new organization; people edit them later. */
export function defaultPermission(kind: RoleKind): Permission {
  const modules = Object.entries(defaults())
  return Object.fromEntries(
    modules.map(([module, levels]) => [module, byAction(levels[kind] ?? general[kind])]),
  )
}

function byAction([create, read, update, remove]: Levels) {
  return { create, read, update, delete: remove }
}

/**
 * The permission of a body merged into `base` per module and action; true is all and false is none. 400
 * names every module, action or level that does not exist.
 */
export function mergePermission(
  base: Permission,
  input: { [module: string]: unknown },
): Permission {
  const merged: Permission = { ...base }
  const errors: FieldError[] = []
  for (const [module, levels] of Object.entries(input)) {
    const field = `permission.${module}`
    if (!permissionModules().includes(module)) {
      errors.push({
        field,
        message: `is not a module; modules are ${permissionModules().join(', ')}`,
      })
    } else if (typeof levels !== 'object' || levels === null || Array.isArray(levels)) {
      errors.push({ field, message: `must be an object with ${permissionActions.join(', ')}` })
    } else {
      const actionLevels = { ...merged[module] }
      merged[module] = actionLevels
      for (const [action, value] of Object.entries(levels as { [action: string]: unknown })) {
        const level = value === true ? 'all' : value === false ? 'none' : value
        if (!permissionActions.some((known) => known === action)) {
          errors.push({
            field: `${field}.${action}`,
            message: `is not one of ${permissionActions.join(', ')}`,
          })
        } else if (!levelWords.includes(level as Level)) {
          const message = `must be one of ${levelWords.join(', ')}, true or false`
          errors.push({ field: `${field}.${action}`, message })
        } else actionLevels[action] = level as Level
      }
    }
  }
  if (errors.length) {
    throw badFields(errors)
  }
  return merged
}

/** Every module with every action at `none`. */
export function noPermission(): Permission {
  return Object.fromEntries(permissionModules().map((module) => [module, byAction(nothing)]))
}

/** The first `module.action` in which `needed` exceeds `held`; undefined if there is none. */
export function beyond(held: Permission, needed: Permission): string | undefined {
  for (const [module, levels] of Object.entries(needed)) {
    for (const [action, level] of Object.entries(levels)) {
      const has = held[module]?.[action] ?? 'none'
      if (levelWords.indexOf(level) > levelWords.indexOf(has)) return `${module}.${action}`
    }
  }
  return undefined
}
