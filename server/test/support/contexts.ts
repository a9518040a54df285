import assert from 'node:assert/strict'
import type { Actor, Context } from '../../src/kit/ground/context.ts'
import { loadActor } from '../../src/records/users/actor.ts'
import type { Caller } from '../../src/runtime.ts'
import { inTransaction, readingContext, system } from '../../src/runtime.ts'
import type { Service } from '../../src/service.ts'

/** Runs in a transaction of the organization as the service itself, like jobs. */
export function asService<T>(
  { runtime }: Service,
  { id, name }: { id: string; name: string },
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  const organization = { id, name, timezone: 'UTC' }
  const caller = { organization, actor: system, source: 'job', request_id: 'test' }
  return inTransaction(runtime, caller, run)
}

/** A user as the caller of a request, through an app if one is named. */
export async function callerAs(
  { runtime }: Service,
  organization_id: string,
  user_id: string,
  app?: Actor['app'],
): Promise<Caller> {
  const reads = runtime.database.reads(organization_id)
  const loaded = await loadActor(reads, organization_id, user_id)
  assert.ok(loaded)
  const actor = app ? { ...loaded.actor, app } : loaded.actor
  const { organization } = loaded
  return { organization, actor, source: 'test', request_id: 'test' }
}

/** The context of a user's reads, through an app if one is named. */
export async function contextAs(
  service: Service,
  organization_id: string,
  user_id: string,
  app?: Actor['app'],
): Promise<Context> {
  return readingContext(service.runtime, await callerAs(service, organization_id, user_id, app))
}
