import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeWords, inputWords } from './health-words.ts'

test('inputs are sentences with their value', () => {
  const words = (input: string, value: number | null, unit: string) =>
    inputWords({ input, value, unit } as Parameters<typeof inputWords>[0])
  assert.equal(words('overdue_work', 7, 'overdue tasks'), '7 overdue tasks')
  assert.equal(words('overdue_work', 1, 'overdue tasks'), '1 overdue task')
  assert.equal(
    words('unsigned_documents', 1, 'documents that wait for signatures'),
    '1 document that waits for signatures',
  )
  assert.equal(words('csat', 62.4, 'satisfied answers'), '62% of the ratings are satisfied')
  assert.equal(words('nps', -40, 'the net promoter score'), 'Net promoter score of −40')
})

test('a change says how much more or less it takes', () => {
  assert.equal(changeWords({ change: -30 }), 'took 30 more than before')
  assert.equal(changeWords({ change: 4 }), 'took 4 less than before')
  assert.equal(changeWords({ change: 0 }), '')
})
