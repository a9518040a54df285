import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { mergedBlocks } from './merge.ts'
import { hunksOf } from '../../ui/hunks.ts'

const choose = (mine: string[], theirs: string[]) => [`<${mine.join('')}|${theirs.join('')}>`]
const merged = (base: string, mine: string, theirs: string) =>
  mergedBlocks(base.split(''), mine.split(''), theirs.split(''), choose).join('')

describe('a text that two have changed', () => {
  test('has what each of them changed', () => {
    assert.equal(merged('abcd', 'aBcd', 'abcD'), 'aBcD')
    assert.equal(merged('abcd', 'aBcd', 'abCd'), 'aBCd')
    assert.equal(merged('abc', 'ac', 'abcd'), 'acd')
    assert.equal(merged('ab', 'ab1', 'ab2').length, 4)
    assert.equal(merged('', '1', '2').length, 2)
    assert.equal(merged('abc', 'abc', 'abc'), 'abc')
  })

  test('has both sides of what both changed, unless they changed it alike', () => {
    assert.equal(merged('abc', 'aXc', 'aYc'), 'a<X|Y>c')
    assert.equal(merged('abc', 'aXc', 'aXc'), 'aXc')
    assert.equal(merged('abcd', 'aXYd', 'abZd'), 'a<XY|bZ>d')
  })

  test('keeps what one of them changed and the other took away', () => {
    assert.equal(merged('abc', 'ac', 'aXc'), 'aXc')
    assert.equal(merged('abc', 'aXc', 'ac'), 'aXc')
  })

  test('has everything that either wrote, whatever both did', () => {
    const base = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 })
    // what is new in a text is a word of its own
    const changed = (who: string) =>
      fc
        .array(
          fc.oneof(
            fc.constant('keep'),
            fc.constant('drop'),
            fc.constant('change'),
            fc.constant('add'),
          ),
          { maxLength: 10 },
        )
        .map((acts) => (text: string[]) => {
          let written = 0
          const next = text.flatMap((each, at) => {
            const act = acts[at] ?? 'keep'
            if (act === 'drop') return []
            if (act === 'change') return [`${who}${written++}`]
            return act === 'add' ? [each, `${who}${written++}`] : [each]
          })
          return acts.length > text.length ? [...next, `${who}${written++}`] : next
        })
    fc.assert(
      fc.property(base, changed('M'), changed('T'), (text, mine, theirs) => {
        const [me, them] = [mine(text), theirs(text)]
        const all = mergedBlocks(text, me, them, choose).join(' ')
        for (const word of [...me, ...them].filter((each) => each.length > 1)) {
          assert.ok(all.includes(word), `${word} of ${me.join()} and ${them.join()}: ${all}`)
        }
        assert.deepEqual(mergedBlocks(text, me, text, choose), me)
        assert.deepEqual(mergedBlocks(text, text, them, choose), them)
      }),
    )
  })

  test('is the other one once its differences are put in', () => {
    const text = fc.array(fc.constantFrom<string>('a', 'b', 'c'), { maxLength: 12 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const next = [...before]
        for (const { at, until, blocks } of hunksOf(before, after).toReversed()) {
          next.splice(at, until - at, ...blocks)
        }
        assert.deepEqual(next, after)
      }),
    )
  })
})
