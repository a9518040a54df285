import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../src/kit/ground/errors.ts'
import type { JSONSchema } from '../src/kit/ground/json-schema.ts'
import { checkBody } from '../src/kit/record/validate.ts'
import { applicationRoutes } from '../src/surfaces/application/routes.ts'
import { integrationRoutes } from '../src/surfaces/integration/routes.ts'
import { slowness } from './support/speed.ts'

// A refusal names all that is wrong with a text, so patterns and formats are tried on texts of any length that a body may
// have, too. One that takes quadratic time holds up everybody: 0.5 s for 40,000 blanks, minutes for a mebibyte.

const length = 100_000
const mostMs = 50

test('no pattern or format of an input takes long over a text that is much too long', () => {
  const schemas = new Map<string, JSONSchema>()
  const routes = [...applicationRoutes(), ...integrationRoutes('automation')]
  for (const { operation } of routes) collect(operation.input, schemas)
  assert.ok(schemas.size > 20)
  for (const [name, schema] of schemas) {
    let slowest = { ms: 0, text: '' }
    for (const text of texts()) {
      const ms = timeOf(schema, text)
      if (ms > slowest.ms) slowest = { ms, text }
    }
    const { text } = slowest
    // again, because a collection of garbage is not a finding
    const ms = slowest.ms > mostMs ? timeOf(schema, text) / slowness() : 0
    const shown = JSON.stringify(`${text.slice(0, 8)}…${text.slice(-3)}`)
    assert.ok(ms <= mostMs, `${name}: ${ms.toFixed(0)} ms for ${shown}`)
  }
})

/** The schemas of texts with a pattern or a format inside a schema, each once. */
function collect(within: unknown, found: Map<string, JSONSchema>) {
  if (typeof within !== 'object' || within === null) return
  const { pattern, format, maxLength } = within as JSONSchema
  if (typeof pattern === 'string' || typeof format === 'string') {
    const schema = { type: 'string', pattern, format, maxLength } as JSONSchema
    found.set(JSON.stringify({ pattern, format }), JSON.parse(JSON.stringify(schema)) as JSONSchema)
  }
  for (const inner of Object.values(within)) collect(inner, found)
}

/** Texts of one part over and over, after a beginning and before an end that many patterns fail on. */
function* texts(): Generator<string> {
  const parts = [' ', 'a', '0', '.', '-', '_', '/', '@', '=', 'a.', 'a-', 'a@', '0.', 'a ', '%20']
  for (const start of ['', 'a', 'a@', 'https://', '1', '1.']) {
    for (const part of parts) {
      const many = part.repeat(length / part.length)
      for (const end of ['', '!', '\n', ' ', '@']) yield start + many + end
    }
  }
}

/** The processor time that a check takes, in ms. */
function timeOf(schema: JSONSchema, text: string): number {
  const start = process.threadCpuUsage()
  try {
    checkBody(schema, text)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
