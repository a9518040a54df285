import type { Context, Query } from '../../kit/ground/context.ts'
import type { Json } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { listCursor } from '../../kit/read/cursor.ts'
import { subjectFrom } from '../activity/subject.ts'
import { recordOf } from './audience.ts'
import type { InteractionQuery } from './input.ts'
import type { InteractionRow } from './interaction.ts'
import { Interaction } from './interaction.ts'
import { withReadState } from './read.ts'
import { checkReadable } from '../../kit/read/one.ts'

type Page = { results: InteractionRow[]; next_cursor: string | null }

/** Threads by their first comment, or the replies to one. 404 for a record or parent not visible. */
export async function listInteractions(ctx: Context, query: InteractionQuery): Promise<Page> {
  const subject = subjectFrom(query)
  if (subject?.id) await checkReadable(ctx, recordOf(subject.module), subject.id)
  const parent = query.parent_interaction_id
  if (parent) await checkReadable(ctx, Interaction, parent)
  const conditions: Query[] = [
    parent ? sql`t.parent_interaction_id = ${parent}` : sql`t.parent_interaction_id is null`,
  ]
  if (subject) conditions.push(sql`t.module_id = ${subject.number ?? 0}`)
  if (subject?.id) conditions.push(sql`t.reference_id = ${subject.id}`)
  for (const name of ['interaction_type', 'is_pinned', 'is_resolved'] as const) {
    if (query[name] !== undefined) conditions.push(sql`${sql.ref(`t.${name}`)} = ${query[name]}`)
  }
  // a cursor is valid for the same selection alone
  const selection = [subject, parent, query.interaction_type, query.is_pinned, query.is_resolved]
  const { body } = await listCursor(
    ctx,
    Interaction,
    {
      limit: query.limit ?? query.items_per_page,
      next_cursor: query.cursor ?? query.next_cursor,
      sort: isAscending(query) ? 'creation_time' : '-creation_time',
    },
    { condition: all(...conditions), words: JSON.stringify(selection) },
  )
  const page = JSON.parse((body as Json).text) as Page
  return { ...page, results: await withReadState(ctx, page.results) }
}

function isAscending({ sort, reverse }: InteractionQuery): boolean {
  return reverse === undefined ? sort === 'asc' || sort === 'creation_time' : !reverse
}
