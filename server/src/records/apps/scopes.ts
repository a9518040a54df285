import type { Actor } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import type { Operation } from '../../kit/ground/operation.ts'

/** What can be read and written (specification 5.1), as people call it. */
const readWrite: { [word: string]: string } = {
  company: 'companies',
  contact: 'contacts',
  deal: 'deals',
  project: 'projects, milestones and tasks',
  template: 'templates',
  user: 'the people in your organization',
}

/** What an app can only be told of by webhooks. */
const webhookOnly: { [word: string]: string } = {
  survey: 'surveys and their responses',
  document: 'documents and their signatures',
  meeting: 'meetings',
  interaction: 'comments',
}

/** Every scope that an app may be given. */
export const allScopes: string[] = [
  ...Object.keys(readWrite).flatMap((word) => [`${word}.read`, `${word}.write`]),
  ...Object.keys(webhookOnly).map((word) => `${word}.read`),
]

/** Scopes in the plain words of the consent page, one sentence a kind of record. */
export function inPlainWords(scopes: string[]): string[] {
  const sentences: string[] = []
  for (const [word, things] of Object.entries(readWrite)) {
    const reads = scopes.includes(`${word}.read`)
    const writes = scopes.includes(`${word}.write`)
    if (reads && writes) sentences.push(`See, add and change ${things}`)
    else if (reads) sentences.push(`See ${things}`)
    else if (writes) sentences.push(`Add and change ${things}`)
  }
  const told = Object.keys(webhookOnly).filter((word) => scopes.includes(`${word}.read`))
  return [...sentences, ...told.map((word) => `Be told of ${webhookOnly[word]}`)]
}

const wordOf: { [module: string]: string } = {
  companies: 'company',
  contacts: 'contact',
  users: 'user',
  templates: 'template',
  projects: 'project',
  deals: 'deal',
}

/**
 * The scope that an operation needs on the integration surface; null when a live token is enough.
 * It follows from the permission unless the operation names its own. Throws where neither tells:
 * a mistake in a route table, found when the table is built.
 */
export function scopeOf({ name, can, scope }: Operation): string | null {
  if (scope !== undefined) return scope
  if (typeof can === 'string') return null
  const word = wordOf[can.module]
  if (!word) throw new Error(`${name} needs a scope of its own: none follows from ${can.module}`)
  return `${word}.${can.action === 'read' ? 'read' : 'write'}`
}

/** 403 unless the app behind the caller holds the scope. People without an app hold every scope. */
export function requireScope(actor: Actor, scope: string | null) {
  if (scope === null || !actor.app || actor.app.scopes.includes(scope)) return
  throw forbidden(`This needs the scope ${scope}`, 'missing_scope')
}
