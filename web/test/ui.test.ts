import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { classes } from '../src/ui/classes.ts'
import { hueNames, hueOf, hueOfOption, hues, initialsOf } from '../src/ui/hue.ts'
import { ariaKeys, keysOf } from '../src/ui/keys.ts'
import { formatPlain, parseNumber } from '../src/ui/numbers.ts'

// What components decide without a browser.

describe('keys', () => {
  test('a chord is named as the machine names it', () => {
    assert.deepEqual(keysOf('Mod+K', true), ['⌘', 'K'])
    assert.deepEqual(keysOf('Mod+K', false), ['Ctrl', 'K'])
    assert.deepEqual(keysOf('Shift+x', true), ['⇧', 'X'])
  })

  test('keys after one another, and those that are a sign of the notation', () => {
    assert.deepEqual(keysOf('g h', false), ['G', 'H'])
    assert.deepEqual(keysOf('+', false), ['+'])
    assert.deepEqual(keysOf('?', false), ['?'])
    assert.deepEqual(keysOf('Alt+ArrowUp', false), ['Alt', '↑'])
  })

  test('aria-keyshortcuts has the names of the standard', () => {
    assert.equal(ariaKeys('Mod+Enter', true), 'Meta+Enter')
    assert.equal(ariaKeys('Mod+Enter', false), 'Control+Enter')
  })
})

describe('hues', () => {
  test('the same name has the same hue, and many names have all of them', () => {
    assert.equal(hueOf('Anouk Rademaker'), hueOf('Anouk Rademaker'))
    const counts = new Map<string, number>()
    for (let i = 0; i < 800; i++) {
      const hue = hueOf(`Person ${i}`)
      counts.set(hue, (counts.get(hue) ?? 0) + 1)
    }
    assert.equal(counts.size, hues.length)
    for (const [hue, count] of counts) assert.ok(count > 50 && count < 180, `${hue}: ${count}`)
    assert.equal(hueNames.length, hues.length)
  })

  test('an option has its own color, else that of its kind or its value, in whatever language it is called', () => {
    assert.equal(hueOfOption({ value: 'completed', color: '#123456' }), '#123456')
    const done = hueOfOption({ value: 'completed' })
    assert.equal(hueOfOption({ value: 'st_1', kind: 'completed', color: null }), done)
    assert.equal(hueOfOption({ value: 'Partially signed' }), hueOfOption({ value: 'on_hold' }))
    assert.notEqual(done, hueOfOption({ value: 'cancelled' }))
    assert.equal(hueOfOption({ value: 'Own words' }), hueOf('Own words'))
  })

  test('initials are of the first and the last word, of any script', () => {
    assert.equal(initialsOf('Anna Maria van der Berg'), 'AB')
    assert.equal(initialsOf('  adaeze  '), 'A')
    assert.equal(initialsOf('𝒜lan 😀'), '𝒜😀')
    assert.equal(initialsOf(''), '')
  })
})

describe('numbers', () => {
  const cases: [text: string, locale: string, number: number | null | undefined][] = [
    ['1234.5', 'en', 1234.5],
    ['1,234.5', 'en', 1234.5],
    ['1.234,5', 'de', 1234.5],
    ['1 234,5', 'fr', 1234.5],
    ['1\u202f234,5', 'fr', 1234.5],
    ['1’234.5', 'de-CH', 1234.5],
    ['−3', 'sv', -3],
    ['-0.25', 'en', -0.25],
    ['.5', 'en', 0.5],
    ['1,234,567', 'en', 1_234_567],
    ['1,00,000', 'en-IN', 100_000],
    ['12,5', 'en', undefined],
    ['1234,56', 'en', undefined],
    ['1.5', 'de', undefined],
    ['1,', 'en', undefined],
    ['', 'en', null],
    ['   ', 'en', null],
    ['12 apples', 'en', undefined],
    ['1.2.3', 'en', undefined],
    ['1e9', 'en', undefined],
    ['0x10', 'en', undefined],
    ['Infinity', 'en', undefined],
  ]
  for (const [text, locale, number] of cases) {
    test(`"${text}" in ${locale} is ${number}`, () => {
      assert.equal(parseNumber(text, locale), number)
    })
  }

  test('what stands in the field is read back as it was', () => {
    for (const locale of ['en', 'de', 'fr', 'sv', 'pt-BR']) {
      for (const number of [0, -1.5, 1_234_567.891, 0.000_001]) {
        assert.equal(parseNumber(formatPlain(number, locale), locale), number)
      }
    }
  })
})

test('classes are joined, and what is absent is left out', () => {
  assert.equal(classes('a', false, undefined, null, '', 'b'), 'a b')
  assert.equal(classes(undefined, false), undefined)
})
