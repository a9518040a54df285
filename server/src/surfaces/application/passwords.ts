import { setTimeout as sleep } from 'node:timers/promises'
import { badField } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { loadActor } from '../../records/users/actor.ts'
import type { Person } from '../../records/users/password.ts'
import { findReset, offerReset, setPassword } from '../../records/users/password.ts'
import type { Caller, Organization, Runtime } from '../../runtime.ts'
import { inTransaction, system } from '../../runtime.ts'
import { hashPassword } from '../../secrets.ts'
import type { FailureLimiter } from '../limits.ts'
import { allOrganizations } from '../../kit/ground/context.ts'

/** Asking for a new password and choosing it, as the operations and the pages do. */
export type Passwords = {
  /** mails each user with the e-mail; the same answer at the same time where there is none */
  ask(address: string, given: { email: string; organization?: string }): Promise<void>
  /** whether the token opens anything now */
  isOpen(token: string): Promise<boolean>
  /** 400 for a token that is not known, or was used or has expired */
  choose(address: string, given: { token: string; password: string }): Promise<void>
}

/** An answer takes so long whether or not there is anybody to mail, in milliseconds. */
const evenly = 250

export function makePasswords(runtime: Runtime, failures: FailureLimiter): Passwords {
  return {
    async ask(address, { email, organization }) {
      const key = email.trim().toLowerCase()
      const counted = [`reset ${address}`, `reset ${key}`]
      await failures.check(...counted)
      // every request counts: each may send a mail to somebody else
      await failures.failed(...counted)
      await Promise.all([offerAll(runtime, key, organization), sleep(evenly)])
    },
    isOpen: async (token) => (await holderOf(runtime, token)) !== undefined,
    async choose(address, { token, password }) {
      await failures.check(`address ${address}`)
      const caller = await holderOf(runtime, token)
      if (!caller) {
        await failures.failed(`address ${address}`)
        throw unknown()
      }
      const password_hash = await hashPassword(password)
      await inTransaction(runtime, caller, async (ctx) => {
        const person = await findReset(ctx, token)
        if (!person) throw unknown()
        await setPassword(ctx, person, password_hash)
      })
    },
  }
}

/** The two operations of a forgotten password. */
export function passwordOperations(passwords: Passwords) {
  const done = { type: 'object', properties: { status: { const: 'success' } } }
  return {
    ask: {
      name: 'ask_password_reset',
      summary: 'Be mailed a link to a new password',
      can: 'anyone',
      writes: false,
      input: {
        body: {
          type: 'object',
          properties: {
            email: { type: 'string', minLength: 1, maxLength: 320 },
            organization: { type: 'string', maxLength: 255 },
          },
          required: ['email'],
        },
      },
      output: done,
      async run(_ctx, { body, address }) {
        await passwords.ask(address, body)
        return { status: 'success' }
      },
    } satisfies Operation,
    choose: {
      name: 'reset_password',
      summary: 'Choose a new password with the token of the mail; every session ends',
      can: 'anyone',
      writes: false,
      input: {
        body: {
          type: 'object',
          properties: {
            token: { type: 'string', minLength: 1, maxLength: 500 },
            password: { type: 'string', minLength: 8, maxLength: 1000 },
          },
          required: ['token', 'password'],
        },
      },
      output: done,
      async run(_ctx, { body, address }) {
        await passwords.choose(address, body)
        return { status: 'success' }
      },
    } satisfies Operation,
  }
}

type Known = Person & { organization: Organization }

/** One transaction for each organization that knows the e-mail; nearly always there is one. */
async function offerAll(runtime: Runtime, email_key: string, named: string | undefined) {
  const known = await runtime.database.reads(allOrganizations).all<Known>(sql`
    select u.id, u.full_name, u.email, json_build_object('id', o.organization_id, 'name', o.name,
      'timezone', o.timezone) as organization
    from users u join organizations o on o.organization_id = u.organization_id
    where u.email_key = ${email_key} and u.is_active and u.deleted_at is null
      and (${named ?? null}::text is null or o.organization_id = ${named ?? null}
        or lower(o.name) = lower(${named ?? null}))
    order by u.organization_id limit 20`)
  for (const { organization, ...person } of known) {
    const caller: Caller = {
      organization,
      actor: system,
      source: 'application',
      request_id: newId(),
    }
    await inTransaction(runtime, caller, (ctx) => offerReset(ctx, person))
  }
}

/** Whoever holds a good token, as the caller: they choose their password themselves. */
async function holderOf({ database, secrets, now }: Runtime, token: string) {
  const found = await database.reads(allOrganizations).one<{
    organization_id: string
    id: string
  }>(sql`
    select organization_id, id from users where reset_hash = ${secrets.hash(token)}
      and deleted_at is null and reset_expires_at > ${now().toISOString()}`)
  if (!found) return undefined
  const { organization_id, id } = found
  const loaded = await loadActor(database.reads(organization_id), organization_id, id)
  if (!loaded?.is_active) return undefined
  const { organization, actor } = loaded
  return { organization, actor, source: 'application', request_id: newId() }
}

function unknown() {
  return badField('token', 'is not known, or was used or has expired')
}
