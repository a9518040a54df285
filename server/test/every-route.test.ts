import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../src/kit/ground/ids.ts'
import { allScopes } from '../src/records/apps/scopes.ts'
import { accessOf, allowedRoutes } from './support/access.ts'
import { depth, drawn } from './support/depth.ts'
import { refused, refusedField } from './support/refused.ts'
import type { Reply } from './support/service.ts'
import { startService } from './support/service.ts'
import { connectApp } from './support/integration.ts'
import { caseOf, everyRoute, logOf, pathOf, refusable, send } from './support/routes.ts'
import type { Surface } from './support/world.ts'
import { addMember, makeWorld, signed } from './support/world.ts'

// Rules for every route of both surfaces: who may call it, which paths exist, what a success
// looks like. The answers' bodies are checked against the API document by test support.

// every answer has the remaining limit, which is high
const far = { count: 1_000_000, seconds: 60 }
const rateLimits = { integration: far, application: far }
const world = await makeWorld(await startService({ rateLimits }))
/** The headers of callers with all permissions but one, by what they lack; tests may begin before the file is read to its end. */
const callers = new Map<string, Promise<{ [name: string]: string }>>()
const { service } = world

/** Query parameters of lists that stand for a condition on a link. */
const conditions: { [operation: string]: string[] } = {
  page_accounts: ['company_id'],
  page_comments: ['record_id'],
  page_documents: ['account_id', 'project_id'],
  page_surveys: ['account_id'],
  page_tasks: ['milestone_id'],
  get_projects: ['pipeline_id', 'stage_id', 'account_id', 'company_id'],
}

/** Operations on surveys whose filter is one of contacts. */
/** The kinds of records that a list is of, where its right is of another one. */
const listsOf: { [name: string]: string } = {
  export_survey_links: 'contacts',
}

for (const { surface, route, title } of everyRoute(world)) {
  const { method, operation } = route
  const { right, status } = accessOf(surface, route)
  const isOpen = right === 'anyone'
  const request = () => caseOf(route).request(world)
  const toRefuse = refusable(route)

  describe(title, () => {
    test('has a case, which succeeds as the table says', async () => {
      const { more = [] } = caseOf(route)
      for (const make of [request, ...more]) {
        const made = await make(world)
        const reply = await send(world, surface, route, made)
        assert.equal(reply.status, status, reply.text)
        assert.ok(reply.headers.get('x-request-id'))
        assert.equal(reply.headers.get('cache-control'), 'no-store')
        assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
        if (!isOpen) {
          assert.equal(reply.headers.get('ratelimit-policy'), `"${surface.name}";q=1000000;w=60`)
          const left = new RegExp(`^"${surface.name}";r=9\\d{5};t=\\d+$`)
          assert.match(reply.headers.get('ratelimit')!, left)
        }
        if (route.empty || route.status === 204) assert.equal(reply.text, '')
        else if (operation.gives !== '*/*') {
          const type = reply.headers.get('content-type') ?? ''
          assert.equal(type.split(';')[0], operation.gives ?? 'application/json')
        }
      }
    })

    testIf(!isOpen, 'wants credentials, good ones', async () => {
      const made = await toRefuse(world)
      const { authorization, ...others } = made.headers ?? surface.admin()
      const wrong = [
        {},
        others,
        { ...others, authorization: 'Bearer nonsense' },
        { ...others, authorization: 'Basic YTpi' },
        { ...others, authorization: `${authorization}x` },
        // a valid token of the other surface
        { ...others, authorization: otherSurface(surface.name).admin().authorization! },
        ...Object.keys(others).map((name) => ({
          ...others,
          authorization: authorization!,
          [name]: '',
        })),
      ]
      const [none, ...bad] = wrong
      for (const as of [none, ...drawn(bad, depth(2, bad.length))])
        refused(await send(world, surface, route, made, { as }), 401)
    })

    testIf(typeof right === 'object', 'is closed to those without the right', async () => {
      const made = await toRefuse(world)
      const before = await logOf(world)
      refused(await send(world, surface, route, made, { as: surface.nobody() }), 403)
      // a malformed body or an unknown id must not reveal anything about the route
      const broken = { ...made, params: { id: newId() } }
      refused(await send(world, surface, route, broken, { as: surface.nobody() }), 403)
      if (made.body)
        refused(await send(world, surface, route, made, { as: surface.nobody(), raw: '{' }), 403)
      assert.deepEqual(await logOf(world), before)
    })

    testIf(typeof right === 'object', 'is closed to those who may do everything else', async () => {
      const { modules, action } = right as { modules: string[]; action: string }
      const made = await toRefuse(world)
      const as = await allBut(surface, modules, action)
      refused(await send(world, surface, route, made, { as }), 403)
      // refused before any lookup
      refused(await send(world, surface, route, { ...made, params: { id: newId() } }, { as }), 403)
    })

    test('is the same with and without its last slash', async () => {
      const made = await request()
      const [path, search = ''] = pathOf(route, made).split('?')
      const other = path!.endsWith('/') ? path!.slice(0, -1) : `${path}/`
      const headers = made.headers ?? surface.admin()
      const reply = await service.call(method, `${other}?${search}`, { body: made.body, headers })
      assert.equal(reply.status, route.status, reply.text)
    })

    testIf(method === 'GET', 'answers HEAD as GET, without the body', async () => {
      const made = await toRefuse(world)
      const [get, head] = [
        await send(world, surface, route, made),
        await send(world, surface, { ...route, method: 'HEAD' as never }, made),
      ]
      assert.equal(head.status, get.status)
      assert.equal(head.text, '')
      for (const name of ['content-type', 'etag', 'link']) {
        assert.equal(head.headers.get(name), get.headers.get(name), name)
      }
      const without = await send(world, surface, { ...route, method: 'HEAD' as never }, made, {
        as: {},
      })
      assert.equal(without.status, isOpen ? 200 : 401)
    })

    const ids = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    testIf(
      ids.length > 0,
      'knows no record that is unknown or another organization’s',
      async () => {
        const [ours, theirs] = [await toRefuse(world), await toRefuse(world.other!)]
        const before = [await logOf(world), await logOf(world.other!)]
        const strange = [
          'nope',
          '0',
          'x'.repeat(200),
          'é',
          "' or 1=1 --",
          '%',
          '..%2f',
          newId().toUpperCase(),
        ]
        for (const name of ids.filter((each) => each !== 'module_id')) {
          const known = ours.params![name] ?? ours.params!.id!
          const foreign = theirs.params![name] ?? theirs.params!.id!
          // the word of a module or of an option set is the same in every organization
          const others = [foreign].filter((id) => id !== known)
          const unknown = [newId(), `${known}x`, known.toUpperCase(), ...strange].filter(
            // the number of a version is the same in capitals
            (id) => id !== known,
          )
          for (const id of [...others, ...drawn(unknown, depth(3, 11))]) {
            const reply = await send(world, surface, route, {
              ...ours,
              params: { ...ours.params, [name]: id },
            })
            refused(reply, 404)
          }
        }
        assert.deepEqual([await logOf(world), await logOf(world.other!)], before)
      },
    )

    testIf(queryIds().length > 0, 'knows no such record in its query', async () => {
      const { more = [] } = caseOf(route)
      for (const name of queryIds()) {
        const theirs = await Promise.all(more.map((make) => make(world.other!)))
        const shown = theirs.find(({ query }) => query?.[name])
        assert.ok(shown, `the case shows no request with ${name}`)
        for (const id of [shown.query![name]!, newId(), 'nope']) {
          const query = { ...shown.query, [name]: id }
          const reply = await send(world, surface, route, { ...shown, query })
          // a condition on a record is checked as one in a filter is
          if (isFilter(name)) refusedField(reply, [name])
          else if (isCondition(name)) findsNothing(reply)
          else if (isSearchOfLog(name)) assert.deepEqual(reply.body.results, [], reply.text)
          else refused(reply, 404)
        }
      }
    })

    // a list with a condition on a link, as in its filter
    function isCondition(name: string) {
      return conditions[operation.name]?.includes(name)
    }

    function findsNothing(reply: Reply) {
      if (reply.status === 400) refusedField(reply, ['filter'])
      else assert.deepEqual([reply.status, reply.body.results], [200, []], reply.text)
    }

    // the log names records and events that are gone
    function isSearchOfLog(name: string) {
      const logs = ['list_deliveries', 'list_webhook_deliveries', 'list_activity_feed']
      return (
        logs.includes(operation.name) && ['event_id', 'record_id', 'reference_id'].includes(name)
      )
    }

    function isFilter(name: string) {
      return (
        (operation.name === 'read_dashboard_widget' && !/^(dashboard|widget)_id$/.test(name)) ||
        operation.name === 'read_report'
      )
    }

    function queryIds() {
      const names = Object.keys((operation.input.query?.properties ?? {}) as object)
      // a module is no record, and saved filters have a test of their own
      return names.filter((name) => /id$/i.test(name) && !/^(module|filter)_id$/.test(name))
    }

    testIf(
      has('filter') && has('filter_id') && surface.name === 'application',
      'applies saved filters',
      async () => {
        const module = listsOf[operation.name] ?? (operation.can as { module: string }).module
        const saved = async (at: typeof world, body: object) => {
          const reply = await at.post('/api/filters/filter/', { name: 'x', ...body })
          return reply.body.filter_id as string
        }
        const sent = async (filter_id: string) => {
          const made = await caseOf(route).request(world)
          return send(world, surface, route, { ...made, query: { ...made.query, filter_id } })
        }
        const output = operation.output as any
        const listed = output?.items ?? output?.properties?.groups?.items.properties.records?.items
        // a list of what can be restored adds to the record when it was deleted
        const items = listed?.allOf?.[0] ?? listed
        const fields = Object.keys(items?.properties ?? { id: {} })
        const key = fields.find((name) => name === 'id' || name.endsWith('_id'))!
        // a table has no schema that says its key
        const conditions = operation.gives
          ? [{ field: 'creation_time', operator: 'lt', value: '2000-01-01' }]
          : [{ field: key, operator: 'eq', value: 'nope' }]
        const reply = await sent(await saved(world, { module, conditions }))
        assert.equal(reply.status, route.status, reply.text)
        // of a table nothing but its header
        if (operation.gives) assert.equal(reply.text.split('\n').length, 2, reply.text)
        else assert.deepEqual(reply.body.groups ?? reply.body.rows ?? reply.body, [])
        const elsewhere = module === 'tags' ? 'roles' : 'tags'
        refusedField(await sent(await saved(world, { module: elsewhere })), ['filter_id'])
        for (const id of [await saved(world.other!, { module }), newId(), 'nope']) {
          refused(await sent(id), 404)
        }
      },
    )

    function has(name: string): boolean {
      return Object.hasOwn((operation.input.query?.properties ?? {}) as object, name)
    }
  })
}

test('every route has its line in the table, and no line is without a route', () => {
  const routes = everyRoute(world).map(({ surface, title }) => `${surface.name} ${title}`)
  assert.deepEqual(routes.toSorted(), allowedRoutes.toSorted())
})

test('every route declares the right, the status and the effect that the table says', () => {
  for (const { surface, route, title } of everyRoute(world)) {
    const { can, writes } = route.operation
    const { right, ...expected } = accessOf(surface, route)
    assert.deepEqual(
      typeof can === 'object' ? [can.module, ...[can.or ?? []].flat(), can.action] : can,
      typeof right === 'object' ? [...right.modules, right.action] : right,
      title,
    )
    assert.equal(route.status, expected.status, title)
    assert.equal(writes, expected.writes, title)
  }
})

describe('a path', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const byPath = Map.groupBy(everyRoute(world), ({ route }) =>
    route.path.replace(/\{\w+\}/g, '{id}'),
  )
  for (const [path, routes] of byPath) {
    test(`${path} says which methods it has`, async () => {
      const has = routes.map(({ route }) => route.method as string)
      const expected = [...has, ...(has.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
      const url = path.replace('{id}', newId())
      for (const method of methods.filter((each) => !has.includes(each))) {
        const reply = await service.call(method, url, { headers: routes[0]!.surface.admin() })
        refused(reply, 405)
        assert.deepEqual(reply.headers.get('allow')!.split(', ').sort(), expected, method)
      }
      const options = await service.call('OPTIONS', url)
      assert.equal(options.status, 204)
      assert.deepEqual(options.headers.get('allow')!.split(', ').sort(), expected)
    })
  }

  test('that is unknown is 404 by each method', async () => {
    for (const url of ['/api/nothing/', '/api/contact/bulk/nothing/', '/webhook//', '/api/']) {
      for (const method of [...methods, 'OPTIONS']) {
        const reply = await service.call(method, url)
        refused(reply, 404)
        assert.equal(reply.headers.get('allow'), null)
      }
    }
  })

  test('is found also without its trailing slash, and with an encoded segment', async () => {
    for (const url of ['/api/contact/bulk', '/api/%63ontact/bulk/']) {
      const reply = await service.call('GET', url)
      refused(reply, 405)
      assert.equal(reply.headers.get('allow'), 'POST, OPTIONS')
    }
  })

  test('may be called from a page of another origin', async () => {
    for (const { route, title } of everyRoute(world)) {
      const reply = await service.call('OPTIONS', route.path.replace(/\{\w+\}/g, newId()), {
        headers: {
          origin: 'https://elsewhere.test',
          'access-control-request-method': route.method,
          'access-control-request-headers': 'authorization,content-type,if-match',
        },
      })
      assert.equal(reply.status, 204, title)
      assert.equal(reply.headers.get('access-control-allow-origin'), '*')
      assert.ok(reply.headers.get('access-control-allow-methods')!.includes(route.method), title)
      const allowed = reply.headers.get('access-control-allow-headers')
      assert.equal(allowed, 'authorization,content-type,if-match')
    }
  })

  test('that nobody knows is 404 in the envelope', async () => {
    for (const path of [
      '/api',
      '/api/nope/',
      '/automation/nope',
      '/webhook/nope',
      '/api/company/a/b/c/',
    ]) {
      refused(await service.call('GET', path, { headers: world.surfaces[0]!.admin() }), 404)
    }
  })
})

describe('scopes', () => {
  const apps = new Map<string, Promise<{ [name: string]: string }>>()

  /** Headers of an app that has these scopes, one for all routes. */
  function appWith(scopes: string[]) {
    const key = scopes.join(' ')
    const app = apps.get(key) ?? connectApp(service, world.org, { scopes }).then(signed)
    apps.set(key, app)
    return app
  }

  test('an app without the scope is refused on every route that needs one', async () => {
    const app = await connectApp(service, world.org, { scopes: [] })
    for (const { surface, route, title } of everyRoute(world)) {
      if (surface.name !== 'integration' || !accessOf(surface, route).scopes.length) continue
      const made = await caseOf(route).request(world)
      refused(await send(world, surface, route, made, { as: signed(app) }), 403, title)
    }
  })

  for (const { surface, route, title } of everyRoute(world)) {
    const { scopes, status } = accessOf(surface, route)
    if (!scopes.length) continue
    test(`${title} takes the scope ${scopes.join(' or ')} and no other`, async () => {
      const made = await caseOf(route).request(world)
      const others = allScopes.filter((each) => !scopes.includes(each))
      refused(await send(world, surface, route, made, { as: await appWith(others) }), 403)
      const as = await appWith(scopes.slice(0, 1))
      const reply = await send(world, surface, route, made, { as })
      assert.equal(reply.status, status, reply.text)
    })
  }
})

describe('rate limits', () => {
  const off = { count: 0, seconds: 1 }

  test('end in 429 with the time to wait', async () => {
    const limit = { count: 3, seconds: 60 }
    const rateLimits = { integration: limit, application: limit, login: off, public: off }
    const limited = await makeWorld(await startService({ rateLimits }))
    for (const surface of limited.surfaces) {
      const route = surface.routes.find(({ method }) => method === 'GET')!
      const path = route.path.replace(/\{\w+\}/g, newId())
      for (const left of [2, 1, 0, 0, 0]) {
        const reply = await limited.service.call(route.method, path, { headers: surface.admin() })
        assert.match(reply.headers.get('ratelimit')!, new RegExp(`;r=${left};`))
        assert.equal(reply.status === 429, reply.headers.has('retry-after'))
      }
      const last = await limited.service.call(route.method, path, { headers: surface.admin() })
      refused(last, 429)
      assert.match(last.headers.get('retry-after')!, /^[1-9]\d?$/)
    }
  })
})

/** Headers of somebody with all permissions except one action on these modules. */
function allBut(surface: Surface, modules: string[], action: string) {
  const key = `${surface.name} ${modules} ${action}`
  const made = callers.get(key) ?? connect()
  callers.set(key, made)
  return made

  async function connect() {
    const rights = everyRoute(world).flatMap(({ surface, route }) => {
      const { right } = accessOf(surface, route)
      return typeof right === 'object' ? right.modules : []
    })
    const all = { create: 'all', read: 'all', update: 'all', delete: 'all' }
    const permission = Object.fromEntries(
      rights.map((each) => [each, { ...all, ...(modules.includes(each) && { [action]: 'none' }) }]),
    )
    const member = await addMember(service, world.org, permission)
    if (surface.name === 'application') return { authorization: `Bearer ${member.token}` }
    const users = { ...world.org.users, member }
    return signed(await connectApp(service, { ...world.org, users }, { as: 'member' }))
  }
}

/** A test of the routes to which it applies. */
function testIf(has: boolean, name: string, run: () => Promise<void>) {
  if (has) test(name, run)
}

function otherSurface(name: string) {
  return world.surfaces.find((surface) => surface.name !== name)!
}
