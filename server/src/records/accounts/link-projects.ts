import type { Context } from '../../kit/ground/context.ts'
import { moveToAccount } from '../projects/move.ts'

/** The form in which a body names a project or deal. */
export type LinkInput = string | { project_id: string }

/** Moves projects and deals to the account; 400 names those that the caller cannot see. */
export async function linkProjects(
  ctx: Context,
  account_id: string,
  links: LinkInput[] | null | undefined,
): Promise<void> {
  for (const [i, link] of (links ?? []).entries()) {
    const id = typeof link === 'string' ? link : link.project_id
    await moveToAccount(ctx, id, account_id, `link_projects.${i}.project_id`)
  }
}
