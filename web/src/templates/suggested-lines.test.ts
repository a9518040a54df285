import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestedStages, takenOver } from './suggested-lines.ts'

const config = {
  stages: [
    {
      name: 'Data',
      tasks: [
        { id: 'a', title: 'Export', duration_days: 8, evidence: 'in 3 of 3 projects' },
        { title: 'Check', start_offset_days: 8, depends_on: ['a'], parent: 'Export' },
      ],
    },
    { name: 'Live', start_offset_days: 9, tasks: [{ title: 'Switch', depends_on: ['Check'] }] },
    { name: 'Party', start_offset_days: 10 },
  ],
}

test('a suggestion is read in working days from 1', () => {
  const [data, live] = suggestedStages(config)
  assert.deepEqual([data?.first, data?.last, live?.first, live?.last], [1, 9, 10, 10])
  assert.deepEqual(data?.lines[0], {
    key: '0.0',
    title: 'Export',
    first: 1,
    last: 8,
    why: 'in 3 of 3 projects',
  })
})

test('what is left out takes its links with it, and a stage goes with its last task', () => {
  const left = new Set(['0.0', '1.0'])
  assert.deepEqual(
    takenOver(config, (key) => left.has(key)),
    {
      stages: [
        { name: 'Data', tasks: [{ title: 'Check', start_offset_days: 8 }] },
        { name: 'Party', start_offset_days: 10, tasks: [] },
      ],
    },
  )
  const whole = takenOver(config, () => false).stages ?? []
  assert.deepEqual(whole[0]?.tasks?.[1]?.depends_on, ['a'])
  assert.equal(whole[0]?.tasks?.[0]?.evidence, undefined)
})
