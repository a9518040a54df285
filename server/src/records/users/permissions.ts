import type { Level, Permission } from '../../kit/context.ts'

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
