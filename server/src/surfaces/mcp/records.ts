import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Can, Input, Operation } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { conditions, count } from '../../kit/read/selection.ts'
import { moduleNumber } from '../../kit/record/modules.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { readSchema } from '../../kit/record/schema.ts'
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
import { interactions } from '../../records/interactions/operations.ts'
import { groupsOf } from '../../records/modules/groups.ts'
import { surveys } from '../../records/surveys/operations.ts'
import { templates } from '../../records/templates/operations.ts'
import { users } from '../../records/users/operations.ts'
import { readTask } from '../integration/tasks.ts'
import { jsonOf } from './call.ts'
import { checkedFields, findBody, finding, selecting, withMe } from './find.ts'
import { deals, projects } from './projects.ts'
import { tasksOf } from './tasks.ts'
import type { Family } from './tool.ts'
import { family } from './tool.ts'

/** A kind of record that models find, read and count by the same tools. */
type Kind = {
  record: AnyRecord
  /** the scopes of apps of which any one opens it */
  scopes: string[]
  read: Operation
  can?: Can
  /** arguments of its list besides those of every list, and what they and the caller select */
  own?: NonNullable<Parameters<typeof finding>[1]['own']>
  only?: (
    ctx: Context,
    own: { [name: string]: unknown },
  ) => Promise<Query | undefined> | Query | undefined
  /** fields that a read leaves out unless they are asked for, since another one says the same */
  doubled?: string[]
}

type Customers = { account_id?: string; company_id?: string; contact_id?: string }

const optionalId = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 25, description }))

/** Every kind of record that models read, by the word of its module. */
export const kinds: { [module: string]: Kind } = {
  companies: {
    record: Company,
    scopes: ['company.read'],
    read: following(Company, companies.read),
  },
  contacts: {
    record: Contact,
    scopes: ['contact.read'],
    read: following(Contact, contacts.read),
  },
  // a company and its account are one customer
  accounts: { record: Account, scopes: ['company.read'], read: accounts.read },
  deals: {
    record: recordOfType('deal'),
    scopes: ['deal.read'],
    read: deals.read,
    only: () => sql`t.project_type = 'deal'`,
    doubled: ['stages'],
  },
  projects: {
    record: recordOfType('project'),
    scopes: ['project.read'],
    read: projects.read,
    only: () => sql`t.project_type = 'project'`,
  },
  tasks: {
    record: Task,
    scopes: ['project.read', 'deal.read'],
    read: readTask,
    own: {
      project_id: optionalId('of tasks: only of this project or deal'),
      is_completed: Type.Optional(Type.Boolean({ description: 'of tasks' })),
    },
    only: tasksOf,
  },
  meetings: {
    record: Meeting,
    scopes: ['meeting.read'],
    read: calendar.read,
    own: {
      account_id: optionalId('of meetings: only with people of this account'),
      company_id: optionalId('of meetings: only with people of this company'),
      contact_id: optionalId('of meetings: only with this contact'),
    },
    only: async (ctx, { account_id, company_id, contact_id }: Customers) => {
      if (account_id ?? company_id) requireScope(ctx.actor, 'company.read')
      if (contact_id) requireScope(ctx.actor, 'contact.read')
      return meetingsWith(ctx, { account_id, company_id, contact_id })
    },
  },
  documents: { record: Document, scopes: ['document.read'], read: documents.read },
  surveys: { record: Survey, scopes: ['survey.read'], read: surveys.read },
  comments: {
    record: Interaction,
    scopes: ['interaction.read'],
    read: interactions.read,
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
}

const countBody = Type.Object({
  ...selecting,
  by: Type.Optional(
    Type.String({ maxLength: 300, description: 'a field, for the number of each of its values' }),
  ),
  sum: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'with by: up to 5 fields to add up, comma-separated',
    }),
  ),
})

/** Who may read a kind. */
export const canRead = ({ record: { module }, can }: Kind): Can => can ?? { module, action: 'read' }

/** `find_records`: lists of every kind. */
export const findRecords: Family = family(
  {
    name: 'find_records',
    title: 'Find records',
    description:
      'A list of one kind of record, by text, by conditions on any field, or all; newest first unless sorted. get_fields lists the fields.',
  },
  eachKind((module, kind) => [
    finding(kind.record, {
      name: `find_${module}`,
      summary: `Find ${module}`,
      can: canRead(kind),
      scope: null,
      ...(kind.own ? { own: kind.own } : {}),
      ...(kind.only ? { only: kind.only } : {}),
    }),
    {
      shown: [...Object.keys(findBody.properties), ...Object.keys(kind.own ?? {})],
      scopes: kind.scopes,
      answers: ['results', 'next_cursor'],
    },
  ]),
)

/** `get_record`: one record of every kind. */
export const getRecord: Family = family(
  {
    name: 'get_record',
    title: 'Get a record',
    description:
      'One record with all its fields, or with the named ones: of an account its health with reasons, of a meeting its attendees and notes, of a document its signatures. The tasks of a project are those that find_records finds.',
  },
  eachKind((module, kind) => [
    reading(module, kind),
    { id: 'id', shown: ['fields'], scopes: kind.scopes },
  ]),
)

/** `count_records`: how many there are of every kind, in groups if asked. */
export const countRecords: Family = family(
  {
    name: 'count_records',
    title: 'Count records',
    description:
      'How many records of one kind there are, by text or conditions; with by the same for each value of a field, and with sum its amounts.',
  },
  eachKind((module, kind) => [counting(module, kind), { scopes: kind.scopes }]),
)

/** A tool for each kind, by the word of its module. */
export function eachKind(
  make: (module: string, kind: Kind) => Parameters<typeof family>[1][string],
): Parameters<typeof family>[1] {
  return Object.fromEntries(
    Object.entries(kinds).map(([module, kind]) => [module, make(module, kind)]),
  )
}

/** A read of a record, or of some of its fields. */
function reading(module: string, { record, read, doubled = [] }: Kind): Operation {
  const [inPath = 'id'] = Object.keys((read.input.params as { properties: object }).properties)
  return operation({
    name: `get_${module}`,
    summary: `Retrieve one of ${module}`,
    can: read.can,
    scope: null,
    writes: false,
    input: { params: byId, body: Type.Object({ fields: findBody.properties.fields }) },
    output: readSchema(record),
    async run(ctx, input) {
      const params = { [inPath]: input.params.id }
      const { fields } = input.body
      const names = fields && checkedFields(record, fields)
      const value = (await jsonOf(await read.run(ctx, { ...input, params } as Input))) as object
      const shown = Object.entries(value).filter(([name]) =>
        names ? names.includes(name) : !doubled.includes(name),
      )
      return Object.fromEntries(shown)
    },
  })
}

/** How many records a list has, as a whole or by the values of a field. */
function counting(module: string, kind: Kind): Operation {
  const { record, only } = kind
  const can = canRead(kind)
  const groups = groupsOf(
    record,
    operation({
      name: `list_${module}`,
      summary: `List ${module}`,
      can,
      scope: null,
      writes: false,
      input: { query: Type.Object({}, { additionalProperties: true }) },
      output: Type.Array(readSchema(record)),
      run: async (ctx, { query }) => listPage(ctx, record, query, await only?.(ctx, {})),
    }),
  )
  return operation({
    name: `count_${module}`,
    summary: `Count ${module}`,
    can,
    scope: null,
    writes: false,
    lane: 'heavy',
    input: { body: countBody },
    output: Type.Object({}, { additionalProperties: true }),
    async run(ctx, input) {
      const { by, sum, ...rest } = input.body
      const filter = withMe(ctx, record, rest.filter)
      const q = rest.q?.trim() || undefined
      if (by === undefined) {
        if (sum !== undefined) throw badField('sum', 'needs by: a field whose values are groups')
        const condition = all(sql`true`, await only?.(ctx, {}))
        return {
          count: await count(ctx, record, await conditions(ctx, record, { q, filter }, condition)),
        }
      }
      const text = filter === undefined ? undefined : JSON.stringify(filter)
      const query = { by, sum, q, filter: text, items: 0 }
      return groups.run(ctx, { ...input, query, params: {}, body: undefined } as Input)
    },
  })
}

/** Comments on one record, or on all. */
function commentsOf(_ctx: Context, own: { of_module?: string; record_id?: string }) {
  const { of_module, record_id } = own
  if (!of_module && !record_id) return undefined
  const number = moduleNumber(of_module ?? '')
  if (number === undefined) throw badField('of_module', 'must be the module of record_id')
  if (!record_id) throw badField('record_id', 'is needed with of_module')
  return sql`(t.module_id = ${number} and t.reference_id = ${record_id})`
}
