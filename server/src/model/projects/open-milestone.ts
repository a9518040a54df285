import { rowsOf } from '../../kit/record/readable.ts'

/**
 * Whether something of a milestone, by its alias, is open: it is not completed, and neither are all of its tasks, as far
 * as the reader may read them.
 */
export function somethingOpen(alias: string): string {
  const its = `from ${rowsOf('tasks')} w where w.organization_id = $organization
    and w.milestone_id = ${alias}.id and w.deleted_at is null`
  return `(${alias}.completed_at is null
    and (exists (select ${its} and not w.is_completed) or not exists (select ${its})))`
}
