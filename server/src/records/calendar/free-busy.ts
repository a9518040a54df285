import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { nameablePeople } from '../../model/people/person.ts'
import type { BusyPerson, Span } from './busy.ts'
import { busyReasons, busyTimesOf } from './busy.ts'
import { instantOf } from './input.ts'

const time = (description: string) =>
  schema<string>({ type: 'string', format: 'date-time', description })
const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 320, description }))

type Named = { user_id?: string; contact_id?: string; email?: string }

/** Whose time is asked for, and when. */
export const freeBusyBody = Type.Object({
  people: Type.Array(
    schema<string | Named>({
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 320 },
        Type.Object({
          user_id: name('id of a user'),
          contact_id: name('id of a contact'),
          email: name('an e-mail'),
        }),
      ],
      description: 'a user by id or e-mail, or an object with user_id, contact_id or email',
    }),
    { minItems: 1, maxItems: 50, description: 'whose time is asked for' },
  ),
  from: time('from this time on'),
  to: time('until here, at most 31 days later'),
  duration: Type.Optional(
    Type.Integer({
      minimum: 5,
      maximum: 1440,
      default: 60,
      description: 'minutes that a free time lasts',
    }),
  ),
  required: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 320 }), {
      maxItems: 50,
      description:
        'users of `people`, by their ids, who must be free in suggestions; all who are known if absent',
    }),
  ),
  calendar_id: Type.Optional(
    Type.String({
      maxLength: 25,
      description: 'a meeting that does not count: the one that moves',
    }),
  ),
})

const span = { from: time('when it begins'), to: time('when it ends') }

export const freeBusy = Type.Object(
  {
    people: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'the id or e-mail by which the request names them' }),
          user_id: orNull(Type.String({ description: 'the user, if it is one' })),
          name: orNull(Type.String({ description: 'the full name, if known' })),
          known: Type.Boolean({
            description: 'whether their time is known here: only that of users is',
          }),
          working: Type.Array(Type.Object(span, { title: 'WorkingTime' }), {
            description:
              'when the person works, by their own clock and without holidays and days away',
          }),
          busy: Type.Array(
            Type.Object(
              {
                ...span,
                why: enumeration(busyReasons, { title: 'BusyReason' }),
                title: orNull(
                  Type.String({
                    description: 'of a meeting that the caller may read, or of the holiday',
                  }),
                ),
              },
              { title: 'BusyTime' },
            ),
            { description: 'when the person is busy, by start' },
          ),
        },
        { title: 'PersonBusy' },
      ),
      { description: 'in the order in which they were named' },
    ),
    suggestions: Type.Array(
      Type.Object(
        {
          ...span,
          free: Type.Integer({ description: 'how many are free then' }),
          of: Type.Integer({ description: 'of how many whose time is known' }),
        },
        { title: 'FreeTime' },
      ),
      { description: 'the next three times at which all who must be are free, and at work' },
    ),
  },
  { title: 'FreeBusy' },
)
type FreeBusy = Static<typeof freeBusy>

const minute = 60_000
const mostDays = 31
const mostSuggestions = 3

/**
 * When people work and are busy, and the next times at which all are free. 400 for nobody's id and for too long a range, 403
 * for customers and partners. Of contacts and addresses only those who are users are known.
 */
export async function readFreeBusy(
  ctx: Context,
  { people, from, to, duration = 60, required, calendar_id = '' }: Static<typeof freeBusyBody>,
): Promise<FreeBusy> {
  if (ctx.actor.is_confined) throw forbidden('Only colleagues see when others are busy')
  const { timezone: zone } = ctx.organization
  const bounds = { from: instantOf(from, 'from', zone), to: instantOf(to, 'to', zone) }
  const length = Date.parse(bounds.to) - Date.parse(bounds.from)
  if (length <= 0) throw badField('to', 'must be after from')
  if (length > mostDays * 1440 * minute)
    throw badField('to', `must be at most ${mostDays} days later`)
  const named = await peopleIn(ctx, people)
  const ids = [...new Set(named.flatMap(({ user_id }) => user_id ?? []))]
  const stranger = required?.findIndex((id) => !ids.includes(id)) ?? -1
  if (stranger >= 0) throw badField(`required.${stranger}`, 'is none of the users in people')
  await checkMeeting(ctx, calendar_id)
  const found = await busyTimesOf(ctx, ids, { ...bounds, calendar_id })
  const byId = new Map(found.map((each) => [each.user_id, each]))
  const shown = named.map(({ id, user_id, name: said }) => {
    const known = user_id === null ? undefined : byId.get(user_id)
    return {
      id,
      user_id,
      name: known?.name ?? said,
      known: known !== undefined,
      working: known?.working ?? [],
      busy: known?.busy ?? [],
    }
  })
  return {
    people: shown,
    suggestions: freeTimes(found, {
      ...bounds,
      required: required ?? ids,
      duration,
      now: ctx.now(),
    }),
  }
}

type Person = { id: string; user_id: string | null; name: string | null }

/** Who is named, in order and once each; 400 for an id of nobody. */
async function peopleIn(ctx: Context, people: (string | Named)[]): Promise<Person[]> {
  const named = people.map((each): Named => {
    if (typeof each !== 'string') return each
    return each.includes('@') ? { email: each } : { user_id: each }
  })
  const keys = named.flatMap(({ email }) => email?.toLowerCase() ?? [])
  const contacts = named.flatMap(({ contact_id }) => contact_id ?? [])
  const users = named.flatMap(({ user_id }) => user_id ?? [])
  const [known, linked] = await Promise.all([
    ctx.all<{ id: string; key: string; name: string }>(sql`
      select t.id, t.email_key as key, t.full_name as name from users t
      where ${all(mine(ctx), nameablePeople(ctx))} and t.deleted_at is null
        and (t.id = any(${users}::varchar[]) or t.email_key = any(${keys}::text[]))`),
    contacts.length
      ? ctx.all<{ id: string; user_id: string | null; name: string }>(sql`
          select t.id, t.linked_user as user_id, t.full_name as name from contacts t
          where ${scope(ctx, Contact, 'read')} and t.id = any(${contacts}::varchar[])`)
      : [],
  ])
  const found = named.map((each, at): Person => {
    const { user_id, contact_id, email } = each
    const count = [user_id, contact_id, email].filter((one) => one !== undefined).length
    if (count !== 1)
      throw badField(`people.${at}`, 'must have one of user_id, contact_id and email')
    if (contact_id !== undefined) {
      const contact = linked.find(({ id }) => id === contact_id)
      if (!contact) throw badField(`people.${at}`, 'no such contact')
      return { id: contact_id, user_id: contact.user_id, name: contact.name }
    }
    const user = known.find(({ id, key }) => id === user_id || key === email?.toLowerCase())
    if (user) return { id: user_id ?? email ?? user.id, user_id: user.id, name: user.name }
    if (email === undefined) throw badField(`people.${at}`, 'no such user')
    return { id: email, user_id: null, name: null }
  })
  return found.filter(({ id }, at) => found.findIndex((each) => each.id === id) === at)
}

type Range = { from: string; to: string; required: string[]; duration: number; now: Date }
type Times = readonly (readonly [from: number, to: number])[]

/** The next times at which all who are required work and are not busy, at quarters of an hour. */
function freeTimes(
  people: BusyPerson[],
  { from, to, required, duration, now }: Range,
): FreeBusy['suggestions'] {
  const times = (spans: Span[]): Times =>
    spans.map((each) => [Date.parse(each.from), Date.parse(each.to)] as const)
  const everybody = people.map(({ user_id, working, busy }) => ({
    isNeeded: required.includes(user_id),
    working: times(working),
    busy: times(busy),
  }))
  const needed = everybody.filter(({ isNeeded }) => isNeeded)
  if (!needed.length) return []
  const isFree = ({ working, busy }: (typeof everybody)[number], at: number, end: number) =>
    working.some(([start, until]) => start <= at && end <= until) &&
    !busy.some(([start, until]) => start < end && until > at)
  const last = Date.parse(to)
  const quarter = 15 * minute
  const up = (at: number) => Math.ceil(at / quarter) * quarter
  const found: FreeBusy['suggestions'] = []
  let at = up(Math.max(Date.parse(from), +now))
  while (at + duration * minute <= last && found.length < mostSuggestions) {
    const end = at + duration * minute
    if (needed.every((each) => isFree(each, at, end))) {
      const free = everybody.filter((each) => isFree(each, at, end)).length
      const [start, until] = [new Date(at).toISOString(), new Date(end).toISOString()]
      found.push({ from: start, to: until, free, of: everybody.length })
      at = up(end)
    } else at += quarter
  }
  return found
}

/** 400 for a meeting that the caller does not see. */
async function checkMeeting(ctx: Context, id: string): Promise<void> {
  if (!id) return
  const found = await ctx.one(sql`select t.id from meetings t
    where ${scope(ctx, Meeting, 'read')} and t.id = ${id}`)
  if (!found) throw badField('calendar_id', 'no such meeting')
}
