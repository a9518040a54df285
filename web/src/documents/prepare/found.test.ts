import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldAt, foundIn, foundPlaces } from './found.ts'

const a4 = { width: 595, height: 842 }
const at = (text: string, x = 0.1) => ({ text, x, y: 0.8, width: 0.1, height: 0.015 })
const first = (text: ReturnType<typeof at>, page: number) => {
  const [found] = foundIn([text], page)
  assert.ok(found)
  return found
}

describe('places found in a text', () => {
  test('are labels in six languages, no sentences', () => {
    const kinds = (...texts: string[]) =>
      foundIn(
        texts.map((text) => at(text)),
        1,
      ).map(({ kind }) => kind)
    assert.deepEqual(
      kinds('Signature:', 'Unterschrift ______', 'Date', 'Firma:', 'Initials:', 'Datum: …'),
      ['signature', 'signature', 'date', 'signature', 'initials', 'date'],
    )
    assert.deepEqual(kinds('Date of birth and place of it are known', 'Dateline', 'Signal'), [])
  })

  test('get a field beside them, or above where there is no room', () => {
    const beside = fieldAt(first(at('Signature:'), 4), 'a', a4)
    assert.ok(beside.x > 0.2 && beside.x < 0.22, String(beside.x))
    assert.ok(beside.y < 0.8 && beside.y + beside.height > 0.81)
    assert.equal(beside.page, 4)
    const above = fieldAt(first(at('Signature:', 0.85), 1), 'a', a4)
    assert.ok(above.y + above.height <= 0.801, String(above.y))
  })

  test('that were written are taken as they are, by whom they name', () => {
    const place = { text: 'customer ', page: 2, x: 0.1, y: 0.5, width: 0.3, height: 0.05 }
    const signer = { name: 'Cleo', email: 'cleo@found.test', role: 'signer', order: 1 } as const
    const signers = [
      { ...signer, key: 'a', name: 'Will', email: 'will@found.test' },
      { ...signer, key: 'b', role_name: 'Customer' },
    ]
    const [one, other] = foundPlaces([place, { ...place, text: 'Nobody' }], signers)
    assert.deepEqual([one?.signer, other?.signer], ['b', undefined])
    assert.ok(one)
    const { x, y, width, height, page } = fieldAt(one.found, 'b', a4)
    assert.deepEqual(
      { x, y, width, height, page },
      { x: 0.1, y: 0.5, width: 0.3, height: 0.05, page: 2 },
    )
  })
})
