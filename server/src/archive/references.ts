import type { Queries } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'

/**
 * Has the references of an organization's rows checked at the end of the transaction (`commit`), or now and after each
 * statement from then on (`now`). The function runs where the rows are, which is another machine on Citus.
 */
export async function checkReferences(
  queries: Queries,
  organization: string,
  when: 'commit' | 'now',
): Promise<void> {
  // an answer also where the organization has no row yet
  await queries.run(sql`
    select references_at_commit(count(*) >= 0 and ${when === 'commit'}::boolean)
    from organizations where organization_id = ${organization}`)
}
