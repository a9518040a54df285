import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { layOut, merged, placed, settled, stepped } from './grid.ts'

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

describe('a dashboard that is edited', () => {
  const box = (widget_id: string, x: number, y: number, w = 6, h = 4) => ({
    widget_id,
    position: { x, y, w, h },
  })
  const four = [box('a', 0, 0), box('b', 6, 0), box('c', 0, 4), box('d', 6, 4)]
  const places = (widgets: ReturnType<typeof box>[]) =>
    Object.fromEntries(
      widgets.map(({ widget_id, position: { x, y, w, h } }) => [widget_id, [x, y, w, h]]),
    )

  test('moves a widget down past the middle of the next one, and up again', () => {
    const down = placed(four, 'a', { x: 0, y: 3, w: 6, h: 4 })
    assert.deepEqual(places(down), {
      a: [0, 4, 6, 4],
      b: [6, 0, 6, 4],
      c: [0, 0, 6, 4],
      d: [6, 4, 6, 4],
    })
    assert.deepEqual(places(placed(four, 'a', { x: 0, y: 1, w: 6, h: 4 })), places(four))
    assert.deepEqual(places(placed(down, 'a', { x: 0, y: 1, w: 6, h: 4 })), places(four))
  })

  test('by a key takes the step that changes something', () => {
    assert.deepEqual(places(stepped(four, 'a', { y: 1 })).a, [0, 4, 6, 4])
    assert.deepEqual(places(stepped(stepped(four, 'a', { y: 1 }), 'a', { y: -1 })), places(four))
    assert.deepEqual(places(stepped(four, 'a', { w: 1 })).a, [0, 0, 7, 4])
    // nowhere to go
    assert.equal(stepped(four, 'a', { x: -1 }), four)
    assert.equal(stepped(four, 'a', { y: -1 }), four)
  })

  test('never lays one upon another, whatever is moved and sized', () => {
    let widgets = four
    for (let at = 0; at < 400; at++) {
      const id = 'abcd'[at % 4] ?? 'a'
      widgets = placed(widgets, id, {
        x: (at * 5) % 13,
        y: (at * 7) % 11,
        w: 1 + ((at * 3) % 14),
        h: 1 + ((at * 11) % 13),
      })
      for (const { position: one, widget_id } of widgets) {
        assert.ok(one.x >= 0 && one.x + one.w <= 12 && one.w >= 2 && one.h >= 2)
        for (const { position: other, widget_id: id2 } of widgets) {
          const apart =
            widget_id === id2 ||
            one.x + one.w <= other.x ||
            other.x + other.w <= one.x ||
            one.y + one.h <= other.y ||
            other.y + other.h <= one.y
          assert.ok(apart, `${widget_id} lies upon ${id2}`)
        }
      }
      // what is stored stands as it was shown
      assert.deepEqual(places(settled(widgets)), places(widgets))
    }
  })

  test('is merged with what another has made of it', () => {
    const mine = [...placed(four, 'a', { x: 0, y: 0, w: 6, h: 6 }), box('e', 0, 20)]
    const theirs = four.filter(({ widget_id }) => widget_id !== 'b')
    const { widgets, both } = merged(four, mine, theirs)
    assert.deepEqual(
      widgets.map(({ widget_id }) => widget_id),
      ['a', 'c', 'd', 'e'],
    )
    assert.deepEqual(both, [])
    const other = four.map((each) => (each.widget_id === 'a' ? box('a', 0, 0, 4, 4) : each))
    assert.deepEqual(merged(four, mine, other).both, ['a'])
    assert.deepEqual(places(merged(four, four, other).widgets).a, [0, 0, 4, 4])
  })
})
