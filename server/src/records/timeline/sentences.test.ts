import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggedSentence } from './sentences.ts'

test('a sentence that names its record, cut where the name is long, does not name it twice', () => {
  const name = 'Consolidated Manufacturing '.repeat(6).trim()
  const deal = { type: 'deal', id: '1', name }
  const logged = { title: 'Deal created', type: null, raw_description: {}, created_by: null }
  const cut = `Ada Admin created the deal ${name.slice(0, 80)}…`
  assert.equal(loggedSentence({ ...logged, description: cut }, 'Ada Admin', deal, false), cut)
  const other = 'Ada Admin changed tags'
  assert.equal(
    loggedSentence({ ...logged, description: other }, 'Ada Admin', deal, false),
    `Ada Admin changed tags (the deal ${name})`,
  )
})
