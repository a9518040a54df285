import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Failure } from '../ground/errors.ts'
import type { JSONSchema } from '../ground/json-schema.ts'
import { checkBody, trimmed } from './validate.ts'

/** What a check says of one property. */
function messageOf(schema: JSONSchema, value: unknown): string | undefined {
  try {
    checkBody({ type: 'object', properties: { it: schema } }, { it: value })
    return undefined
  } catch (error) {
    assert.ok(error instanceof Failure)
    return error.errors?.[0]?.message
  }
}

test('the error for a value of another type says what it should mean, not only its type', () => {
  const day = { type: ['string', 'null'], format: 'date' }
  assert.equal(messageOf(day, 1767571200), 'must be a valid date, as YYYY-MM-DD, or null')
  const time = { type: 'string', format: 'date-time' }
  assert.equal(messageOf(time, true), 'must be a valid date and time in ISO 8601')
  const word = { type: 'string', enum: ['draft', 'published'] }
  assert.equal(messageOf(word, 1), 'must be one of draft, published')
  const color = { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' }
  assert.equal(messageOf(color, 1), 'must be a color, as #14704C')
  assert.equal(messageOf({ type: 'string' }, 1), 'must be text')
})

test('of an object or null, what is wrong inside is named and nothing else', () => {
  const address = {
    anyOf: [{ type: 'object', properties: { city: { type: 'string' } } }, { type: 'null' }],
  }
  const schema = { type: 'object', properties: { address } }
  assert.throws(
    () => checkBody(schema, { address: { city: 5 } }),
    (error: Failure) => error.message === 'address.city: must be text',
  )
  assert.equal(messageOf(address, 5), 'must be an object')
  assert.equal(messageOf({ type: 'array', minItems: 1 }, []), 'must have at least 1 entry')
})

test('a name has to show something, whatever characters it has', () => {
  const name = { type: 'string', pattern: '\\S' }
  for (const blank of [
    '',
    ' \n',
    '\u200b',
    '\u2060\u200d',
    '\ufeff',
    '\u00ad',
    '\u3164',
    '\u2800 ',
    '\u0007',
  ]) {
    assert.equal(messageOf(name, blank), 'must not be empty', JSON.stringify(blank))
  }
  for (const shown of ['x', '·', '🏳️‍🌈', '\u200bAcme', 'نامه‌ای']) {
    assert.equal(messageOf(name, shown), undefined, shown)
  }
})

test('tags are there once and without blanks, and what is no text is left to the check', () => {
  const tags = { type: ['array', 'null'], items: { type: 'string', format: 'tag' } }
  const schema = { type: 'object', properties: { tags } }
  const trim = (value: unknown) => (trimmed(schema, { tags: value }) as { tags: unknown }).tags
  assert.deepEqual(trim([' VIP', 'vip', '', '\t', 'New', 'VIP ']), ['VIP', 'New'])
  assert.deepEqual(trim([5, 'a', 5]), [5, 'a'])
  assert.equal(trim(null), null)
  const body = { tags: ['a', 'b'] }
  assert.equal(trimmed(schema, body), body)
})

test('every pattern of the API document is explained in words', () => {
  const document = readFileSync(
    new URL('../../../../docs/api/openapi.json', import.meta.url),
    'utf8',
  )
  const patterns = new Set<string>()
  JSON.parse(document, (name, value: unknown) => {
    if (name === 'pattern' && typeof value === 'string') patterns.add(value)
    return value
  })
  assert.ok(patterns.size > 5)
  for (const pattern of patterns) {
    const message = messageOf({ type: 'string', pattern }, '\u0001\n ')
    assert.doesNotMatch(message ?? 'the blank', /must match/, pattern)
  }
})
