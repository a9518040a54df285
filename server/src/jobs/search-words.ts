import type { Database } from '../database/connect.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** From so many entries on, mistyped words are looked up in a list instead of in the entries. */
const large = 20_000
const batch = 20_000

/**
 * Adds the words of large organizations to the list that mistyped ones are guessed from; gives how
 * many were new. A word that is not in it yet is found as typed, only not when mistyped.
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

/** The last entry of a page, and how many words it brought. */
type Page = { source: string; title_key: string; id: string; added: number }

function rememberPage(
  database: Database,
  organization: string,
  { source, title_key, id }: Page,
): Promise<Page | undefined> {
  return database.transaction(organization, (queries) =>
    queries.one<Page>(sql`
      with page as materialized (
        select e.source, e.title_key, e.id from search_entries e
        where e.organization_id = ${organization}
          and (e.source, e.title_key, e.id) > (${source}, ${title_key}, ${id})
        order by e.source, e.title_key, e.id limit ${batch}
      ), added as (
        insert into search_words (organization_id, word)
        select distinct ${organization}, w from page, unnest(string_to_array(title_key, ' ')) w
        where w >= 'a' collate "C" and length(w) between 4 and 40
        on conflict do nothing returning 1
      )
      select source, title_key, id, (select count(*) from added) as added
      from page order by source desc, title_key desc, id desc limit 1`),
  )
}
