import type { Context } from '../../kit/ground/context.ts'
import { foldedText } from '../../kit/ground/fold.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { peopleOfMeeting, personNamed } from '../calendar/transcripts/people.ts'
import type { OwnRows } from './own-rows.ts'
import { counted, placeholdersOf } from './request.ts'

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
  let rows = 0
  for (const { id, said } of await attended(ctx, ids, [...emails])) {
    const people = (await peopleOfMeeting(ctx, id)).map((each) => ({
      ...each,
      isTheirs:
        ids.includes(each.user_id ?? '') ||
        ids.includes(each.contact_id ?? '') ||
        emails.has(each.address?.toLowerCase() ?? '') ||
        names.has(foldedText(each.name)),
    }))
    const find = personNamed(people)
    const theirs = said.filter((name) => {
      const found = find(name)
      return names.has(foldedText(name)) || people.some((each) => each === found && each.isTheirs)
    })
    if (theirs.length) rows += await rename(ctx, id, theirs, placeholdersOf(request).name)
  }
  return counted(request.receipt, 'meeting_transcripts', rows)
}

/** Transcripts of meetings of these people, each with the names of who speaks or does something. */
function attended(ctx: Context, ids: string[], emails: string[]) {
  return ctx.all<{ id: string; said: string[] }>(sql`
    select t.calendar_id as id, array(
      select distinct x.name from (
        select l ->> 'speaker' as name from jsonb_array_elements(t.lines) l
        union all select i ->> 'owner' from jsonb_array_elements(t.items) i
        union all select i ->> 'speaker' from jsonb_array_elements(t.items) i
        union all select d ->> 'speaker' from jsonb_array_elements(t.decisions) d) x
      where x.name is not null limit 1000) as said
    from meeting_transcripts t
    join meetings m on m.organization_id = $organization and m.id = t.calendar_id
    where ${mine(ctx)} and (m.created_by = any(${ids}) or exists (
      select from jsonb_array_elements(m.attendees) a
      where a ->> 'id' = any(${ids}) or lower(a ->> 'email') = any(${emails})))`)
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
