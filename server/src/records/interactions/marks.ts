import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { subjectFrom, writableSubject } from '../activity/subject.ts'
import { Interaction } from './interaction.ts'
import { readShown } from './shown.ts'

const id = { type: 'string', minLength: 1, maxLength: 25 }
const module = { type: ['integer', 'string'], maxLength: 40 }

/** What readers leave on comments: reactions, and that they have read them. */
export const interactionMarks = {
  react: {
    name: 'toggle_reaction',
    summary: 'Add your reaction to a comment, or take it back',
    can: { module: 'interactions', action: 'read' },
    writes: true,
    input: {
      body: {
        type: 'object',
        properties: {
          interaction_id: id,
          reaction: { type: 'string', minLength: 1, maxLength: 60, pattern: '\\S' },
        },
        required: ['interaction_id', 'reaction'],
      },
    },
    output: readSchema(Interaction),
    async run(ctx: Context, { body }: Input) {
      const { interaction_id, reaction } = body
      const found = await ctx.one<{ version: number; module_id: number; content: string }>(sql`
        select t.version, t.module_id, t.content from interactions t
        where ${scope(ctx, Interaction, 'read')} and t.id = ${interaction_id} and not t.is_deleted
        for update`)
      if (!found) throw badField('interaction_id', 'no such record')
      const gone = await ctx.run(sql`delete from interaction_reactions t
        where ${mine(ctx)} and t.interaction_id = ${interaction_id}
          and t.user_id = ${ctx.actor.user_id} and t.reaction = ${reaction}`)
      if (!gone) {
        await ctx.run(sql`
          insert into interaction_reactions
            (organization_id, interaction_id, user_id, reaction, creation_time)
          values (${ctx.organization.id}, ${interaction_id}, ${ctx.actor.user_id}, ${reaction},
            ${ctx.now().toISOString()})`)
      }
      ctx.emit({
        type: null,
        title: gone ? 'Reaction taken back' : 'Reaction added',
        module_id: null,
        reference_id: interaction_id,
        changes: [{ field: 'reactions', from: gone ? reaction : null, to: gone ? null : reaction }],
        raw_description: { action: 'updated', module: 'interactions', name: reaction },
      })
      return readShown(ctx, interaction_id)
    },
  } satisfies Operation,
  markRead: {
    name: 'mark_interactions_read',
    summary: 'Mark comments as read: by their ids, or all of a record',
    can: { module: 'interactions', action: 'read' },
    writes: true,
    input: {
      body: {
        type: 'object',
        properties: {
          interaction_ids: { type: 'array', items: id, maxItems: 500 },
          module_name: module,
          module_id: module,
          reference_id: id,
        },
      },
    },
    output: {
      type: 'object',
      properties: { status: { type: 'string' }, marked: { type: 'integer' } },
      required: ['status', 'marked'],
    },
    async run(ctx: Context, { body }: Input) {
      // a body in the shape of one interaction means that one
      const one = typeof body.interaction_id === 'string' ? [body.interaction_id] : undefined
      const ids = body.interaction_ids ?? one
      if (!ids && !body.reference_id) {
        throw badField('interaction_ids', 'is required, or module_name and reference_id')
      }
      const subject = body.reference_id ? await writableSubject(ctx, body) : undefined
      const which = ids
        ? sql`t.id = any(${ids}::varchar[])`
        : sql`t.module_id = ${subject!.number!} and t.reference_id = ${subject!.id!}`
      const marked = await ctx.run(sql`
        insert into interaction_reads (organization_id, user_id, interaction_id, creation_time)
        select t.organization_id, ${ctx.actor.user_id}, t.id, ${ctx.now().toISOString()}
        from interactions t where ${scope(ctx, Interaction, 'read')} and ${which}
        on conflict do nothing`)
      return { status: 'success', marked }
    },
  } satisfies Operation,
  unreadCounts: {
    name: 'count_unread_interactions',
    summary: 'How many comments of records you have not read',
    can: { module: 'interactions', action: 'read' },
    writes: false,
    input: {
      body: {
        type: 'object',
        properties: {
          module_name: module,
          module_id: module,
          reference_ids: { type: 'array', items: id, maxItems: 500 },
        },
      },
    },
    output: {
      type: 'object',
      properties: {
        counts: { type: 'object', additionalProperties: { type: 'integer' } },
        total: { type: 'integer' },
      },
      required: ['counts', 'total'],
    },
    async run(ctx: Context, { body }: Input) {
      const { reference_ids, reference_id, ...named } = body
      const subject = subjectFrom(named)
      if (!subject?.number) throw badField('module_name', 'is required')
      const ids = reference_ids ?? (typeof reference_id === 'string' ? [reference_id] : [])
      const found = await ctx.all<{ id: string; unread: number }>(sql`
        select t.reference_id as id, count(*)::int as unread from interactions t
        where ${scope(ctx, Interaction, 'read')} and t.module_id = ${subject.number}
          and t.reference_id = any(${ids}::varchar[]) and not t.is_deleted
          and t.created_by is distinct from ${ctx.actor.user_id}
          and not exists (select from interaction_reads r where r.organization_id = t.organization_id
            and r.user_id = ${ctx.actor.user_id} and r.interaction_id = t.id)
        group by 1`)
      const known = new Map(found.map(({ id: key, unread }) => [key, unread]))
      const counts = Object.fromEntries(ids.map((key: string) => [key, known.get(key) ?? 0]))
      return { counts, total: found.reduce((sum, { unread }) => sum + unread, 0) }
    },
  } satisfies Operation,
}
