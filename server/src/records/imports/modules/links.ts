import { reference } from '../../../kit/record/fields.ts'
import type { AnyRecord, Field } from '../../../kit/record/record.ts'
import { Company, companyKeys } from '../../../model/companies/company.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import { Account } from '../../../model/accounts/account.ts'
import { HolidaySet } from '../../../model/holidays/holiday-set.ts'
import { addressOf } from '../../../model/sheets/email.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'

const fold = (name: string) => name.trim().toLowerCase()

/** A link that rows, unlike bodies, may also name by the other record's name. */
function byName(
  to: () => AnyRecord,
  table: string,
  key: string,
  [name, column]: [name: string, column: string],
): Field {
  return reference({
    table,
    shows: null,
    to,
    by: { [key]: { column: 'id' }, id: { column: 'id' }, [name]: { column, fold, name } },
  })
}

export const accountByName = byName(() => Account, 'accounts', 'account_id', [
  'account_name',
  'account_name_key',
])

export const projectByName = byName(() => ProjectOrDeal, 'projects', 'project_id', [
  'project_name',
  'project_name_key',
])

/** The customer's contact, also by name. */
export const contactByName: Field = reference(
  {
    table: 'contacts',
    shows: null,
    to: (): AnyRecord => Contact,
    by: {
      contact_id: { column: 'id' },
      id: { column: 'id' },
      email: { column: 'unique_key', fold },
      full_name: { column: 'full_name_key', fold, name: 'full_name' },
    },
  },
  { column: 'customer_contact' },
)

/** A set of holidays by its id. */
export const holidaysById: Field = reference({
  table: 'holiday_sets',
  shows: null,
  to: (): AnyRecord => HolidaySet,
  by: { holidays_id: { column: 'id' }, id: { column: 'id' } },
})

/** The company as an export names it, for a record that only shows its id. */
export const companyShown: Field = reference(
  {
    table: 'companies',
    shows: {
      company_id: { column: 'id', kind: 'text' },
      company_name: { column: 'company_name', kind: 'text' },
      domain: { column: 'domain', kind: 'text' },
    },
    to: (): AnyRecord => Company,
    by: companyKeys(),
  },
  { column: 'company_id' },
)

/** A user of a list of people, as a body names one: by e-mail or id. */
export function personOf(each: unknown): unknown {
  return typeof each === 'string' && each.includes('@') ? { email: addressOf(each).email } : each
}
