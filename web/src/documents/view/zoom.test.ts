import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nextZoom, pageAt, scaleOf, topsOf, zoomAt } from './zoom.ts'

const a4 = { width: 595, height: 842 }

describe('the zoom of pages', () => {
  test('is a factor of the printed size, or follows the window', () => {
    assert.equal(scaleOf(1, a4, { width: 400, height: 400 }), 96 / 72)
    assert.equal(scaleOf('width', a4, { width: 627, height: 100 }), 1)
    assert.equal(scaleOf('page', a4, { width: 627, height: 453 }), 0.5)
    assert.equal(zoomAt(scaleOf(2, a4, a4)), 2)
  })

  test('goes up and down by steps, also from between them', () => {
    assert.equal(nextZoom(scaleOf(1, a4, a4), 1), 1.25)
    assert.equal(nextZoom(scaleOf(1, a4, a4), -1), 0.8)
    assert.equal(nextZoom(scaleOf(1.1, a4, a4), -1), 1)
    assert.equal(nextZoom(scaleOf(4, a4, a4), 1), 4)
    assert.equal(nextZoom(scaleOf(0.25, a4, a4), -1), 0.25)
  })

  test('says which page a height is in', () => {
    const tops = topsOf([a4, a4, a4], 1)
    assert.deepEqual(tops, [16, 874, 1732, 2590])
    assert.deepEqual(
      [0, 873, 874, 2000, 9000].map((height) => pageAt(tops, height)),
      [0, 0, 1, 2, 2],
    )
  })
})
