import type { Actor } from '../../kit/context.ts'
import { forbidden } from '../../kit/errors.ts'
import type { Operation } from '../../kit/operation.ts'

/** What an app may be allowed to do, in the words of the consent page (specification 5.1). */
export const scopeSentences = {
  'company.read': 'See your companies',
  'company.write': 'Add and change companies',
  'contact.read': 'See your contacts',
  'contact.write': 'Add and change contacts',
  'deal.read': 'See your deals',
  'deal.write': 'Add and change deals',
  'project.read': 'See your projects, milestones and tasks',
  'project.write': 'Add and change projects, milestones and tasks',
  'template.read': 'See your templates',
  'template.write': 'Add and change templates',
  'user.read': 'See the people in your organization',
  'user.write': 'Add and change people in your organization',
  'survey.read': 'Be told of surveys and their responses',
  'document.read': 'Be told of documents and signatures',
  'meeting.read': 'Be told of meetings',
  'interaction.read': 'Be told of comments',
} as const

export const allScopes = Object.keys(scopeSentences) as (keyof typeof scopeSentences)[]

const words: { [module: string]: string } = {
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
  const word = words[can.module]
  if (!word) throw new Error(`${name} needs a scope of its own: none follows from ${can.module}`)
  return `${word}.${can.action === 'read' ? 'read' : 'write'}`
}

/** 403 unless the app behind the caller holds the scope. People without an app hold every scope. */
export function requireScope(actor: Actor, scope: string | null) {
  if (scope === null || !actor.app || actor.app.scopes.includes(scope)) return
  throw forbidden(`This needs the scope ${scope}`, 'missing_scope')
}
