import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { moduleNumber, moduleWord } from '../src/kit/record/modules.ts'
import type { AnyRecord } from '../src/kit/record/record.ts'
import { record as declare } from '../src/kit/record/record.ts'
import { register } from '../src/kit/record/registry.ts'
import { readSchema } from '../src/kit/record/schema.ts'
import { records } from '../src/model/all.ts'
import { expiredRecords } from '../src/jobs/deleted.ts'
import { sources } from '../src/records/search/sources.ts'
import { permissionModules } from '../src/model/users/roles/permissions.ts'
import { eventKind, eventNames, recordOf } from '../src/webhooks/catalogue.ts'
import { messageSchema } from '../src/webhooks/sample.ts'
import { key, text } from '../src/kit/record/fields.ts'

// Compares what is derived from model/all.ts with the files and with the contract.

/** Exports that show a listed record in another way. */
const views = ['ProjectOrDeal', 'ShownMilestone', 'ShownProject']

/** The public numbers of the contract (section 1.13). */
const numbers = `tasks projects deals companies contacts documents surveys accounts users milestones
  meetings templates`.split(/\s+/)

test('every record that a file exports is in the list, and the list has no others', async () => {
  const folder = new URL('../src/', import.meta.url)
  const exported = new Map<unknown, string>()
  for (const file of globSync('{model,records}/**/*.ts', {
    cwd: folder,
    exclude: ['**/*.test.ts'],
  })) {
    const values = Object.entries(await import(new URL(file, folder).href))
    for (const [name, value] of values) if (isRecord(value)) exported.set(value, name)
  }
  for (const [value, name] of exported) {
    const isListed = records.some((record) => record === value)
    assert.equal(isListed, !views.includes(name), `${name} in model/all.ts`)
  }
  for (const record of records) assert.ok(exported.has(record), record.word)
  assert.equal(new Set(records.map(({ word }) => word)).size, records.length)
})

test('every event belongs to one record and carries it', () => {
  const declared = records.flatMap(({ events }) => Object.keys(events.kinds))
  assert.deepEqual([...declared].sort(), [...eventNames].sort())
  assert.equal(new Set(declared).size, declared.length)
  for (const event of eventNames) {
    const { events, word } = recordOf(event)
    assert.ok(Object.hasOwn(events.kinds, event))
    assert.ok(event.startsWith(`${word}_`), event)
    assert.ok(eventKind(event).scopes.length, event)
    const { data } = messageSchema(event).properties as { [name: string]: any }
    const { schema = readSchema(recordOf(event)) } = eventKind(event).shows ?? {}
    const fields = Object.keys((schema as any).properties)
    assert.ok(fields.length > 3, event)
    // `can` is only for callers
    for (const field of fields)
      assert.ok(field === 'can' || data.properties[field], `${event}: ${field}`)
    assert.ok(data.properties.version, event)
  }
})

test('modules have the numbers of the contract', () => {
  for (const [i, word] of numbers.entries()) {
    assert.equal(moduleNumber(word), i + 1)
    assert.equal(moduleWord(i + 1), word)
  }
  for (const none of [0, 13, -1, 'nothing', '', 'constructor', undefined]) {
    assert.equal(moduleNumber(none), undefined, String(none))
  }
  assert.deepEqual(['company', 'task', '4', 'Calendar'].map(moduleNumber), [4, 1, 4, 11])
})

test('every permission of the contract has a module', () => {
  const contract = `accounts activity apps calendar companies contacts dashboards deals documents filters
    holidays interactions projects roles surveys tags tasks templates users`
  assert.deepEqual(permissionModules().toSorted(), contract.split(/\s+/))
})

test('the search looks through what has a name to people', () => {
  const searched = `account company contact dashboard deal document interaction meeting milestone
    project survey tag task template user`
  assert.deepEqual(sources.map(({ word }) => word).sort(), searched.split(/\s+/))
})

test('deleted rows of every record are removed, people excepted', () => {
  const tables = `accounts companies contacts dashboards documents filters holiday_sets interactions
    meeting_insights meetings milestones notifications pipelines projects roles survey_automations
    surveys tags tasks templates time_entries`
  assert.deepEqual(expiredRecords.map(({ table }) => table).sort(), tables.split(/\s+/))
})

test('two records cannot claim one word, event or number', () => {
  const fields = { thing_id: key(), thing_name: text() }
  const thing = (changes: object) =>
    declare({ module: 'things', word: 'thing', title: 'thing_name', ...changes }, fields)
  const events = {
    kinds: { thing_created: { on: 'created', summary: 'A thing was created' } },
  }
  const claims: [object, object][] = [
    [{}, {}],
    [{ events }, { word: 'other', events }],
    [{ number: 99 }, { word: 'other', subject: 'others', number: 99 }],
  ]
  for (const pair of claims) assert.throws(() => register(pair.map(thing)), /is declared by/)
})

function isRecord(value: unknown): value is AnyRecord {
  const record = value as Partial<AnyRecord> | null | undefined
  return Boolean(record?.fields && record.table && record.key && record.word)
}
