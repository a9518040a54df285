import type { Context } from '../../kit/ground/context.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { UserProfile } from '../../model/users/user.ts'
import type { Identity } from './pattern.ts'

/** A person whose data is exported or erased: users and contacts that are the same person. */
export type Person = Identity & { user_ids: string[]; contact_ids: string[] }

/** How a request names a person. */
export type Named = { user_id?: string; contact_id?: string; email?: string }

type UserRow = { id: string; full_name: string; email: string; phone_no: string | null }
type ContactRow = {
  id: string
  full_name: string
  primary_email: string | null
  phone: string | null
  whatsapp_number: string | null
  linkedin_url: string | null
  twitter_url: string | null
  linked_user: string | null
}

/**
 * The person with an id or an e-mail: the user and the contacts that are linked to each other or have
 * the e-mail, deleted ones too, with their former names and addresses. 400 for an unknown id; an
 * unknown e-mail means somebody who has only answered or signed.
 */
export async function findPerson(ctx: Context, named: Named): Promise<Person> {
  const ways = (['user_id', 'contact_id', 'email'] as const).filter(
    (name) => named[name] !== undefined,
  )
  if (ways.length !== 1) {
    const message = 'name the person by one of user_id, contact_id and email'
    const fields = ways.length ? ways : ['user_id']
    throw badFields(fields.map((field) => ({ field, message })))
  }
  const users = new Map<string, UserRow>()
  const contacts = new Map<string, ContactRow>()
  const emails = new Set(named.email === undefined ? [] : [named.email.trim().toLowerCase()])
  const linked = new Set(named.user_id === undefined ? [] : [named.user_id])
  const wanted = named.contact_id ?? ''
  // each may lead to others: a contact to its user, a user to the contacts with the same e-mail
  for (let before = -1; before < users.size + contacts.size;) {
    before = users.size + contacts.size
    const mails = [...emails]
    for (const user of await ctx.all<UserRow>(sql`
      select t.id, t.full_name, t.email, t.phone_no from users t
      where ${mine(ctx)} and (t.id = any(${[...linked]}) or t.email_key = any(${mails}))`)) {
      users.set(user.id, user)
      linked.add(user.id)
      emails.add(user.email.toLowerCase())
    }
    for (const contact of await ctx.all<ContactRow>(sql`
      select t.id, t.full_name, t.primary_email, t.phone, t.whatsapp_number, t.linkedin_url,
        t.twitter_url, t.linked_user from contacts t
      where ${mine(ctx)} and (t.id = ${wanted} or t.linked_user = any(${[...linked]})
        or t.primary_email_key = any(${mails}))`)) {
      contacts.set(contact.id, contact)
      if (contact.linked_user) linked.add(contact.linked_user)
      if (contact.primary_email) emails.add(contact.primary_email.toLowerCase())
    }
  }
  if (named.user_id !== undefined && !users.has(named.user_id))
    throw badField('user_id', 'no such record')
  if (named.contact_id !== undefined && !contacts.has(named.contact_id))
    throw badField('contact_id', 'no such record')
  const rows = [...contacts.values()]
  const user_ids = [...users.keys()]
  const contact_ids = [...contacts.keys()]
  const former = await formerly(ctx, [...user_ids, ...contact_ids])
  const signed = await asSigner(ctx, [...emails, ...former.emails])
  return {
    user_ids,
    contact_ids,
    names: distinct([
      ...[...users.values()].map(({ full_name }) => full_name),
      ...rows.map(({ full_name }) => full_name),
      ...former.names,
      ...signed,
    ]),
    emails: distinct([...emails, ...former.emails]),
    phones: distinct([
      ...[...users.values()].map(({ phone_no }) => phone_no),
      ...rows.flatMap(({ phone, whatsapp_number }) => [phone, whatsapp_number]),
      ...former.phones,
    ]),
    links: distinct(rows.flatMap(({ linkedin_url, twitter_url }) => [linkedin_url, twitter_url])),
  }
}

const nameFields = ['full_name']
const emailFields = ['email', 'primary_email']
const phoneFields = ['phone', 'phone_no', 'whatsapp_number']

/** Former names and addresses of the person in the log. */
async function formerly(ctx: Context, ids: string[]) {
  const rows = await ctx.all<{ field: string; value: string }>(sql`
    select distinct c ->> 'field' as field, v as value from events t
    cross join lateral json_array_elements(t.changes) c
    cross join lateral (values (c ->> 'from'), (c ->> 'to')) as x (v)
    where ${mine(ctx)} and t.reference_id = any(${ids}) and json_typeof(t.changes) = 'array'
      and c ->> 'field' = any(${[...nameFields, ...emailFields, ...phoneFields]}) and v is not null
    limit 500`)
  const of = (fields: string[]) =>
    rows.filter(({ field }) => fields.includes(field)).map(({ value }) => value)
  return {
    names: of(nameFields),
    emails: of(emailFields).map((email) => email.toLowerCase()),
    phones: of(phoneFields),
  }
}

/** The names under which the addresses were requested to sign. */
async function asSigner(ctx: Context, emails: string[]): Promise<string[]> {
  const rows = await ctx.all<{ name: string }>(sql`select distinct t.name
    from signature_recipients t where ${mine(ctx)} and lower(t.email) = any(${emails}) limit 100`)
  return rows.map(({ name }) => name)
}

function distinct(values: (string | null)[]): string[] {
  return [...new Set(values.flatMap((value) => (value?.trim() ? [value.trim()] : [])))]
}

/** The numbers of the modules whose records are people. */
export function personalModules(): number[] {
  return [UserProfile, Contact].flatMap(({ number }) => (number === null ? [] : [number]))
}
