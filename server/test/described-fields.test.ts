import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listPaths } from '../src/surfaces/application/modules.ts'
import { caseOf, everyRoute } from './support/routes.ts'
import { startService } from './support/service.ts'
import { targets } from './support/targets.ts'
import { fresh, makeWorld } from './support/world.ts'

// Every field that a module's description says is writable is changed with the request of the screens, and read
// back; the others are not offered, and written-fields.test.ts says what becomes of them.

const service = await startService()
const world = await makeWorld(service)
const token = world.org.users.admin.token
const routes = everyRoute(world).filter(({ surface }) => surface.name === 'application')
type Described = {
  name: string
  type: string
  is_writable: boolean
  is_custom: boolean
  minimum: number | null
  maximum: number | null
  max_length: number | null
  options: { value: string }[]
  reference: { module: string } | null
}
type Body = { [name: string]: unknown }

const call = (method: string, path: string, body?: unknown, headers = {}) =>
  service.call(method, path, { token, body, headers })

/** Whether the screens offer an editor of the field, by its type. */
function isOffered({ name, type, options }: Described): boolean {
  if (options.length || name === 'tags') return true
  return !['json', 'list', 'id'].includes(type)
}

/** A new record of a module, as the case of its creation makes it. */
async function made(module: string, also: object = {}): Promise<string> {
  const path = listPaths[module]!
  const create = routes.find(({ route }) => route.method === 'POST' && route.path === path)
  const { body } = create ? await caseOf(create.route).request(world) : { body: {} }
  const more = module === 'deals' ? { project_type: 'deal' } : {}
  return (await world.post(path, { ...body, ...more, ...also })).headers.get('x-record-id')!
}

async function otherPipeline(): Promise<string[]> {
  const { body } = await call('POST', '/api/pipelines/', { pipeline_name: fresh('Pipeline') })
  return [(body as { pipeline_id: string }).pipeline_id]
}

const holidays = async () => [await targets.holiday_sets!(world)]

/** Values of fields that take no word of any kind, by module and field. */
const special: { [field: string]: () => Promise<unknown[]> } = {
  'deals.pipeline_id': otherPipeline,
  'projects.pipeline_id': otherPipeline,
  'deals.holidays_id': holidays,
  'projects.holidays_id': holidays,
  'tasks.meeting_summary_id': async () => [await targets.meeting_insights!(world)],
  'dashboards.time_range_default': async () => ['this_month'],
  'filters.module': async () => ['contacts'],
  'filters.sort': async () => ['id'],
  'filters.group_by': async () => ['industry'],
}

/** What a record must have for a field to be changed. */
const madeWith: { [field: string]: object } = {
  // a condition may name a field that the other module has not
  'filters.module': { conditions: [], columns: [] },
  'tasks.recurrence_status': {
    due_date: '2031-02-03',
    recurrence_pattern: { frequency: 'weekly', interval: 1 },
  },
}

/** What the screens send for a field that is not so yet. */
async function valuesFor(field: Described, before: unknown): Promise<unknown[]> {
  const { name, type, options, reference, minimum, maximum, max_length } = field
  if (options.length) {
    return options
      .map(({ value }) => (typeof before === 'number' ? Number(value) : value))
      .reverse()
  }
  if (name === 'tags') return [[fresh('tag')]]
  if (name === 'domain') return [`${fresh()}.test`]
  if (type === 'user') return [world.org.users.manager.user_id, world.org.users.member.user_id]
  if (type === 'reference') {
    const make = targets[reference?.module === 'calendar' ? 'meetings' : (reference?.module ?? '')]
    return [await (make ?? targets.people!)(world)]
  }
  const number = Math.max(minimum ?? 0, Math.min(maximum ?? 41, 41))
  const values: { [type: string]: unknown[] } = {
    boolean: [before !== true],
    date: ['2031-02-03'],
    datetime: ['2031-02-03T10:00:00.000Z', '2020-02-03T10:00:00.000Z'],
    email: [`${fresh()}@acme.test`],
    url: ['https://acme.test/x.png'],
    number: [number, number - 1],
    currency: [number],
    percent: [number],
    rating: [number],
  }
  return (
    values[type] ?? [fresh('word').slice(0, max_length ?? 40), 'Asia/Tokyo', 'pt-BR', '#14704c']
  )
}

function holds(shown: unknown, sent: unknown): boolean {
  if (shown === null || shown === undefined) return false
  return JSON.stringify(shown)
    .toLowerCase()
    .includes(
      JSON.stringify(sent)
        .replace(/^\[|\]$|"/g, '')
        .toLowerCase(),
    )
}

describe('what a description says is writable', () => {
  for (const module of Object.keys(listPaths)) {
    // people change their own in settings
    if (module === 'users') continue
    test(module, async () => {
      const described = (await call('GET', `/api/modules/${module}/`)).body
      const faults: string[] = []
      for (const field of described.fields as Described[]) {
        // what is not writable is not offered
        if (field.is_custom || !isOffered(field) || !field.is_writable) continue
        const key = `${module}.${field.name}`
        const id = await made(module, madeWith[key])
        const path = `${described.path}${id}/`
        const before = (await call('GET', path)).body as Body
        const tried: string[] = []
        let isWritten = false
        for (const value of await (special[key]?.() ?? valuesFor(field, before[field.name]))) {
          if (holds(before[field.name], value)) continue
          const reply = await call('PUT', path, { [field.name]: value })
          tried.push(
            `${JSON.stringify(value)} ${reply.status} ${reply.status < 300 ? '' : reply.text.slice(0, 200)}`,
          )
          if (reply.status >= 300) continue
          const after = (await call('GET', path)).body as Body
          isWritten = holds(after[field.name], value)
          if (isWritten) break
        }
        if (!isWritten)
          faults.push(
            `${field.name} (${field.type}) is writable, but not written: ${tried.join('; ')}`,
          )
      }
      assert.deepEqual(faults, [])
    })
  }
})
