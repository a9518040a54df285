import type { Context } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import type { OpenIdPerson } from '../../kit/ground/services.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { addUser } from '../../records/users/create.ts'
import { lockPeople, standingOf } from '../../model/users/guards.ts'
import { acceptInvitation } from '../../records/users/invite.ts'
import type { Verified } from '../application/sign-in.ts'

type Provider = { issuer: string; new_users_role_id: string | null }
type Known = { id: string; is_active: boolean; is_invited: boolean }

/**
 * The user that a provider identifies: the one who signed in with this subject before, else the one with the
 * verified e-mail. This also accepts an open invitation; an unknown person joins if that is allowed.
 */
export async function personOf(
  ctx: Context,
  { issuer, new_users_role_id }: Provider,
  { subject, email, name }: OpenIdPerson & { email: string },
): Promise<Verified> {
  await lockPeople(ctx)
  const known = (await bySubject(ctx, issuer, subject)) ?? (await byEmail(ctx, email))
  if (known?.is_invited) await acceptInvitation(ctx, known.id, {})
  else if (known && !known.is_active) throw forbidden('This user is deactivated', 'deactivated')
  const id = known?.id ?? (await join(ctx, new_users_role_id, email, name))
  await ctx.run(sql`
    insert into openid_subjects (organization_id, issuer, subject, user_id, creation_time)
    values (${ctx.organization.id}, ${issuer}, ${subject}, ${id}, ${ctx.now().toISOString()})
    on conflict (organization_id, issuer, subject) do update set user_id = excluded.user_id`)
  const user = await ctx.one<{ full_name: string; email: string; role: string }>(sql`
    select t.full_name, t.email, r.role_name as role from users t
    join roles r on r.organization_id = $organization and r.id = t.role_id
    where ${mine(ctx)} and t.id = ${id}`)
  if (!user) throw new Error('the user who signed in is gone')
  const { organization } = ctx
  // second factors are left to the provider
  const rest = {
    organization_id: organization.id,
    organization,
    has_codes: false,
    must_enrol: false,
  }
  return { user_id: id, ...user, ...rest }
}

async function join(ctx: Context, role_id: string | null, email: string, name: string | null) {
  if (role_id === null || !(await standingOf(ctx, role_id))) {
    throw forbidden(
      'Nobody here has your e-mail: ask an administrator to invite you',
      'unknown_user',
    )
  }
  const [mailbox = email] = email.split('@')
  const full_name = (name?.trim() || mailbox).slice(0, 255)
  return addUser(ctx, { email, full_name, role_id })
}

const asKnown = sql`t.id, t.is_active, not t.is_active and t.invite_hash is not null as is_invited`

function bySubject(ctx: Context, issuer: string, subject: string) {
  return ctx.one<Known>(sql`select ${asKnown} from openid_subjects s
    join users t on t.organization_id = $organization and t.id = s.user_id
    where ${mine(ctx, 's')} and s.issuer = ${issuer} and s.subject = ${subject}
      and t.deleted_at is null`)
}

function byEmail(ctx: Context, email: string) {
  return ctx.one<Known>(sql`select ${asKnown} from users t
    where ${mine(ctx)} and t.email_key = ${email.trim().toLowerCase()} and t.deleted_at is null`)
}
