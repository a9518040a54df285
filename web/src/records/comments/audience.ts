import type { Session } from '../../api/session.ts'
import type { Comment } from '../../data/comments.ts'
import type { IconName } from '../../ui/icons.tsx'
import type { Audience } from './drafts.ts'
import { t } from '../../locales/text.ts'

/** The description of who sees a comment. */
export const audiences: { [audience in Audience]: { label: string; icon: IconName } } = {
  team: { label: t('Only your team'), icon: 'users' },
  customer: { label: t('Shared with the customer'), icon: 'globe' },
  private: { label: t('Only you and who is mentioned'), icon: 'lock' },
}

/** Who sees an existing comment. */
export function audienceOf({ is_private, is_shared }: Comment): Audience {
  return is_private ? 'private' : is_shared ? 'customer' : 'team'
}

/** Whether somebody is a customer or partner: their comments are always shared. */
export function isOutside({ role }: Session): boolean {
  return role.kind === 'customer' || role.kind === 'partner'
}

/** The possible audiences of a comment, the default first: a reply cannot have more readers than its thread. */
export function audiencesFor(session: Session, parent: Comment | undefined): Audience[] {
  if (isOutside(session)) return ['customer']
  if (!parent) return ['team', 'customer', 'private']
  const above = audienceOf(parent)
  return above === 'customer' ? ['customer', 'team'] : [above]
}
