import { Type } from 'typebox'
import type { Actor } from '../../kit/ground/context.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { requireScope } from '../../records/apps/scopes.ts'
import type { Entry } from '../../records/timeline/operations.ts'
import { recordTimeline, timelineOfRecord } from '../../records/timeline/operations.ts'
import { mostRows } from './find.ts'
import { kinds } from '../integration/kinds.ts'
import { searchScopes } from '../integration/search.ts'

const modules = ['companies', 'contacts', 'accounts', 'deals', 'projects'] as const
const { kinds: only, cursor } = recordTimeline.input.query.properties

/** What happened to a record, as far as the caller and the scopes of its app may read what each entry is about. */
export const timelineOf = operation({
  ...recordTimeline,
  name: 'get_timeline',
  scope: null,
  input: {
    body: Type.Object({
      module: enumeration(modules),
      id: Type.String({ minLength: 1, maxLength: 25 }),
      kinds: only,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostRows })),
      next_cursor: cursor,
    }),
  },
  run(ctx, input) {
    const { module, id, kinds: named, limit = mostRows, next_cursor } = input.body
    requireScope(ctx.actor, ...kinds[module].scopes)
    const query = { kinds: named, limit, cursor: next_cursor }
    return timelineOfRecord(ctx, { module, id }, query, (entry) => isOpen(ctx.actor, entry))
  },
})

/** The scopes that open what an entry is about: those of its record; of tasks and milestones those of both their owners. */
const opening: { [type: string]: string[] } = {
  company: ['company.read'],
  contact: ['contact.read'],
  account: ['company.read'],
  deal: ['deal.read'],
  project: ['project.read'],
  task: ['project.read', 'deal.read'],
  milestone: ['project.read', 'deal.read'],
  meeting: ['meeting.read'],
  document: ['document.read'],
  survey: ['survey.read'],
}

/** Whether an app may read an entry; the log is read by rights alone, which know no scopes. */
function isOpen({ app }: Actor, { kind, record }: Entry): boolean {
  if (!app) return true
  const ofRecord = (record && opening[record.type]) ?? searchScopes
  const needed = kind === 'comment' ? [...ofRecord, 'interaction.read'] : ofRecord
  return needed.every((scope) => app.scopes.includes(scope))
}
