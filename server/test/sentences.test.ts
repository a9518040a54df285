import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../src/kit/ground/ids.ts'
import type { AnyRecord, Field } from '../src/kit/record/record.ts'
import { subjectsByModule } from '../src/model/by-module.ts'
import { caseOf, everyRoute, send } from './support/routes.ts'
import { rows, sql, startService } from './support/service.ts'
import { targets } from './support/targets.ts'
import { makeWorld } from './support/world.ts'

// Sentences of the log, of timelines and of notifications are for people: no sort key, no id, no key of an option, no
// amount without its currency, no time as programs write it.

const service = await startService()
const world = await makeWorld(service)
const token = world.org.users.admin.token

/** What no sentence may show, however it came there. */
const raw: [what: string, pattern: RegExp][] = [
  ['an id or a sort key', /\b[0-9]{0,12}03[0-9a-z]{23}\b/],
  ['a time as programs write it', /\d{4}-\d{2}-\d{2}(T|\b)/],
  ['a value of a program', /\b(true|false|null|undefined)\b|\[object/],
  ['JSON', /[{}]|":/],
  ['the key of a field', /\bcustom_fields\.|\b[a-z]+_[a-z_]+\b/],
]

function faultsIn(sentence: string): string[] {
  // the app that callers connect has an id in its name
  const said = sentence.replace(/Connector [0-9a-z]{25}/, 'Connector')
  return raw.flatMap(([what, pattern]) => (pattern.test(said) ? [`${what}: ${said}`] : []))
}

/** Two values of a field, as changes store them. */
async function valuesOf(name: string, field: Field): Promise<[from: unknown, to: unknown]> {
  const { kind, schema, reference, readSchema } = field
  const words = (readSchema?.enum ?? schema.enum) as unknown[] | undefined
  if (words) return [words[0], words.at(-1)]
  if (name === 'rank') return [`2147483648${newId()}`, `2147483649${newId()}`]
  if (reference?.shows) {
    const [id, shown] = [newId(), { name: 'Northwind' }]
    return [null, { [`${name}_id`]: id, ...shown }]
  }
  const target = reference && targets[reference.table]
  if (target) return [await target(world), await target(world)]
  if (kind === 'boolean') return [false, true]
  if (kind === 'integer' || kind === 'number') return [1200, 12_000]
  if (kind === 'date') return ['2031-02-03', '2031-02-04']
  if (kind === 'timestamp') return ['2031-02-03T10:00:00.000Z', '2031-02-04T10:00:00.000Z']
  if (kind === 'json') return [{ a_key: true }, { a_key: false }]
  if (kind === 'list') return [[], [{ id: newId(), a_key: true }]]
  if (/(^|_)id$/.test(name)) return [newId(), newId()]
  return ['before', 'after']
}

async function deal(): Promise<string> {
  const body = { project_name: 'Renewal', project_type: 'deal' }
  return (await world.post('/api/project/info/', body)).headers.get('x-record-id')!
}

/** A record whose entries are seen, where a log shows only those of records that are seen. */
const referenceOf = new Map<string, string>()

async function written(record: AnyRecord, module: string, changes: object[]) {
  const id = newId()
  const make = module === 'deals' ? deal : targets[record.table]
  const reference = referenceOf.get(module) ?? (make ? await make(world) : null)
  if (reference) referenceOf.set(module, reference)
  await service.runtime.database.transaction(world.org.id, (queries) =>
    queries.run(sql`insert into events (organization_id, id, title, module_id, reference_id,
        raw_description, changes, actor_type, actor_id, actor_name, source)
      values (${world.org.id}, ${id}, 'Changed', ${record.number}, ${reference},
        ${JSON.stringify({ action: 'updated', module })}, ${JSON.stringify(changes)},
        'user', ${world.org.users.admin.user_id}, 'Ada', 'application')`),
  )
  const { body } = await service.call('GET', `/api/activity/log/${id}/`, { token })
  return body?.description as string
}

describe('every field of every record in a sentence', () => {
  for (const [module, record] of Object.entries(subjectsByModule)) {
    test(module, async () => {
      const faults: string[] = []
      for (const [name, field] of Object.entries(record.fields)) {
        if (name === 'custom_fields') continue
        const [from, to] = await valuesOf(name, field)
        const sentence = await written(record, module, [{ field: name, from, to }])
        assert.ok(
          sentence?.startsWith('Ada changed') || sentence?.startsWith('Ada set'),
          `${name}: ${sentence}`,
        )
        faults.push(...faultsIn(sentence))
        if (field.isMoney && !sentence.endsWith('USD 1,200 to USD 12,000')) {
          faults.push(`without a currency: ${sentence}`)
        }
      }
      assert.deepEqual(faults, [])
    })
  }
})

describe('every event in a sentence', () => {
  test('of the log, and of the notifications that it makes', async () => {
    const writing = everyRoute(world).filter(
      ({ surface, route }) =>
        surface.name === 'application' && route.method !== 'GET' && !caseOf(route).endsSession,
    )
    for (const { surface, route } of writing) {
      const reply = await send(world, surface, route, await caseOf(route).request(world))
      assert.ok(reply.status < 400, `${route.method} ${route.path} ${reply.text}`)
    }
    const faults: string[] = []
    const kinds = new Set<string>()
    for (let page = 1; ; page += 1) {
      const path = `/api/activity/log/?page=${page}&items_per_page=100`
      const { body } = await service.call('GET', path, { token })
      for (const { description, title, raw_description, module_name } of body) {
        kinds.add(`${raw_description?.action} ${module_name}`)
        faults.push(...faultsIn(description), ...faultsIn(title))
      }
      if (body.length < 100) break
    }
    assert.ok(kinds.size > 50, [...kinds].join(', '))
    const notices = await rows(
      service,
      sql`select n.title, n.description from notifications n where n.organization_id = ${world.org.id}`,
    )
    for (const { title, description } of notices as { [name: string]: string | null }[]) {
      faults.push(...faultsIn(title ?? ''), ...faultsIn(description ?? ''))
    }
    assert.deepEqual([...new Set(faults)], [])
  })
})
