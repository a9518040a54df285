import { serviceTable } from '../../kit/record/service-table.ts'

/** The tables of the organization itself. */
export const organizationsTables = [
  serviceTable('organizations', { isImpersonal: true }),
  serviceTable('organization_logos', { isImpersonal: true }),
]
