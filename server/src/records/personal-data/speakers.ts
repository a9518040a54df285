import type { Context } from '../../kit/ground/context.ts'
import { foldedText } from '../../kit/ground/fold.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Present } from '../calendar/transcripts/people.ts'
import { peopleOfMeeting, personNamed } from '../calendar/transcripts/people.ts'
import type { OwnRows } from './own-rows.ts'
import { counted, placeholdersOf } from './request.ts'

/** How many transcripts are looked through at once. */
const batch = 100

/**
 * Transcripts of meetings at which the person was: their words stay, as comments do, and nobody is named as who said them
 * or does what was agreed; by a part of the name neither, which the search of texts does not find. Before the people
 * themselves, by whose names speakers are known.
 */
export const eraseSpeakers: OwnRows = async (
  ctx,
  request,
  { user_ids, contact_ids, ...person },
) => {
  const ids = [...user_ids, ...contact_ids]
  const emails = new Set(person.emails.map((email) => email.toLowerCase()))
  const names = new Set(person.names.map(foldedText))
  // by every name that they had: of a deleted person the meeting may have none
  const erased: Present[] = [...person.names, ...emails].map((name) => ({
    name,
    address: null,
    user_id: 'erased',
    contact_id: null,
  }))
  let rows = 0
  for (let after = ''; ;) {
    const found = await attended(ctx, ids, { emails: [...emails], after })
    for (const { id, said } of found) {
      const others = (await peopleOfMeeting(ctx, id)).filter(
        ({ user_id, contact_id, address, name }) =>
          !ids.includes(user_id ?? '') &&
          !ids.includes(contact_id ?? '') &&
          !emails.has(address?.toLowerCase() ?? '') &&
          !names.has(foldedText(name)),
      )
      const find = personNamed([...erased, ...others])
      const theirs = said.filter((name) => find(name)?.user_id === 'erased')
      if (theirs.length) rows += await rename(ctx, id, theirs, placeholdersOf(request).name)
    }
    const last = found.at(-1)
    if (!last || found.length < batch) break
    after = last.id
  }
  return counted(request.receipt, 'meeting_transcripts', rows)
}

type From = { emails: string[]; after: string }

/** Transcripts of meetings of these people behind an id, each with the names of who speaks or does something. */
function attended(ctx: Context, ids: string[], { emails, after }: From) {
  return ctx.all<{ id: string; said: string[] }>(sql`
    select t.calendar_id as id, array(
      select distinct x.name from (
        select l ->> 'speaker' as name from jsonb_array_elements(t.lines) l
        union all select i ->> 'owner' from jsonb_array_elements(t.items) i
        union all select i ->> 'speaker' from jsonb_array_elements(t.items) i
        union all select d ->> 'speaker' from jsonb_array_elements(t.decisions) d) x
      where x.name is not null) as said
    from meeting_transcripts t
    join meetings m on m.organization_id = $organization and m.id = t.calendar_id
    where ${mine(ctx)} and (m.created_by = any(${ids}) or exists (
      select from jsonb_array_elements(m.attendees) a
      where a ->> 'id' = any(${ids}) or lower(a ->> 'email') = any(${emails})))
      and t.calendar_id > ${after}
    order by t.calendar_id limit ${batch}`)
}

/** Puts the placeholder in place of these names of a transcript. */
function rename(ctx: Context, id: string, names: string[], name: string): Promise<number> {
  const list = (column: 'lines' | 'items' | 'decisions') => sql`(select coalesce(jsonb_agg(
      e || case when e ->> 'speaker' = any(${names}) then jsonb_build_object('speaker', ${name}::text) else '{}' end
        || case when e ->> 'owner' = any(${names}) then jsonb_build_object('owner', ${name}::text) else '{}' end
      order by at), '[]')
    from jsonb_array_elements(${sql.ref(`t.${column}`)}) with ordinality x (e, at))`
  return ctx.run(sql`update meeting_transcripts t set lines = ${list('lines')}, items = ${list('items')},
      decisions = ${list('decisions')}
    where ${mine(ctx)} and t.calendar_id = ${id}`)
}
