import { unauthorized } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { loadActor } from '../../records/users/actor.ts'
import { acceptInvitation, findInvitation } from '../../records/users/invite.ts'
import type { Runtime } from '../../runtime.ts'
import { inTransaction } from '../../runtime.ts'
import { hashPassword } from '../../secrets.ts'
import type { FailureLimiter } from '../limits.ts'
import type { Identity, SignIn } from './login.ts'
import { sessionSchema } from './login.ts'
import { allOrganizations } from '../../kit/ground/context.ts'

/** Whoever holds an invitation's token chooses a name and a password, as the operation and the page do. */
export type Invitations = {
  /** whose invitation this is; undefined when it is not known, or was used or has expired */
  read(
    token: string,
  ): Promise<{ full_name: string; email: string; organization: string } | undefined>
  /** 401 for a token that is no good */
  accept(
    address: string,
    given: { invite_token: string; password: string; full_name?: string },
  ): Promise<Identity>
}

export function makeInvitations(runtime: Runtime, failures: FailureLimiter): Invitations {
  return {
    async read(token) {
      const caller = await invited(runtime, token)
      if (!caller) return undefined
      const { organization, actor } = caller
      const user = await runtime.database.reads(organization.id).one<{ email: string }>(sql`
        select email from users where organization_id = ${organization.id}
          and id = ${actor.user_id}`)
      return { full_name: actor.full_name, email: user!.email, organization: organization.name }
    },
    async accept(address, { invite_token, password, full_name }) {
      await failures.check(`address ${address}`)
      const caller = await invited(runtime, invite_token)
      if (!caller) {
        await failures.failed(`address ${address}`)
        throw unauthorized(
          'The invitation is not known, or was used or has expired',
          'invalid_token',
        )
      }
      const password_hash = await hashPassword(password)
      return inTransaction(runtime, caller, async (ctx) => {
        const id = await findInvitation(ctx, invite_token)
        if (!id) throw unauthorized('The invitation was used meanwhile', 'invalid_token')
        const chosen = full_name === undefined ? {} : { full_name }
        const accepted = await acceptInvitation(ctx, id, { ...chosen, password_hash })
        const { email, full_name: name, role } = JSON.parse(await accepted.json())
        const organization_id = ctx.organization.id
        return { organization_id, user_id: id, full_name: name, email, role }
      })
    },
  }
}

/** Accepting an invitation: whoever holds the token chooses a password and is signed in. */
export function acceptInviteOperation(invitations: Invitations, signIn: SignIn): Operation {
  return {
    name: 'accept_invite',
    summary: 'Accept an invitation: choose a password and sign in',
    can: 'anyone',
    writes: false,
    input: {
      body: {
        type: 'object',
        properties: {
          invite_token: { type: 'string', minLength: 1, maxLength: 500 },
          password: { type: 'string', minLength: 8, maxLength: 1000 },
          full_name: { type: 'string', pattern: '\\S', maxLength: 255 },
        },
        required: ['invite_token', 'password'],
      },
    },
    output: sessionSchema,
    run: async (_ctx, { body, address }) => signIn.start(await invitations.accept(address, body)),
  }
}

/** The invited user as the caller: the invitation is accepted in their own name. */
async function invited(runtime: Runtime, token: string) {
  const found = await runtime.database
    .reads(allOrganizations)
    .one<{ organization_id: string; id: string }>(
      sql`select organization_id, id from users where invite_hash = ${runtime.secrets.hash(token)}
      and deleted_at is null and invite_expires_at > ${runtime.now().toISOString()}`,
    )
  if (!found) return undefined
  const { organization_id, id } = found
  const loaded = await loadActor(runtime.database.reads(organization_id), organization_id, id)
  if (!loaded) return undefined
  const { organization, actor } = loaded
  return { organization, actor, source: 'application', request_id: newId() }
}
