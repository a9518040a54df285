import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBeside } from '../../../test/support/beside.ts'
import { watchLoop } from '../../../test/support/loop.ts'
import { callTool, connectMcp } from '../../../test/support/mcp.ts'
import type { Nasty } from '../../../test/support/nasty.ts'
import { nastyBodies, unknown } from '../../../test/support/nasty.ts'
import { startSender } from '../../../test/support/sender.ts'
import type { TestOrganization } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { slowness } from '../../../test/support/speed.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { tools } from './routes.ts'
import { toolsOf } from './tool.ts'

/** Each operation behind a tool, with the module by which it is called. */
const every = tools.flatMap((named) =>
  toolsOf(named).map((tool, i) => ({
    ...tool,
    module: 'kinds' in named ? [...named.kinds.keys()][i] : undefined,
  })),
)

const most = 50
// the first calls run code that is not compiled yet
const tries = 5

describe('the bounds of MCP', () => {
  test('a rate limit for each app, whose refusal says when to try again', async () => {
    const service = await startService({ rateLimits: { integration: { count: 3, seconds: 60 } } })
    const org = await makeOrganization(service)
    const { access_token } = await connectMcp(service, org)
    for (let i = 0; i < 3; i++) {
      assert.equal((await callTool(service, access_token, 'whoami')).isError, false)
    }
    const refused = await service.call('POST', '/mcp', {
      token: access_token,
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { accept: 'application/json, text/event-stream' },
    })
    assert.equal(refused.status, 429, refused.text)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    const other = await connectMcp(service, org)
    assert.equal((await callTool(service, other.access_token, 'whoami')).isError, false)
  })

  test('a page of large records is cut, and its cursor leads on', async () => {
    const service = await startService()
    const { access_token } = await connectMcp(service, await makeOrganization(service))
    for (let i = 0; i < 6; i++) {
      const custom_fields = { note: 'x'.repeat(60_000) }
      const made = await callTool(service, access_token, 'create_company', {
        company_name: `Large ${i}`,
        custom_fields,
      })
      assert.equal(made.isError, false, made.text)
    }
    const names: string[] = []
    let next_cursor: string | undefined
    do {
      const page = await callTool(service, access_token, 'find_records', {
        module: 'companies',
        q: 'large',
        ...(next_cursor === undefined ? {} : { next_cursor }),
      })
      assert.ok(page.text.length < 400_000, `${page.text.length}`)
      names.push(...page.value.results.map((row: any) => row.company_name))
      next_cursor = page.value.next_cursor
    } while (next_cursor)
    assert.equal(new Set(names).size, 6)
  })
})

describe('nasty arguments of tools keep nobody waiting', async () => {
  const loop = watchLoop()
  const sender = startSender()
  let url: string
  let token: string
  let org: TestOrganization

  before(async () => {
    const computations = { processes: 2, seconds: 1, megabytes: 128, waiting: 100 }
    const service = await startBeside(await startService({ computations }))
    url = service.url
    org = await makeOrganization(service)
    token = (await connectMcp(service, org)).access_token
  })
  after(async () => {
    loop.stop()
    await sender.stop()
  })

  /** What a call keeps the loop for at best, in ms, and the status of its answer. */
  async function held(name: string, { value }: Nasty): Promise<{ ms: number; status: number }> {
    const params = { name, arguments: value }
    const request = {
      method: 'POST',
      url: `${url}/mcp`,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    }
    let best = { ms: Infinity, status: 0 }
    for (let n = 0; n < tries && best.ms > most; n++) {
      await sleep(1)
      loop.reset()
      const { status } = await sender.send(request)
      await sleep(2)
      // as long as it would take on the machine that the limit was set on
      const longest = loop.longest().ms
      const ms = longest > most ? longest / slowness() : longest
      if (ms < best.ms) best = { ms, status }
    }
    return best
  }

  for (const { name, module, operation, id } of every) {
    test(module ? `${name} of ${module}` : name, async () => {
      const { properties = {} } = (operation.input.body ?? {}) as {
        properties?: { [name: string]: JSONSchema }
      }
      const record = { ...(module ? { module } : {}), ...(id === undefined ? {} : { [id]: 'x' }) }
      const nasties = [...unknown, ...nastyBodies(properties).slice(0, 2)]
      for (const nasty of nasties) {
        const value = isObject(nasty.value) ? { ...record, ...nasty.value } : nasty.value
        const { ms, status } = await held(name, { ...nasty, value })
        assert.ok(status < 500, `${nasty.kind}: ${status}`)
        assert.ok(ms <= most, `${nasty.kind}: the loop was held for ${ms.toFixed(0)} ms`)
      }
    })
  }
})

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
