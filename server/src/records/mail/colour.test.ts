import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contrast, hexColour, readableOn, textOn } from './colour.ts'

const colours = ['#000000', '#14704c', '#777777', '#ff0000', '#ffd400', '#00e5ff', '#ffffff']

describe('colours of organizations', () => {
  test('contrast is that of WCAG', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  })

  test('text on any colour, and any colour as text, can be read', () => {
    for (const colour of colours) {
      assert.ok(contrast(textOn(colour), colour) >= 4.5, colour)
      for (const ground of ['#ffffff', '#18211d']) {
        assert.ok(contrast(readableOn(colour, ground), ground) >= 4.5, `${colour} on ${ground}`)
      }
    }
    assert.equal(readableOn('#14704c', '#ffffff'), '#14704c')
  })

  test('only colours are taken', () => {
    assert.equal(hexColour(' #ABC '), '#aabbcc')
    assert.equal(hexColour('#14704C'), '#14704c')
    for (const text of ['red', '#12', '#1234567', 'url(x)', '', null]) {
      assert.equal(hexColour(text), undefined)
    }
  })
})
