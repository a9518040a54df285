import type { Actor, Context, Queries } from '../kit/ground/context.ts'
import { newId } from '../kit/ground/ids.ts'
import type { Answer, Operation } from '../kit/ground/operation.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import { addAccount } from '../records/accounts/add.ts'
import { issueApp } from '../records/apps/app.ts'
import { allScopes } from '../records/apps/scopes.ts'
import { Company } from '../records/companies/company.ts'
import { companies } from '../records/companies/operations.ts'
import { Contact } from '../records/contacts/contact.ts'
import { contacts } from '../records/contacts/operations.ts'
import { fieldConfig } from '../records/field-config/operations.ts'
import { createOrganization } from '../records/organizations/organization.ts'
import { tags } from '../records/tags/tag.ts'
import { loadActor } from '../records/users/actor.ts'
import { addUser, setUser } from '../records/users/create.ts'
import { newPassword } from '../provision.ts'
import { type Runtime, asOperator, onBehalf } from '../runtime.ts'
import { hashPassword } from '../secrets.ts'
import { makeCare } from './care.ts'
import type { Demo } from './credentials.ts'
import { makeSales } from './sales.ts'
import { type Step, type Story, nameOf, makeStory } from './story.ts'

/** Where an automation platform would take its users back to; nobody is there. */
const redirectUri = 'https://automation.example/oauth/callback'

type Wish = {
  name?: string
  /** only when there is no organization at all */
  onlyFirst?: boolean
  /** called with the credentials before they count, so that no crash can lose them */
  keep(demo: Demo): void
}

/**
 * Makes a demonstration organization by carrying out its story, through the operations that the
 * surfaces use, so that every record has its log and its events. One transaction: all or nothing.
 * Undefined when `onlyFirst` is set and there is an organization already.
 */
export async function makeDemo(runtime: Runtime, wish: Wish): Promise<Demo | undefined> {
  const password = newPassword()
  const password_hash = await hashPassword(password)
  return asOperator(runtime, async (ctx) => {
    await ctx.run(sql`select pg_advisory_xact_lock(hashtextextended('perennial demo', 0))`)
    const counted = await ctx.one<{ all: number; demos: number }>(sql`
      select count(*) as all, count(*) filter (where is_demo_data) as demos from organizations`)
    if (wish.onlyFirst && counted!.all) return undefined
    const story = makeStory(counted!.demos, runtime.now(), await freeName(ctx, wish.name, counted!))
    const id = newId()
    const place = { id, name: story.name, timezone: 'UTC' }
    const people = await found(ctx, place, story, password_hash)
    const made = await retell(ctx, place, story, people)
    const app = await issueApp(ctx, runtime.secrets, id, {
      name: 'Demo automation',
      description: 'The automation platform that "perennial tour" plays',
      redirect_uris: [redirectUri],
      scopes: allScopes,
    })
    const demo: Demo = {
      organization_id: id,
      name: story.name,
      email: story.people[0]!.email,
      password,
      people: story.people.map(({ email, role, full_name }) => ({ email, role, full_name })),
      app: {
        client_id: app.client_id,
        client_secret: app.client_secret!,
        function_key: app.function_key!,
        redirect_uri: redirectUri,
      },
      made,
    }
    wish.keep(demo)
    return demo
  })
}

/** The requested name, or one of the story's own that nobody has yet. */
async function freeName(
  queries: Queries,
  name: string | undefined,
  counted: { demos: number },
): Promise<string> {
  const rows = await queries.all<{ name: string }>(
    sql`select lower(name) as name from organizations`,
  )
  const taken = new Set(rows.map((row) => row.name))
  const requested = name ?? makeStory(counted.demos, new Date(0)).name
  for (let i = 1; ; i++) {
    const free = i === 1 ? requested : `${requested} ${i}`
    if (!taken.has(free.toLowerCase())) return free
  }
}

type Made = Map<string, { id: string; actor: Actor }>

/** The organization with its people, as founded when the story begins. */
async function found(
  base: Context,
  organization: Context['organization'],
  { name, people, steps }: Story,
  password_hash: string,
): Promise<Made> {
  const founded = steps[0]!.at
  const roles = await createOrganization(base, organization.id, { name, is_demo_data: true })
  await base.run(sql`update organizations set creation_time = ${founded.toISOString()}
    where organization_id = ${organization.id}`)
  const ctx = onBehalf(base, { organization, now: () => founded })
  const ids = new Map<string, string>()
  for (const { role, reports_to, company: _, ...person } of people) {
    const id = await addUser(ctx, {
      ...person,
      role_id: roles[role],
      reports_to: ids.get(reports_to ?? '') ?? null,
      joining_date: founded.toISOString().slice(0, 10),
      is_team_head: role === 'manager' || role === 'admin',
      is_demo_data: true,
      password_hash,
    })
    ids.set(person.email, id)
  }
  const made: Made = new Map()
  for (const [email, id] of ids) {
    made.set(email, { id, actor: (await loadActor(ctx, organization.id, id))!.actor })
  }
  return made
}

const operations: { [step: string]: Operation } = {
  'create company': companies.create,
  'update company': companies.update,
  'create contact': contacts.create,
  'update contact': contacts.update,
  'create tag': tags.create,
}

/** Carries out the story, each step as its person at its time; counts what was made. */
async function retell(
  base: Context,
  organization: Context['organization'],
  story: Story,
  people: Made,
): Promise<Demo['made']> {
  const admin = story.people[0]!
  const as = contextMaker(base, organization, people)
  const start = as(admin.email, story.steps[0]!.at)
  for (const [record, fields] of [
    [Company, story.fields.company],
    [Contact, story.fields.contact],
  ] as const) {
    const body = { fields }
    await fieldConfig(record).update.run(start, {
      params: {},
      query: {},
      body,
      address: '',
      url: '',
    })
  }
  const ids = new Map<string, string>()
  const counts = { companies: 0, contacts: 0, changes: 0 }
  for (const together of batches(story.steps)) {
    await Promise.all(
      together.map(async (step) => {
        const id = await perform(as(step.by, step.at), step, ids)
        if (step.what === 'create') ids.set(step.key, id)
        if (step.what === 'update') counts.changes++
        else if (step.record === 'company') counts.companies++
        else if (step.record === 'contact') counts.contacts++
      }),
    )
  }
  const opened = new Date(+base.now() - 75 * 86_400_000)
  const accounts = await makeAccounts(as(admin.email, opened), story, ids, people)
  const sales = await makeSales(as, base.now(), story, accounts)
  const care = await makeCare(as, base.now(), story)
  return { ...counts, ...sales, ...care, users: people.size }
}

/**
 * Neighbours in time that have nothing to do with each other are sent down the connection together,
 * which takes half the time of waiting for each.
 */
function batches(steps: Step[]): Step[][] {
  const all: Step[][] = []
  let keys = new Set<string>()
  for (const step of steps) {
    const touched = [step.key, ...Object.values(step.body).flatMap((value) => nameOf(value) ?? [])]
    const last = all.at(-1)
    if (last && last.length < 16 && !touched.some((key) => keys.has(key))) last.push(step)
    else {
      all.push([step])
      keys = new Set()
    }
    keys.add(step.key)
  }
  return all
}

async function perform(ctx: Context, step: Step, ids: Map<string, string>): Promise<string> {
  const operation = operations[`${step.what} ${step.record}`]!
  const body = Object.fromEntries(
    Object.entries(step.body).map(([field, value]) => [
      field,
      ids.get(nameOf(value) ?? '') ?? value,
    ]),
  )
  const params = { id: ids.get(step.key) }
  const answer = (await operation.run(ctx, {
    params,
    query: {},
    body,
    address: '',
    url: '',
  })) as Answer
  return answer.meta.id!
}

/** The accounts of the first customers, with those of their people who may sign in. */
async function makeAccounts(
  ctx: Context,
  story: Story,
  ids: Map<string, string>,
  people: Made,
): Promise<{ account_id: string; name: string }[]> {
  const accounts: { account_id: string; name: string }[] = []
  for (const key of story.accounts) {
    const company_id = ids.get(key)!
    const company = await ctx.one<{ company_name: string }>(sql`
      select company_name from companies t where ${mine(ctx)} and id = ${company_id}`)
    const name = company!.company_name
    const account_id = await addAccount(ctx, name, company_id)
    accounts.push({ account_id, name })
    for (const { email } of story.people.filter((person) => person.company === key)) {
      await setUser(ctx, people.get(email)!.id, { account_id })
    }
  }
  return accounts
}

/**
 * Contexts of different people at different times in one transaction. What is cached is read from
 * the transaction itself: outside nobody can see the organization yet.
 */
function contextMaker(base: Context, organization: Context['organization'], people: Made) {
  let known = new Map<string, Promise<unknown>>()
  return (email: string, at: Date): Context => {
    const ctx = onBehalf(base, {
      organization,
      actor: people.get(email)!.actor,
      source: 'application',
      now: () => at,
      cached<T>(name: string, load: (committed: Queries) => Promise<T>): Promise<T> {
        if (!known.has(name)) known.set(name, load(ctx))
        return known.get(name) as Promise<T>
      },
      forget: () => {
        known = new Map()
      },
    })
    return ctx
  }
}
