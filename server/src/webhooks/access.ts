import type { Context, Query } from '../kit/ground/context.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { rights } from '../kit/record/scope.ts'
import { all, mine, sql } from '../kit/ground/sql.ts'
import { loadActor } from '../records/users/actor.ts'
import type { Runtime } from '../runtime.ts'
import { readingContext } from '../runtime.ts'
import type { EventName } from './catalogue.ts'
import { isEventName, recordOf, scopesFor } from './catalogue.ts'
import type { Claimed, Due } from './queue.ts'

/**
 * Those of the deliveries that may go out, each with its reader: the app still holds a read scope of
 * the event through a living grant, its user is active and may still see the record, or could see it
 * were it not deleted. One query for all, and none where the users may see everything.
 */
export async function permitted(
  runtime: Runtime,
  organization: string,
  deliveries: readonly Claimed[],
  subscriptions: ReadonlyMap<string, Due>,
): Promise<Map<string, Context>> {
  const allowed = new Map<string, Context>()
  const questions = new Map<string, Question>()
  const readers = await readersOf(runtime, organization, deliveries, subscriptions)
  for (const { id, type, reference_id, subscription_id } of deliveries) {
    const { scopes } = subscriptions.get(subscription_id)!
    const reader = readers.get(subscription_id)
    if (!reader || !isEventName(type) || !isInScope(type, scopes)) continue
    const record = recordOf(type)
    const kind = kindFor(type, scopes)
    const may = rights(reader, record, 'read')
    const condition = kind ? all(may, ofKind(kind)) : may
    if (!condition) allowed.set(id, reader)
    else if (reference_id) {
      const key = `${keyOf(subscriptions.get(subscription_id)!)} ${record.module} ${kind}`
      const question = questions.get(key) ?? { reader, record, condition, deliveries: [] }
      questions.set(key, question)
      question.deliveries.push({ id, reference_id })
    }
  }
  if (questions.size) {
    for (const [id, reader] of await visible([...questions.values()])) allowed.set(id, reader)
  }
  return allowed
}

/** Whether one of the scopes lets the event be read. */
export function isInScope(event: EventName, scopes: readonly string[]): boolean {
  return scopesFor(event).some((scope) => scopes.includes(scope))
}

/** The one kind of project that an event may be of, where the scopes hold no more than one. */
function kindFor(event: EventName, scopes: readonly string[]): 'project' | 'deal' | undefined {
  const kinds = scopesFor(event).filter((scope) => scopes.includes(scope))
  if (kinds.length === scopesFor(event).length) return undefined
  return kinds[0] === 'deal.read' ? 'deal' : kinds[0] === 'project.read' ? 'project' : undefined
}

/** The condition over `t` that the scopes set on an event's records, beside the right to read them. */
export function withinScopes(event: EventName, scopes: readonly string[]): Query | undefined {
  const kind = kindFor(event, scopes)
  return kind && ofKind(kind)
}

/** Tasks and milestones of projects of that kind, and tasks of none. */
function ofKind(kind: 'project' | 'deal'): Query {
  return sql`not exists (select from projects p where p.organization_id = t.organization_id
    and p.id = t.project_id and p.project_type <> ${kind})`
}

type Question = {
  reader: Context
  record: AnyRecord
  condition: Query
  deliveries: { id: string; reference_id: string }[]
}

async function visible(questions: Question[]): Promise<[id: string, reader: Context][]> {
  const selects = questions.map(({ reader, record, condition, deliveries }, nth) => {
    const ids = deliveries.map(({ reference_id }) => reference_id)
    return sql`select ${nth}::integer as nth, t.id from ${sql.table(record.table)} t
      where ${all(mine(reader), condition)} and t.id = any(${ids})`
  })
  const rows = await questions[0]!.reader.all<{ nth: number; id: string }>(
    sql.join(selects, sql` union all `),
  )
  const visibleIds = new Set(rows.map(({ nth, id }) => `${nth} ${id}`))
  return questions.flatMap(({ reader, deliveries }, nth) =>
    deliveries
      .filter((each) => visibleIds.has(`${nth} ${each.reference_id}`))
      .map((each): [string, Context] => [each.id, reader]),
  )
}

/**
 * What the subscriptions' users read with through their apps, by subscription: one context for those
 * of the same user and scopes. Users are cached until something about them changes.
 */
async function readersOf(
  runtime: Runtime,
  organization: string,
  deliveries: readonly Claimed[],
  subscriptions: ReadonlyMap<string, Due>,
): Promise<Map<string, Context>> {
  const ids = new Set(deliveries.map(({ subscription_id }) => subscription_id))
  const groups = Map.groupBy([...ids], (id) => keyOf(subscriptions.get(id)!))
  const readers = new Map<string, Context>()
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const { user_id, scopes, app } = subscriptions.get(group[0]!)!
      const found = await runtime.cache.get(organization, `webhook reader ${user_id}`, () =>
        loadActor(runtime.database.reads(organization), organization, user_id),
      )
      if (!found?.is_active) return
      const actor = { ...found.actor, app: { ...app, scopes } }
      const caller = { organization: found.organization, actor }
      const reader = readingContext(runtime, { ...caller, source: 'job', request_id: 'webhooks' })
      for (const id of group) readers.set(id, reader)
    }),
  )
  return readers
}

/** What decides what is read: the user, and the scopes held for them. */
function keyOf({ user_id, scopes }: Due): string {
  return [user_id, ...scopes.toSorted()].join(' ')
}
