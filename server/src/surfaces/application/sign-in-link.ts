import { failuresOf } from '../../kit/ground/address.ts'
import type { Context, PublicContext } from '../../kit/ground/context.ts'
import { operation } from '../../kit/ground/operation.ts'
import { anywhere, sql } from '../../kit/ground/sql.ts'
import { externalKinds } from '../../model/users/roles/permissions.ts'
import { ofAnyone } from '../../model/users/one-time-codes/state.ts'
import type { OutsiderLink } from '../../records/mail/outsider-link.ts'
import { readOutsiderLink, useOutsiderLink } from '../../records/mail/outsider-link.ts'
import { offerSignIn, useSignInLink } from '../../records/users/sign-in-link.ts'
import type { Origin } from '../../records/users/sign-ins.ts'
import { system } from '../../runtime.ts'
import { passCode } from './codes.ts'
import { successSchema } from './login.ts'
import { accountBody, mailLinks } from './mailed-links.ts'
import type { Verified } from './sign-in.ts'
import { startBrowserSession } from './sign-in.ts'

export const requestSignInLink = operation({
  name: 'ask_sign_in_link',
  summary: 'Request a link to sign in',
  description:
    'Mails a link to every user with the e-mail, which signs a browser in once, within 15 minutes, after a button is pressed there and, where the user has set them up, a one-time code is entered. The answer is the same where there is none.',
  topic: 'sessions',
  can: 'anyone',
  writes: false,
  input: { body: accountBody },
  output: successSchema,
  async run(ctx, { body, address }) {
    await mailLinks(ctx, address, body, offerSignIn)
    return { status: 'success' }
  },
})

/** Who is signed in by a link; of one in a mail about a record, that too. */
export type SignInLink = { user: Verified; reads: Context; mailed: OutsiderLink | undefined }

/**
 * The user whom a link signs in, and a context of their organization; undefined for a link that signs nobody in. A link
 * of a mail about a record is of customers and partners alone, and may be used up already (`mailed.state`).
 */
export async function openSignInLink(
  ctx: PublicContext,
  token: string,
): Promise<SignInLink | undefined> {
  const mailed = await readOutsiderLink(ctx, token)
  const named = mailed
    ? sql`u.organization_id = ${mailed.organization_id} and u.id = ${mailed.user_id}
        and r.kind = any(${externalKinds})`
    : sql`u.sign_in_hash = ${ctx.secrets.hash(token)}
        and u.sign_in_expires_at > ${ctx.now().toISOString()}`
  const user = await ctx.lookup.one<Verified>(sql`
    select u.organization_id, u.id as user_id, u.full_name, u.email, r.role_name as role,
      ${ofAnyone.hasCodes} as has_codes, ${ofAnyone.mustEnrol} as must_enrol, json_build_object(
        'id', o.organization_id, 'name', o.name, 'timezone', o.timezone) as organization
    from users u
    join roles r on r.organization_id = u.organization_id and r.id = u.role_id
    join organizations o on o.organization_id = u.organization_id
    where ${anywhere('u')} and ${anywhere('r')} and ${anywhere('o')} and ${named} and u.is_active and u.deleted_at is null`)
  if (!user) return undefined
  const { reads } = ctx.actAs({ organization: user.organization, actor: system })
  return { user, reads, mailed }
}

/**
 * Signs a browser in by a link, which is used up; undefined for one that signs nobody in, which counts as a failed
 * sign-in if it was not `open`. 401 for a wrong one-time code, after which the link still works.
 */
export async function enterByLink(
  ctx: PublicContext,
  from: Origin,
  { open, token, code }: { open: SignInLink | undefined; token: string; code: string },
) {
  const { failures } = ctx.services
  const counted = failuresOf(from.address)
  await failures.check(counted)
  if (!open || (open.mailed && open.mailed.state !== 'open')) {
    await failures.failed(counted)
    return undefined
  }
  const { user, mailed } = open
  const method = user.has_codes ? await passCode(ctx, from, user, code) : 'link'
  const { organization } = user
  const isUsed = await ctx
    .actAs({ organization, actor: system })
    .write((own) => (mailed ? useOutsiderLink(own, mailed.id) : useSignInLink(own, token)))
  if (!isUsed) return undefined
  const { session_id, secret } = await startBrowserSession(ctx, user, { ...from, method })
  const { organization_id } = user
  return { organization_id, session_id, secret, path: mailed?.path ?? '/' }
}

/** Mails a new link to the person whom a link is of. */
export async function offerAgain(ctx: PublicContext, { user }: SignInLink): Promise<void> {
  const { organization, user_id: id, full_name, email } = user
  await ctx
    .actAs({ organization, actor: system })
    .write((own) => offerSignIn(own, { id, full_name, email }))
}
