import type { Context, Query } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import { attachedIds } from '../../kit/record/scope.ts'
import { Account } from '../accounts/account.ts'
import { ProjectOrDeal } from './project.ts'

/**
 * Whether a row belongs to a project to which a confined caller is attached, or to no project and to such an
 * account: a condition over `t`.
 */
export function ofAttachedProjectOrAccount(ctx: Context): Query {
  return sql`(t.project_id in ${attachedIds(ctx, ProjectOrDeal)}
    or (t.project_id is null and t.account_id in ${attachedIds(ctx, Account)}))`
}

/** What leads to the rows that belong to these, by the columns with their ids. */
export function attachedLinks(ctx: Context): { [column: string]: Query } {
  return { project_id: attachedIds(ctx, ProjectOrDeal), account_id: attachedIds(ctx, Account) }
}
