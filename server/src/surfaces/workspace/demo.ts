import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { isLoopback } from '../../config.ts'
import { readDemos } from '../../demo/credentials.ts'
import { isWithin, loopback } from '../../kit/ground/address.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { Runtime } from '../../runtime.ts'
import { organizationsIn, setupLink } from '../../setup.ts'
import type { DemoSignIn } from './document.ts'

/**
 * The sign-in for the newest demonstration of the data folder, for the sign-in page: only if this
 * service listens on, is named by and is called from this machine alone, without a proxy in between.
 */
export async function demoSignIn(
  runtime: Runtime,
  request: FastifyRequest,
): Promise<DemoSignIn | null> {
  const { config, database } = runtime
  if (!isOnlyHere(config, request)) return null
  const demo = readDemos(config.dataDir).demos.at(-1)
  if (!demo) return null
  const { organization_id, name, email, password, people } = demo
  // the file may be older than the database
  const stored = await database.reads(organization_id).one(sql`
    select t.id from users t
    join organizations o on o.organization_id = $organization and o.is_demo_data
    where t.organization_id = ${organization_id} and t.email = ${email} and t.is_active`)
  if (!stored) return null
  const setup = (await organizationsIn(runtime)).haveOwn ? null : setupLink(runtime)
  return { name, email, password, people, setup }
}

/** Whether the service listens on, is named by and is called from this machine alone, without a proxy in between. */
export function isOnlyHere(config: Config, request: FastifyRequest): boolean {
  const named = new URL(config.publicUrl).hostname
  return isLoopback(config.host) && isLoopback(named) && isLocal(request)
}

/** Only loopback names: pages of another host name that resolves here could read what is shown. */
function isLocal({ headers, raw, hostname }: FastifyRequest): boolean {
  const forwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']
  const peer = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return (
    isLoopback(hostname) &&
    isWithin(peer, loopback) &&
    !forwarded.some((name) => headers[name] !== undefined)
  )
}
