import { modules } from '../../kit/modules.ts'
import type { AnyRecord } from '../../kit/record.ts'
import { Account } from '../accounts/account.ts'
import { Meeting } from '../calendar/meeting.ts'
import { Company } from '../companies/company.ts'
import { Contact } from '../contacts/contact.ts'
import { Dashboard } from '../dashboards/dashboard.ts'
import { Interaction } from '../interactions/interaction.ts'
import { Milestone } from '../milestones/milestone.ts'
import { Deal, Project } from '../projects/project.ts'
import { Survey } from '../surveys/survey.ts'
import { Tag } from '../tags/tag.ts'
import { Task } from '../tasks/task.ts'
import { Template } from '../templates/template.ts'
import { UserProfile } from '../users/user.ts'

/** A record that the search finds by its title, and by the field `also` where there is one. */
export type Source = { record: AnyRecord; also?: string }

/**
 * What the search looks through, a line a record; its table is made searchable with the same fields
 * by `make_searchable` in a migration. Who finds what is decided by the record's own rights.
 */
export const sources: Source[] = [
  { record: Contact, also: 'primary_email' },
  { record: Company, also: 'domain' },
  { record: Account },
  { record: Deal },
  { record: Project },
  { record: Milestone },
  { record: Task },
  { record: Meeting, also: 'location' },
  { record: Survey },
  { record: Template },
  { record: Dashboard },
  { record: Interaction },
  { record: Tag },
  { record: UserProfile, also: 'email' },
]

/** The word that stands for a source in queries and answers. */
export function wordOf({ record }: Source): string {
  return record.subject ?? record.module
}

/** The number of its module; null where it has none. */
export function numberOf(source: Source): number | null {
  return (modules as { [word: string]: number })[wordOf(source)] ?? null
}
