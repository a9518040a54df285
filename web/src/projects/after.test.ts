import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkOps, readAfter, wordOf } from './after.ts'

const ids = new Map([
  ['2.2', 'export'],
  ['2.4', 'import'],
])

test('predecessors are read as they are written, with type and lag', () => {
  const links = [
    { predecessor_id: 'export', type: 'FS', lag_days: 1 },
    { predecessor_id: 'import', type: 'SS', lag_days: -2 },
  ] as const
  const text = [wordOf(links[0], '2.2'), wordOf(links[1], '2.4')].join(', ')
  assert.equal(text, '2.2+1, 2.4 SS−2')
  assert.deepEqual(readAfter(text, ids), { links })
  assert.deepEqual(readAfter(' 2.2 ; 2.4ss - 2,', ids), {
    links: [{ ...links[0], lag_days: 0 }, links[1]],
  })
  assert.deepEqual(readAfter('', ids), { links: [] })
  assert.deepEqual(readAfter('2.9', ids), { error: 'there is no task 2.9' })
  assert.match(JSON.stringify(readAfter('the export', ids)), /“the export” is none/)
})

test('only what differs is changed', () => {
  const link = (predecessor_id: string, lag_days = 0) =>
    ({ predecessor_id, type: 'FS', lag_days }) as const
  assert.deepEqual(
    linkOps('t', [link('a'), link('b'), link('c')], [link('b'), link('c', 2), link('d')]),
    [
      { op: 'unlink', id: 't', predecessor_id: 'a' },
      { op: 'link', id: 't', ...link('c', 2) },
      { op: 'link', id: 't', ...link('d') },
    ],
  )
})
