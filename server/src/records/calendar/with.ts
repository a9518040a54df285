import type { Context, Query } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { subjectOf } from '../timeline/subject.ts'

type Names = 'account_id' | 'company_id' | 'contact_id'

/**
 * The meetings with customers, as a condition over `t`; undefined where none is named. 404 for one that the caller may
 * not read.
 */
export async function meetingsWith(
  ctx: Context,
  customers: { [name in Names]: string | undefined },
): Promise<Query | undefined> {
  const conditions: Query[] = []
  for (const name of Object.keys(customers) as Names[]) {
    const id = customers[name]
    if (id === undefined) continue
    const { module, ids } = await subjectOf(ctx, name, id)
    conditions.push(sql`t.id in (select a.source_id from record_activity a
      where ${mine(ctx, 'a')} and a.subject_module = ${module}
        and a.subject_id = any(${ids}::varchar[]) and a.kind = 'meeting')`)
  }
  return conditions.length ? all(...conditions) : undefined
}
