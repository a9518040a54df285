import type { Context } from '../../../kit/ground/context.ts'
import { foldedText } from '../../../kit/ground/fold.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'

/** Somebody who was invited, or who organizes the meeting. */
export type Present = {
  name: string
  address: string | null
  user_id: string | null
  contact_id: string | null
}

/** The people of a meeting by their current names; contacts who are users count as both. */
export function peopleOfMeeting(ctx: Context, calendar_id: string): Promise<Present[]> {
  return ctx.all<Present>(sql`
    select coalesce(u.full_name, c.full_name, e.a ->> 'name', e.a ->> 'email') as name,
      coalesce(u.email, c.primary_email, e.a ->> 'email') as address,
      coalesce(u.id, l.id) as user_id, c.id as contact_id
    from meetings t
    cross join lateral (select a from jsonb_array_elements(t.attendees) a
      union all select jsonb_build_object('type', 'user', 'id', t.created_by)
      where t.created_by is not null) e
    left join users u on e.a ->> 'type' = 'user' and u.organization_id = $organization
      and u.id = e.a ->> 'id' and u.deleted_at is null
    left join contacts c on e.a ->> 'type' = 'contact' and c.organization_id = $organization
      and c.id = e.a ->> 'id' and c.deleted_at is null
    left join users l on l.organization_id = $organization and l.id = c.linked_user
      and l.deleted_at is null
    where ${mine(ctx)} and t.id = ${calendar_id}
      and coalesce(u.full_name, c.full_name, e.a ->> 'name', e.a ->> 'email') is not null`)
}

/** A function that finds whoever a transcript names: by the whole name, the e-mail, or a first name of only one. */
export function personNamed(people: Present[]): (name: string) => Present | undefined {
  const keys = (person: Present) => {
    const { name, address } = person
    return [foldedText(name), ...(address ? [foldedText(address)] : [])]
  }
  const turned = (name: string) => name.replace(/^([^,]+),\s*(.+)$/, '$2 $1')
  return (name) => {
    const wanted = foldedText(turned(name))
    const whole = people.find((person) => keys(person).includes(wanted))
    if (whole) return whole
    const same = people.filter((person) => {
      const own = foldedText(person.name)
      return own.startsWith(`${wanted} `) || wanted.startsWith(`${own} `)
    })
    const ids = new Set(
      same.map(({ user_id, contact_id, address }) => user_id ?? contact_id ?? address),
    )
    return ids.size === 1 ? same[0] : undefined
  }
}
