import type { Actor } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { records } from '../../model/all.ts'
import type { Voice } from '../../model/languages/language.ts'
import { voiceOf } from '../../model/languages/language.ts'

/** The scopes of records for apps (specification 5.1); some of them only read. */
const scopes = records.flatMap(({ module, apps: { scope } }) =>
  scope ? [{ module, ...scope }] : [],
)

/** Every scope that an app may hold. */
export const allScopes: string[] = [
  ...scopes
    .filter(({ isReadOnly }) => !isReadOnly)
    .flatMap(({ word }) => [`${word}.read`, `${word}.write`]),
  ...scopes.filter(({ isReadOnly }) => isReadOnly).map(({ word }) => `${word}.read`),
]

/** The scopes that an operator names; `all` stands for every scope. */
export function namedScopes(named: string[] | 'all'): string[] {
  return named === 'all' || named.includes('all') ? allScopes : named
}

/** Scopes in the plain words of the consent page, one sentence per record type. */
export function inPlainWords(granted: string[], { say, has }: Voice = english): string[] {
  const sentences: string[] = []
  for (const { word, things } of scopes) {
    const key = `things.${word}`
    const named = { things: has(key) ? say(key) : things }
    const reads = granted.includes(`${word}.read`)
    const writes = granted.includes(`${word}.write`)
    if (reads && writes) sentences.push(say('scope.both', named))
    else if (reads) sentences.push(say('scope.read', named))
    else if (writes) sentences.push(say('scope.write', named))
  }
  return sentences
}

const english = voiceOf('en', 'UTC')

/**
 * The scope that an operation needs on the integration surface; null when a live token is enough.
 * It follows from the permission unless the operation names its own. Throws if it has neither:
 * a mistake in a route table, found when the table is built.
 */
export function scopeOf({ name, can, scope }: Operation): string | null {
  if (scope !== undefined) return scope
  if (typeof can === 'string') return null
  const found = scopes.find(({ module }) => module === can.module)
  const action = can.action === 'read' ? 'read' : 'write'
  if (!found || (found.isReadOnly && action === 'write')) {
    throw new Error(`${name} needs a scope of its own: none follows from ${can.module}`)
  }
  return `${found.word}.${action}`
}

/** The scopes of which an operation needs one, whatever its input is; none if a valid token is enough. */
export function sufficientScopes(operation: Operation): string[] {
  return operation.scopes ?? [scopeOf(operation) ?? []].flat()
}

/**
 * 403 unless the caller's app has one of the scopes; an empty list passes. People without an
 * app have every scope.
 */
export function requireScope({ app }: Actor, ...scopes: string[]) {
  if (!scopes.length || !app || scopes.some((scope) => app.scopes.includes(scope))) return
  throw forbidden(`This needs the scope ${scopes.join(' or ')}`, 'missing_scope')
}
