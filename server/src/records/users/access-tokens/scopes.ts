import type { Actor, Level } from '../../../kit/ground/context.ts'
import { forbidden } from '../../../kit/ground/errors.ts'
import type { Operation } from '../../../kit/ground/operation.ts'
import { permissionModules } from '../../../model/users/roles/permissions.ts'

/** The scopes of everything that the user may read, and of everything that the user may do. */
const wholeRead = 'all.read'
const wholeWrite = 'all.write'

/** Every scope of access tokens: of all modules together and of each; `write` includes `read`. */
export function tokenScopes(): string[] {
  return ['all', ...permissionModules()].flatMap((word) => [`${word}.read`, `${word}.write`])
}

/**
 * The user with permissions reduced to the token's scopes. So the token
 * never has more rights than its user, whatever an operation checks.
 */
export function limitedTo(actor: Actor, token: { id: string; scopes: string[] }): Actor {
  const { scopes } = token
  const permission = Object.fromEntries(
    Object.entries(actor.permission).map(([module, levels]) => {
      const writes = has(scopes, module, 'write')
      const reads = writes || has(scopes, module, 'read')
      const limited = Object.entries(levels).map(([action, level]): [string, Level] => [
        action,
        (action === 'read' ? reads : writes) ? level : 'none',
      ])
      return [module, Object.fromEntries(limited)]
    }),
  )
  const isWhole = scopes.includes(wholeWrite)
  return {
    ...actor,
    is_admin: actor.is_admin && isWhole,
    permission,
    access_token: { id: token.id, scopes, isWhole },
  }
}

/**
 * 403 unless the scopes of a token allow an operation: by its module, or, if it has none, by a scope for
 * all modules. Tokens never allow what is personal, such as sessions and passwords.
 */
export function requireTokenScope(scopes: string[], operation: Operation): void {
  const { needsSession, isSecret } = operation
  if (needsSession || isSecret) {
    throw sessionNeeded()
  }
  const named = missingTokenScope(scopes, operation)
  if (named === undefined) return
  throw forbidden(`This access token needs the scope ${named}`, 'missing_scope')
}

/** The scopes of which a token lacks one for the operation, in words; undefined if it has one. */
export function missingTokenScope(
  scopes: readonly string[],
  { can, writes }: Operation,
): string | undefined {
  if (can === 'anyone') return undefined
  const isWrite = writes || (typeof can === 'object' && can.action !== 'read')
  const kind = isWrite ? 'write' : 'read'
  const modules = typeof can === 'object' ? [can.module, can.or ?? []].flat() : ['all']
  if (modules.some((module) => has(scopes, module, kind))) return undefined
  return modules.map((module) => `${module}.${kind}`).join(' or ')
}

/** 403 for what access tokens may not do, whatever their scopes. */
export function sessionNeeded() {
  return forbidden('Access tokens may not do this: sign in', 'session_needed')
}

function has(scopes: readonly string[], module: string, kind: 'read' | 'write'): boolean {
  const enough =
    kind === 'write'
      ? [wholeWrite, `${module}.write`]
      : [wholeWrite, wholeRead, `${module}.write`, `${module}.read`]
  return enough.some((scope) => scopes.includes(scope))
}
