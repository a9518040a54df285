import type { AnyRecord } from '../kit/record/record.ts'
import { Company } from '../records/companies/company.ts'
import { Contact } from '../records/contacts/contact.ts'
import { Deal, Project } from '../records/projects/project.ts'
import { Meeting } from '../records/calendar/meeting.ts'
import { Interaction } from '../records/interactions/interaction.ts'
import { Milestone } from '../records/milestones/milestone.ts'
import { Survey } from '../records/surveys/survey.ts'
import { Task } from '../records/tasks/task.ts'
import { Template } from '../records/templates/template.ts'
import { UserProfile } from '../records/users/user.ts'
import type { EventName } from './catalogue.ts'
import { catalogue } from './catalogue.ts'

/** The record that an event tells of; undefined while its module keeps none. */
export function recordOf(event: EventName): AnyRecord | undefined {
  return records[catalogue[event].module]
}

/** The permission modules of which one must be readable for an event. */
export function permissionModulesOf(event: EventName): string[] {
  const { module } = catalogue[event]
  return borrowed[module] ?? [recordOf(event)?.module ?? module]
}

/** By the catalogue's modules: a module with events adds its record here, once. */
export const records: { [module: string]: AnyRecord | undefined } = {
  companies: Company,
  contacts: Contact,
  deals: Deal,
  projects: Project,
  milestones: Milestone,
  interactions: Interaction,
  meetings: Meeting,
  surveys: Survey,
  tasks: Task,
  templates: Template,
  users: UserProfile,
}

// modules without rights of their own
const borrowed: { [module: string]: string[] } = {
  milestones: ['projects', 'deals'],
  meetings: ['calendar'],
}
