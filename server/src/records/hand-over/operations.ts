import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { arrayOf, enumeration } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { capitalized } from '../../kit/record/record.ts'
import { lockPeople, requireAdmin } from '../../model/users/guards.ts'
import { UserProfile } from '../../model/users/user.ts'
import { checkReceiver, handOver, undoDays, undoHandOver } from './hand-over.ts'
import { belongingsOf } from './belongings.ts'
import { kinds } from './kinds.ts'

const word = enumeration(
  kinds.map(({ kind }) => kind),
  { title: 'HandOverKind' },
)
const counts = arrayOf(
  Type.Object({ kind: word, count: Type.Integer() }, { title: 'HandedOverKind' }),
)
const notAdmin = 'Only admins may hand over what a user is responsible for'
const common = { can: { module: 'users', action: 'update' } } as const

/** Showing what belongs to a user, and handing it over to another one. */
export const handingOver = {
  links: operation({
    ...common,
    name: 'list_links_of_user',
    summary: 'List what a user is responsible for',
    description:
      'For admins, also of somebody who was removed: what the user owns or is assigned to, and what acts in their name, by kind with the names of the newest five.',
    writes: false,
    input: { params: byId },
    output: Type.Object(
      {
        user_id: Type.String(),
        total: Type.Integer(),
        kinds: Type.Array(
          Type.Object(
            {
              kind: word,
              count: Type.Integer(),
              names: Type.Array(Type.String(), { description: 'at most five' }),
            },
            { title: 'HangingKind' },
          ),
        ),
      },
      { title: 'UserLinks' },
    ),
    async run(ctx, { params: { id } }) {
      await requireAdmin(ctx, notAdmin)
      await checkKnown(ctx, id)
      const found = await belongingsOf(ctx, id)
      const total = found.reduce((sum, { count }) => sum + count, 0)
      return { user_id: id, total, kinds: found }
    },
  }),
  handOver: operation({
    ...common,
    name: 'hand_over_user',
    summary: 'Hand over what a user is responsible for',
    description:
      'For admins, before or after somebody is deactivated or removed: in one step, all kinds or those named. Records of past actions keep the user who did them. Connected apps act for the other user afterwards. It can be undone for 30 days.',
    writes: true,
    input: {
      params: byId,
      body: Type.Object(
        {
          to: Type.String({ minLength: 1, maxLength: 25, description: 'the id of another user' }),
          kinds: Type.Optional(Type.Array(word, { minItems: 1, description: 'all when absent' })),
        },
        { title: 'HandOver', additionalProperties: false },
      ),
    },
    output: Type.Object(
      { hand_over_id: Type.String({ description: 'for the undo' }), handed_over: counts },
      { title: 'HandedOver' },
    ),
    async run(ctx, { params: { id }, body }) {
      await requireAdmin(ctx, notAdmin)
      await lockPeople(ctx)
      await checkKnown(ctx, id)
      await checkReceiver(ctx, id, body.to)
      return new Answer(await handOver(ctx, id, body.to, body.kinds), { id })
    },
  }),
  undo: operation({
    ...common,
    name: 'undo_hand_over',
    summary: 'Undo a hand-over',
    description: `For admins, for ${undoDays} days. What was changed since stays as it is, and is counted in \`kept\`.`,
    writes: true,
    input: { params: Type.Object({ hand_over_id: Type.String() }) },
    output: Type.Object(
      { hand_over_id: Type.String(), restored: counts, kept: Type.Integer() },
      { title: 'HandOverUndone' },
    ),
    async run(ctx, { params: { hand_over_id } }) {
      await requireAdmin(ctx, notAdmin)
      await lockPeople(ctx)
      return undoHandOver(ctx, hand_over_id)
    },
  }),
}

/** 404 for somebody who never was a user here; removed users still count, since they leave things behind. */
async function checkKnown(ctx: Context, id: string) {
  const found = await ctx.one(sql`select from users t where ${mine(ctx)} and t.id = ${id}`)
  if (!found) throw notFound(capitalized(UserProfile.word))
}
