import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { movedToward, withLine, withTask, withoutLine } from './acts.ts'
import { setDays, setLinks } from './days.ts'
import { differencesOf } from './differences.ts'
import type { Lines } from './lines.ts'
import { configOf, lengthOf, linesOf, rolesOf } from './lines.ts'
import { merged } from './merge.ts'

const config = {
  stages: [
    {
      stage_id: 'kick',
      name: 'Kick-off',
      color: '#112233',
      tasks: [
        {
          id: 'meet',
          title: 'Meet',
          duration_days: 2,
          assignee_role: 'project_owner',
          priority: 'high',
        },
        { title: 'Dates', start_offset_days: 2, depends_on: ['meet'] },
      ],
    },
    {
      stage_id: 'build',
      name: 'Build',
      milestones: [
        {
          name: 'Data',
          start_offset_days: 3,
          tasks: [
            {
              id: 'export',
              title: 'Export',
              duration_days: 4,
              depends_on: [{ id: 'Dates', type: 'SS' as const, lag_days: 1 }],
            },
            { id: 'first', title: 'First sites', parent: 'export', duration_days: 2 },
            {
              id: 'rest',
              title: 'Other sites',
              parent: 'Export',
              start_offset_days: 2,
              duration_days: 2,
            },
          ],
        },
        { id: 'check', name: 'Check', start_offset_days: 7, duration_days: 3 },
      ],
    },
  ],
}
const lines = linesOf(config)
const numbers = new Map([
  ['meet', '1.1'],
  ['Dates', '1.2'],
  ['export', '2.1'],
])
const days = ({ tasks }: Lines) =>
  tasks.map(({ item_id, start, days: its }) => `${item_id} ${start + 1} ${its}`)
const linesIn = (outcome: ReturnType<typeof setDays>) => {
  assert.ok('lines' in outcome)
  return outcome.lines
}

describe('the lines of a template', () => {
  test('keep ids, stages, nested milestones and what the editor does not show', () => {
    assert.deepEqual(days(lines), ['meet 1 2', 'Dates 3 1', 'export 4 4', 'first 4 2', 'rest 6 2'])
    assert.equal(lengthOf(lines), 10)
    const again = configOf(lines)
    assert.deepEqual(
      again.stages?.map(({ name, color }) => [name, color]),
      [
        ['Kick-off', '#112233'],
        ['Build', undefined],
      ],
    )
    assert.deepEqual(
      again.stages?.[1]?.milestones?.map(({ id, name }) => [id, name]),
      [
        ['Data', 'Data'],
        ['check', 'Check'],
      ],
    )
    assert.equal(again.stages?.[0]?.tasks?.[0]?.priority, 'high')
    assert.deepEqual(again.stages?.[1]?.milestones?.[0]?.tasks?.[2]?.parent, 'export')
    // written and read again, they are the same
    assert.deepEqual(configOf(linesOf(again)), again)
  })

  test('push what follows, and refuse a day or a dependency that contradicts it', () => {
    const longer = linesIn(setDays(lines, 'meet', { start: 0, days: 4 }, numbers))
    // of what has subtasks, each of these moves only as far as it must, as in the plan of a project
    assert.deepEqual(days(longer), ['meet 1 4', 'Dates 5 1', 'export 6 2', 'first 6 2', 'rest 6 2'])
    assert.deepEqual(setDays(lines, 'Dates', { start: 1, days: 1 }, numbers), {
      error: '1.1 ends on day 2: not before day 3',
    })
    const circle = setLinks(
      lines,
      'meet',
      [{ predecessor_id: 'Dates', type: 'FS', lag_days: 0 }],
      numbers,
    )
    assert.ok('error' in circle && circle.error.startsWith('would close a circle'))
    const own = setLinks(
      lines,
      'export',
      [{ predecessor_id: 'first', type: 'FS', lag_days: 0 }],
      numbers,
    )
    assert.ok('error' in own)
    assert.deepEqual(days(linesIn(setLinks(lines, 'Dates', [], numbers))), days(lines))
  })

  test('are added, moved and deleted with what is below them', () => {
    const place = {
      kind: 'task',
      milestone_id: 'kick',
      parent_id: null,
      after: 'meet',
      before: null,
    } as const
    const more = withLine(lines, 'call', 'Call', place)
    assert.deepEqual(
      more.tasks.slice(0, 2).map(({ title, start }) => [title, start]),
      [
        ['Meet', 0],
        ['Call', 0],
      ],
    )
    assert.equal(
      movedToward(more, 'call', 'in').tasks.find(({ item_id }) => item_id === 'call')?.parent_id,
      'meet',
    )
    const [row] = [
      {
        id: 'meet',
        kind: 'task' as const,
        level: 2,
        number: '1.1',
        title: 'Meet',
        children: 0,
        isOpen: true,
        above: 'kick',
        at: 1,
        of: 2,
        task: lines.tasks[0]!,
      },
    ]
    const fewer = withoutLine(lines, row!)
    assert.deepEqual(fewer.tasks.map(({ item_id, links }) => [item_id, links.length]).slice(0, 2), [
      ['Dates', 0],
      ['export', 1],
    ])
  })

  test('of two people who change a draft at once are both kept', () => {
    const draft = { lines, roles: [] }
    const set = (title: string, of: string) => ({
      roles: [],
      lines: {
        ...lines,
        tasks: lines.tasks.map((task) => (task.item_id === of ? { ...task, title } : task)),
      },
    })
    const mine = set('Meet in person', 'meet')
    const theirs = set('Export all', 'export')
    const both = merged(draft, mine, theirs)
    assert.deepEqual(both.lines.tasks.map(({ title }) => title).slice(0, 3), [
      'Meet in person',
      'Dates',
      'Export all',
    ])
    // taken back alone, the other's change stays
    assert.deepEqual(merged(mine, draft, both).lines, theirs.lines)
    const without = {
      roles: [],
      lines: { ...lines, tasks: lines.tasks.filter(({ item_id }) => item_id !== 'meet') },
    }
    assert.ok(
      merged(draft, mine, without).lines.tasks.some(({ title }) => title === 'Meet in person'),
    )
    assert.ok(!merged(draft, theirs, without).lines.tasks.some(({ title }) => title === 'Meet'))
  })

  test('differ in words', () => {
    const longer = linesIn(setDays(lines, 'rest', { start: 5, days: 3 }, numbers))
    const changed = { kind: 'changed', title: 'Other sites', what: 'days 2 → 3' }
    const above = { kind: 'changed', title: 'Export', what: 'days 4 → 5' }
    assert.deepEqual(differencesOf(lines, longer), [above, changed])
    const own = { document_id: 'doc-1', form_id: 'form-1', minutes: 90 }
    const asking = withTask(lines, 'rest', own)
    assert.deepEqual(differencesOf(lines, asking, new Map([['doc-1', 'Checklist']])), [
      {
        kind: 'changed',
        title: 'Other sites',
        what: 'form none → another form, document none → Checklist, estimate none → 1h 30m',
      },
    ])
    assert.deepEqual(rolesOf([], lines), [
      { key: 'project_owner', name: 'Project owner', side: 'ours' },
    ])
  })
})
