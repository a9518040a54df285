import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Recipient } from '../../data/signatures.ts'
import { stateOfSigners } from './signer-words.ts'

const format = { locale: 'en', timezone: 'UTC', currency: 'EUR' }
const now = Date.parse('2026-11-25T10:00:00Z')

const person = (name: string, status: Recipient['status'], more: Partial<Recipient> = {}) =>
  ({ name, status, role: 'signer', sent_at: null, ...more }) as Recipient

describe('the state of signatures', () => {
  const words = (...all: Recipient[]) => stateOfSigners(all, format, now)?.words ?? null

  test('is nothing without somebody who must sign', () => {
    assert.equal(words(), null)
    assert.equal(words(person('Cy', 'sent', { role: 'viewer' })), null)
  })

  test('names who is waited for, and since when', () => {
    const sent_at = '2026-11-23T10:00:00Z'
    assert.equal(
      words(person('Ada', 'signed'), person('Bob', 'viewed', { sent_at })),
      'Waits for Bob, asked 2 days ago',
    )
    assert.equal(words(person('Ada', 'sent'), person('Bob', 'sent')), 'Waits for Ada and Bob')
    // the turn of those who wait has not come
    assert.equal(words(person('Ada', 'sent'), person('Bob', 'waiting')), 'Waits for Ada')
    assert.equal(
      words(...['Ada', 'Bob', 'Cy'].map((name) => person(name, 'sent'))),
      'Waits for Ada and 2 others',
    )
  })

  test('says that it is over', () => {
    assert.equal(
      words(person('Ada', 'signed'), person('Bob', 'approved', { role: 'approver' })),
      'Signed by everybody',
    )
    assert.equal(words(person('Ada', 'sent'), person('Bob', 'declined')), 'Declined by Bob')
  })
})
