import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PortfolioRow } from '../../data/portfolio.ts'
import { linesOf } from './rows.ts'

const project = (project_id: string, owner: string | null, agreed: string | null, days = 0) =>
  ({
    project_id,
    project_name: project_id,
    owner: owner === null ? null : { user_id: owner, full_name: owner },
    account: null,
    status: null,
    template_name: null,
    start: null,
    agreed,
    due: null,
    forecast: null,
    completed: 0,
    tasks: 1,
    health: { state: days > 0 ? 'at_risk' : 'on_track', days, cause: null },
    milestones: [
      { id: `${project_id} m`, name: 'M', due: null, forecast: null, status: 'open', kind: null },
    ],
  }) satisfies PortfolioRow

const projects = [
  project('c', 'Saoirse', '2026-12-04'),
  project('a', 'Eilidh', '2026-12-17', 2),
  project('b', 'Eilidh', '2026-12-11'),
  project('d', null, null),
]
const ids = (...args: Parameters<typeof linesOf>) => linesOf(...args).map(({ id }) => id)

test('projects are in groups by name, those without one last, each in the order of going live', () => {
  assert.deepEqual(ids(projects, { group: 'owner', order: 'go_live' }, new Set()), [
    'group Eilidh',
    'b',
    'a',
    'group Saoirse',
    'c',
    'group ',
    'd',
  ])
  const [eilidh] = linesOf(projects, { group: 'owner', order: 'go_live' }, new Set())
  assert.deepEqual(eilidh, {
    kind: 'group',
    id: 'group Eilidh',
    name: 'Eilidh',
    count: 2,
    late: 1,
    isOpen: true,
  })
  assert.deepEqual(
    ids(projects, { group: 'month', order: 'late' }, new Set(['group 2026-12', 'd'])),
    ['group 2026-12', 'group ', 'd', 'd m'],
  )
})

test('orders put what is late, or worse, first', () => {
  assert.deepEqual(ids(projects, { group: 'none', order: 'late' }, new Set()), ['a', 'c', 'b', 'd'])
  assert.deepEqual(ids(projects, { group: 'none', order: 'health' }, new Set()), [
    'a',
    'c',
    'b',
    'd',
  ])
  assert.deepEqual(ids(projects, { group: 'none', order: 'list' }, new Set()), ['c', 'a', 'b', 'd'])
})
