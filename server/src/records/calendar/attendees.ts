import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Contact } from '../contacts/contact.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

/** Somebody invited: a user, a contact, or anybody with an e-mail. */
export type Attendee = {
  type: 'user' | 'contact' | 'external'
  id: string | null
  email: string | null
  name: string | null
  is_optional: boolean
  response: 'needs_action' | 'accepted' | 'tentative' | 'declined'
}

const id = { type: 'string', minLength: 1, maxLength: 25 }

/** People as ids or as objects with one. */
export const peopleSchema: JSONSchema = {
  type: 'array',
  maxItems: 500,
  items: { anyOf: [id, { type: 'object' }] },
}

export const attendeesSchema: JSONSchema = {
  type: 'array',
  maxItems: 500,
  items: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['user', 'contact', 'external'] },
      id: { type: ['string', 'null'], maxLength: 25 },
      email: { type: ['string', 'null'], maxLength: 320, format: 'email' },
      name: { type: ['string', 'null'], maxLength: 255 },
      is_optional: { type: 'boolean' },
      response: { type: 'string', enum: ['needs_action', 'accepted', 'tentative', 'declined'] },
    },
  },
}

type Given = { users?: unknown[]; optional_users?: unknown[]; attendees?: Partial<Attendee>[] }

/** Everybody that a body invites, with the answers they gave before; 400 for who is not there. */
export async function attendeesOf(ctx: Context, given: Given, before: Attendee[]) {
  const asked: { at: string; attendee: Partial<Attendee> }[] = []
  for (const [name, is_optional] of [
    ['users', false],
    ['optional_users', true],
  ] as const) {
    for (const [i, each] of (given[name] ?? []).entries()) {
      const user = typeof each === 'string' ? each : ((each as any).user_id ?? (each as any).id) // oxlint-disable-line typescript/no-explicit-any
      asked.push({ at: `${name}.${i}`, attendee: { type: 'user', id: user, is_optional } })
    }
  }
  for (const [i, attendee] of (given.attendees ?? []).entries()) {
    asked.push({ at: `attendees.${i}`, attendee })
  }
  if (!given.attendees) {
    // only the users were given: the others stay
    const kept = before.filter(
      ({ type, is_optional }) =>
        type !== 'user' || !(is_optional ? given.optional_users : given.users),
    )
    for (const attendee of kept) asked.push({ at: 'attendees', attendee })
  }
  const ids = asked.map(({ attendee }) => attendee.id).filter((each) => typeof each === 'string')
  const known = await ctx.all<{ id: string; type: string; name: string; email: string | null }>(sql`
    select id, 'user' as type, full_name as name, email from users t
    where ${mine(ctx)} and deleted_at is null and id = any(${ids}::varchar[])
    union all
    select t.id, 'contact', t.full_name, t.primary_email from contacts t
    where ${scope(ctx, Contact, 'read')} and t.id = any(${ids}::varchar[])`)
  const people = new Map<string, Attendee>()
  for (const { at, attendee } of asked) {
    const { type = attendee.id ? 'user' : 'external', id: key = null } = attendee
    const isOne = (each: { id: string | null; type: string }) =>
      each.id === key && each.type === type
    // who was invited stays so, whether they have left since or are hidden from who writes
    const found = known.find(isOne) ?? before.find(isOne)
    if (type !== 'external' && !found)
      throw badField(`${at}${at.startsWith('attendees') ? '.id' : ''}`, `no such ${type}`)
    const email = found?.email ?? attendee.email ?? null
    if (type === 'external' && !email) throw badField(`${at}.email`, 'is required')
    const name = found?.name ?? attendee.name ?? null
    const place = `${type} ${key ?? email!.toLowerCase()}`
    const old = before.find((each) => each.type === type && each.id === key && each.email === email)
    people.set(place, {
      type,
      id: type === 'external' ? null : key,
      email,
      name,
      is_optional: attendee.is_optional ?? false,
      response: attendee.response ?? old?.response ?? 'needs_action',
    })
  }
  return [...people.values()]
}

/** Keeps which contacts attend where a company's meetings can be found by it. */
export async function storeContacts(ctx: Context, calendar_id: string, people: Attendee[]) {
  const ids = people.filter(({ type }) => type === 'contact').map(({ id: key }) => key)
  await ctx.run(sql`delete from meeting_contacts t
    where ${mine(ctx)} and t.calendar_id = ${calendar_id} and t.contact_id <> all(${ids}::varchar[])`)
  const rows = ids.map((contact_id) => ({ id: newId(), contact_id }))
  await ctx.run(sql`
    insert into meeting_contacts (organization_id, id, calendar_id, contact_id)
    select ${ctx.organization.id}, r.id, ${calendar_id}, r.contact_id
    from json_to_recordset(${JSON.stringify(rows)}) as r (id text, contact_id text)
    on conflict do nothing`)
}
