import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { layOut } from './grid.ts'

const places = (positions: { x?: number; y?: number; w?: number; h?: number }[]) =>
  layOut(positions.map((position) => ({ position }))).map(({ cells: { x, y, w, h } }) =>
    [x, y, w, h].join(' '),
  )

describe('the grid of a dashboard', () => {
  test('is as it is stored', () => {
    const stored = [
      { x: 0, y: 0, w: 6, h: 4 },
      { x: 6, y: 0, w: 6, h: 4 },
      { x: 0, y: 4, w: 12, h: 2 },
    ]
    assert.deepEqual(places(stored), ['0 0 6 4', '6 0 6 4', '0 4 12 2'])
  })

  test('has no holes, and nothing lies upon another', () => {
    const stored = [
      { x: 0, y: 9000, w: 6, h: 4 },
      { x: 3, y: 2, w: 6, h: 2 },
      { x: 40, y: 2, w: 3, h: 2 },
      { x: 0, y: 2, w: 99, h: 0 },
    ]
    assert.deepEqual(places(stored), ['0 0 12 1', '3 1 6 2', '9 1 3 2', '0 3 6 4'])
  })

  test('gives what has no place the next one', () => {
    assert.deepEqual(places([{}, {}, { w: 12 }]), ['0 0 6 4', '6 0 6 4', '0 4 12 4'])
  })
})
