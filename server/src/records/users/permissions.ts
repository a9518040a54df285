import type { Level, Permission } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badFields } from '../../kit/ground/errors.ts'

/** Every module that a permission can be given on. */
export const permissionModules = [
  'companies',
  'contacts',
  'accounts',
  'deals',
  'projects',
  'tasks',
  'templates',
  'documents',
  'calendar',
  'surveys',
  'dashboards',
  'interactions',
  'activity',
  'tags',
  'holidays',
  'filters',
  'users',
  'roles',
  'apps',
] as const

export type RoleKind = 'admin' | 'manager' | 'member' | 'customer' | 'partner' | 'observer'

export const roleKinds: RoleKind[] = [
  'admin',
  'manager',
  'member',
  'customer',
  'partner',
  'observer',
]

/** Kinds whose users see only what they are attached to. */
export const confinedKinds: RoleKind[] = ['customer', 'partner', 'observer']

/** Levels from narrowest to widest. */
const levelWords: Level[] = ['none', 'own', 'team', 'all']

const actions = ['create', 'read', 'update', 'delete'] as const

/** What each built-in role may do in a fresh organization; people edit it later. */
export function defaultPermission(kind: RoleKind): Permission {
  return Object.fromEntries(permissionModules.map((module) => [module, levels(kind, module)]))
}

function levels(kind: RoleKind, module: string): { [action: string]: Level } {
  if (kind === 'admin') return crud('all', 'all', 'all', 'all')
  if (kind === 'manager') return crud('all', 'all', 'all', 'team')
  const people = ['users', 'roles', 'apps'].includes(module)
  if (kind === 'member') {
    if (people) return crud('none', module === 'apps' ? 'none' : 'all', 'none', 'none')
    return crud('all', 'all', 'team', 'own')
  }
  // confined: what `all` means here is decided by attachment
  if (['roles', 'apps', 'filters'].includes(module)) return crud('none', 'none', 'none', 'none')
  if (kind === 'observer') return crud('none', 'all', 'none', 'none')
  if (module === 'interactions') return crud('all', 'all', 'own', 'own')
  if (module === 'tasks') return crud('none', 'all', 'own', 'none')
  return crud('none', 'all', 'none', 'none')
}

function crud(create: Level, read: Level, update: Level, remove: Level) {
  return { create, read, update, delete: remove }
}

/**
 * A permission as a body gives it, laid over `base` per module and action; true is all and false is
 * none. 400 names every module, action or level that does not exist.
 */
export function mergePermission(
  base: Permission,
  given: { [module: string]: unknown },
): Permission {
  const merged: Permission = { ...base }
  const errors: FieldError[] = []
  for (const [module, levels] of Object.entries(given)) {
    const field = `permission.${module}`
    if (!permissionModules.some((known) => known === module)) {
      errors.push({
        field,
        message: `is not a module; modules are ${permissionModules.join(', ')}`,
      })
    } else if (typeof levels !== 'object' || levels === null || Array.isArray(levels)) {
      errors.push({ field, message: `must be an object with ${actions.join(', ')}` })
    } else {
      merged[module] = { ...merged[module] }
      for (const [action, value] of Object.entries(levels)) {
        const level = value === true ? 'all' : value === false ? 'none' : value
        if (!actions.some((known) => known === action)) {
          errors.push({
            field: `${field}.${action}`,
            message: `is not one of ${actions.join(', ')}`,
          })
        } else if (!levelWords.includes(level as Level)) {
          const message = `must be one of ${levelWords.join(', ')}, true or false`
          errors.push({ field: `${field}.${action}`, message })
        } else merged[module][action] = level as Level
      }
    }
  }
  if (errors.length) {
    throw badFields(errors)
  }
  return merged
}

/** Every module with every action, at `none` where nothing is said. */
export function noPermission(): Permission {
  return Object.fromEntries(
    permissionModules.map((module) => [module, crud('none', 'none', 'none', 'none')]),
  )
}

/** The first `module.action` in which `wanted` goes beyond `held`; undefined when it does not. */
export function beyond(held: Permission, wanted: Permission): string | undefined {
  for (const [module, levels] of Object.entries(wanted)) {
    for (const [action, level] of Object.entries(levels)) {
      const has = held[module]?.[action] ?? 'none'
      if (levelWords.indexOf(level) > levelWords.indexOf(has)) return `${module}.${action}`
    }
  }
  return undefined
}
