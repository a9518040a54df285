import { modules } from '../../kit/record/modules.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { Account } from '../accounts/account.ts'
import { Meeting } from '../calendar/meeting.ts'
import { Company } from '../companies/company.ts'
import { Contact } from '../contacts/contact.ts'
import { Dashboard } from '../dashboards/dashboard.ts'
import { Document } from '../documents/document.ts'
import { Interaction } from '../interactions/interaction.ts'
import { Milestone } from '../milestones/milestone.ts'
import { Deal, Project } from '../projects/project.ts'
import { Survey } from '../surveys/survey.ts'
import { Tag } from '../tags/tag.ts'
import { Task } from '../tasks/task.ts'
import { Template } from '../templates/template.ts'
import { UserProfile } from '../users/user.ts'

/**
 * What the search looks through, a line a record: by the fields that its `q` looks into, of which the
 * first is its title. `make_searchable` in a migration keeps their words. Who finds what is decided by
 * the record's own rights.
 */
export const sources: AnyRecord[] = [
  Contact,
  Company,
  Account,
  Deal,
  Project,
  Milestone,
  Task,
  Meeting,
  Survey,
  Template,
  Dashboard,
  latest(Document),
  Interaction,
  Tag,
  UserProfile,
]

/** Of what is kept in versions, only the latest is looked for. */
function latest(record: AnyRecord): AnyRecord {
  const visible: AnyRecord['visible'] = (ctx, action) =>
    all(record.visible?.(ctx, action), sql`t.latest_version`)
  return { ...record, visible }
}

/** The word that stands for a record in queries and answers. */
export function wordOf(record: AnyRecord): string {
  return record.subject ?? record.module
}

/** The number of its module; null where it has none. */
export function numberOf(record: AnyRecord): number | null {
  return (modules as { [word: string]: number })[wordOf(record)] ?? null
}
