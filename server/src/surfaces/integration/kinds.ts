import type { TProperties } from 'typebox'
import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { moduleNumber } from '../../kit/record/modules.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { Account } from '../../model/accounts/account.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { Company } from '../../model/companies/company.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { Document } from '../../model/documents/document.ts'
import { Interaction } from '../../model/interactions/interaction.ts'
import { following } from '../../model/merging/tombstone.ts'
import { recordOfType } from '../../model/projects/project.ts'
import { Survey } from '../../model/surveys/survey.ts'
import { Task } from '../../model/tasks/task.ts'
import { Template } from '../../model/templates/template.ts'
import { UserProfile } from '../../model/users/user.ts'
import { accounts } from '../../records/accounts/operations.ts'
import { requireScope } from '../../records/apps/scopes.ts'
import { calendar } from '../../records/calendar/operations.ts'
import { meetingsWith } from '../../records/calendar/with.ts'
import { companies } from '../../records/companies/operations.ts'
import { contacts } from '../../records/contacts/operations.ts'
import { documents } from '../../records/documents/operations.ts'
import type { Extras } from '../../records/field-config/catalogue.ts'
import { interactions } from '../../records/interactions/operations.ts'
import { surveys } from '../../records/surveys/operations.ts'
import { templates } from '../../records/templates/operations.ts'
import { users } from '../../records/users/operations.ts'
import type { Equalities } from './equalities.ts'
import { deals, projects } from './one-kind.ts'
import { logNote } from './notes.ts'
import { readTask, taskExtras, taskParameters, tasksOf } from './tasks.ts'

/** A kind of record that apps and models reach: both surfaces derive their lists, reads and writes from it. */
export type Kind = {
  record: AnyRecord
  /** the scopes of apps of which any one opens it */
  scopes: string[]
  read: Operation
  create?: Operation
  update?: Operation
  /** arguments of its list besides those of every list, and what they and the caller select */
  own?: TProperties
  only?: (
    ctx: Context,
    own: { [name: string]: unknown },
  ) => Promise<Query | undefined> | Query | undefined
  /** parameters of its list for apps that stand for an equality */
  equals?: Equalities
  /** properties of a create besides its fields, for the catalogue of them */
  extras?: Extras
  /** fields that a read for models leaves out unless they are asked for, since another one says the same */
  doubled?: string[]
}

/** The scopes of an operation of which any one opens it, as it names them. */
export function openedBy(scopes: string[]): Pick<Operation, 'scope' | 'scopes'> {
  return scopes.length > 1 ? { scope: null, scopes } : { scope: scopes[0] ?? null }
}

type Customers = { account_id?: string; company_id?: string; contact_id?: string }

const optionalId = (description: string) => Type.Optional(idInQuery(description))

/** An operation that needs a scope of other records: a company and its account are one customer. */
const ofCustomers = <O extends Operation>(operation: O): O => ({
  ...operation,
  scope: `company.${operation.writes ? 'write' : 'read'}`,
})

/** Every kind of record, by the word of its module. */
export const kinds = {
  companies: {
    record: Company,
    scopes: ['company.read'],
    read: following(Company, companies.read),
    create: companies.create,
    update: following(Company, companies.update),
    equals: {
      company_name: 'company_name',
      domain: 'domain',
      company_owner: 'company_owner',
      company_type: 'company_type',
      industry: 'industry',
      customer_segment: 'customer_segment',
    },
  },
  contacts: {
    record: Contact,
    scopes: ['contact.read'],
    read: following(Contact, contacts.read),
    create: contacts.create,
    update: following(Contact, contacts.update),
    equals: {
      email: 'primary_email',
      full_name: 'full_name',
      company_name: 'company.company_name',
      domain: 'company.domain',
      contact_owner: 'contact_owner',
      contact_stage: 'contact_stage',
      lead_status: 'lead_status',
    },
  },
  accounts: {
    record: Account,
    scopes: ['company.read'],
    read: ofCustomers(accounts.read),
    create: ofCustomers(accounts.create),
    update: ofCustomers(accounts.update),
    equals: {
      account_name: 'account_name',
      account_owner: 'account_owner',
      company_id: 'company_id',
      region: 'region',
      segment: 'segment',
    },
  },
  deals: {
    record: recordOfType('deal'),
    scopes: ['deal.read'],
    read: deals.read,
    create: deals.create,
    update: deals.update,
    only: () => sql`t.project_type = 'deal'`,
    doubled: ['stages'],
  },
  projects: {
    record: recordOfType('project'),
    scopes: ['project.read'],
    read: projects.read,
    create: projects.create,
    update: projects.update,
    only: () => sql`t.project_type = 'project'`,
  },
  tasks: {
    record: Task,
    scopes: ['project.read', 'deal.read'],
    read: readTask,
    own: taskParameters,
    only: tasksOf,
    equals: { title: 'title', owner: 'owner', milestone_id: 'milestone_id' },
    extras: taskExtras,
  },
  meetings: {
    record: Meeting,
    scopes: ['meeting.read'],
    read: calendar.read,
    create: calendar.create,
    update: calendar.update,
    own: {
      account_id: optionalId('of meetings: only with people of this account'),
      company_id: optionalId('of meetings: only with people of this company'),
      contact_id: optionalId('of meetings: only with this contact'),
    },
    only: async (ctx: Context, { account_id, company_id, contact_id }: Customers) => {
      if (account_id ?? company_id) requireScope(ctx.actor, 'company.read')
      if (contact_id) requireScope(ctx.actor, 'contact.read')
      return meetingsWith(ctx, { account_id, company_id, contact_id })
    },
    equals: { title: 'title' },
  },
  documents: {
    record: Document,
    scopes: ['document.read'],
    read: documents.read,
    create: documents.create,
    update: documents.update,
    only: () => sql`t.latest_version`,
    equals: {
      document_name: 'document_name',
      document_owner: 'document_owner',
      document_status: 'document_status',
      signature_status: 'signature_status',
      account_id: 'account_id',
      project_id: 'project_id',
    },
  },
  surveys: {
    record: Survey,
    scopes: ['survey.read'],
    read: surveys.read,
    equals: { name: 'name', status: 'status', account_id: 'account_id' },
  },
  comments: {
    record: Interaction,
    scopes: ['interaction.read'],
    read: interactions.read,
    create: logNote,
    own: {
      of_module: Type.Optional(
        Type.String({ maxLength: 40, description: 'of comments: the module of record_id' }),
      ),
      record_id: optionalId('of comments: only those on this record'),
    },
    only: commentsOf,
  },
  templates: { record: Template, scopes: ['template.read'], read: templates.read },
  people: { record: UserProfile, scopes: ['user.read'], read: users.read },
} satisfies { [module: string]: Kind }

/** Comments on one record, or on all. */
function commentsOf(_ctx: Context, own: { of_module?: string; record_id?: string }) {
  const { of_module, record_id } = own
  if (!of_module && !record_id) return undefined
  const number = moduleNumber(of_module ?? '')
  if (number === undefined) throw badField('of_module', 'must be the module of record_id')
  if (!record_id) throw badField('record_id', 'is needed with of_module')
  return sql`(t.module_id = ${number} and t.reference_id = ${record_id})`
}
