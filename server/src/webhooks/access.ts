import type { Context, Query } from '../kit/ground/context.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import { readable } from '../kit/record/readable.ts'
import { loadActor } from '../records/users/actor.ts'
import type { Runtime } from '../runtime.ts'
import { readingContext } from '../runtime.ts'
import type { EventName } from './catalogue.ts'
import { isEventName, recordOf, scopesFor } from './catalogue.ts'
import { testSource } from './message.ts'
import type { Claimed, Due } from './queue.ts'

/**
 * The deliveries that may be sent, each with its reader: the app still has a read scope for
 * the event through an active grant, and its user is active and may still see the record, or could see it
 * if it were not deleted. One query for all, and none if the users may see everything.
 */
export async function permitted(
  runtime: Runtime,
  organization: string,
  deliveries: readonly Claimed[],
  subscriptions: ReadonlyMap<string, Due>,
): Promise<Map<string, Context>> {
  const allowed = new Map<string, Context>()
  const questions = new Map<string, Question>()
  const ids = new Set(deliveries.map(({ subscription_id }) => subscription_id))
  const due = [...ids].flatMap((id) => subscriptions.get(id) ?? [])
  const readers = await readersOf(runtime, organization, due)
  for (const { id, type, reference_id, subscription_id, source } of deliveries) {
    const subscription = subscriptions.get(subscription_id)
    const reader = readers.get(subscription_id)
    if (!subscription || !reader || !isEventName(type) || !isInScope(type, subscription.scopes))
      continue
    const { table } = recordOf(type)
    const condition = readable(reader, table)
    // a made-up sample has no record
    const isMadeUp = source === testSource && !reference_id
    if (!condition || isMadeUp) allowed.set(id, reader)
    else if (reference_id) {
      const key = `${keyOf(subscription)} ${table}`
      const question = questions.get(key) ?? { reader, table, condition, deliveries: [] }
      questions.set(key, question)
      question.deliveries.push({ id, reference_id })
    }
  }
  for (const [id, reader] of await visible([...questions.values()])) allowed.set(id, reader)
  return allowed
}

/** Whether one of the scopes lets the event be read. */
export function isInScope(event: EventName, scopes: readonly string[]): boolean {
  return scopesFor(event).some((scope) => scopes.includes(scope))
}

type Question = {
  reader: Context
  table: string
  condition: Query
  deliveries: { id: string; reference_id: string }[]
}

async function visible(questions: Question[]): Promise<[id: string, reader: Context][]> {
  const [first] = questions
  if (!first) return []
  const selects = questions.map(({ reader, table, condition, deliveries }, nth) => {
    const ids = deliveries.map(({ reference_id }) => reference_id)
    return sql`select ${nth}::integer as nth, t.id from ${sql.table(table)} t
      where ${mine(reader)} and t.id = any(${ids}) and ${condition}`
  })
  const rows = await first.reader.all<{ nth: number; id: string }>(
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
 * The contexts in which the users of subscriptions read through their apps, by subscription: one for those with
 * the same user and scopes. The actors are cached until something about them changes, and with them the SQL of
 * their rights.
 */
async function readersOf(
  runtime: Runtime,
  organization: string,
  subscriptions: Due[],
): Promise<Map<string, Context>> {
  const readers = new Map<string, Context>()
  const groups = Map.groupBy(subscriptions, keyOf)
  await Promise.all(
    [...groups].map(async ([key, group]) => {
      const [subscription] = group as [Due, ...Due[]]
      const caller = await runtime.cache.get(organization, `webhook reader ${key}`, () =>
        loadReader(runtime, organization, subscription),
      )
      if (!caller) return
      const reader = readingContext(runtime, { ...caller, source: 'job', request_id: 'webhooks' })
      for (const { id } of group) readers.set(id, reader)
    }),
  )
  return readers
}

/** An active user with an app's scopes; undefined for others. */
async function loadReader(
  { database }: Runtime,
  organization_id: string,
  { user_id, app, scopes }: Due,
) {
  const found = await loadActor(database.reads(organization_id), organization_id, user_id)
  if (!found?.is_active) return undefined
  const { organization, actor } = found
  return { organization, actor: { ...actor, app: { ...app, scopes } } }
}

/** What decides what can be read: the user, and the app's scopes. */
function keyOf({ user_id, scopes }: Due): string {
  return [user_id, ...scopes.toSorted()].join(' ')
}
