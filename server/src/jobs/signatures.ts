import { anywhere, sql } from '../kit/ground/sql.ts'
import { notifyOverdue } from '../records/documents/requests/overdue.ts'
import type { Organization } from '../kit/ground/context.ts'
import type { Runtime } from '../runtime.ts'
import { inTurns } from './in-turns.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** Reminds signers and withdraws expired requests, in every organization with open ones. Returns the number of requests. */
export async function dueSignatures(runtime: Runtime): Promise<number> {
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and exists (select from signature_requests t where ${anywhere('t')} and t.organization_id = o.organization_id and t.status = 'open')
    order by o.organization_id`)
  return inTurns(runtime, organizations, notifyOverdue)
}
