import { everyone } from '../database/connect.ts'
import { sql } from '../kit/sql.ts'
import { tellOverdue } from '../records/documents/overdue.ts'
import type { Organization, Runtime } from '../runtime.ts'
import { repeat } from './repeat.ts'

/** Reminds and withdraws, in every organization that waits for signatures. Gives how many there were. */
export async function dueSignatures(runtime: Runtime): Promise<number> {
  const organizations = await runtime.database.reads(everyone).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where exists (select from signature_requests t
      where t.organization_id = o.organization_id and t.status = 'open')
    order by o.organization_id`)
  let total = 0
  for (const organization of organizations) {
    total += await repeat(runtime, organization, tellOverdue)
  }
  return total
}
