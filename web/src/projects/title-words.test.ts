import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chipsAtEnd, setsOf } from './title-words.ts'

describe('words at the end of a title', () => {
  const person = (full_name: string) => ({ user_id: full_name, full_name, profile_image: null })
  const words = {
    isTask: true,
    people: ['Eilidh Costigan', 'Noah Costigan', 'Inès Vautrin', 'Ann Lee', 'Anna Low'].map(person),
    priorities: [
      { value: 'p1', label: 'High' },
      { value: 'p2', label: 'Low' },
    ],
    almanac: {
      today: '2026-11-24',
      calendar: { working_days: [1, 2, 3, 4, 5], holidays: [] },
      locale: 'en-US',
    },
    day: (day: string) => day,
  }
  const read = (text: string, literal?: string[]) => {
    const { title, chips } = chipsAtEnd(text, words, new Set(literal))
    const { owner, priority, due, days } = setsOf(chips)
    return [title, owner?.full_name, priority?.label, due, days]
  }

  test('set the owner, the priority, the due day and the days', () => {
    assert.deepEqual(read('Letterheads @eilidh !high fri 2d'), [
      'Letterheads',
      'Eilidh Costigan',
      'High',
      '2026-11-27',
      2,
    ])
    assert.deepEqual(read('Access @ines +3'), [
      'Access',
      'Inès Vautrin',
      undefined,
      '2026-11-27',
      undefined,
    ])
  })

  test('are words where they name nobody, several people, or stand elsewhere', () => {
    const plain = (text: string) => assert.deepEqual(read(text)[0], text)
    for (const text of ['Ask @costigan', 'Ask @nobody', 'Fri lunch', 'Fri', 'Sum 2+3']) plain(text)
    assert.equal(read('Ask @ann')[1], 'Ann Lee')
  })

  test('stay in the title where they were taken back', () => {
    assert.deepEqual(read('Lunch fri', ['fri'])[0], 'Lunch fri')
  })
})
