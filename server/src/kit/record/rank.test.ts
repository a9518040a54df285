import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { between, isAhead, textBetween } from './rank.ts'

const of = (position: number, text: string) => ({ position, text })

describe('places', () => {
  test('lie between any two texts, without a 0 at the end', () => {
    let texts = [textBetween('')]
    for (let n = 0; n < 2000; n++) {
      const at = n % (texts.length + 1)
      const made = textBetween(texts[at - 1] ?? '', texts[at])
      assert.ok(!made.endsWith('0') && /^[0-9a-z]+$/.test(made), made)
      texts = texts.toSpliced(at, 0, made)
    }
    assert.deepEqual(texts, texts.toSorted(byBytes))
    assert.equal(new Set(texts).size, texts.length)
  })

  test('stay short when the same gap is used again and again', () => {
    for (const isLow of [true, false]) {
      let [low, high] = ['a5', 'b5']
      for (let n = 0; n < 1000; n++) {
        const made = textBetween(low, high)
        assert.ok(low < made && made < high)
        if (isLow) low = made
        else high = made
      }
      assert.ok(Math.max(low.length, high.length) < 400)
    }
  })

  test('take a position of their own where there is one', () => {
    assert.deepEqual(between(of(3, 'a5'), of(9, 'a5')), { position: 6, rank: null })
    assert.deepEqual(between(of(3, 'a5'), undefined), { position: 4, rank: null })
    assert.deepEqual(between(undefined, of(3, 'a5')), { position: 2, rank: null })
    for (const [one, other] of [
      [of(3, 'a5'), of(3, 'b5')],
      [of(3, 'zz5'), of(4, 'a5')],
      [of(-1, 'zz5'), of(0, '05')],
    ] as const) {
      const { position, rank } = between(one, other)
      const made = of(position, rank!)
      assert.ok(isAhead(one, made) && isAhead(made, other))
    }
    assert.equal(between(of(2 ** 31 - 1, 'a5'), undefined).position, 2 ** 31 - 1)
    assert.equal(between(undefined, of(-(2 ** 31), 'a5')).position, -(2 ** 31))
  })
})

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
