import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import type { NewNotification } from '../../kit/ground/event.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mayAll, scope } from '../../kit/record/scope.ts'
import { Contact } from '../../model/contacts/contact.ts'
import type { Attendee } from '../../model/calendar/meeting.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { nameablePeople, withIds } from '../../model/people/person.ts'

const most = 500

/** Users as ids or e-mails, or as objects with one under `user_id`, `id` or `email`. */
const people = Type.Array(
  Type.Union([
    Type.String({ minLength: 1, maxLength: 320 }),
    schema<{ [key: string]: unknown }>({ type: 'object', additionalProperties: true }),
  ]),
  { maxItems: most },
)

const attendeeInput = Type.Object(
  {
    type: Type.Optional(enumeration(['user', 'contact', 'external'], { title: 'AttendeeType' })),
    id: Type.Optional(orNull(Type.String({ maxLength: 25 }))),
    email: Type.Optional(orNull(Type.String({ maxLength: 320, format: 'email' }))),
    name: Type.Optional(orNull(Type.String({ maxLength: 255 }))),
    is_optional: Type.Optional(Type.Boolean()),
    response: Type.Optional(
      enumeration(['needs_action', 'accepted', 'tentative', 'declined'], {
        title: 'AttendeeResponse',
      }),
    ),
  },
  { title: 'AttendeeInput' },
)

/** The properties with which a body invites people: only users, or attendees of every kind. */
export const attendeeProperties = {
  users: Type.Optional(people),
  optional_users: Type.Optional(people),
  attendees: Type.Optional(Type.Array(attendeeInput, { maxItems: most })),
}

type Invited = {
  users?: Static<typeof people>
  optional_users?: Static<typeof people>
  attendees?: Static<typeof attendeeInput>[]
}

/** A future attendee, and the field of the body that names it. */
type Entry = { at: string; attendee: Static<typeof attendeeInput> }

/** Everybody a body invites, with their earlier responses; 400 for somebody who does not exist. */
export async function attendeesOf(
  ctx: Context,
  invited: Invited,
  before: Attendee[],
): Promise<Attendee[]> {
  const entries = await entriesOf(ctx, invited, before)
  const known = await knownPeople(ctx, entries)
  const attendees = new Map<string, Attendee>()
  for (const { at, attendee } of entries) {
    const { type = attendee.id ? 'user' : 'external', id: key = null } = attendee
    const isSame = (each: { id: string | null; type: string }) =>
      key !== null && each.id === key && each.type === type
    // attendees stay, even if they have left since or the caller does not see them
    const found = known.find(isSame) ?? before.find(isSame)
    if (type !== 'external' && !found) {
      const name = key === null && attendee.email ? 'email' : 'id'
      throw badField(`${at}${at.startsWith('attendees') ? `.${name}` : ''}`, `no such ${type}`)
    }
    const email = found?.email ?? attendee.email ?? null
    if (type === 'external' && !email) throw badField(`${at}.email`, 'is required')
    const name = found?.name ?? attendee.name ?? null
    const place = `${type} ${key ?? email?.toLowerCase()}`
    const old = before.find((each) => each.type === type && each.id === key && each.email === email)
    attendees.set(place, {
      type,
      id: type === 'external' ? null : key,
      email,
      name,
      is_optional: attendee.is_optional ?? false,
      response: attendee.response ?? old?.response ?? 'needs_action',
    })
  }
  return [...attendees.values()]
}

async function entriesOf(ctx: Context, invited: Invited, before: Attendee[]): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const [name, is_optional] of [
    ['users', false],
    ['optional_users', true],
  ] as const) {
    const users = await withIds(ctx, invited[name] ?? [])
    for (const [i, user] of users.entries()) {
      const id = idOf(user)
      entries.push({ at: `${name}.${i}`, attendee: { type: 'user', id, is_optional } })
    }
  }
  const attendees = await withIdsByEmail(ctx, invited.attendees ?? [])
  for (const [i, attendee] of attendees.entries()) {
    entries.push({ at: `attendees.${i}`, attendee })
  }
  if (invited.attendees) return entries
  // only users were supplied: attendees of other kinds stay
  const named = new Set(entries.map(({ attendee }) => attendee.id))
  const unchanged = before.filter(
    ({ type, id, is_optional }) =>
      type !== 'user' || !(named.has(id) || (is_optional ? invited.optional_users : invited.users)),
  )
  return [...entries, ...unchanged.map((attendee) => ({ at: 'attendees', attendee }))]
}

/** The attendees, with the ids of the users and contacts behind those who are only named by e-mail. */
async function withIdsByEmail(
  ctx: Context,
  attendees: Static<typeof attendeeInput>[],
): Promise<Static<typeof attendeeInput>[]> {
  const keyOf = ({ type, id, email }: Static<typeof attendeeInput>) =>
    id || !email || !type || type === 'external' ? undefined : `${type} ${email.toLowerCase()}`
  const keys = attendees.map(keyOf).filter((key) => key !== undefined)
  if (!keys.length) return attendees
  const emails = keys.map((key) => key.slice(key.indexOf(' ') + 1))
  const found = await ctx.all<{ key: string; id: string }>(sql`
    select 'user ' || t.email_key as key, t.id from users t
    where ${all(mine(ctx), nameablePeople(ctx))} and t.deleted_at is null
      and t.email_key = any(${emails})
    union all
    select 'contact ' || t.primary_email_key, min(t.id) from contacts t
    where ${scope(ctx, Contact, 'read')} and t.primary_email_key = any(${emails})
    group by t.primary_email_key`)
  const ids = new Map(found.map(({ key, id }) => [key, id]))
  return attendees.map((each) => {
    const id = ids.get(keyOf(each) ?? '')
    return id === undefined ? each : { ...each, id }
  })
}

/** A user's id, supplied as text or in an object; undefined if it is no text. */
function idOf(user: Static<typeof people>[number]): string | undefined {
  const id = typeof user === 'string' ? user : (user.user_id ?? user.id)
  return typeof id === 'string' ? id : undefined
}

function knownPeople(ctx: Context, entries: Entry[]) {
  const ids = entries.map(({ attendee }) => attendee.id).filter((id) => typeof id === 'string')
  return ctx.all<{ id: string; type: string; name: string; email: string | null }>(sql`
    select id, 'user' as type, full_name as name, email from users t
    where ${mine(ctx)} and deleted_at is null and id = any(${ids}::varchar[])
    union all
    select t.id, 'contact', t.full_name, t.primary_email from contacts t
    where ${scope(ctx, Contact, 'read')} and t.id = any(${ids}::varchar[])`)
}

/** Stores which contacts attend; completed meetings of a company are looked up by it. */
export async function storeContacts(ctx: Context, calendar_id: string, people: Attendee[]) {
  const ids = people.filter(({ type }) => type === 'contact').map(({ id }) => id)
  await ctx.run(sql`delete from meeting_contacts t
    where ${mine(ctx)} and t.calendar_id = ${calendar_id} and t.contact_id <> all(${ids}::varchar[])`)
  const rows = ids.map((contact_id) => ({ id: newId(), contact_id }))
  await ctx.run(sql`
    insert into meeting_contacts (organization_id, id, calendar_id, contact_id)
    select ${ctx.organization.id}, r.id, ${calendar_id}, r.contact_id
    from json_to_recordset(${JSON.stringify(rows)}) as r (id text, contact_id text)
    on conflict do nothing`)
}

/**
 * The users and contacts of a meeting who were invited too late to read what was said in it: when it was over
 * (a series, its first date) or transcribed, by somebody who neither organizes it nor administers roles.
 * Undefined where nobody was added or taken out.
 */
export async function invitedLate(
  ctx: Context,
  id: string,
  { before, after }: { before: Attendee[]; after: Attendee[] },
): Promise<string[] | undefined> {
  const isIn = (list: Attendee[], each: Attendee) =>
    list.some(({ type, id: key }) => key === each.id && type === each.type)
  const added = after.filter((each) => each.id !== null && !isIn(before, each))
  if (!added.length && before.every((each) => isIn(after, each))) return undefined
  const found = await ctx.one<{ late: string[]; is_over: boolean; is_organizer: boolean }>(sql`
    select t.invited_late as late, t.created_by is not distinct from ${ctx.actor.user_id} as is_organizer,
      t.ends_at <= ${ctx.now().toISOString()} or exists (select from meeting_transcripts s
        where s.organization_id = $organization and s.calendar_id = t.id) as is_over
    from meetings t where ${mine(ctx)} and t.id = ${id}`)
  const isLate = found?.is_over && !found.is_organizer && !mayAll(ctx.actor, 'roles', 'update')
  const ids = [...(found?.late ?? []), ...(isLate ? added.map((each) => each.id) : [])]
  return [...new Set(ids)].filter((key) => after.some((each) => each.id === key)) as string[]
}

/** The notifications of attendees who are users; they get no mail besides the invitation. */
export function attendeeNotices(attendees: Attendee[], title: string): NewNotification[] {
  return attendees.flatMap(({ type, id }) =>
    type === 'user' && id
      ? [
          {
            user_id: id,
            notification_type: 8 as const,
            title: title.slice(0, 255),
            isMailed: true,
          },
        ]
      : [],
  )
}
