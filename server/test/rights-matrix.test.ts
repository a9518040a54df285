import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Level, Query } from '../src/kit/ground/context.ts'
import { wordOf } from '../src/kit/record/record.ts'
import { recordsByModule } from '../src/model/by-module.ts'
import { sources } from '../src/records/search/sources.ts'
import type { RoleKind } from '../src/model/users/roles/permissions.ts'
import { permissionModules, roleKinds } from '../src/model/users/roles/permissions.ts'
import type { Route } from '../src/surfaces/route.ts'
import { permitted } from '../src/webhooks/access.ts'
import { eventNames, recordOf } from '../src/webhooks/catalogue.ts'
import type { Reply, TestOrganization, TestService } from './support/service.ts'
import { rows, sql, startService, tokenFor } from './support/service.ts'
import { caseOf } from './support/routes.ts'
import type { World } from './support/world.ts'
import { fresh, makeWorld } from './support/world.ts'
import { allOrganizations } from '../src/kit/ground/context.ts'

// Role × operation × owner of the record, over every module with a list. The expectation follows from
// a role's levels and the definitions of the contract (section 9); single reads, lists, counts, `q`,
// filters, saved filters, the search and webhooks must all agree.

/** The owner of a record, relative to the caller; `departed` has left the team, `attached` belongs to the caller's account. */
const relations = ['own', 'team', 'departed', 'other', 'attached', 'foreign'] as const
type Relation = (typeof relations)[number]
type Levels = { create: Level; read: Level; update: Level; delete: Level }
type Ids = { [relation in Relation]: string }

/** What is needed of a module besides its record: a module without an entry fails the tests. */
type Family = {
  /** another module's operations stand for its own */
  operations?: string
  /** properties besides those in the case of its creation */
  body?: { [field: string]: unknown }
  /** further parameters of its list */
  query?: { [name: string]: string }
  /** SQL that shares every row, over the table `t` */
  shared?: Query
  /** SQL that attaches the row `id` to the caller's account; null if that is not possible */
  attach: ((row: { id: string; account: string; caller: string }) => Query) | null
  /** what a confined caller is attached to, if that is more than what belongs to its account */
  isAttached?: (relation: Relation) => boolean
  /** sets the owner of a record, if that is more than its creator */
  isOwn?: (relation: Relation) => boolean
  /** what an update sends instead of the name, if not everyone may change that */
  change?: { [field: string]: unknown }
  /** modules that its making refers to: whoever does not read all of them is not asked to */
  refersTo?: string[]
  /** who may change it, besides the level */
  mayChange?: (level: Level, relation: Relation) => boolean
}

const hangs = (table: string) => (row: { id: string; account: string }) =>
  sql`update ${sql.table(table)} set account_id = ${row.account} where id = ${row.id}`
/** The same, shared with the account's people. */
const isShared = (table: string) => (row: { id: string; account: string }) =>
  sql`update ${sql.table(table)} set account_id = ${row.account}, is_shared = true
    where id = ${row.id}`
/** What a confined caller made, and what is shared with its account. */
const ownOrAttached = (relation: Relation) => relation === 'own' || relation === 'attached'

const families: { [module: string]: Family } = {
  accounts: {
    // the account itself
    attach: ({ id, caller }) => sql`update users set account_id = ${id} where id = ${caller}`,
  },
  calendar: {
    isAttached: ownOrAttached,
    attach: ({ id, account }) => sql`update meetings set is_shared = true, project_id =
      (select p.id from projects p where p.account_id = ${account} and p.project_name = 'Theirs')
      where id = ${id}`,
  },
  companies: {
    attach: ({ id, account }) => sql`update accounts set company_id = ${id} where id = ${account}`,
  },
  contacts: {
    attach: ({ id, account }) => sql`update contacts set company_id =
      (select a.company_id from accounts a where a.id = ${account}) where id = ${id}`,
  },
  dashboards: {
    shared: sql`visibility = 'public'`,
    // shared by name with the right to edit: the same as one's own
    attach({ id, caller }) {
      const grant = { granted_by: null, granted_at: new Date().toISOString() }
      const access = { access_type: 'user', access_id: caller, permission_level: 'edit', ...grant }
      return sql`update dashboards set visibility = 'restricted',
        access_list = ${JSON.stringify([access])} where id = ${id}`
    },
    isOwn: (relation) => relation === 'own' || relation === 'attached',
    mayChange: (level, relation) =>
      level === 'all' || relation === 'own' || relation === 'attached',
  },
  deals: {
    operations: 'projects',
    body: { project_type: 'deal' },
    query: { project_type: 'deal' },
    isAttached: ownOrAttached,
    attach: isShared('projects'),
  },
  documents: {
    attach: isShared('documents'),
    isAttached: ownOrAttached,
  },
  filters: {
    shared: sql`visibility = 'public'`,
    attach: null,
    // a public filter can be used by all and changed by its creator
    mayChange: (level, relation) => level === 'all' || relation === 'own',
    refersTo: ['companies'],
  },
  holidays: { attach: null },
  projects: {
    query: { project_type: 'project' },
    isAttached: ownOrAttached,
    attach: isShared('projects'),
  },
  roles: {
    // one that allows nothing, so that everybody holds all of it
    body: { kind: 'member', permission: {} },
    attach: ({ id }) => sql`update roles set kind = 'observer' where id = ${id}`,
  },
  surveys: { attach: hangs('surveys') },
  tags: { attach: ({ id }) => sql`update tags set is_shared = true where id = ${id}` },
  tasks: {
    // customers complete tasks and change nothing else of them
    change: { is_completed: false },
    isAttached: ownOrAttached,
    attach: isShared('tasks'),
  },
  templates: { attach: null },
  users: {
    attach: hangs('users'),
    isAttached: (relation) => relation === 'own' || relation === 'attached',
    refersTo: ['roles'],
  },
}

/** Permission modules without a list of their own kind, and where their rights are tested. */
const elsewhere: { [module: string]: string } = {
  interactions: 'records/interactions: who sees one depends on what it is about',
  activity: 'records/activity: entries follow their records',
  apps: 'surfaces/integration',
}

/** The event that a webhook receives when a record of the module is created, and its scopes. */
const events: { [module: string]: { type: string; scopes: string[] } } = {
  accounts: { type: 'account_created', scopes: ['company.read'] },
  calendar: { type: 'meeting_scheduled', scopes: ['meeting.read'] },
  companies: { type: 'company_created', scopes: ['company.read'] },
  contacts: { type: 'contact_created', scopes: ['contact.read'] },
  deals: { type: 'deal_created', scopes: ['deal.read'] },
  documents: { type: 'document_created', scopes: ['document.read'] },
  projects: { type: 'project_created', scopes: ['project.read'] },
  surveys: { type: 'survey_published', scopes: ['survey.read'] },
  tasks: { type: 'task_created', scopes: ['project.read', 'deal.read'] },
  templates: { type: 'template_created', scopes: ['template.read'] },
  users: { type: 'user_created', scopes: ['user.read'] },
}

/** The search's names for the records of a module. */
const searched: { [module: string]: string } = {
  accounts: 'accounts',
  calendar: 'meetings',
  companies: 'companies',
  contacts: 'contacts',
  dashboards: 'dashboards',
  deals: 'deals',
  documents: 'documents',
  projects: 'projects',
  surveys: 'surveys',
  tags: 'tags',
  tasks: 'tasks',
  templates: 'templates',
  users: 'users',
}

/** The built-in roles whose users see only what they are attached to. */
const confinedKinds: RoleKind[] = ['customer', 'partner', 'observer']

/** The levels of the built-in roles in the contract (section 9), repeated here. */
const builtIn: { [kind in RoleKind]: (module: string) => Levels } = {
  admin: () => levels('all', 'all', 'all', 'all'),
  manager: () => levels('all', 'all', 'all', 'team'),
  member: (module) =>
    ['users', 'roles'].includes(module)
      ? levels('none', 'all', 'none', 'none')
      : levels('all', 'all', 'team', 'own'),
  customer: outside,
  partner: outside,
  observer: (module) => confined(module, 'none'),
}

/** Custom roles: the same levels on every module. */
const made: { name: string; kind: RoleKind; levels: Levels }[] = [
  { name: 'own only', kind: 'member', levels: levels('own', 'own', 'own', 'own') },
  { name: 'team only', kind: 'member', levels: levels('team', 'team', 'team', 'team') },
  { name: 'sees the team', kind: 'member', levels: levels('none', 'team', 'own', 'none') },
  { name: 'sees little, changes all', kind: 'member', levels: levels('all', 'own', 'all', 'all') },
  { name: 'blind', kind: 'member', levels: levels('all', 'none', 'all', 'all') },
  { name: 'nothing', kind: 'member', levels: levels('none', 'none', 'none', 'none') },
  { name: 'confined editor', kind: 'customer', levels: levels('none', 'all', 'all', 'all') },
  { name: 'confined to own', kind: 'partner', levels: levels('none', 'all', 'own', 'own') },
]

/** Roles whose lists are compared with the single reads of whatever there is besides. */
const thorough = ['own only', 'team only', 'confined editor']

describe('the rights matrix', () => {
  const modules = Object.keys(families)
  let service: TestService
  let world: World
  let org: TestOrganization
  let people: Ids
  let ids: { [module: string]: Ids }
  let savedFilters: { [module: string]: string }
  let nothing: string

  before(async () => {
    service = await startService()
    world = await makeWorld(service)
    org = world.org
    // of a confined kind, so that everyone holds all of it: who may act on whom is tested elsewhere
    nothing = await makeRole('without rights', levels('none', 'none', 'none', 'none'), 'customer')
    people = await makePeople()
    ids = await makeRecords()
    savedFilters = await makeFilters()
  })

  test('has a row for every module', () => {
    assert.deepEqual(Object.keys(recordsByModule).toSorted(), modules.toSorted(), 'in `families`')
    const known = [...modules, ...Object.keys(elsewhere)]
    assert.deepEqual(permissionModules().toSorted(), known.toSorted())
    assert.deepEqual(roleKinds.toSorted(), Object.keys(builtIn).toSorted())
    const found = sources.filter(({ module }) => modules.includes(module)).map(wordOf)
    assert.deepEqual(found.toSorted(), Object.values(searched).toSorted(), 'in `searched`')
    const announced = modules.filter((module) =>
      eventNames.some((name) => recordOf(name) === recordsByModule[module]),
    )
    assert.deepEqual(announced.toSorted(), Object.keys(events).toSorted(), 'in `events`')
    for (const [module, { attach }] of Object.entries(families)) {
      const {
        rights: { attached },
      } = recordsByModule[module]!
      assert.equal(attached === undefined, attach === null, `${module}: attach`)
    }
  })

  for (const kind of Object.keys(builtIn) as RoleKind[]) {
    test(`a built-in ${kind}`, async () => {
      const token = await become(org.roles[kind])
      await checkAll(token, builtIn[kind], confinedKinds.includes(kind))
    })
  }

  for (const { name, kind, levels } of made) {
    test(`a role of people's own: ${name}`, async () => {
      const token = await become(await makeRole(name, levels, kind))
      await checkAll(token, () => levels, confinedKinds.includes(kind), thorough.includes(name))
    })
  }

  test('who is linked to a contact sees it, its company and colleagues, until that ends', async () => {
    const token = await become(org.roles.customer)
    const { companies, contacts } = ids
    const status = async (path: string, id: string) =>
      (await service.call('GET', `${path}${id}/`, { token })).status
    const seen = async () => [
      await status('/api/company/', companies!.other),
      await status('/api/contact/', contacts!.other),
      await status('/api/contact/', contacts!.team),
      await status('/api/company/', companies!.attached),
      await status('/api/contact/', contacts!.attached),
    ]
    assert.deepEqual(await seen(), [404, 404, 404, 200, 200])
    await everywhere(sql`update contacts set company_id = ${companies!.other}
      where id in (${contacts!.other}, ${contacts!.team})`)
    await everywhere(
      sql`update contacts set linked_user = ${people.own} where id = ${contacts!.other}`,
    )
    await everywhere(sql`update accounts set deleted_at = now() where organization_id = ${org.id}`)
    assert.deepEqual(await seen(), [200, 200, 200, 404, 404])
    await everywhere(sql`update contacts set deleted_at = now() where id = ${contacts!.other}`)
    assert.deepEqual(await seen(), [404, 404, 404, 404, 404])
  })

  /** One role: every module's operations on every relation, and what is asked about all at once. */
  async function checkAll(
    token: string,
    levelsOf: (module: string) => Levels,
    isConfined: boolean,
    isThorough = false,
  ) {
    for (const module of modules) {
      await checkLists(module, token, levelsOf, isConfined, isThorough)
      await checkWebhooks(module, levelsOf(module).read, isConfined)
    }
    await checkSearch(token, levelsOf, isConfined)
    for (const module of modules) {
      await checkCreate(module, token, levelsOf)
      for (const action of ['update', 'delete'] as const)
        token = await checkChanges(module, action, token, levelsOf(module), isConfined)
    }
  }

  /** Lists, counts, `q`, `filter` and saved filters show what single reads show, nothing else. */
  async function checkLists(
    module: string,
    token: string,
    levelsOf: (module: string) => Levels,
    isConfined: boolean,
    isThorough: boolean,
  ) {
    const sees = (relation: Relation) => covers(module, levelsOf(module).read, relation, isConfined)
    const record = recordsByModule[module]!
    const { list, read } = routesOf(module)
    const ask = (query: object) => {
      const usual = { page: '1', items_per_page: '500', include_count: 'true' }
      const all = { ...usual, ...families[module]!.query, ...query }
      return service.call('GET', `${list.path}?${new URLSearchParams(all)}`, { token })
    }
    // one operation serves both, and refuses who may read neither
    const together = ['deals', 'projects'].includes(module) ? ['deals', 'projects'] : [module]
    const isClosed = together.every((one) => levelsOf(one).read === 'none')
    const names = relations.map(nameOf)
    const filter = JSON.stringify([{ field: record.title, operator: 'in', value: names }])
    const [whole, found, saved] = await Promise.all([
      ask({}),
      ask({ q: 'the matrix', filter }),
      ask({ filter_id: savedFilters[module]! }),
    ])
    const single = new Map<string, number>()
    await Promise.all(
      (await rowsOf(module, isThorough)).map(async (id) => {
        const path = read.path.replace('{id}', id)
        single.set(id, (await service.call('GET', path, { token })).status)
      }),
    )
    for (const relation of relations) {
      const expected = isClosed ? 403 : sees(relation) ? 200 : 404
      assert.equal(single.get(ids[module]![relation]), expected, `GET ${relation} ${module}`)
    }
    if (isClosed) {
      for (const reply of [whole, found, saved])
        assert.equal(reply.status, 403, `${module} ${reply.text}`)
      return
    }
    const seen = relations.filter(sees).map((relation) => ids[module]![relation])
    const listed: string[] = idsIn(whole, 'listed')
    if (isThorough) {
      const readable = [...single].filter(([, status]) => status === 200).map(([id]) => id)
      assert.deepEqual(listed.toSorted(), readable.toSorted(), `${module} listed`)
    } else {
      const ours = listed.filter((id) => single.has(id))
      assert.deepEqual(ours.toSorted(), seen.toSorted(), `${module} listed`)
    }
    assert.deepEqual(idsIn(found, 'found'), seen.toSorted(), `${module} by q and filter`)
    // public filters are visible to those who read filters and are not confined
    if (levelsOf('filters').read === 'all' && !isConfined)
      assert.deepEqual(idsIn(saved, 'saved'), seen.toSorted(), `${module} by saved filter`)
    else assert.equal(saved.status, 404, saved.text)

    function idsIn(reply: Reply, what: string): string[] {
      assert.equal(reply.status, 200, `${module} ${what}: ${reply.text}`)
      const ids = reply.body.map((each: any) => each[record.key])
      assert.equal(reply.headers.get('x-total-count'), String(ids.length), `${module} ${what}`)
      return ids.toSorted()
    }
  }

  /** The records of the matrix; where it is thorough, everything that a list might show. */
  async function rowsOf(module: string, isThorough: boolean): Promise<string[]> {
    const known = Object.values(ids[module]!)
    if (!isThorough) return known
    const { table } = recordsByModule[module]!
    const every = await rows<{ id: string }>(
      service,
      sql`select t.id from ${sql.table(table)} t
        where ${kindOf(module)} and (t.deleted_at is null or t.id = any(${known}))`,
    )
    return every.map(({ id }) => id)
  }

  /** The search finds in each module what its single reads show. */
  async function checkSearch(
    token: string,
    levelsOf: (module: string) => Levels,
    isConfined: boolean,
  ) {
    const reply = await service.call('GET', '/api/search/?q=the+matrix&items_per_page=500', {
      token,
    })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.body.has_more, false)
    for (const [module, word] of Object.entries(searched)) {
      const found = reply.body.results.filter((each: any) => each.module === word)
      const seen = relations.filter((one) => covers(module, levelsOf(module).read, one, isConfined))
      assert.deepEqual(
        found.map((each: any) => each.id).toSorted(),
        seen.map((relation) => ids[module]![relation]).toSorted(),
        `${module} by search`,
      )
    }
  }

  /** A delivery is sent exactly if the subscription's user could read the record. */
  async function checkWebhooks(module: string, level: Level, isConfined: boolean) {
    if (!events[module]) return
    const { type, scopes } = events[module]
    const subscription = { id: 'one', user_id: people.own, scopes }
    // an organization's events are about its own records only
    const ours = relations.filter((relation) => relation !== 'foreign')
    const deliveries = ours.map((relation) => ({
      id: relation,
      type,
      reference_id: ids[module]![relation],
      subscription_id: 'one',
    }))
    const may = await permitted(
      service.runtime,
      org.id,
      deliveries as any,
      new Map([['one', subscription]]) as any,
    )
    // who saw a record is notified of its deletion too
    const notified = ours.filter((one) => covers(module, level, one, isConfined, true))
    assert.deepEqual([...may.keys()].toSorted(), notified.toSorted(), `${module} by webhook`)
  }

  async function checkCreate(module: string, token: string, levelsOf: (module: string) => Levels) {
    const level = levelsOf(module).create
    const { create } = routesOf(module)
    const { refersTo = [] } = families[module]!
    if (level !== 'none' && refersTo.some((other) => levelsOf(other).read !== 'all')) return
    const body = await newBody(module, world, fresh('made'))
    const reply = await service.call('POST', create.path, { token, body })
    const expected = level === 'none' ? 403 : create.status
    assert.equal(reply.status, expected, `POST ${module}: ${reply.text}`)
    if (reply.status >= 400) return
    const { table } = recordsByModule[module]!
    await everywhere(sql`update ${sql.table(table)} set deleted_at = now()
      where id = ${reply.headers.get('x-record-id')}`)
  }

  /** Both kinds of change on every relation: 403 for what is seen, 404 for what is not; gives a good token. */
  async function checkChanges(
    module: string,
    action: 'update' | 'delete',
    token: string,
    levels: Levels,
    isConfined: boolean,
  ): Promise<string> {
    const { table, title } = recordsByModule[module]!
    const routes = routesOf(module)[action]
    for (const [i, relation] of relations.entries()) {
      // PUT and PATCH are one operation: each is requested in turn
      const route = routes[i % routes.length]!
      const id = ids[module]![relation]
      const change = families[module]!.change ?? { [title]: nameOf(relation) }
      const body = action === 'update' ? change : undefined
      const path = route.path.replace('{id}', id)
      const reply = await service.call(route.method, path, { token, body })
      const expected = statusOf(module, action, levels, relation, isConfined)
      const what = `${route.method} ${relation} ${module}: ${reply.text}`
      assert.equal(reply.status, expected === 200 ? route.status : expected, what)
      if (reply.status >= 400) assert.equal(reply.body.status, 'error')
      if (action === 'update' || expected !== 200) continue
      await everywhere(sql`update ${sql.table(table)} set deleted_at = null where id = ${id}`)
      // the caller has just taken itself out
      if (id === people.own) token = await tokenOfCaller()
    }
    return token
  }

  /** The status that the contract asks for. */
  function statusOf(
    module: string,
    action: 'update' | 'delete',
    levels: Levels,
    relation: Relation,
    isConfined: boolean,
  ) {
    // everyone edits their own profile, so that one route asks nothing of the role beforehand
    const asksLater = module === 'users' && action === 'update'
    if (asksLater && relation === 'own') return 200
    if (levels[action] === 'none' && !asksLater) return 403
    if (!covers(module, levels.read, relation, isConfined)) return 404
    const isFree = families[module]!.mayChange?.(levels[action], relation) ?? true
    return isFree && covers(module, levels[action], relation, isConfined) ? 200 : 403
  }

  /** The contract's definitions: own, team, all, and being attached. */
  function covers(
    module: string,
    level: Level,
    relation: Relation,
    isConfined: boolean,
    evenDeleted = false,
  ) {
    const { attach, isOwn = (one) => one === 'own' } = families[module]!
    const { isAttached = (one) => attach !== null && one === 'attached' } = families[module]!
    if (relation === 'foreign' || level === 'none') return false
    // users who were removed belong to nobody
    if (module === 'users' && relation === 'departed' && !evenDeleted) return false
    if (isConfined && !isAttached(relation)) return false
    if (level === 'all' || isOwn(relation)) return true
    return level === 'team' && (relation === 'team' || relation === 'departed')
  }

  /** Which rows of a table that two modules share are the module's, over `t`. */
  function kindOf(module: string): Query {
    const { project_type } = families[module]!.query ?? {}
    return project_type ? sql`t.project_type = ${project_type}` : sql`true`
  }

  function routesOf(module: string) {
    const { operations = module } = families[module]!
    const { word } = recordsByModule[operations]!
    const named = (name: string) => {
      const found = application().filter((route) => route.operation.name === name)
      assert.ok(found.length, `no route of ${name}`)
      return found
    }
    return {
      list: named(`list_${operations}`)[0]!,
      create: named(module === 'users' ? 'upsert_user' : `create_${word}`)[0]!,
      read: named(`read_${word}`)[0]!,
      update: named(`update_${word}`),
      delete: named(`delete_${word}`),
    }
  }

  function application(): Route[] {
    return world.surfaces.find(({ name }) => name === 'application')!.routes
  }

  /** The body in the case of its creation, with our own name. */
  async function newBody(module: string, home: World, name: string) {
    const { title } = recordsByModule[module]!
    const { body } = await caseOf(routesOf(module).create).request(home)
    return { ...body, ...families[module]!.body, [title]: name }
  }

  /** Gives the caller a role, and a token. */
  async function become(role_id: string): Promise<string> {
    const path = `/api/users/profile/${people.own}/`
    const reply = await service.call('PUT', path, {
      token: org.users.admin.token,
      body: { role_id },
    })
    assert.equal(reply.status, 200, reply.text)
    return tokenOfCaller()
  }

  function tokenOfCaller() {
    const caller = { user_id: people.own, full_name: '', email: '', role: '' }
    return tokenFor(service, { organization_id: org.id, ...caller })
  }

  async function makeRole(name: string, levels: Levels, kind: RoleKind = 'member') {
    const permission = Object.fromEntries(permissionModules().map((module) => [module, levels]))
    const reply = await service.call('POST', '/api/users/role/', {
      token: org.users.admin.token,
      body: { role_name: name, kind, permission },
    })
    assert.equal(reply.status, 201, reply.text)
    return reply.body.role_id as string
  }

  /** The caller, two below each other, one who left, a stranger, and one of the same account. */
  async function makePeople(): Promise<Ids> {
    const add = async (relation: Relation, reports_to?: string) => {
      const email = `${relation}@${org.id}.test`
      const body = { email, full_name: nameOf(relation), role_id: nothing, reports_to }
      const { body: made } = await world.post('/api/users/profile/action/', body)
      await everywhere(sql`update users set is_active = true where id = ${made.profile_id}`)
      return made.profile_id as string
    }
    const own = await add('own')
    // two levels below, past one who has left
    const departed = await add('departed', own)
    const team = await add('team', departed)
    const [other, attached] = [await add('other'), await add('attached')]
    const { token } = org.users.admin
    const left = await service.call('DELETE', `/api/users/profile/${departed}/`, { token })
    assert.equal(left.status, 204)
    const foreign = world.other!.org.users.member.user_id
    await everywhere(sql`update users set full_name = ${nameOf('foreign')} where id = ${foreign}`)
    return { own, team, departed, other, attached, foreign }
  }

  /** One record of each module and relation, shared where that is a choice. */
  async function makeRecords() {
    const all: { [module: string]: Ids } = { users: people }
    for (const module of modules) {
      if (module !== 'users') all[module] = await makeEach(module)
    }
    const row = { account: all.accounts!.attached, caller: people.own }
    await world.post('/api/project/info/', { project_name: 'Theirs', account_id: row.account })
    // the account first: the others belong to it
    for (const module of ['accounts', 'companies', ...modules]) {
      const { attach } = families[module]!
      if (attach) await everywhere(attach({ id: all[module]!.attached, ...row }))
    }
    return all
  }

  async function makeEach(module: string): Promise<Ids> {
    const { table } = recordsByModule[module]!
    const { shared } = families[module]!
    const each = {} as Ids
    for (const relation of relations) {
      const home = relation === 'foreign' ? world.other! : world
      const body = await newBody(module, home, nameOf(relation))
      const reply = await home.post(routesOf(module).create.path, body)
      const id = reply.headers.get('x-record-id')!
      each[relation] = id
      const maker =
        relation === 'foreign' ? undefined : people[relation === 'attached' ? 'other' : relation]
      if (maker)
        await everywhere(sql`update ${sql.table(table)} set created_by = ${maker} where id = ${id}`)
      if (shared) await everywhere(sql`update ${sql.table(table)} set ${shared} where id = ${id}`)
    }
    return each
  }

  /** A public filter of each module that leaves the records of the matrix. */
  async function makeFilters() {
    const made: { [module: string]: string } = {}
    for (const module of modules) {
      const { title } = recordsByModule[module]!
      const conditions = [{ field: title, operator: 'ends_with', value: 'of the matrix' }]
      const body = { name: `All ${module}`, module, conditions, visibility: 'public' }
      const reply = await world.post('/api/filters/filter/', body)
      made[module] = reply.body.filter_id
    }
    return made
  }

  function nameOf(relation: Relation) {
    return `The ${relation} one of the matrix`
  }

  function everywhere(query: Query) {
    return service.runtime.database.transaction(allOrganizations, (queries) => queries.run(query))
  }
})

function levels(create: Level, read: Level, update: Level, remove: Level): Levels {
  return { create, read, update, delete: remove }
}

/** Roles of customers and partners: they read what they are attached to, and complete their tasks. */
function outside(module: string): Levels {
  return module === 'deals' ? levels('none', 'none', 'none', 'none') : confined(module, 'own')
}

function confined(module: string, own: Level): Levels {
  if (['filters', 'roles'].includes(module)) return levels('none', 'none', 'none', 'none')
  return levels('none', 'all', module === 'tasks' ? own : 'none', 'none')
}
