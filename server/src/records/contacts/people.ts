import { Type } from 'typebox'
import type { Static } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/read/one.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { Account } from '../../model/accounts/account.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { Deal } from '../../model/projects/project.ts'

/** What part somebody has in a sale, by the values of their buying role; others are `unknown`. */
const partsByRole: { [role: string]: Part } = {
  decision_maker: 'decides',
  champion: 'champion',
  end_user: 'uses',
  economic_buyer: 'pays',
  blocker: 'against',
}

const parts = ['decides', 'champion', 'uses', 'pays', 'against', 'unknown'] as const
type Part = (typeof parts)[number]
/** Parts that a sale cannot do without. */
const needed = ['decides', 'champion', 'uses', 'pays'] as const

/** The most people who are shown: those with a part, then those with the latest contact. */
const most = 50

const person = Type.Object(
  {
    contact_id: Type.String(),
    full_name: Type.String(),
    job_title: orNull(Type.String()),
    profile_image: orNull(Type.String()),
    buying_role: orNull(Type.String()),
    part: enumeration([...parts], {
      title: 'PersonPart',
      description: 'the part in the sale, as the buying role says',
    }),
    strength: Type.Integer({
      minimum: 0,
      maximum: 3,
      description:
        'how often there was contact within 30 days: 1 is once, 2 up to three times, 3 more often',
    }),
    last_contact: orNull(
      Type.String({ format: 'date-time', description: 'when there was contact last' }),
    ),
  },
  { title: 'PersonInPart' },
)

const map = Type.Object(
  {
    people: Type.Array(person, { description: `by their parts, ${most} at most` }),
    missing: Type.Array(enumeration([...needed], { title: 'NeededPart' }), {
      description: 'the parts that nobody is known to have',
    }),
  },
  { title: 'PeopleMap' },
)

const description =
  'The contact that the record names and the contacts of its companies, of those contacts and companies that the caller may read.'

/** Who at the customer has which part in a deal. */
export const dealPeople = operation({
  name: 'read_deal_people',
  summary: 'Retrieve the people of a deal',
  description,
  can: { module: 'deals', action: 'read' },
  writes: false,
  input: { params: byId },
  output: map,
  async run(ctx, { params: { id } }) {
    await checkReadable(ctx, Deal, id)
    return peopleOf(
      ctx,
      sql`select t.customer_contact as contact, array[t.company_id, a.company_id] as companies
        from projects t
        left join ${readableRows(ctx, 'accounts')} a on ${mine(ctx, 'a')} and a.id = t.account_id
        where ${mine(ctx)} and t.id = ${id}`,
    )
  },
})

/** Who at the customer has which part. */
export const accountPeople = operation({
  name: 'read_account_people',
  summary: 'Retrieve the people of an account',
  description,
  can: { module: 'accounts', action: 'read' },
  writes: false,
  input: { params: byId },
  output: map,
  async run(ctx, { params: { id } }) {
    await checkReadable(ctx, Account, id)
    return peopleOf(
      ctx,
      sql`select t.customer_contact as contact, array[t.company_id] as companies
        from accounts t where ${mine(ctx)} and t.id = ${id}`,
    )
  },
})

type Found = Omit<Static<typeof person>, 'part' | 'strength'> & { contacts: number }

/** The people of a record, which the query gives as its `contact` and its `companies`. */
async function peopleOf(ctx: Context, of: Query): Promise<Static<typeof map>> {
  // buying roles are internal
  if (ctx.actor.is_external) throw forbidden('Customers and partners may not read parts in a sale')
  const now = ctx.now()
  const since = new Date(+now - 30 * 86_400_000).toISOString()
  // whom the limit keeps, and the order of those with the same part
  const first = sql`its.is_named desc nulls last, its.buying_role = any(${Object.keys(partsByRole)}) desc nulls last,
    its.last_activity_date desc nulls last, its.id`
  const found = await ctx.all<Found>(sql`
    with subject as (${of}),
    its as (
      select c.id, c.full_name, c.job_title, c.profile_image, c.buying_role, c.last_activity_date,
        c.id = s.contact as is_named
      from ${readableRows(ctx, 'contacts')} c, subject s
      where ${mine(ctx, 'c')} and c.deleted_at is null
        and (c.id = s.contact or c.company_id in (select o.id
          from ${readableRows(ctx, 'companies')} o where ${mine(ctx, 'o')} and o.id = any(s.companies)))
    ),
    shown as (select its.* from its order by ${first} limit ${most}),
    recent as (
      select a.subject_id, count(*)::integer as contacts
      from ${readableRows(ctx, 'record_activity')} a
      where ${mine(ctx, 'a')} and a.subject_module = ${Contact.number} and not a.is_private
        and a.subject_id in (select id from shown)
        and a.at > ${since}::timestamptz and a.at <= ${now.toISOString()}::timestamptz
      group by a.subject_id
    )
    select its.id as contact_id, its.full_name, its.job_title, its.profile_image, its.buying_role,
      its.last_activity_date as last_contact, coalesce(r.contacts, 0) as contacts
    from shown its left join recent r on r.subject_id = its.id
    order by ${first}`)
  const people = found
    .map(({ contacts, ...each }) => ({
      ...each,
      part: partsByRole[each.buying_role ?? ''] ?? ('unknown' as const),
      strength: contacts > 3 ? 3 : contacts > 1 ? 2 : contacts,
    }))
    .toSorted((one, other) => parts.indexOf(one.part) - parts.indexOf(other.part))
  const missing = needed.filter((part) => !people.some((each) => each.part === part))
  return { people, missing }
}
