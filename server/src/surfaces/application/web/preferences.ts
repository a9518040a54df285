import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { badRequest } from '../../../kit/ground/errors.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'

/** The maximum size of one user's preferences, in bytes of JSON. */
const mostBytes = 64 * 1024

const content = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  title: 'Preferences',
  description: 'anything that your programs want to store, by names of their own',
})

const common = { topic: 'users', can: 'signed_in', output: content } as const

/** A user's display preferences: stored for their programs, without log entries and events. */
export const preferences = {
  read: operation({
    ...common,
    name: 'read_preferences',
    summary: 'Retrieve your preferences',
    writes: false,
    input: {},
    run: readPreferences,
  }),
  update: operation({
    ...common,
    name: 'update_preferences',
    summary: 'Change your preferences',
    description:
      'Members of the body replace those of the same names, and null removes one; the others stay. At most 64 KiB of JSON in all.',
    writes: true,
    input: { body: content },
    async run(ctx, { body }) {
      // concurrent writes of a user wait for each other, so that none is lost
      await ctx.one(sql`select id from users t where ${mine(ctx)} and t.id = ${ctx.actor.user_id}
        for no key update`)
      const merged = Object.entries({ ...(await readPreferences(ctx)), ...body })
      const next = Object.fromEntries(merged.filter(([, value]) => value !== null))
      const text = JSON.stringify(next)
      if (Buffer.byteLength(text) > mostBytes) {
        throw badRequest('Your preferences would be larger than 64 KiB', undefined, 'too_large')
      }
      await ctx.run(sql`insert into preferences (organization_id, user_id, content)
        values (${ctx.organization.id}, ${ctx.actor.user_id}, ${text})
        on conflict (organization_id, user_id) do update set content = excluded.content`)
      return next
    },
  }),
}

async function readPreferences(ctx: Context): Promise<{ [name: string]: unknown }> {
  const found = await ctx.one<{ content: { [name: string]: unknown } }>(sql`
    select t.content from preferences t where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id}`)
  return found?.content ?? {}
}
