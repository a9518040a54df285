import { Type } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import { failuresOf } from '../../../kit/ground/address.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { notFound } from '../../../kit/ground/errors.ts'
import { arrayOf } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import { lock } from '../../../kit/write/write.ts'
import { requirePassword } from '../change-password.ts'
import { checkTouchable } from '../../../model/users/guards.ts'
import { self } from '../password.ts'
import { UserProfile } from '../../../model/users/user.ts'
import { confirm, enrol, newRecoveryCodes, removeCodes, wrongCode } from './enrol.ts'
import { hasCodes } from '../../../model/users/one-time-codes/state.ts'
import { useCode } from './verify.ts'

const common = { topic: 'one-time codes', can: 'signed_in', needsSession: true } as const
const code = Type.String({ minLength: 1, maxLength: 50 })
const password = Type.Optional(
  Type.String({ maxLength: 1000, description: 'your password; omit it only if you have none' }),
)
const recoverySchema = Type.Object(
  { recovery_codes: arrayOf(Type.String({ description: 'each works once; shown only now' })) },
  { title: 'RecoveryCodes' },
)

/** One-time codes (TOTP, RFC 6238) of the caller, and their removal by an administrator. */
export const oneTimeCodes = {
  read: operation({
    ...common,
    name: 'read_one_time_codes',
    summary: 'Retrieve the state of your one-time codes',
    enrols: true,
    writes: false,
    input: {},
    output: Type.Object(
      {
        is_enabled: Type.Boolean(),
        is_required: Type.Boolean({ description: 'whether the organization requires them' }),
        recovery_codes_left: Type.Integer(),
      },
      { title: 'OneTimeCodes' },
    ),
    run: (ctx) =>
      ctx.one(sql`select ${hasCodes} as is_enabled, o.requires_one_time_codes as is_required,
          (select count(*)::int from recovery_codes r where r.organization_id = $organization
            and r.user_id = u.id and r.used_at is null) as recovery_codes_left
        from users u join organizations o on o.organization_id = $organization
        where ${mine(ctx, 'u')} and u.id = ${ctx.actor.user_id}`),
  }),
  enrol: operation({
    ...common,
    name: 'enrol_one_time_codes',
    summary: 'Begin to set up one-time codes',
    description:
      'The answer shows the secret once, as text and as a URI for the picture that authenticator apps read. Sign-ins need codes as soon as the first one is confirmed.',
    enrols: true,
    writes: true,
    input: { body: Type.Object({ password }) },
    output: Type.Object(
      {
        secret: Type.String({ description: 'in base 32' }),
        otpauth_uri: Type.String({ description: 'otpauth://totp/…' }),
      },
      { title: 'OneTimeCodeSecret' },
    ),
    async before(ctx, { body, address }) {
      await requirePassword(ctx, address, 'password', body.password)
    },
    run: async (ctx) => enrol(ctx, await self(ctx)),
  }),
  confirm: operation({
    ...common,
    name: 'confirm_one_time_codes',
    summary: 'Turn on one-time codes with the first code',
    enrols: true,
    writes: true,
    input: { body: Type.Object({ code }) },
    output: recoverySchema,
    async run(ctx, { body, address }) {
      const person = await self(ctx)
      const recovery_codes = await guessing(ctx, address, () => confirm(ctx, person, body.code))
      return { recovery_codes }
    },
  }),
  renew: operation({
    ...common,
    name: 'renew_recovery_codes',
    summary: 'Replace your recovery codes',
    writes: true,
    input: { body: Type.Object({ code }) },
    output: recoverySchema,
    async run(ctx, { body, address }) {
      const { id, full_name } = await self(ctx)
      await guessing(ctx, address, () => requireCode(ctx, id, body.code))
      await announce(ctx, UserProfile, 'recovery_codes_replaced', {
        id,
        title: 'Recovery codes replaced',
        name: full_name,
      })
      return { recovery_codes: await newRecoveryCodes(ctx, id) }
    },
  }),
  disable: operation({
    ...common,
    name: 'disable_one_time_codes',
    summary: 'Turn off your one-time codes',
    description: 'Takes a code of the app or a recovery code, and the password.',
    writes: true,
    input: { body: Type.Object({ code, password }) },
    output: null,
    async before(ctx, { body, address }) {
      await requirePassword(ctx, address, 'password', body.password)
    },
    async run(ctx, { body, address }) {
      const person = await self(ctx)
      await guessing(ctx, address, () => requireCode(ctx, person.id, body.code))
      await removeCodes(ctx, person)
    },
  }),
  reset: operation({
    name: 'reset_one_time_codes',
    needsSession: true,
    summary: 'Remove the one-time codes of a user',
    description: 'For users who lost both their device and their recovery codes.',
    topic: common.topic,
    can: { module: 'users', action: 'update' },
    writes: true,
    input: { params: byId },
    output: null,
    async run(ctx, { params }) {
      const { row } = await lock(ctx, UserProfile, params.id, 'update')
      await checkTouchable(ctx, row)
      const { full_name, email } = row
      const isRemoved = await removeCodes(ctx, { id: params.id, full_name, email })
      if (!isRemoved) throw notFound('One-time codes')
    },
  }),
}

async function requireCode(ctx: Context, user_id: string, code: string): Promise<void> {
  if (!(await useCode(ctx, user_id, code))) throw wrongCode()
}

/** Counts a wrong code as a failed sign-in of the account and the address; 429 after too many. */
async function guessing<T>(ctx: Context, address: string, work: () => Promise<T>): Promise<T> {
  const { failures } = ctx.services
  const counted = [failuresOf(address), `code ${ctx.actor.user_id}`]
  await failures.check(...counted)
  try {
    return await work()
  } catch (error) {
    await failures.failed(...counted)
    throw error
  }
}
