import type { AnyRecord } from '../../kit/record/record.ts'
import { Account } from '../accounts/account.ts'
import { Company } from '../companies/company.ts'
import { Contact } from '../contacts/contact.ts'
import { Deal, Project } from '../projects/project.ts'

/** A column in which other rows, found by their `id`, point to a record that may be merged. */
export type Link = {
  table: string
  column: string
  /** the record whose field the column is: each one that moves gets a version, an entry and an event */
  record?: AnyRecord
  /** over `t`: which rows of the table are the record's, where two records share it */
  only?: string
  /** the other columns of a unique key: what the primary has already stays with the merged record */
  uniqueWith?: string[]
}

/**
 * Everything that points to a company or a contact, in one place: a merge moves it, an undo brings
 * it back, and a deleted record is kept while it is pointed to. A foreign key that is missing here
 * fails `server/test/schema.test.ts`.
 */
export const linksTo: { [module: string]: Link[] } = {
  companies: [
    { table: 'companies', column: 'parent_company', record: Company },
    { table: 'contacts', column: 'company_id', record: Contact },
    { table: 'accounts', column: 'company_id', record: Account },
    ...ofBothKinds('company_id'),
  ],
  contacts: [
    { table: 'contacts', column: 'reports_to', record: Contact },
    { table: 'accounts', column: 'customer_contact', record: Account },
    ...ofBothKinds('customer_contact'),
    { table: 'meeting_contacts', column: 'contact_id', uniqueWith: ['calendar_id'] },
  ],
}

function ofBothKinds(column: string): Link[] {
  return [
    { table: 'projects', column, record: Project, only: `t.project_type = 'project'` },
    { table: 'projects', column, record: Deal, only: `t.project_type = 'deal'` },
  ]
}

/** The field of a link's record that the column holds. */
export function fieldOf({ record, column }: Link): string {
  if (!record) return column
  const fields = Object.entries(record.fields)
  const found = fields.find(([name, field]) => field.reference && (field.column ?? name) === column)
  return found?.[0] ?? column
}
