import type { FieldInput } from '../records/field-config/input.ts'
import { valueOf } from '../model/organizations/option-sets.ts'
import { type Dice, dice } from './dice.ts'
import { type Names, type Person, guestsOf, nameMaker, slug, staffOf } from './people.ts'
import { said } from './scenes/answers.ts'
import { clairval } from './scenes/clairval.ts'
import { desk } from './scenes/desk.ts'
import { feldkirchner } from './scenes/feldkirchner.ts'
import { scheduledWork, house } from './scenes/house.ts'
import { norrevang } from './scenes/norrevang.ts'
import { olmeda } from './scenes/olmeda.ts'
import { pipeline } from './scenes/pipeline.ts'
import { type Body, type Step, calendarOf, dateOf, namesIn, stepsOf } from './step.ts'
import { companyNames, companyStems, places, streets, tagNames, titles, trades } from './words.ts'
import { item, present } from './present.ts'

export type Story = {
  name: string
  people: Person[]
  /** custom fields by record */
  fields: { company: FieldInput[]; contact: FieldInput[] }
  /** in the order of time */
  steps: Step[]
}

const day = 86_400_000
const companyCount = 92

/**
 * The events in a demonstration organization over the last 200 days. The same seed results in the
 * same story, moved to the present: about 100 background companies with their people and history, and the scenes
 * of those that are customers or about to be.
 */
export function makeStory(number: number, now: Date, name?: string): Story {
  const d = dice(number * 7919 + 17)
  const house = name ?? item(companyNames, number % companyNames.length, 'name')
  const domain = `${slug(house) || 'demo'}.example`
  const names = nameMaker(d)
  const staff = staffOf(domain, names)
  const time = clock(d, now)
  const steps: Step[] = tagNames.map(([tag_name, description], i) => ({
    at: time(199),
    by: 'admin',
    does: 'create tag',
    key: `tag ${i}`,
    body: { tag_name, description, tag_type: 'companies' },
  }))
  const companies = d
    .shuffled(companyStems)
    .slice(0, companyCount)
    .map((stem, i) => makeCompany(d, stem, i))
  for (const company of companies) {
    const owner = d.one(staff.filter(({ role }) => role === 'member' || role === 'manager'))
    const its = companySteps(d, time, company, owner, staff)
    steps.push(...inOrder([...its, ...contactSteps(d, time, company, owner, names)]))
  }
  const customers = companies.filter(({ stage, since }) => stage === 'customer' && since > 60)
  for (const [i, company] of customers.slice(0, accountCount).entries()) {
    const main = steps.find(({ key }) => key === `${company.key} contact 0`)
    const email = String(main?.body.primary_email)
    steps.push(...inOrder(accountSteps(d, time, company, { i, email })))
  }
  const people = [...staff, ...guestsOf()]
  steps.push(...sceneSteps(d, now))
  return { name: house, people, fields, steps: steps.toSorted((a, b) => +a.at - +b.at) }
}

/** Background companies that also have an account. */
const accountCount = 7

/** The scenes of the customers, and what scheduled jobs did meanwhile. */
function sceneSteps(d: Dice, now: Date): Step[] {
  const calendar = calendarOf(now)
  const scenes = [house, feldkirchner, norrevang, clairval, olmeda, pipeline, desk]
  const lines = [...scenes.map((scene) => scene(calendar)), scheduledWork()]
  const steps = lines.flatMap((its) => stepsOf(d, now, its))
  return inOrder(steps.toSorted((a, b) => +a.at - +b.at))
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

const plans = ['starter', 'starter', 'growth', 'growth', 'scale', 'scale']

function makeCompany(d: Dice, stem: string, i: number): Company {
  const industry = d.one(industries)
  const name = `${stem} ${d.one(present(trades[industry], industry).endings)}`
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
  const step = (at: number, by: Person, body: Body, what = 'update'): Step => ({
    at: time(at),
    by: by.part,
    does: `${what} company`,
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
    description: `${name} ${present(trades[industry], industry).pitch}.`,
    industry: valueOf(industry),
    employee_range: valueOf(item(sizes, size, 'size')),
    revenue_range: valueOf(item(revenues, size, 'revenue')),
    customer_segment: valueOf(item(segments, size, 'segment')),
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
  const boss = staff.find(({ email }) => email === owner.reports_to) ?? item(staff, 0, 'colleague')
  if (since > 12 && d.chance(0.6)) {
    const lead_status = d.one(['contacted', 'qualified', 'nurturing'])
    steps.push(step(since * 0.8, owner, { lead_status }))
  }
  if (stage === 'partner') {
    steps.push(step(since * 0.6, boss, { company_type: 'partner', partner_type: 'Reseller' }))
  }
  if (stage === 'customer') {
    const seats = d.between(2, 30) * (size + 1)
    const plan = item(plans, size, 'plan')
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
      body.reports_to = { $: item(people, d.between(0, i - 1), 'person').key }
      body.reporting_source = 'manual'
    }
    steps.push({ at: time(at), by: owner.part, does: 'create contact', key, body })
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
        by: owner.part,
        does: 'update contact',
        key,
        body: change,
      })
    }
  })
  return steps
}

const offers = ['Growth plan', 'Rollout', 'Renewal', 'Expansion', 'Pilot', 'Second site']

/** The account of a background customer, the deal that it came from, and what its people say. */
function accountSteps(
  d: Dice,
  time: Time,
  { key, name, since, size }: Company,
  { i, email }: { i: number; email: string },
): Step[] {
  const by = d.one(['seller', 'hunter'])
  const account = `${key} account`
  const deal = `${key} deal`
  const value = (size + 1) * d.between(8, 22) * 300
  const step = (at: number, does: string, of: string, body: Body): Step => ({
    at: time(at),
    by,
    does,
    key: of,
    body,
  })
  const begun = {
    project_name: `${name}: ${offers[i % offers.length]}`,
    project_type: 'deal',
    account_id: { $: account },
    project_owner: { $: by },
    expected_deal_value: value,
    forecasted_date: dateOf(time(since * 0.5)),
    contract_duration: 12,
    stage_id: 'proposal',
    tags: i % 2 ? ['renewal'] : ['new business'],
  }
  const owned = { account_name: name, company_id: { $: key }, account_owner: { $: by } }
  const answer: Step = {
    at: time(4 + 8 * i),
    by: 'somebody',
    does: 'answer survey',
    key: 'onboarding survey',
    body: { email, ...said[i % said.length] },
  }
  return [
    step(since * 0.8, 'create account', account, owned),
    step(since * 0.75, 'create deal', deal, begun),
    step(since * 0.5, 'update deal', deal, { stage_id: 'closed_won' }),
    answer,
  ]
}

/**
 * Nothing is referred to or changed before it exists, and the steps of a record keep their order, whatever
 * the random hours are.
 */
function inOrder(steps: Step[]): Step[] {
  const made = new Map<string, number>()
  return steps.map((step) => {
    const since = Math.max(0, ...[step.key, ...namesIn(step.body)].map((key) => made.get(key) ?? 0))
    const at = new Date(Math.max(+step.at, since + 5 * 60_000))
    if (step.key) made.set(step.key, +at)
    return { ...step, at }
  })
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
