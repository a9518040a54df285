import type { FieldInput } from '../records/field-config/input.ts'
import { valueOf } from '../records/organizations/option-sets.ts'
import type { RoleKind } from '../records/users/roles/permissions.ts'
import { type Dice, dice } from './dice.ts'
import {
  companyStems,
  familyNames,
  givenNames,
  companyNames,
  places,
  streets,
  tagNames,
  titles,
  trades,
} from './words.ts'

/** Somebody who can sign in to the demonstration. */
export type Person = {
  email: string
  full_name: string
  role: RoleKind
  designation: string
  department: string
  /** the e-mail of whom they report to */
  reports_to?: string
  /** the company whose account they hang on */
  company?: string
}

type Body = { [field: string]: unknown }

/** Something that somebody did at some time; `key` names the record in later steps. */
export type Step = {
  at: Date
  by: string
  what: 'create' | 'update'
  record: 'company' | 'contact' | 'tag'
  key: string
  body: Body
}

export type Story = {
  name: string
  people: Person[]
  /** custom fields by record */
  fields: { company: FieldInput[]; contact: FieldInput[] }
  /** companies that become accounts */
  accounts: string[]
  /** in the order of time */
  steps: Step[]
}

const day = 86_400_000
const companyCount = 100

/**
 * What happened in a demonstration organization over the last 200 days. The same number yields the
 * same story, moved to the present: about 100 companies, 250 contacts and 150 changes.
 */
export function makeStory(number: number, now: Date, name?: string): Story {
  const d = dice(number * 7919 + 17)
  const house = name ?? companyNames[number % companyNames.length]!
  const domain = `${slug(house) || 'demo'}.example`
  const names = nameMaker(d)
  const staff = staffOf(domain, names)
  const time = clock(d, now)
  const steps: Step[] = tagNames.map(([tag_name, description], i) => ({
    at: time(199),
    by: staff[0]!.email,
    what: 'create',
    record: 'tag',
    key: `tag ${i}`,
    body: { tag_name, description, tag_type: 'companies' },
  }))
  const companies = d
    .shuffled(companyStems)
    .slice(0, companyCount)
    .map((stem, i) => makeCompany(d, stem, i))
  for (const company of companies) {
    const owner = d.one(staff.filter(({ role }) => role === 'member' || role === 'manager'))
    const companyStory = companySteps(d, time, company, owner, staff)
    steps.push(...inOrder([...companyStory, ...contactSteps(d, time, company, owner, names)]))
  }
  const customers = companies.filter(({ stage }) => stage === 'customer')
  const accounts = customers.slice(0, 14)
  const guests = guestsOf(accounts, names)
  steps.sort((a, b) => +a.at - +b.at)
  return {
    name: house,
    people: [...staff, ...guests],
    fields,
    accounts: accounts.map(({ key }) => key),
    steps,
  }
}

const fields: Story['fields'] = {
  company: [
    {
      key: 'plan',
      label: 'Plan',
      type: 'select',
      group: 'Contract',
      options: [
        { value: 'starter', label: 'Starter', color: '#94a3b8' },
        { value: 'growth', label: 'Growth', color: '#22c55e' },
        { value: 'scale', label: 'Scale', color: '#6366f1' },
      ],
    },
    {
      key: 'renewal_date',
      label: 'Renewal date',
      type: 'date',
      group: 'Contract',
      is_shared: true,
    },
    { key: 'seats', label: 'Seats', type: 'number', group: 'Contract' },
    { key: 'is_reference', label: 'Reference customer', type: 'boolean', default: false },
  ],
  contact: [
    { key: 'newsletter', label: 'Reads the newsletter', type: 'boolean', default: false },
    { key: 'met_at', label: 'Met at', type: 'text', description: 'Where we first talked' },
    { key: 'satisfaction', label: 'Satisfaction', type: 'rating' },
  ],
}

type Names = (domain: string) => { full_name: string; email: string }

/** Names that do not repeat, with an e-mail address at a domain. */
function nameMaker(d: Dice): Names {
  const taken = new Set<string>()
  return (domain) => {
    for (;;) {
      const [first, family] = [d.one(givenNames), d.one(familyNames)]
      const full_name = `${first} ${family}`
      if (taken.has(full_name)) continue
      taken.add(full_name)
      return { full_name, email: `${slug(first)}.${slug(family)}@${domain}` }
    }
  }
}

function staffOf(domain: string, names: Names): Person[] {
  const person = (
    role: RoleKind,
    designation: string,
    department: string,
    reports_to?: Person,
  ): Person => ({
    ...names(domain),
    role,
    designation,
    department,
    reports_to: reports_to?.email,
  })
  const chief = { ...person('admin', 'Managing Director', 'Management'), email: `admin@${domain}` }
  const sales = person('manager', 'Head of Sales', 'Sales', chief)
  const success = person('manager', 'Head of Customer Success', 'Customer Success', chief)
  const people = [
    chief,
    sales,
    success,
    person('member', 'Account Executive', 'Sales', sales),
    person('member', 'Account Executive', 'Sales', sales),
    person('member', 'Customer Success Manager', 'Customer Success', success),
    person('member', 'Onboarding Specialist', 'Customer Success', success),
    person('observer', 'Auditor', 'Finance', chief),
  ]
  return people
}

/** People from outside, who see what hangs on their account. */
function guestsOf(accounts: Company[], names: Names): Person[] {
  const [first, second] = accounts
  const guest = (role: RoleKind, company: Company | undefined): Person[] =>
    company
      ? [
          {
            ...names(company.domain),
            role,
            designation: role === 'customer' ? 'Operations Manager' : 'Consultant',
            department: 'Operations',
            company: company.key,
          },
        ]
      : []
  return [...guest('customer', first), ...guest('partner', second)]
}

type Company = {
  key: string
  name: string
  domain: string
  industry: string
  stage: 'customer' | 'prospect' | 'partner'
  place: (typeof places)[number]
  size: number
  /** days ago of the first contact */
  since: number
}

const industries = Object.keys(trades)
const sizes = ['1-10', '11-50', '51-200', '201-500', '501-1000', '1001-5000']
const revenues = ['Under 1M', '1M to 10M', '10M to 50M', '50M to 100M', '100M to 500M', 'Over 1B']
const segments = [
  'Startup',
  'Small business',
  'Small business',
  'Mid-market',
  'Mid-market',
  'Enterprise',
]

function makeCompany(d: Dice, stem: string, i: number): Company {
  const industry = d.one(industries)
  const name = `${stem} ${d.one(trades[industry]!.endings)}`
  return {
    key: `company ${i}`,
    name,
    domain: `${slug(stem)}.example`,
    industry,
    stage: d.chance(0.35) ? 'customer' : d.chance(0.12) ? 'partner' : 'prospect',
    place: d.one(places),
    size: Math.min(d.between(0, 5), d.between(1, 5)),
    since: d.between(6, 195),
  }
}

type Time = (daysAgo: number) => Date

function companySteps(
  d: Dice,
  time: Time,
  company: Company,
  owner: Person,
  staff: Person[],
): Step[] {
  const { key, name, domain, industry, place, size, since, stage } = company
  const { city, country, region } = place
  const step = (at: number, by: Person, body: Body, what: Step['what'] = 'update'): Step => ({
    at: time(at),
    by: by.email,
    what,
    record: 'company',
    key,
    body,
  })
  const address = {
    country,
    city,
    address: `${d.between(1, 140)} ${d.one(streets)}`,
    zip_code: d.digits(place.zip),
  }
  const first = {
    company_name: name,
    domain,
    website_url: `https://www.${domain}`,
    description: `${name} ${trades[industry]!.pitch}.`,
    industry: valueOf(industry),
    employee_range: valueOf(sizes[size]!),
    revenue_range: valueOf(revenues[size]!),
    customer_segment: valueOf(segments[size]!),
    company_type: 'prospect',
    lead_status: 'new',
    company_owner: { email: owner.email },
    hq_location: `${city}, ${country}`,
    hq_country: country,
    operating_regions: [region],
    address,
    tags: d.some(
      tagNames.map(([tag]) => tag),
      d.chance(0.4) ? d.between(1, 2) : 0,
    ),
  }
  const steps = [step(since, owner, first, 'create')]
  const boss = staff.find(({ email }) => email === owner.reports_to) ?? staff[0]!
  if (since > 12 && d.chance(0.6)) {
    const lead_status = d.one(['contacted', 'qualified', 'nurturing'])
    steps.push(step(since * 0.8, owner, { lead_status }))
  }
  if (stage === 'partner') {
    steps.push(step(since * 0.6, boss, { company_type: 'partner', partner_type: 'Reseller' }))
  }
  if (stage === 'customer') {
    const seats = d.between(2, 30) * (size + 1)
    const plan = ['starter', 'starter', 'growth', 'growth', 'scale', 'scale'][size]!
    const won = {
      company_type: 'customer',
      lead_status: 'converted',
      estimated_arr: seats * d.one([240, 300, 360]),
      custom_fields: { plan, seats, renewal_date: dateOf(time(since * 0.5 - 365)) },
    }
    steps.push(step(since * 0.5, owner, won))
    if (d.chance(0.3)) {
      const more = seats + d.between(5, 40)
      steps.push(step(since * 0.25, owner, { custom_fields: { seats: more } }))
    }
    if (d.chance(0.25)) {
      const word = d.one(['Key account', 'At risk', 'Reference', 'Renewal soon'])
      const tags: string[] = first.tags
      if (!tags.includes(word)) steps.push(step(since * 0.15, boss, { tags: [...tags, word] }))
    }
  }
  return steps
}

function contactSteps(d: Dice, time: Time, company: Company, owner: Person, names: Names): Step[] {
  const { place, stage, since, domain } = company
  const steps: Step[] = []
  const count = Math.min(d.between(1, 6), d.between(1, 3 + company.size))
  const people = d.some(titles, count).map((position, i) => ({
    position,
    key: `${company.key} contact ${i}`,
    ...names(domain),
  }))
  people.forEach(({ key, position, full_name, email }, i) => {
    const at = since * (0.97 - i * 0.12)
    const body: Body = {
      full_name,
      primary_email: email,
      company: { $: company.key },
      job_title: position.title,
      department: position.department,
      seniority_level: valueOf(position.seniority),
      buying_role: valueOf(position.buys),
      contact_owner: { email: owner.email },
      lead_source: valueOf(d.one(['Website', 'Referral', 'Event', 'Outbound', 'Partner'])),
      lead_status: 'new',
      contact_stage: 'lead',
      person_category: stage === 'partner' ? 'partner' : 'prospect',
      phone: d.digits(place.phone),
      location: { city: place.city, country: place.country },
      timezone: place.timezone,
      language: valueOf(place.language),
      preferred_communication_channel: valueOf(d.one(['Email', 'Email', 'Phone', 'Video call'])),
      influence_level: d.between(1, 5),
      interest_level: d.between(1, 5),
      lead_score: d.between(5, 95),
      do_not_contact: d.chance(0.04) ? 'yes' : 'no',
      custom_fields: {
        newsletter: d.chance(0.4),
        met_at: d.one(['Spring fair', 'Webinar', 'Phone call', 'Introduction', 'Autumn summit']),
      },
    }
    if (i > 0) {
      body.reports_to = { $: people[d.between(0, i - 1)]!.key }
      body.reporting_source = 'manual'
    }
    steps.push({ at: time(at), by: owner.email, what: 'create', record: 'contact', key, body })
    if (stage === 'customer' && d.chance(0.45)) {
      const later = time(at * 0.4)
      const change = {
        contact_stage: 'customer',
        person_category: 'customer',
        lead_status: 'converted',
        last_activity_date: later.toISOString(),
        custom_fields: { satisfaction: d.between(2, 5) },
      }
      steps.push({
        at: later,
        by: owner.email,
        what: 'update',
        record: 'contact',
        key,
        body: change,
      })
    }
  })
  return steps
}

/** Nothing is named or changed before it is there, however the hours of the days have fallen. */
function inOrder(steps: Step[]): Step[] {
  const made = new Map<string, number>()
  return steps.map((step) => {
    const named = Object.values(step.body).flatMap((value) => nameOf(value) ?? [])
    const since = Math.max(0, ...[step.key, ...named].map((key) => made.get(key) ?? 0))
    const at = new Date(Math.max(+step.at, since + 20 * 60_000))
    if (step.what === 'create') made.set(step.key, +at)
    return { ...step, at }
  })
}

/** The key of the record that a value stands for, as `{ $: key }`. */
export function nameOf(value: unknown): string | undefined {
  return typeof value === 'object' && value && '$' in value ? String(value.$) : undefined
}

/** A moment of a working day so many days ago, never in the future unless requested. */
function clock(d: Dice, now: Date): Time {
  const today = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00Z`)
  return (daysAgo) => {
    const midnight = today - Math.max(1, Math.ceil(Math.abs(daysAgo))) * Math.sign(daysAgo) * day
    const weekday = new Date(midnight).getUTCDay()
    // no work on Saturdays and Sundays: the Friday before
    const workday = midnight - (weekday === 6 ? day : weekday === 0 ? 2 * day : 0)
    return new Date(workday + d.between(8 * 3600, 17 * 3600) * 1000)
  }
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function slug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{ASCII}]/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
