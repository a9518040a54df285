import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { Interaction } from '../../model/interactions/interaction.ts'
import { readInteraction } from './read.ts'

/** Adds the caller's reaction to a comment, or removes it if it exists. */
export async function toggleReaction(ctx: Context, id: string, reaction: string): Promise<Answer> {
  const found = await ctx.one(sql`
    select t.id from interactions t
    where ${scope(ctx, Interaction, 'read')} and t.id = ${id} and not t.is_deleted
    for update`)
  if (!found) throw badField('interaction_id', 'no such record')
  const removed = await ctx.run(sql`delete from interaction_reactions t
    where ${mine(ctx)} and t.interaction_id = ${id}
      and t.user_id = ${ctx.actor.user_id} and t.reaction = ${reaction}`)
  if (!removed) {
    await ctx.run(sql`
      insert into interaction_reactions
        (organization_id, interaction_id, user_id, reaction, creation_time)
      values (${ctx.organization.id}, ${id}, ${ctx.actor.user_id}, ${reaction},
        ${ctx.now().toISOString()})`)
  }
  await announce(ctx, Interaction, removed ? 'reaction_removed' : 'reaction_added', {
    id,
    title: removed ? 'Reaction removed' : 'Reaction added',
    action: 'updated',
    name: reaction,
    changes: [
      { field: 'reactions', from: removed ? reaction : null, to: removed ? null : reaction },
    ],
  })
  return readInteraction(ctx, id)
}
