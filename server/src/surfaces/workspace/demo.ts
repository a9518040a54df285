import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../config.ts'
import { readDemos } from '../../demo/credentials.ts'
import { isWithin, loopback } from '../../kit/ground/address.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { Runtime } from '../../runtime.ts'
import type { DemoSignIn } from './document.ts'

/**
 * The sign-in for the newest demonstration of the data folder, for the sign-in page: only if this
 * service listens on, is named by and is called from this machine alone, without a proxy in between.
 */
export async function demoSignIn(
  { config, database }: Runtime,
  request: FastifyRequest,
): Promise<DemoSignIn | null> {
  const isHere =
    isLoopback(config.host) && isLoopback(new URL(config.publicUrl).hostname) && isLocal(request)
  if (!isHere) return null
  const demo = readDemos(config.dataDir).demos.at(-1)
  if (!demo) return null
  const { organization_id, name, email, password, people } = demo
  // the file may be older than the database
  const stored = await database.reads(organization_id).one(sql`
    select t.id from users t
    join organizations o on o.organization_id = $organization and o.is_demo_data
    where t.organization_id = ${organization_id} and t.email = ${email} and t.is_active`)
  return stored ? { name, email, password, people } : null
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
