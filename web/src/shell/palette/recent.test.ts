import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withRecent } from './recent.ts'

const record = (id: string, title = id) => ({ module: 'contacts', id, title })

describe('recent records', () => {
  test('have the latest first, once, under its latest name', () => {
    const list = ['a', 'b', 'c'].reduce((all, id) => withRecent(all, record(id)), [record('z')])
    assert.deepEqual(
      list.map(({ id }) => id),
      ['c', 'b', 'a', 'z'],
    )
    const again = withRecent(list, record('a', 'Anna'))
    assert.deepEqual(again[0], record('a', 'Anna'))
    assert.equal(again.length, 4)
    assert.equal(withRecent(list, { module: 'deals', id: 'a', title: 'Deal' }).length, 5)
  })

  test('are at most twelve', () => {
    const ids = Array.from({ length: 20 }, (_, at) => String(at))
    const list = ids.reduce(
      (all, id) => withRecent(all, record(id)),
      [] as ReturnType<typeof record>[],
    )
    assert.equal(list.length, 12)
    assert.equal(list[0]?.id, '19')
  })
})
