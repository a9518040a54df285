import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cellsOf, kindsOf, linesIn } from './pasted-table.ts'

describe('rows of a spreadsheet that are pasted', () => {
  const person = { user_id: 'u1', full_name: 'Anouk Rademaker', profile_image: null }
  const calendar = { working_days: [1, 2, 3, 4, 5], holidays: [] }
  const known = {
    isTask: true,
    people: [person],
    priorities: [{ value: 'p1', label: 'High' }],
    statuses: [{ value: 's1', label: 'In progress' }],
    almanac: { today: '2026-11-24', calendar, locale: 'en-US' },
    day: (day: string) => day,
  }
  const where = { plan: { calendar }, begin: '2026-11-24' }

  test('are cells, whose quotes hold line breaks, tabs and quotes', () => {
    assert.deepEqual(cellsOf('Title\tOwner\r\n"Two\nlines, ""quoted"""\tAnouk\n\n\tx\n'), [
      ['Title', 'Owner'],
      ['Two\nlines, "quoted"', 'Anouk'],
      ['', 'x'],
    ])
  })

  test('have a header, or columns by the kind of their values', () => {
    const table = (text: string) => kindsOf(cellsOf(text), known)
    assert.deepEqual(table('Task\tAssignee\tDue date\tDuration\tNotes\nA\tB\tC\tD\tE'), {
      kinds: ['title', 'owner', 'due', 'days', 'none'],
      hasHeader: true,
    })
    assert.deepEqual(table('Export\tAnouk Rademaker\t2026-12-04\t3\nImport\t\tdec 7\t2 d').kinds, [
      'title',
      'owner',
      'due',
      'days',
    ])
  })

  test('become lines; who is unknown is left out, and an unknown day is kept in the description', () => {
    const rows = cellsOf(
      'Export\tAnouk Rademaker\t2026-12-04\t3\n  "Check"\tNobody\tsoon\t\nImport\t\t\t2',
    )
    const { lines, faults } = linesIn(rows, ['title', 'owner', 'due', 'days'], known, where)
    assert.deepEqual(
      lines.map(({ title, depth, more }) => [title, depth, more?.sent]),
      [
        ['Export', 0, { start_date: '2026-12-02', due_date: '2026-12-04', owner: 'u1' }],
        ['"Check"', 1, { description: 'due: soon' }],
        ['Import', 0, { start_date: '2026-11-24', due_date: '2026-11-25' }],
      ],
    )
    assert.deepEqual(
      faults.map(({ row, text }) => [row, text]),
      [
        [1, 'Nobody'],
        [1, 'soon'],
      ],
    )
  })
})
