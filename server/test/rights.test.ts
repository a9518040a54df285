import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { RoleKind } from '../src/records/users/permissions.ts'
import { confinedKinds, permissionModules, roleKinds } from '../src/records/users/permissions.ts'
import type { Route } from '../src/surfaces/route.ts'
import type { Reply, TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, rows, sql, startService, tokenFor } from './support/service.ts'

type Level = 'all' | 'team' | 'own' | 'none'
type Levels = { create: Level; read: Level; update: Level; delete: Level }

/** Whose a record is, seen from the caller; `departed` left the team, `attached` hangs on an account. */
const relations = ['own', 'team', 'departed', 'other', 'attached', 'foreign'] as const
type Relation = (typeof relations)[number]

/** The records that exist, where they are found, and how one of each is made and changed. */
const records = {
  companies: { base: '/api/company/', title: 'company_name', change: { description: 'x' } },
  contacts: { base: '/api/contact/', title: 'full_name', change: { job_title: 'x' } },
  tags: { base: '/api/tags/info/', title: 'tag_name', change: { description: 'x' } },
  users: { base: '/api/users/profile/', title: 'full_name', change: { designation: 'x' } },
} as const
type Module = keyof typeof records
const modules = Object.keys(records) as Module[]

/** What the contract (section 9) gives the built-in roles, written down once more. */
const builtIn: { [kind in RoleKind]: (module: Module) => Levels } = {
  admin: () => levels('all', 'all', 'all', 'all'),
  manager: () => levels('all', 'all', 'all', 'team'),
  member: (module) =>
    module === 'users'
      ? levels('none', 'all', 'none', 'none')
      : levels('all', 'all', 'team', 'own'),
  customer: () => levels('none', 'all', 'none', 'none'),
  partner: () => levels('none', 'all', 'none', 'none'),
  observer: () => levels('none', 'all', 'none', 'none'),
}

/** Roles that people make: the same levels on every module. */
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

describe('rights', () => {
  let service: TestService
  let org: TestOrganization
  let foreign: TestOrganization
  let people: { [relation in Exclude<Relation, 'foreign'>]: string }
  let ids: { [module in Module]: { [relation in Relation]: string } }
  let nothing: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    foreign = await makeOrganization(service)
    // of a confined kind, so that everyone holds all of it: who may act on whom is tested elsewhere
    nothing = await makeRole('without rights', levels('none', 'none', 'none', 'none'), 'customer')
    await makePeople()
    await makeRecords()
  })

  for (const kind of roleKinds) {
    for (const module of modules) {
      test(`a built-in ${kind} on ${module}`, async () => {
        await check(org.roles[kind], module, builtIn[kind](module), confinedKinds.includes(kind))
      })
    }
  }

  for (const { name, kind, levels } of made) {
    test(`a role of people's own: ${name}`, async () => {
      const role_id = await makeRole(name, levels, kind)
      for (const module of modules) {
        await check(role_id, module, levels, confinedKinds.includes(kind))
      }
    })
  }

  test('who is linked to a contact sees it, its company and colleagues, until that ends', async () => {
    const token = await become(org.roles.customer)
    const { companies, contacts } = ids
    const status = async (base: string, id: string) =>
      (await service.call('GET', `${base}${id}/`, { token })).status
    const seen = async () => [
      await status('/api/company/', companies.other),
      await status('/api/contact/', contacts.other),
      await status('/api/contact/', contacts.team),
      await status('/api/company/', companies.attached),
      await status('/api/contact/', contacts.attached),
    ]
    assert.deepEqual(await seen(), [404, 404, 404, 200, 200])
    await everywhere(sql`update contacts set company_id = ${companies.other}
      where id in (${contacts.other}, ${contacts.team})`)
    await everywhere(
      sql`update contacts set linked_user = ${people.own} where id = ${contacts.other}`,
    )
    await everywhere(sql`update accounts set deleted_at = now() where organization_id = ${org.id}`)
    assert.deepEqual(await seen(), [200, 200, 200, 404, 404])
    await everywhere(sql`update contacts set deleted_at = now() where id = ${contacts.other}`)
    assert.deepEqual(await seen(), [404, 404, 404, 404, 404])
  })

  test('every route of these records is among those checked', () => {
    for (const module of modules) {
      const own = routesOf(module)
      const known = new Set([...Object.values(own).flat(), ...elsewhere(module)])
      const missed = service.routes.filter(
        (route) => route.path.startsWith(records[module].base) && !known.has(route),
      )
      assert.deepEqual(
        missed.map(({ method, path }) => `${method} ${path}`),
        [],
      )
      assert.ok(own.list.length && own.read.length && own.update.length && own.delete.length)
    }
  })

  /** One role on one module: every route, on every relation. */
  async function check(role_id: string, module: Module, given: Levels, isConfined: boolean) {
    let token = await become(role_id)
    const routes = routesOf(module)
    const sees = (relation: Relation) => covers(module, given.read, relation, isConfined)
    for (const route of routes.create) await create(route, module, token, given.create)
    for (const route of routes.list) await list(route, module, token, given.read, sees)
    for (const action of ['read', 'update', 'delete'] as const) {
      for (const route of routes[action]) {
        for (const relation of relations) {
          const status = expected(module, action, given, relation, isConfined)
          const path = route.path.replace('{id}', ids[module][relation])
          const body = action === 'update' ? records[module].change : undefined
          const reply = await service.call(route.method, path, { token, body })
          const what = `${route.method} ${relation} ${module}: ${reply.text}`
          assert.equal(reply.status, status === 200 ? route.status : status, what)
          if (reply.status >= 400) assert.equal(reply.body.status, 'error')
          if (action !== 'delete' || status !== 200) continue
          await everywhere(sql`update ${sql.table(module)} set deleted_at = null
            where id = ${ids[module][relation]}`)
          // the caller may just have removed itself
          if (module === 'users' && relation === 'own') token = await tokenOf()
        }
      }
    }
  }

  /** The status that the contract asks for. */
  function expected(
    module: Module,
    action: 'read' | 'update' | 'delete',
    given: Levels,
    relation: Relation,
    isConfined: boolean,
  ) {
    const isSelf = module === 'users' && relation === 'own'
    // everyone edits their own profile, so that one route asks nothing of the role beforehand
    const asksLater = module === 'users' && action === 'update'
    if (asksLater && isSelf) return 200
    if (given[action] === 'none' && !asksLater) return 403
    if (!covers(module, given.read, relation, isConfined)) return 404
    return covers(module, given[action], relation, isConfined) ? 200 : 403
  }

  function covers(module: Module, level: Level, relation: Relation, isConfined: boolean) {
    const isSelf = module === 'users' && relation === 'own'
    // a tag hangs on no account
    const isAttached = isSelf || (relation === 'attached' && module !== 'tags')
    if (relation === 'foreign' || level === 'none') return false
    // who was taken out of the organization is nobody's any more
    if (module === 'users' && relation === 'departed') return false
    if (isConfined && !isAttached) return false
    if (level === 'all') return true
    if (level === 'own') return relation === 'own'
    return relation === 'own' || relation === 'team' || relation === 'departed'
  }

  /** Lists, counts, `q` and `filter` show what single reads show, and nothing else. */
  async function list(
    route: Route,
    module: Module,
    token: string,
    level: Level,
    sees: (relation: Relation) => boolean,
  ) {
    const { title } = records[module]
    const ask = (query: object) => {
      const all = { page: '1', items_per_page: '500', include_count: 'true', ...query }
      return service.call('GET', `${route.path}?${new URLSearchParams(all)}`, { token })
    }
    const reply = await ask({})
    if (level === 'none') return assert.equal(reply.status, 403, reply.text)
    const listed = idsIn(reply)
    assert.equal(reply.headers.get('x-total-count'), String(listed.length))
    const every = await rows<{ id: string }>(service, sql`select id from ${sql.table(module)}`)
    for (const { id } of every) {
      const path = routesOf(module).read[0]!.path.replace('{id}', id)
      const { status } = await service.call('GET', path, { token })
      assert.equal(status, listed.includes(id) ? 200 : 404, `${module} ${id}`)
    }
    for (const relation of relations) {
      const id = ids[module][relation]
      assert.equal(listed.includes(id), sees(relation), `${relation} ${module} in the list`)
      const name = nameOf(relation)
      const filter = JSON.stringify([{ field: title, operator: 'eq', value: name }])
      for (const found of [await ask({ q: name }), await ask({ filter })]) {
        assert.deepEqual(idsIn(found), sees(relation) ? [id] : [], `${relation} ${module} found`)
        assert.equal(found.headers.get('x-total-count'), sees(relation) ? '1' : '0')
      }
    }
  }

  function idsIn({ status, body, text }: Reply): string[] {
    assert.equal(status, 200, text)
    return body.map(
      (each: any) => each.company_id ?? each.contact_id ?? each.tag_id ?? each.profile_id,
    )
  }

  async function create(route: Route, module: Module, token: string, level: Level) {
    const body = { [records[module].title]: `made ${Math.random()}` }
    const reply = await service.call('POST', route.path, { token, body })
    assert.equal(reply.status, level === 'none' ? 403 : route.status, `${module}: ${reply.text}`)
    if (reply.status >= 400) return
    const id = reply.headers.get('x-record-id')!
    await everywhere(sql`delete from ${sql.table(module)} where id = ${id}`)
  }

  function routesOf(module: Module) {
    const { base } = records[module]
    const at = (path: string, ...methods: string[]) =>
      service.routes.filter((route) => route.path === path && methods.includes(route.method))
    return {
      list: at(base, 'GET'),
      create: at(base, 'POST'),
      read: at(`${base}{id}/`, 'GET'),
      update: at(`${base}{id}/`, 'PUT', 'PATCH'),
      delete: at(`${base}{id}/`, 'DELETE'),
    }
  }

  /** What is tested beside its record, since its rights are its own. */
  function elsewhere(module: Module): Route[] {
    const { base } = records[module]
    const merging = ['duplicates/', 'merge/', 'merge/{merge_id}/undo/']
    const paths = [
      '{id}/restore/',
      '{id}/contacts/',
      '{id}/completed-meetings/',
      'action/',
      'activity/',
      ...merging,
    ].map((end) => base + end)
    return service.routes.filter(({ path }) => paths.includes(path))
  }

  /** Gives the caller a role, and a token. */
  async function become(role_id: string): Promise<string> {
    const path = `/api/users/profile/${people.own}/`
    const reply = await service.call('PUT', path, {
      token: org.users.admin.token,
      body: { role_id },
    })
    assert.equal(reply.status, 200, reply.text)
    return tokenOf()
  }

  function tokenOf() {
    const caller = { user_id: people.own, full_name: '', email: '', role: '' }
    return tokenFor(service, { organization_id: org.id, ...caller })
  }

  async function makeRole(name: string, given: Levels, kind: RoleKind = 'member') {
    const permission = Object.fromEntries(permissionModules.map((module) => [module, given]))
    const { body } = await service.call('POST', '/api/users/role/', {
      token: org.users.admin.token,
      body: { role_name: name, kind, permission },
    })
    return body.role_id as string
  }

  /** The caller, two below each other, one who left, a stranger, and one of the same account. */
  async function makePeople() {
    const account = { organization_id: org.id, id: 'account', account_name: 'Theirs' }
    await everywhere(sql`insert into accounts (organization_id, id, account_name)
      values (${account.organization_id}, ${account.id}, ${account.account_name})`)
    const add = async (relation: Relation, reports_to?: string, account_id?: string) => {
      const body = {
        email: `${relation}@${org.id}.test`,
        full_name: nameOf(relation),
        role_id: nothing,
        is_active: true,
        reports_to,
        account_id,
      }
      const path = '/api/users/profile/action/'
      const reply = await service.call('POST', path, { token: org.users.admin.token, body })
      assert.equal(reply.status, 200, reply.text)
      return reply.body.profile_id as string
    }
    const own = await add('own', undefined, account.id)
    await everywhere(sql`update users set is_active = true where id = ${own}`)
    // two levels below, past one who has left
    const departed = await add('departed', own)
    const team = await add('team', departed)
    people = {
      own,
      team,
      departed,
      other: await add('other'),
      attached: await add('attached', undefined, account.id),
    }
    const path = `/api/users/profile/${departed}/`
    const left = await service.call('DELETE', path, { token: org.users.admin.token })
    assert.equal(left.status, 204)
  }

  async function makeRecords() {
    const post = async (module: Module, organization: TestOrganization, name: string) => {
      const { base, title } = records[module]
      const { token } = organization.users.admin
      const reply = await service.call('POST', base, { token, body: { [title]: name } })
      assert.ok(reply.status < 300, reply.text)
      return reply.headers.get('x-record-id')!
    }
    const all = {} as typeof ids
    for (const module of ['companies', 'contacts', 'tags'] as const) {
      const each = {} as { [relation in Relation]: string }
      for (const relation of relations) {
        const home = relation === 'foreign' ? foreign : org
        each[relation] = await post(module, home, nameOf(relation))
        if (relation === 'foreign') continue
        const maker = relation === 'attached' ? people.other : people[relation]
        await everywhere(sql`update ${sql.table(module)} set created_by = ${maker}
          where id = ${each[relation]}`)
      }
      all[module] = each
    }
    const stranger = foreign.users.member.user_id
    await everywhere(sql`update users set full_name = ${nameOf('foreign')} where id = ${stranger}`)
    all.users = { ...people, foreign: stranger }
    await everywhere(sql`update accounts set company_id = ${all.companies.attached}
      where organization_id = ${org.id}`)
    await everywhere(sql`update contacts set company_id = ${all.companies.attached}
      where id = ${all.contacts.attached}`)
    ids = all
  }

  function nameOf(relation: Relation) {
    return `The ${relation} one`
  }

  function everywhere(query: Parameters<typeof rows>[1]) {
    return service.runtime.database.transaction('*', (queries) => queries.run(query))
  }
})

function levels(create: Level, read: Level, update: Level, remove: Level): Levels {
  return { create, read, update, delete: remove }
}
