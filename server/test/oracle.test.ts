import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type pg from 'pg'
import type { Actor, Context, Permission } from '../src/kit/ground/context.ts'
import { newId } from '../src/kit/ground/ids.ts'
import { isInScope, scopeWords } from '../src/kit/record/readable.ts'
import { number, text } from '../src/kit/record/fields.ts'
import type { AnyRecord, Field } from '../src/kit/record/record.ts'
import { records } from '../src/model/all.ts'
import { Contact } from '../src/model/contacts/contact.ts'
import { ProjectOrDeal, ShownProject } from '../src/model/projects/project.ts'
import { Task } from '../src/model/tasks/task.ts'
import { allScopes } from '../src/records/apps/scopes.ts'
import { loadActor } from '../src/records/users/actor.ts'
import { createUser } from '../src/records/users/create.ts'
import { permissionModules } from '../src/model/users/roles/permissions.ts'
import { inTransaction, readingContext, system } from '../src/runtime.ts'
import { idsNamed } from '../src/kit/read/named-values.ts'
import { registryOf } from '../src/kit/read/filter-fields.ts'
import { depth, isFull } from './support/depth.ts'
import type { Values } from './support/oracle/conditions.ts'
import { answersOf, conditionsFor, listOf, valuesOf } from './support/oracle/conditions.ts'
import { Dice, fillDensely } from './support/oracle/dense.ts'
import { answersToNames, outcomesOf, requestsByName, wordsOf } from './support/oracle/look-ups.ts'
import {
  answerTo,
  answerToCall,
  callsOf,
  changesFromBeginning,
  requestsOf,
} from './support/oracle/requests.ts'
import type { Visible } from './support/oracle/twin.ts'
import { internalFields, partlyShared } from './support/internal-fields.ts'
import {
  changeHidden,
  copyOrganization,
  ownerOf,
  planOnce,
  visibleTo,
} from './support/oracle/twin.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, sql, startService } from './support/service.ts'

// Two organizations that differ only in what a caller may not read: values of hidden records, which of them
// exist, and links to them. Whatever the caller requests, by lists, conditions, sorts, searches,
// counts, logs, widgets or exports, both return the same answer. The requests are generated from the
// records and the routes, so that new fields and reads are included automatically.

const seed = Number(process.env.ORACLE_SEED ?? 20261122)
const now = new Date('2026-11-20T10:00:00Z')

/** The conditions are distributed over the callers: each tries one of so many. */
const parts = Number(process.env.ORACLE_PARTS ?? depth(9, 3))
/** And so are the requests and sort keys. */
const requestParts = depth(5, 2)
const sortParts = depth(4, 1)

/** Callers: a built-in role or levels of one's own, and the scopes of an app that acts for them. */
const callers: { [name: string]: { role: string; scopes?: string[] } } = {
  'a customer': { role: 'customer' },
  'a partner': { role: 'partner' },
  'an observer': { role: 'observer' },
  'a member': { role: 'member' },
  'who reads their own': { role: 'own' },
  'who reads their team’s': { role: 'team' },
  'who reads neither companies nor deals nor documents': { role: 'few' },
  'an app with contact.read': { role: 'admin', scopes: ['contact.read'] },
  'an app with company.read': { role: 'admin', scopes: ['company.read'] },
  'an app with project.read': { role: 'admin', scopes: ['project.read'] },
  'an app with deal.read and user.read': { role: 'admin', scopes: ['deal.read', 'user.read'] },
  'an app of a member with contact.read': { role: 'member', scopes: ['contact.read'] },
}

type Pair = { names: string; one: Context; other: Context; visible: Visible; changed: number }

describe('what is hidden changes no answer', () => {
  let service: TestService
  let owner: pg.Client
  let org: TestOrganization
  const people: { [role: string]: string } = {}
  const pairs = new Map<string, Promise<Pair>>()
  const values = new Map<AnyRecord, Values>()

  before(async () => {
    service = await startService({}, () => now)
    owner = await ownerOf(service)
    org = await makeOrganization(service)
    for (const kind of ['admin', 'member', 'customer', 'partner', 'observer'] as const)
      people[kind] = org.users[kind].user_id
    const levels = (read: string) =>
      Object.fromEntries(permissionModules().map((module) => [module, { read }]))
    const none = { read: 'none' }
    people.own = await addPerson('own', levels('own'))
    people.team = await addPerson('team', levels('team'))
    people.few = await addPerson('few', {
      ...levels('all'),
      companies: none,
      deals: none,
      documents: none,
      accounts: none,
    })
    const below = await addPerson('below', levels('own'), people.team)
    const all = [...new Set([...Object.values(people), below, org.users.manager.user_id])]
    const filled = await fillDensely(service, org, all, { now, dice: new Dice(seed) })
    // nothing does it by itself in tests, and joins of tables that seem empty take seconds
    await owner.query('analyze')
    await planOnce(owner)
    const [theirs] = filled.accounts
    for (const kind of ['customer', 'partner', 'observer'])
      await owner.query('update users set account_id = $1 where organization_id = $2 and id = $3', [
        theirs,
        org.id,
        people[kind],
      ])
    const reader = contextOf(system)
    for (const record of [...records, ProjectOrDeal])
      values.set(record, await valuesOf(reader, record, registryOf(record)))
  })

  for (const name of Object.keys(callers)) {
    test(`for ${name}`, async (t) => {
      const pair = await pairOf(name)
      t.diagnostic(`${pair.changed} rows differ`)
      assert.ok(pair.changed > 20, 'the worlds differ')
      assert.deepEqual(await differences(name, pair), [])
    })
  }

  describe('and neither does what is looked up', () => {
    for (const [name, { scopes }] of Object.entries(callers)) {
      test(`by names, for ${name}`, async () => {
        const pair = await pairOf(name)
        const words = await wordsOf(owner, org.id, pair.other.organization.id)
        const found: string[] = []
        const part = Object.keys(callers).indexOf(name)
        // apps have few reads
        const dealt = { part, parts: scopes ? 1 : requestParts }
        const read = scopes
          ? records.filter((each) => scopeWords(each).length && isInScope(pair.one.actor, each))
          : records
        for (const record of read) {
          const answers = (ctx: Context) =>
            answersToNames(uncached(ctx), record, words, new Dice(seed), dealt)
          const right = await answers(pair.other)
          for (const [what, answer] of await answers(pair.one))
            found.push(...compared(pair, `${record.word} ${what}`, answer, right.get(what) ?? ''))
        }
        for (const request of requestsByName(routesOf(pair), words)) {
          const at = `${request.route.path} ${JSON.stringify(request.query)}`
          const [one, other] = [answerTo(pair.one, request), answerTo(pair.other, request)]
          found.push(...compared(pair, at, await one, await other))
        }
        assert.deepEqual(found, [])
      })

      test(`by runs and previews, for ${name}`, { skip: Boolean(scopes) }, async (t) => {
        // previews check as many rows as there is time for
        t.mock.method(performance, 'now', () => 0)
        const pair = await pairOf(name)
        const words = await wordsOf(owner, org.id, pair.other.organization.id)
        const contacts = someIds(pair, 'contacts').slice(0, 2)
        const right = await outcomesOf(writingAs(pair.other), words, contacts)
        const found: string[] = []
        for (const [what, outcome] of await outcomesOf(writingAs(pair.one), words, contacts))
          found.push(...compared(pair, what, outcome, right.get(what) ?? ''))
        assert.deepEqual(found, [])
      })
    }
  })

  describe('and neither does the feed of changes', () => {
    const feed = async (ctx: Context, pair: Pair) =>
      JSON.stringify(await changesFromBeginning(ctx, routesOf(pair)))
    const apps = Object.entries(callers).filter(([, { scopes }]) => scopes)

    for (const [name] of apps) {
      test(`for ${name}`, async () => {
        const pair = await pairOf(name)
        const [one, other] = [await feed(pair.one, pair), await feed(pair.other, pair)]
        assert.notEqual(one, '[]', 'it lists what the app sees')
        assert.deepEqual(compared(pair, 'the feed of changes', one, other), [])
      })
    }

    test('and one that leaves out the scopes of the app is found', async () => {
      const pair = await pairOf('an app with contact.read')
      const leaking = ({ actor, ...ctx }: Context): Context => {
        assert.ok(actor.app)
        return { ...ctx, actor: { ...actor, app: { ...actor.app, scopes: allScopes } } }
      }
      const [one, other] = [
        await feed(leaking(pair.one), pair),
        await feed(leaking(pair.other), pair),
      ]
      assert.notDeepEqual(compared(pair, 'the feed of changes', one, other), [])
    })

    test('and one that leaves out the rights of its user is found', async () => {
      const pair = await pairOf('an app of a member with contact.read')
      const leaking = async ({ organization, ...ctx }: Context): Promise<Context> => {
        const actor = await actorOf(organization.id, people.admin ?? '', allScopes)
        return { ...ctx, organization, actor }
      }
      const [one, other] = [
        await feed(await leaking(pair.one), pair),
        await feed(await leaking(pair.other), pair),
      ]
      assert.notDeepEqual(compared(pair, 'the feed of changes', one, other), [])
    })
  })

  describe('and neither do the tools of assistants', () => {
    const answersDiffer = async (pair: Pair, as = (ctx: Context): Context => ctx) => {
      const ids = (table: string) => someIds(pair, table)
      const calls = callsOf(ids, await wordsFor(pair), new Dice(seed + 3))
      assert.ok(calls.length > 100, `${calls.length} calls`)
      const found: string[] = []
      const read = (ctx: Context, call: (typeof calls)[number]) => answerToCall(as(ctx), call)
      for (const call of calls) {
        const answers = [await read(pair.one, call), await read(pair.other, call)] as const
        found.push(...compared(pair, call.at, ...answers))
      }
      return found
    }

    for (const [name, { scopes }] of Object.entries(callers)) {
      if (!scopes) continue
      test(`for ${name}`, async () => {
        assert.deepEqual(await answersDiffer(await pairOf(name)), [])
      })
    }

    test('and tools without the scopes of the app are found', async () => {
      const pair = await pairOf('an app with project.read')
      const found = await answersDiffer(pair, ({ actor, ...ctx }) => {
        assert.ok(actor.app)
        return { ...ctx, actor: { ...actor, app: { ...actor.app, scopes: allScopes } } }
      })
      for (const module of ['companies', 'accounts', 'meetings', 'documents', 'comments'])
        assert.ok(
          found.some((each) => each.includes(`_records ${module}`)),
          module,
        )
    })
  })

  describe('and a leak is found', () => {
    const planted: { [leak: string]: { caller: string; record: AnyRecord } } = {
      'a computed field without the reader’s rights': {
        caller: 'who reads their own',
        record: withField(
          Contact,
          'planted',
          number({
            expression: `(select coalesce(sum(c.estimated_arr), 0) from companies c
              where c.organization_id = $organization)`,
          }),
        ),
      },
      'a title of another record': {
        caller: 'a customer',
        record: withField(
          Task,
          'planted',
          text(10_000, {
            expression: `coalesce((select string_agg(k.title, ',' order by k.id) from tasks k
              where k.organization_id = $organization), '')`,
          }),
        ),
      },
      'a link without its rights': {
        caller: 'an app with contact.read',
        record: withField(Contact, 'company', {
          ...Contact.fields.company,
          reference: { ...Contact.fields.company.reference, to: undefined } as never,
        }),
      },
      'a list without its rights': {
        caller: 'who reads their team’s',
        record: { ...Task, rights: { ...Task.rights, decide: () => sql`true` } },
      },
    }
    for (const [leak, { caller, record }] of Object.entries(planted)) {
      test(leak, async () => {
        const pair = await pairOf(caller)
        const found = await differencesIn(caller, pair, record)
        assert.ok(found.length > 0)
      })
    }

    test('a condition on a hidden record that a filter lets through', async () => {
      // the same record with a link whose filter reads what is stored
      const { company } = Contact.fields
      const record = withField(Contact, 'company', {
        ...company,
        reference: { ...company.reference, to: undefined } as never,
      })
      const pair = await pairOf('an app with contact.read')
      const domains = values.get(Contact)?.get('company.domain') ?? []
      const conditions = domains.map((value) => ({
        field: 'company.domain',
        operator: 'eq',
        value,
      }))
      const answers = (ctx: Context) => answersOf(uncached(ctx), record, conditions)
      assert.notDeepEqual(await answers(pair.one), await answers(pair.other))
    })
  })

  describe('and so is a look-up without rights', () => {
    const wordsFor = (pair: Pair) => wordsOf(owner, org.id, pair.other.organization.id)

    test('of people by a name, refused only where nobody has it', async () => {
      const pair = await pairOf('a customer')
      const words = await wordsFor(pair)
      const idsOf = async (ctx: Context, names: string[]) => {
        const users = await ctx.all<{ id: string; email: string; full_name: string }>(
          sql`select id, email, full_name from users where organization_id = ${ctx.organization.id}`,
        )
        const all = users.map(({ id, email, full_name }) => ({ id, names: [email, full_name] }))
        return idsNamed(names, all)
      }
      const record = withField(Task, 'owner', { ...Task.fields.owner, idsOf })
      const answers = (ctx: Context) => answersToNames(uncached(ctx), record, words, new Dice(seed))
      assert.notDeepEqual(await answers(pair.one), await answers(pair.other))
    })

    test('of contacts and links in runs and previews', async (t) => {
      t.mock.method(performance, 'now', () => 0)
      const pair = await pairOf('who reads their own')
      const words = await wordsFor(pair)
      const answers = async (ctx: Context) => {
        const actor = await actorOf(ctx.organization.id, people.admin ?? '')
        return outcomesOf(
          writingAs({ ...ctx, actor }),
          words,
          someIds(pair, 'contacts').slice(0, 2),
        )
      }
      const [one, other] = [await answers(pair.one), await answers(pair.other)]
      const differ = [...one].filter(([what, outcome]) => other.get(what) !== outcome)
      assert.ok(differ.some(([what]) => what.startsWith('import')))
      assert.ok(differ.length > 1, differ.map(([what]) => what).join())
    })
  })

  // each mark and each rule of the audience is taken away once: what shows it then is caught
  describe('and so is each leak to a customer', () => {
    test('the marks are those that are written down', () => {
      for (const record of records) {
        const { word } = record
        const names = (kind: (field: Field) => boolean) =>
          Object.entries<Field>(record.fields).flatMap(([name, field]) =>
            kind(field) ? [name] : [],
          )
        const internal = names(({ audience }) => audience === 'internal')
        const inPart = names(({ audience }) => typeof audience === 'object')
        assert.deepEqual(internal.toSorted(), (internalFields[word] ?? []).toSorted(), word)
        assert.deepEqual(inPart.toSorted(), (partlyShared[word] ?? []).toSorted(), word)
      }
    })

    for (const record of records.filter(({ word }) => word !== 'deal')) {
      for (const [name, field] of Object.entries<Field>(record.fields)) {
        const { audience, expression, ...open } = field
        if (!audience) continue
        test(`${record.word} ${name}`, async () => {
          const pair = await pairOf('a customer')
          const leaking = withField(record, name, {
            ...open,
            ...(expression ? { expression } : {}),
          })
          const found = await differencesOfLists(pair, leaking)
          assert.ok(found.length)
          // counts of what the reader sees are the same in both worlds
          if (!expression)
            assert.ok(
              found.some((each) => !each.includes(' shows ')),
              found.join(),
            )
        })
      }
    }

    for (const record of records.filter(({ rights }) => rights.shared)) {
      if (record.word === 'deal') continue
      test(`${record.word} without its rule`, async () => {
        const pair = await pairOf('a customer')
        const leaking = { ...record, rights: { ...record.rights, shared: undefined } }
        assert.notDeepEqual(await differencesIn('', pair, leaking), [])
      })
    }

    test('reads that leave the rule out', async (t) => {
      const enough = 30
      const pair = await pairOf('a customer')
      const open = ({ actor, ...ctx }: Context) => ({
        ...ctx,
        actor: { ...actor, is_external: false },
      })
      const found = new Set<string>()
      for (const request of await requestsFor(pair)) {
        if (!isFull && found.size >= enough) break
        const [one, other] = [open(pair.one), open(pair.other)].map((ctx) => answerTo(ctx, request))
        const at = request.route.operation.name
        if (compared(pair, at, (await one) ?? '', (await other) ?? '').length) found.add(at)
      }
      t.diagnostic(`${found.size} reads: ${[...found].sort().join(', ')}`)
      assert.ok(found.size >= enough, [...found].sort().join(', '))
    })
  })

  /** Describes the differences between the answers of the two worlds. */
  async function differences(name: string, pair: Pair): Promise<string[]> {
    const found: string[] = []
    const scopes = callers[name]?.scopes
    // apps see projects and deals separately, each by its scope
    const read = scopes
      ? records.filter((record) => scopeWords(record).length && isInScope(pair.one.actor, record))
      : [...records, ProjectOrDeal, ShownProject]
    for (const record of read) found.push(...(await differencesIn(name, pair, record)))
    const requests = await requestsFor(pair)
    const nth = Object.keys(callers).indexOf(name)
    // an app has few reads; of the others each caller sends some
    const some = requests.filter(
      (_, i) => scopes || parts === 1 || i % requestParts === nth % requestParts,
    )
    for (const request of some) {
      const [one, other] = [await answerTo(pair.one, request), await answerTo(pair.other, request)]
      const at = `GET ${request.route.path} ${JSON.stringify({ ...request.params, ...request.query })}`
      found.push(...compared(pair, at, one, other))
    }
    return found
  }

  async function differencesIn(name: string, pair: Pair, record: AnyRecord): Promise<string[]> {
    const [one, other] = [uncached(pair.one), uncached(pair.other)]
    const dice = new Dice(seed + 2)
    const found = await differencesOfLists(pair, record)
    const known = values.get(record) ?? new Map<string, string[]>()
    const part = Object.keys(callers).indexOf(name)
    const conditions = await conditionsFor(one, record, known, { dice, part, parts })
    const dealt = { part: Math.max(part, 0), parts: sortParts }
    const [left, right] = [
      await answersOf(one, record, conditions, dealt),
      await answersOf(other, record, conditions, dealt),
    ]
    for (const [what, answer] of left)
      found.push(...compared(pair, `${record.word} ${what}`, answer, right.get(what) ?? ''))
    // of few sort keys a caller may get none
    assert.ok(left.size || !isFull || !callers[name])
    return found
  }

  /** What lists of a record differ in, and which internal fields they show to a customer or partner. */
  async function differencesOfLists(pair: Pair, record: AnyRecord): Promise<string[]> {
    const one = await listOf(uncached(pair.one), record)
    const found = compared(
      pair,
      `list ${record.word}`,
      one,
      await listOf(uncached(pair.other), record),
    )
    if (!pair.one.actor.is_external) return found
    const rows = JSON.parse(one.slice(one.indexOf(' '))) as { [field: string]: unknown }[]
    const shown = new Set(rows.flatMap((row) => Object.keys(row)))
    const leaked = (internalFields[record.word] ?? []).filter((name) => shown.has(name))
    return [...found, ...leaked.map((name) => `${record.word} shows ${name}`)]
  }

  function compared({ names, one, other }: Pair, at: string, first: string, second: string) {
    // the position of a session, and where changes begin, are of the moment, whoever asks
    const moment = /"live_position":"[^"]*"|"results":\[\],"next_cursor":"[^"]*"/
    const [left, right] = [first, second].map((answer) => answer.replace(moment, '"now"')) as [
      string,
      string,
    ]
    const same = right.replaceAll(other.organization.id, one.organization.id)
    if (left === same) return []
    let i = 0
    while (left[i] === same[i]) i++
    const around = (answer: string) => answer.slice(Math.max(0, i - 80), i + 80)
    return [`${names}: ${at}\n  ${around(left)}\n  ${around(same)}`]
  }

  /** Every read of the caller's surface. */
  async function requestsFor(pair: Pair) {
    const ids = (table: string) => someIds(pair, table)
    return requestsOf(routesOf(pair), ids, await wordsFor(pair), new Dice(seed + 1))
  }

  function routesOf(pair: Pair) {
    const surface = pair.one.actor.app ? 'integration' : 'application'
    return service.surfaces.find((each) => each.name === surface)?.routes ?? []
  }

  /** Writes as the caller, and rolls back: the worlds stay as they are. */
  function writingAs({ organization, actor }: Context) {
    return async <T>(run: (ctx: Context) => Promise<T>): Promise<T> => {
      const caller = { organization, actor, source: 'application', request_id: 'oracle' }
      const undone = new Error('undone')
      const results: T[] = []
      try {
        await inTransaction(service.runtime, caller, async (ctx) => {
          results.push(await run(ctx))
          throw undone
        })
      } catch (error) {
        if (error !== undone) throw error
      }
      return results[0] as T
    }
  }

  /** Words of all records, some of them mistyped: what somebody who guesses would search. */
  async function wordsFor({ other }: Pair): Promise<string[]> {
    const titles = await Promise.all(
      [org.id, other.organization.id].map((id) =>
        owner.query<{ words: string }>(
          `select words from search_entries where organization_id = $1 order by md5(id) limit 6`,
          [id],
        ),
      ),
    )
    const words = titles.flatMap(({ rows }) =>
      rows.map((row) => row.words.trim().split(' ')[0] ?? ''),
    )
    const long = [...new Set(words)].filter((word) => word.length > 5)
    return [...long, ...long.map((word) => `${word.slice(0, 2)}${word.slice(4)}`)]
  }

  /** Some records that the caller reads, and some that it does not, of those in both worlds. */
  function someIds({ visible, one }: Pair, table: string): string[] {
    const all = idsOf.get(`${one.organization.id} ${table}`) ?? []
    const seen = visible.get(table) ?? new Set()
    return [
      ...all.filter((id) => seen.has(id)).slice(0, 3),
      ...all.filter((id) => !seen.has(id)).slice(0, 1),
    ]
  }
  const idsOf = new Map<string, string[]>()

  function pairOf(name: string): Promise<Pair> {
    let pair = pairs.get(name)
    if (!pair) pairs.set(name, (pair = makePair(name)))
    return pair
  }

  async function makePair(name: string): Promise<Pair> {
    const { role, scopes } = callers[name] ?? { role: 'admin' }
    const id = await copyOrganization(owner, org.id)
    const user = people[role] ?? ''
    const one = contextOf(await actorOf(org.id, user, scopes))
    const other = contextOf(await actorOf(id, user, scopes), id)
    const isOpen = (record: AnyRecord) => isInScope(one.actor, record)
    const visible = await visibleTo(one, isOpen)
    for (const table of visible.keys()) {
      const { rows } = await owner.query<{ id: string }>(
        `select id from ${table} where organization_id = $1 order by md5(id)`,
        [org.id],
      )
      idsOf.set(
        `${org.id} ${table}`,
        rows.map((row) => row.id),
      )
    }
    const listed = (seen: Visible) =>
      JSON.stringify([...seen].map(([table, ids]) => [table, [...ids].sort()]))
    const expected = listed(visible)
    const isSame = async () => listed(await visibleTo(other, isOpen)) === expected
    const changed = await changeHidden(owner, id, {
      dice: new Dice(seed + name.length),
      visible,
      isSame,
      keepsNames: Boolean(scopes),
      isExternal: one.actor.is_external,
    })
    return { names: name, one, other, visible, changed }
  }

  async function actorOf(organization: string, user: string, scopes?: string[]): Promise<Actor> {
    const loaded = await loadActor(service.runtime.database.reads(organization), organization, user)
    assert.ok(loaded)
    const app = { id: 'app', name: 'App', client_id: 'client', grant_id: 'grant' }
    return scopes ? { ...loaded.actor, app: { ...app, scopes } } : loaded.actor
  }

  function contextOf(actor: Actor, id = org.id): Context {
    const organization = { id, name: 'The same', timezone: 'UTC' }
    return readingContext(service.runtime, {
      organization,
      actor,
      source: actor.app ? 'integration' : 'application',
      request_id: 'oracle',
    })
  }

  /** Without what is cached under a record's name, since planted ones share it. */
  function uncached(ctx: Context): Context {
    return { ...ctx, cached: (_name, load) => load(ctx) }
  }

  async function addPerson(name: string, permission: Permission | object, reports_to?: string) {
    const role_id = newId()
    return service.runtime.database.transaction(org.id, async (queries) => {
      await queries.run(sql`insert into roles (organization_id, id, role_name, kind, permission)
        values (${org.id}, ${role_id}, ${name}, 'member', ${JSON.stringify(permission)})`)
      const user = { email: `${name}@oracle.test`, full_name: name, password_hash: null, role_id }
      const id = await createUser(queries, org.id, user)
      if (reports_to)
        await queries.run(sql`update users set reports_to = ${reports_to}
          where organization_id = ${org.id} and id = ${id}`)
      return id
    })
  }
})

function withField(record: AnyRecord, name: string, field: object): AnyRecord {
  return { ...record, fields: { ...record.fields, [name]: field as never } }
}
