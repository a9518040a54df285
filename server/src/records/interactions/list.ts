import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Json } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { listCursor } from '../../kit/read/cursor.ts'
import { sizeUnderEitherName } from '../../kit/read/page.ts'
import { eitherOf } from '../../kit/record/names.ts'
import { subjectFrom } from '../activity/subject.ts'
import { recordOf } from './audience.ts'
import type { InteractionQuery } from './input.ts'
import type { InteractionRow } from '../../model/interactions/interaction.ts'
import { Interaction } from '../../model/interactions/interaction.ts'
import { withReadState } from './read.ts'
import { checkReadable } from '../../kit/read/one.ts'

type Page = { results: InteractionRow[]; next_cursor: string | null }

/** Threads by their first comment, the replies to one, or all replies in some threads. 404 for a record or parent not visible. */
export async function listInteractions(ctx: Context, query: InteractionQuery): Promise<Page> {
  const threads = threadsIn(query)
  const subject = subjectFrom(query)
  if (subject?.id) await checkReadable(ctx, recordOf(subject.module), subject.id)
  const parent = query.parent_interaction_id
  if (parent) await checkReadable(ctx, Interaction, parent)
  const conditions: Query[] = [
    threads
      ? sql`t.thread_id = any(${threads}::varchar[]) and t.parent_interaction_id is not null`
      : parent
        ? sql`t.parent_interaction_id = ${parent}`
        : sql`t.parent_interaction_id is null`,
  ]
  if (subject) conditions.push(sql`t.module_id = ${subject.number ?? 0}`)
  if (subject?.id) conditions.push(sql`t.reference_id = ${subject.id}`)
  for (const name of ['interaction_type', 'is_pinned', 'is_resolved'] as const) {
    if (query[name] !== undefined) conditions.push(sql`${sql.ref(`t.${name}`)} = ${query[name]}`)
  }
  // a cursor is only valid for the same selection
  const selection = [
    subject,
    parent,
    threads,
    query.interaction_type,
    query.is_pinned,
    query.is_resolved,
  ]
  const { body } = await listCursor(
    ctx,
    Interaction,
    {
      limit: sizeUnderEitherName(query),
      next_cursor: eitherOf(['next_cursor', query.next_cursor], ['cursor', query.cursor]),
      ...(query.cursor === undefined ? {} : { cursor_name: 'cursor' }),
      sort: isAscending(query) ? 'creation_time' : '-creation_time',
    },
    { condition: all(...conditions), words: JSON.stringify(selection) },
  )
  const page = JSON.parse((body as Json).text) as Page
  return { ...page, results: await withReadState(ctx, page.results) }
}

/** The threads whose replies are requested; 400 together with a single parent, and for more than 100. */
function threadsIn({ thread_ids, parent_interaction_id }: InteractionQuery): string[] | undefined {
  if (thread_ids === undefined) return undefined
  if (parent_interaction_id)
    throw badField('thread_ids', 'cannot be combined with parent_interaction_id')
  const ids = thread_ids.split(',').map((id) => id.trim())
  if (ids.length > 100) throw badField('thread_ids', 'must be at most 100 ids')
  return ids
}

/** As in the other lists: `reverse` descends with a sort key, and without one reverses the usual order. */
function isAscending({ sort, reverse }: InteractionQuery): boolean {
  if (sort === undefined) return reverse === true
  return reverse === undefined ? sort === 'asc' || sort === 'creation_time' : !reverse
}
