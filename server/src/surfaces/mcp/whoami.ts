import { Type } from 'typebox'
import { orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { today } from '../../model/time/dates.ts'

/** Whom the assistant works for, in which organization, and what day it is there. */
export const whoami = operation({
  name: 'whoami',
  summary: 'Who is connected',
  description: 'The person you work for, their organization, and what day it is there.',
  can: 'signed_in',
  scope: null,
  writes: false,
  input: {},
  output: Type.Object({
    user_id: orNull(Type.String()),
    full_name: Type.String(),
    email: orNull(Type.String()),
    role: Type.String(),
    organization: Type.String(),
    timezone: Type.String(),
    today: Type.String({ format: 'date' }),
  }),
  async run(ctx) {
    const { actor, organization } = ctx
    const found = await ctx.one<{ email: string }>(sql`select u.email from users u
      where ${mine(ctx, 'u')} and u.id = ${actor.user_id}`)
    return {
      user_id: actor.user_id,
      full_name: actor.full_name,
      email: found?.email ?? null,
      role: actor.role_name,
      organization: organization.name,
      timezone: organization.timezone,
      today: today(ctx),
    }
  },
})
