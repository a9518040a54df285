import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventsError, parseEvents } from './events-list.ts'

test('every accepted form has the same names', () => {
  const forms: unknown[] = [
    "['company_created', 'contact_updated']",
    "['company_created','contact_updated',]",
    '["company_created", "contact_updated"]',
    `['company_created', "contact_updated"]`,
    '\n [ "company_created" ,\n\t"contact_updated" ]\n ',
    ['company_created', 'contact_updated'],
    [' company_created', 'contact_updated '],
    "[' company_created ', 'contact_updated', 'company_created']",
  ]
  for (const form of forms) {
    assert.deepEqual(parseEvents(form), ['company_created', 'contact_updated'], String(form))
  }
})

test('one name may stand alone, bare or quoted', () => {
  for (const form of ['task_overdue', ' task_overdue ', "'task_overdue'", '"task_overdue"']) {
    assert.deepEqual(parseEvents(form), ['task_overdue'])
  }
})

test('names are kept in the order of their first mention', () => {
  assert.deepEqual(parseEvents(['b', 'a', 'b', 'c', 'a']), ['b', 'a', 'c'])
})

test('more than 100 are refused, though they be the same', () => {
  assert.deepEqual(parseEvents(Array<string>(100).fill('task_overdue')), ['task_overdue'])
  assert.throws(() => parseEvents(Array<string>(101).fill('task_overdue')), /at most 100/)
})

test('what cannot be read is refused with what is wrong and what would be right', () => {
  const wrong: [unknown, RegExp][] = [
    [undefined, /events is missing/],
    [null, /events is null/],
    [7, /events is a number/],
    [{}, /events is an object/],
    ['', /has an empty name/],
    ['[]', /names no event/],
    [[], /names no event/],
    ["['']", /has an empty name/],
    [['company_created', 3], /lists a number/],
    [[['company_created']], /lists a list/],
    ['[company_created]', /cannot be read after "\["/],
    ["['company_created'", /cannot be read/],
    ["['company_created' 'contact_updated']", /cannot be read/],
    ['[\'company_created"]', /cannot be read/],
    ["['company_created',,]", /cannot be read after "\['company_created',"/],
    ["[,'company_created']", /cannot be read/],
    ["['company_created']]", /goes on after the list: "\]"/],
    ["['company_created'] + ['x']", /goes on after the list/],
    ['company_created, contact_updated', /"company_created, contact_updated", which is no name/],
    ["'company_created", /which is no name/],
    ["'company_created', 'contact_updated'", /which is no name/],
    ['{"events": 1}', /which is no name/],
    [Array.from({ length: 101 }, (_, i) => `e${i}`), /names 101 events/],
  ]
  for (const [value, message] of wrong) {
    assert.throws(
      () => parseEvents(value),
      (error: Error) => {
        assert.ok(error instanceof EventsError)
        assert.match(error.message, message)
        assert.match(error.message, /such as \['company_created', 'contact_updated'\]$/)
        return true
      },
    )
  }
})

test('a list of names survives being written in any of the forms', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,30}$/), {
    minLength: 1,
    maxLength: 100,
  })
  fc.assert(
    fc.property(names, (names) => {
      assert.deepEqual(parseEvents(names), names)
      assert.deepEqual(parseEvents(JSON.stringify(names, null, 2)), names)
      assert.deepEqual(parseEvents(`['${names.join("', '")}']`), names)
    }),
  )
})

test('any other value is either read or refused, never a crash, and long ones take no time', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.string().map((text) => `[${text}]`),
      ),
      (value) => {
        try {
          assert.ok(parseEvents(value).length > 0)
        } catch (error) {
          assert.ok(error instanceof EventsError)
        }
      },
    ),
  )
  for (const text of ['['.repeat(1e6), `[${' '.repeat(1e6)}`, `['${' '.repeat(1e6)}`]) {
    assert.throws(() => parseEvents(text), EventsError)
  }
  assert.throws(() => parseEvents(`[${"'a',".repeat(250_000)}`), EventsError)
})
