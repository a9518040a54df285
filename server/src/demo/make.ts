import type { Actor, Context, Queries } from '../kit/ground/context.ts'
import { newId, newIdAt } from '../kit/ground/ids.ts'
import { sql } from '../kit/ground/sql.ts'
import { issueApp } from '../records/apps/app.ts'
import { allScopes } from '../records/apps/scopes.ts'
import { Company } from '../model/companies/company.ts'
import { Contact } from '../model/contacts/contact.ts'
import { fieldConfig } from '../records/field-config/operations.ts'
import { isNameTaken } from '../model/organizations/names.ts'
import { createOrganization } from '../records/organizations/organization.ts'
import { loadActor } from '../records/users/actor.ts'
import { addUser } from '../records/users/create.ts'
import { newPassword } from '../provision.ts'
import { type Runtime, asOperator, onBehalf, system } from '../runtime.ts'
import { hashPassword } from '../secrets.ts'
import { acts } from './acts.ts'
import type { Demo } from './credentials.ts'
import { type Step, namesIn, resolved } from './step.ts'
import { type Story, makeStory } from './story.ts'
import { item, present } from './present.ts'

/** The redirect address of an automation platform; nothing answers there. */
const redirectUri = 'https://automation.example/oauth/callback'

type Wish = {
  name?: string
  /** only if there is no organization at all */
  onlyFirst?: boolean
  /** called with the credentials before the commit, so that no crash can lose them */
  keep(demo: Demo): void
}

/**
 * Creates a demonstration organization by playing its story, through the operations that the
 * surfaces use, so that every record has its log and its events. One transaction: all or nothing.
 * Undefined if `onlyFirst` is set and there already is an organization.
 */
export async function makeDemo(runtime: Runtime, wish: Wish): Promise<Demo | undefined> {
  return asOperator(runtime, async (ctx) => {
    await ctx.run(sql`select pg_advisory_xact_lock(hashtextextended('perennial demo', 0))`)
    // the same few statements some thousand times: planning each anew took most of the time; not for Citus,
    // which cannot plan without the parameters that determine the shard
    if (!runtime.database.isDistributed)
      await ctx.run(sql`set local plan_cache_mode = force_generic_plan`)
    const counting = await ctx.one<{ all: number; demos: number }>(sql`
      select count(*) as all, count(*) filter (where is_demo_data) as demos from organizations`)
    const counted = present(counting, 'the number of organizations')
    if (wish.onlyFirst && counted.all) return undefined
    // checks the file store, so that an unreachable bucket is noticed now, not in the middle of the story
    await runtime.files.check()
    const password = newPassword()
    const hashing = hashPassword(password)
    const story = makeStory(counted.demos, runtime.now(), await freeName(ctx, wish.name, counted))
    const id = newId()
    const place = { id, name: story.name, timezone: 'UTC' }
    const people = await found(ctx, place, story, await hashing)
    const made = await carryOut(ctx, place, story, people)
    const app = await issueApp(ctx, runtime.secrets, id, {
      name: 'Demo automation',
      description: 'The automation platform that "perennial tour" plays',
      redirect_uris: [redirectUri],
      scopes: allScopes,
    })
    const demo: Demo = {
      organization_id: id,
      name: story.name,
      email: item(story.people, 0, 'person').email,
      password,
      people: story.people.map(({ email, role, full_name }) => ({ email, role, full_name })),
      app: {
        client_id: app.client_id,
        client_secret: present(app.client_secret, 'the secret of its app'),
        function_key: present(app.function_key, 'the function key of its app'),
        redirect_uri: redirectUri,
      },
      made,
    }
    wish.keep(demo)
    return demo
  })
}

/** The requested name, or an unused one of the story's names. */
async function freeName(
  queries: Queries,
  name: string | undefined,
  counted: { demos: number },
): Promise<string> {
  const requested = name ?? makeStory(counted.demos, new Date(0)).name
  for (let i = 1; ; i++) {
    const free = i === 1 ? requested : `${requested} ${i}`
    if (!(await isNameTaken(queries, free))) return free
  }
}

/** The ids of people by their roles in the story, and of records by their keys. */
type Made = Map<string, string>

/** The organization with its people at the beginning of the story. */
async function found(
  base: Context,
  organization: Context['organization'],
  { name, people, steps }: Story,
  password_hash: string,
): Promise<Made> {
  const founded = item(steps, 0, 'step').at
  const roles = await createOrganization(base, organization.id, { name, is_demo_data: true })
  await base.run(sql`update organizations set creation_time = ${founded.toISOString()}
    where organization_id = ${organization.id}`)
  const ctx = onBehalf(base, { organization, now: () => founded })
  const ids = new Map<string, string>()
  const made: Made = new Map()
  for (const { part, role, reports_to, ...person } of people) {
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
    made.set(part, id)
  }
  return made
}

/** Plays the story, each step as its person at its time; counts what was created. */
async function carryOut(
  base: Context,
  organization: Context['organization'],
  story: Story,
  people: Made,
): Promise<Demo['made']> {
  const as = contextMaker(base, organization, people)
  const start = await as('admin', item(story.steps, 0, 'step').at)
  for (const [record, fields] of [
    [Company, story.fields.company],
    [Contact, story.fields.contact],
  ] as const) {
    const input = { params: {}, query: {}, body: { fields }, address: '', url: '' }
    await fieldConfig(record).update.run(start, input)
  }
  const ids = new Map(people)
  const done = new Map<string, number>()
  await inOrder(story.steps, people, async (step) => {
    await perform(await as(step.by, step.at), step, ids)
    done.set(step.does, (done.get(step.does) ?? 0) + 1)
  })
  const count = (does: string) => done.get(does) ?? 0
  return {
    companies: count('create company'),
    contacts: count('create contact'),
    changes: count('update company') + count('update contact'),
    deals: count('create deal'),
    projects: count('convert deal'),
    surveys: count('create survey'),
    meetings: count('create meeting'),
    documents: count('create document'),
    users: people.size,
  }
}

/** Actions that affect more than the records they name: earlier steps finish first, later ones wait. */
const wide = new Set([
  'change settings',
  'create template',
  'create holidays',
  'attach user',
  'measure health',
  'notify of due tasks',
])

/** The number of concurrent steps. */
const mostAtOnce = 24

/**
 * Runs steps in their order where it matters: each begins when earlier ones about the same
 * records have finished. Their statements are sent together.
 */
async function inOrder(steps: Step[], people: Made, carryOut: (step: Step) => Promise<void>) {
  const latest = new Map<string, Promise<void>>()
  const running = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  const start = (step: Step) => {
    const keys = subjectsOf(step).filter((key) => !people.has(key))
    const earlier = keys.flatMap((key) => latest.get(key) ?? [])
    const doing: Promise<void> = Promise.all(earlier)
      .then(() => carryOut(step))
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => running.delete(doing))
    running.add(doing)
    for (const key of keys) latest.set(key, doing)
    return doing
  }
  for (const step of steps) {
    const isWide = wide.has(step.does)
    while (running.size >= (isWide ? 1 : mostAtOnce)) await Promise.race(running)
    if (failure) break
    const doing = start(step)
    if (isWide) await doing
  }
  await Promise.all(running)
  if (failure) throw failure.error
}

/** The keys of the records that a step is about; for parts of a project also that of the project. */
function subjectsOf({ key, body }: Step): string[] {
  const names = [key, ...namesIn(body)].filter(Boolean)
  return [...new Set(names.flatMap((name) => [name, name.split(': ')[0] ?? name]))]
}

async function perform(ctx: Context, step: Step, ids: Made): Promise<void> {
  const act = acts[step.does]
  if (!act) throw new Error(`the story has no act for "${step.does}"`)
  const idOf = (key: string) => {
    const id = ids.get(key)
    if (!id) throw new Error(`"${step.does}" of ${step.key} names ${key}, which is not there yet`)
    return id
  }
  const body = resolved(step.body, idOf) as Step['body']
  const name = (key: string, id: string) => void ids.set(key, id)
  const id = await act({ ctx, key: step.key, id: ids.get(step.key) ?? '', body, name }).catch(
    (error: unknown) => {
      throw new Error(`the story fails at "${step.does}" of ${step.key}`, { cause: error })
    },
  )
  if (id) ids.set(step.key, id)
}

/**
 * Contexts of different people at different times in one transaction. Cached data is read from
 * the transaction itself: outside it the organization is not visible yet. Mails are not sent: they would
 * be about the past.
 */
function contextMaker(base: Context, organization: Context['organization'], people: Made) {
  let known = new Map<string, Promise<unknown>>()
  const actors = new Map<string, Promise<Actor>>()
  const bind = (actor: Actor, at: Date): Context => {
    const its = {
      organization,
      actor,
      source: 'application',
      now: () => at,
      cached<T>(name: string, load: (committed: Queries) => Promise<T>): Promise<T> {
        if (!known.has(name)) known.set(name, load(ctx))
        return known.get(name) as Promise<T>
      },
      forget: () => {
        known = new Map()
        actors.clear()
      },
    }
    const ctx: Context = onBehalf(base, its, { eventId: () => newIdAt(at) })
    ctx.enqueue = () => {}
    return ctx
  }
  return async (by: string, time: Date): Promise<Context> => {
    const user = people.get(by)
    // outsiders act through a link, as on the pages
    if (!user) return bind({ ...system, full_name: by }, time)
    const loading = bind(system, time)
    const load = async () => present(await loadActor(loading, organization.id, user), by).actor
    const actor = actors.get(by) ?? load()
    actors.set(by, actor)
    return bind(await actor, time)
  }
}
