import type { Database } from '../database/connect.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** The number of entries above which mistyped words are corrected by a list instead of the entries. */
const large = 20_000
const batch = 20_000

/**
 * Adds the words of large organizations to the list for correcting mistyped words; returns how
 * many were new. A word that is not in it yet is found as typed, but not if mistyped.
 */
export async function rememberWords({ database }: Runtime, from = large): Promise<number> {
  const organizations = await database.reads(allOrganizations).all<{ id: string }>(sql`
    select e.organization_id as id from search_entries e
    group by e.organization_id having count(*) >= ${from}`)
  let total = 0
  for (const { id } of organizations) {
    let last: Page | undefined = { source: '', title_key: '', id: '', added: 0 }
    while (last) {
      last = await rememberPage(database, id, last)
      total += last?.added ?? 0
    }
  }
  return total
}

/** The last entry of a page, and the number of new words. */
type Page = { source: string; title_key: string; id: string; added: number }

function rememberPage(
  database: Database,
  organization: string,
  { source, title_key, id }: Page,
): Promise<Page | undefined> {
  const page = sql`
    select e.organization_id, e.source, e.title_key, e.id from search_entries e
    where e.organization_id = ${organization}
      and (e.source, e.title_key, e.id) > (${source}, ${title_key}, ${id})
    order by e.source, e.title_key, e.id limit ${batch}`
  return database.transaction(organization, async (queries) => {
    const last = await queries.one<Omit<Page, 'added'>>(sql`
      select p.source, p.title_key, p.id from (${page}) p
      order by p.source desc, p.title_key desc, p.id desc limit 1`)
    const added = await queries.run(sql`
      insert into search_words (organization_id, word)
      select distinct p.organization_id, w
      from (${page}) p, unnest(string_to_array(p.title_key, ' ')) w
      where w >= 'a' collate "C" and length(w) between 4 and 40
      on conflict do nothing`)
    return last && { ...last, added }
  })
}
