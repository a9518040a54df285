import { valueOf } from '../../model/organizations/option-sets.ts'
import { item } from '../present.ts'
import type { Body, Line } from '../step.ts'

/** A company of the story, with its people. */
export type Firm = {
  key: string
  name: string
  domain: string
  city: string
  country: string
  region: 'Europe' | 'North America' | 'Asia Pacific'
  timezone: string
  language: string
  currency: string
  industry: string
  employees: string
  segment: string
  pitch: string
  people: FirmPerson[]
}

type FirmPerson = {
  key: string
  name: string
  email: string
  title: string
  department: string
  seniority: string
  buys: string
}

/** A person of the company by index; the first one signs. */
export function personAt({ name, people }: Firm, place: number): FirmPerson {
  return item(people, place, `person of ${name}`)
}

/** A company and its people, met so many days ago by somebody, who becomes their owner. */
export function introduce(firm: Firm, day: number, by: string, more: Body = {}): Line[] {
  const { key, name, domain, city, country, industry, employees, segment, pitch } = firm
  const company = {
    company_name: name,
    domain,
    website_url: `https://www.${domain}`,
    description: `${name} ${pitch}.`,
    industry: valueOf(industry),
    employee_range: valueOf(employees),
    customer_segment: valueOf(segment),
    company_type: 'prospect',
    lead_status: 'qualified',
    company_owner: { $: by },
    hq_location: `${city}, ${country}`,
    hq_country: country,
    address: { city, country },
    ...more,
  }
  const people = firm.people.map((person, i): Line => {
    const { title, department, seniority, buys, email } = person
    const body = {
      full_name: person.name,
      primary_email: email,
      company: { $: key },
      job_title: title,
      department,
      seniority_level: valueOf(seniority),
      buying_role: valueOf(buys),
      contact_owner: { $: by },
      lead_source: valueOf(i ? 'Referral' : 'Event'),
      lead_status: 'qualified',
      contact_stage: 'lead',
      person_category: 'prospect',
      language: valueOf(firm.language),
      timezone: firm.timezone,
      location: { city, country },
      influence_level: 5 - i,
      interest_level: 4,
    }
    return [day + 1, by, 'create contact', person.key, body]
  })
  return [[day, by, 'create company', key, company], ...people]
}

/** The account of a company that buys, and the changes of the company. */
export function openAccount(firm: Firm, day: number, by: string, more: Body = {}): Line[] {
  const account = {
    account_name: firm.name,
    company_id: { $: firm.key },
    account_owner: { $: by },
    customer: { $: personAt(firm, 0).key },
    segment: valueOf(firm.segment),
    region: valueOf(firm.region),
    currency_unit: firm.currency,
    website_url: `https://www.${firm.domain}`,
    ...more,
  }
  return [[day, by, 'create account', `${firm.key} account`, account]]
}

/** Moves a deal of an account through the stages of the pipeline; the last one may win or lose it. */
export function deal(
  firm: Firm,
  { key, name, by, value, forecast, moves, ...more }: DealPlan,
): Line[] {
  const [[day], ...later] = moves
  const body = {
    project_name: `${firm.name}: ${name}`,
    project_type: 'deal',
    account_id: { $: `${firm.key} account` },
    project_owner: { $: by },
    expected_deal_value: value,
    currency_unit: firm.currency,
    forecasted_date: forecast,
    contract_duration: 12,
    ...more,
  }
  const steps = later.map(([at, stage_id, lost_reason]): Line => [
    at,
    by,
    'update deal',
    key,
    { stage_id, ...(lost_reason ? { lost_reason } : {}) },
  ])
  return [[day, by, 'create deal', key, body], ...steps]
}

type DealPlan = {
  key: string
  name: string
  by: string
  value: number
  forecast: string
  /** its first day, and its stages */
  moves: [[day: number], ...[day: number, stage: string, lostReason?: string][]]
  [field: string]: unknown
}

/** Tasks of a project, completed on their days by their owners. */
export function done(
  project: string,
  by: string,
  ...titles: [day: number, title: string][]
): Line[] {
  return titles.map(([day, title]) => [
    day,
    by,
    'update task',
    `${project}: ${title}`,
    { is_completed: true },
  ])
}

/** A milestone of a project that has reached a status. */
export function reached(project: string, name: string, day: number, status = 'completed'): Line {
  return [
    day,
    'success',
    'update milestone',
    `${project}: ${name}`,
    { project: { $: project }, status },
  ]
}

/** Lines in the order of their days, and within a day in the order of writing. */
export function inOrder(...parts: Line[][]): Line[] {
  return parts.flat().toSorted((a, b) => a[0] - b[0])
}
