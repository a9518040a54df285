import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { arrayOf, enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { lock } from '../../kit/write/write.ts'
import { checkTouchable } from '../../model/users/guards.ts'
import { endSessionsAndTokens, endSessions } from './sessions.ts'
import { signInMethods } from './sign-ins.ts'
import { UserProfile } from '../../model/users/user.ts'

const topic = 'sessions'

/** The operations of users on their own sessions. */
export const sessions = {
  list: operation({
    name: 'list_sessions',
    summary: 'List your sessions',
    description:
      'Where you are signed in, last used first: `application` with a token, `browser` on the pages that connect apps.',
    topic,
    needsSession: true,
    can: 'signed_in',
    writes: false,
    input: {},
    output: arrayOf(
      Type.Object(
        {
          session_id: Type.String(),
          kind: enumeration(['application', 'browser'], { title: 'SessionKind' }),
          method: enumeration(signInMethods, {
            title: 'SignInMethod',
            description: 'how it was begun',
          }),
          address: orNull(
            Type.String({ description: 'the network address that it was started from' }),
          ),
          user_agent: orNull(Type.String({ description: 'the program, as it names itself' })),
          is_current: Type.Boolean({ description: 'whether this request belongs to it' }),
          creation_time: Type.String({ format: 'date-time' }),
          last_used_at: Type.String({ format: 'date-time', description: 'to the hour' }),
          expires_at: Type.String({ format: 'date-time' }),
        },
        { title: 'Session' },
      ),
    ),
    run: (ctx) => listSessions(ctx),
  }),
  end: operation({
    name: 'end_session',
    summary: 'End a session',
    description: 'One of your own; its tokens stop working at once.',
    topic,
    needsSession: true,
    can: 'signed_in',
    writes: true,
    input: { params: byId },
    output: null,
    run: (ctx, { params }) => endSession(ctx, params.id),
  }),
  endOthers: operation({
    name: 'end_other_sessions',
    summary: 'End your other sessions',
    description: 'Every session of yours but the one of this request.',
    topic,
    needsSession: true,
    can: 'signed_in',
    writes: true,
    input: {},
    output: null,
    run: (ctx) => endSessions(ctx, ctx.actor.user_id ?? '', ctx.actor.session_id),
  }),
  endAllOf: operation({
    name: 'end_sessions_of_user',
    summary: 'End every session of a user',
    description: 'Their personal access tokens end too.',
    topic,
    needsSession: true,
    can: { module: 'users', action: 'update' },
    writes: true,
    input: { params: byId },
    output: null,
    async run(ctx, { params }) {
      const { row } = await lock(ctx, UserProfile, params.id, 'update')
      await checkTouchable(ctx, row)
      await endSessionsAndTokens(ctx, params.id)
      await announce(ctx, UserProfile, 'sessions_ended', {
        id: params.id,
        title: 'Sessions ended',
        name: row.full_name,
      })
    },
  }),
}

/** At most 500, which is more than anybody has. */
function listSessions(ctx: Context) {
  const { user_id, session_id = null } = ctx.actor
  const now = ctx.now().toISOString()
  return ctx.all(sql`
    select t.id as session_id, 'application' as kind, t.method, t.address, t.user_agent,
      t.id = ${session_id} as is_current, t.creation_time, t.rotated_at as last_used_at, t.expires_at
    from sessions t where ${mine(ctx)} and t.user_id = ${user_id} and t.revoked_at is null
      and t.expires_at > ${now}
    union all
    select t.id, 'browser', t.method, t.address, t.user_agent, false, t.creation_time,
      t.creation_time, t.expires_at
    from browser_sessions t where ${mine(ctx)} and t.user_id = ${user_id} and t.expires_at > ${now}
    order by last_used_at desc, session_id desc limit 500`)
}

async function endSession(ctx: Context, id: string): Promise<void> {
  const { user_id } = ctx.actor
  const now = ctx.now().toISOString()
  const ended = await ctx.run(sql`update sessions t set revoked_at = ${now}
    where ${mine(ctx)} and t.id = ${id} and t.user_id = ${user_id} and t.revoked_at is null
      and t.expires_at > ${now}`)
  const removed = await ctx.run(sql`delete from browser_sessions t
    where ${mine(ctx)} and t.id = ${id} and t.user_id = ${user_id}`)
  if (!ended && !removed) throw notFound('session')
  ctx.forget()
}
