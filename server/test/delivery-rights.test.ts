import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Query } from '../src/kit/ground/context.ts'
import { allOrganizations } from '../src/kit/ground/context.ts'
import type { RoleKind } from '../src/model/users/roles/permissions.ts'
import { permitted } from '../src/webhooks/access.ts'
import { eventKind, eventNames } from '../src/webhooks/catalogue.ts'
import { cases } from './support/cases.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import { sql, startService, tokenFor } from './support/service.ts'
import type { World } from './support/world.ts'
import { fresh, makeWorld } from './support/world.ts'

// A delivery is sent exactly if its subscriber's own read of the record is 200: for every event of
// the catalogue, every built-in role and some of people's own, over records of all kinds of owners.

/** The owner of a record, relative to the subscriber, and its particulars. */
const variants = ['own', 'team', 'other', 'attached', 'private', 'own private'] as const
type Variant = (typeof variants)[number]

/** What is needed to create and read the records of a module of the catalogue. */
type Family = {
  table: string
  /** where one is read; `{project}` is the project that it belongs to */
  read: string
  make(variant: Variant): Promise<string>
  /** SQL that attaches a row to the subscriber's account */
  attach?: (id: string) => Query
  /** SQL that hides a row from those who are not its own */
  hide?: Query
}

/** Levels on every module: create, read, update, delete. */
type Levels = [string, string, string, string]
const roles: { [name: string]: { kind: RoleKind; levels?: Levels } } = {
  'a built-in admin': { kind: 'admin' },
  'a built-in manager': { kind: 'manager' },
  'a built-in member': { kind: 'member' },
  'a built-in customer': { kind: 'customer' },
  'a built-in partner': { kind: 'partner' },
  'a built-in observer': { kind: 'observer' },
  'who reads their own': { kind: 'member', levels: ['own', 'own', 'own', 'own'] },
  'who reads their team’s': { kind: 'member', levels: ['team', 'team', 'team', 'team'] },
  'who reads nothing': { kind: 'member', levels: ['all', 'none', 'all', 'all'] },
}

/** The modules that have permissions, once more. */
const permissions = `accounts activity apps calendar companies contacts dashboards deals documents
  filters holidays interactions projects roles surveys tags tasks templates users`.split(/\s+/)

/** The read scopes of the contract (section 6). */
const scopes = `company contact deal project template user survey document meeting interaction`
  .split(' ')
  .map((word) => `${word}.read`)

describe('a delivery goes out exactly when the subscriber could read the record', () => {
  let service: TestService
  let world: World
  let org: TestOrganization
  let people: { own: string; team: string; other: string; attached: string }
  let account: string
  let theirs: string
  const ids: { [module: string]: { [variant in Variant]: string } } = {}
  const projects = new Map<string, string>()

  const families: { [module: string]: Family } = {
    companies: {
      table: 'companies',
      read: '/api/company/{id}/',
      make: () => create('create_company', '/api/company/'),
      attach: (id) => sql`update accounts set company_id = ${id} where id = ${account}`,
    },
    accounts: {
      table: 'accounts',
      read: '/api/account/info/{id}/',
      make: () => create('create_account', '/api/account/info/'),
      attach: (id) => sql`update users set account_id = ${id} where id = ${people.own}`,
    },
    contacts: {
      table: 'contacts',
      read: '/api/contact/{id}/',
      make: () => create('create_contact', '/api/contact/'),
      attach: (id) => sql`update contacts set linked_user = ${people.own} where id = ${id}`,
    },
    deals: project('deal'),
    projects: project('project'),
    milestones: {
      table: 'milestones',
      read: '/api/project/info/{project}/milestones/{id}/',
      async make(variant) {
        const parent = ids[variant === 'other' ? 'deals' : 'projects']![variant]
        const id = await post(`/api/project/info/${parent}/milestones/`, { name: fresh('Step') })
        projects.set(id, parent)
        return id
      },
      hide: sql`is_private = true`,
    },
    tasks: {
      table: 'tasks',
      read: '/api/tasks/{id}/',
      make: () => create('create_task', '/api/tasks/'),
      attach: (id) => sql`update tasks set account_id = ${account}, visibility = 'shared'
        where id = ${id}`,
      hide: sql`is_private = true`,
    },
    templates: {
      table: 'templates',
      read: '/api/templates/template/{id}/',
      make: () => create('create_template', '/api/templates/template/'),
    },
    users: {
      table: 'users',
      read: '/api/users/profile/{id}/',
      async make(variant) {
        if (variant === 'own' || variant === 'team' || variant === 'attached')
          return people[variant]
        return (await world.post('/api/users/profile/action/', newUser())).body.profile_id
      },
      attach: (id) => sql`update users set account_id = ${account} where id = ${id}`,
    },
    surveys: {
      table: 'surveys',
      read: '/api/surveys/{id}/',
      make: () => create('create_survey', '/api/surveys/'),
      attach: (id) => sql`update surveys set account_id = ${account} where id = ${id}`,
    },
    documents: {
      table: 'documents',
      read: '/api/documents/{id}/',
      make: () => create('create_document', '/api/documents/'),
      attach: (id) => sql`update documents set account_id = ${account},
        document_status = 'published' where id = ${id}`,
      hide: sql`is_private = true`,
    },
    meetings: {
      table: 'meetings',
      read: '/api/calendar/info/{id}/',
      make: () => create('create_meeting', '/api/calendar/info/'),
      attach: (id) => sql`update meetings set project_id = ${theirs} where id = ${id}`,
      hide: sql`is_private = true`,
    },
    interactions: {
      table: 'interactions',
      read: '/api/interactions/info/{id}/',
      // about a record of the same kind
      make: (variant) =>
        post('/api/interactions/info/', {
          content: fresh('About'),
          module_name: 'companies',
          reference_id: ids.companies![variant],
        }),
      hide: sql`is_private = true`,
    },
  }

  before(async () => {
    service = await startService()
    world = await makeWorld(service)
    org = world.org
    const add = async (reports_to?: string) => {
      const { body } = await world.post('/api/users/profile/action/', { ...newUser(), reports_to })
      await everywhere(sql`update users set is_active = true where id = ${body.profile_id}`)
      return body.profile_id as string
    }
    const own = await add()
    people = { own, team: await add(own), other: await add(), attached: await add() }
    account = await create('create_account', '/api/account/info/')
    await everywhere(sql`update users set account_id = ${account} where id = ${own}`)
    theirs = await post('/api/project/info/', { project_name: 'Theirs', account_id: account })
    for (const [module, family] of Object.entries(families)) ids[module] = await makeEach(family)
  })

  test('of every module of the catalogue', () => {
    const modules = new Set(eventNames.map((event) => eventKind(event).module))
    assert.deepEqual([...modules].sort(), Object.keys(families).sort())
    for (const event of eventNames)
      assert.ok(eventKind(event).scopes.some((scope) => scopes.includes(scope)))
  })

  for (const [name, { kind, levels }] of Object.entries(roles)) {
    test(`to ${name}`, async () => {
      const token = await become(levels ? await makeRole(name, kind, levels) : org.roles[kind])
      const readable: { [module: string]: Variant[] } = {}
      for (const [module, family] of Object.entries(families)) {
        const replies = await Promise.all(
          variants.map((variant) =>
            service.call('GET', pathOf(family, ids[module]![variant]), { token }),
          ),
        )
        readable[module] = variants.filter((_, i) => replies[i]!.status === 200)
      }
      const all = eventNames.flatMap((type) =>
        variants.map((variant) => ({
          id: `${type} ${variant}`,
          type,
          reference_id: ids[eventKind(type).module]![variant],
          subscription_id: 'one',
        })),
      )
      const subscription = { id: 'one', user_id: people.own, scopes }
      const allowed = await permitted(
        service.runtime,
        org.id,
        all as any,
        new Map([['one', subscription]]) as any,
      )
      for (const type of eventNames) {
        const delivered = variants.filter((variant) => allowed.has(`${type} ${variant}`))
        assert.deepEqual(delivered, readable[eventKind(type).module], type)
      }
      // the records distinguish the roles
      const missing = Object.values(readable).map((seen) => variants.length - seen.length)
      const isNothing = missing.every((n) => n === variants.length)
      assert.equal(isNothing, levels?.[1] === 'none')
      // a private comment is only for its author and those it names
      if (kind === 'admin')
        assert.equal(
          missing.reduce((sum, n) => sum + n),
          1,
        )
      else if (!isNothing) assert.ok(missing.some((n) => n > 0))
    })
  }

  function project(project_type: 'project' | 'deal'): Family {
    return {
      table: 'projects',
      read: '/api/project/info/{id}/',
      make: () => post('/api/project/info/', { project_name: fresh('Plan'), project_type }),
      attach: (id) => sql`update projects set account_id = ${account} where id = ${id}`,
      hide: sql`is_private = true`,
    }
  }

  async function makeEach(family: Family) {
    const made = {} as { [variant in Variant]: string }
    for (const variant of variants) {
      const id = (made[variant] = await family.make(variant))
      const maker = variant.startsWith('own') ? 'own' : variant === 'team' ? 'team' : 'other'
      await everywhere(sql`update ${sql.table(family.table)} set created_by = ${people[maker]}
        where id = ${id}`)
      if (variant === 'attached' && family.attach) await everywhere(family.attach(id))
      if (variant.endsWith('private') && family.hide)
        await everywhere(sql`update ${sql.table(family.table)} set ${family.hide} where id = ${id}`)
    }
    return made
  }

  function pathOf({ read }: Family, id: string) {
    return read.replace('{id}', id).replace('{project}', projects.get(id) ?? '')
  }

  async function create(operation: string, path: string) {
    return post(path, (await cases[operation]!.request(world)).body)
  }

  async function post(path: string, body: unknown) {
    return (await world.post(path, body)).headers.get('x-record-id')!
  }

  function newUser() {
    return {
      email: `${fresh()}@${org.id}.test`,
      full_name: fresh('Person'),
      role_id: org.roles.observer,
    }
  }

  async function become(role_id: string) {
    const { token } = org.users.admin
    const path = `/api/users/profile/${people.own}/`
    const reply = await service.call('PUT', path, { token, body: { role_id } })
    assert.equal(reply.status, 200, reply.text)
    const identity = { user_id: people.own, full_name: '', email: '', role: '' }
    return tokenFor(service, { organization_id: org.id, ...identity })
  }

  async function makeRole(role_name: string, kind: RoleKind, levels: Levels) {
    const [create, read, update, remove] = levels
    const permission = Object.fromEntries(
      permissions.map((module) => [module, { create, read, update, delete: remove }]),
    )
    return (await world.post('/api/users/role/', { role_name, kind, permission })).body.role_id
  }

  function everywhere(query: Query) {
    return service.runtime.database.transaction(allOrganizations, (queries) => queries.run(query))
  }
})
