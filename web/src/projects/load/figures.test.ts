import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadPerson, LoadTask } from '../../data/load.ts'
import { choicesOf, fillOf, peopleOf, proposalFor, takersOf } from './figures.ts'

function person(name: string, designation: string | null, capacity: number, planned: number) {
  const week = { capacity: 60 * capacity, planned: 60 * planned }
  return {
    user: { user_id: name, full_name: name, designation, reports_to: null, weekly_hours: null },
    weeks: [
      {
        ...week,
        week: '2026-12-14',
        tasks: 1,
        without_estimate: 0,
        off_days: 0,
        parts: [{ project: `of ${name}`, minutes: week.planned }],
      },
    ],
  } satisfies LoadPerson
}

const task = (title: string, hours: number | null, may_update = true): LoadTask => ({
  item_id: title,
  title,
  project_id: null,
  project_name: null,
  start_date: null,
  due_date: null,
  minutes: hours === null ? null : 60 * hours,
  estimate_minutes: null,
  version: 1,
  may_update,
})

const leila = person('Leila', 'Trainer', 38, 46)
const noah = person('Noah', 'trainer', 38, 14)
const anouk = person('Anouk', 'Integration', 38, 2)

test('a week is over from the first minute beyond what there is, and nearly full from nine tenths', () => {
  const of = (capacity: number, planned: number) => fillOf({ capacity, planned })
  assert.deepEqual(
    [of(100, 89), of(100, 90), of(100, 100), of(100, 101), of(0, 0), of(0, 1)],
    ['free', 'full', 'full', 'over', 'away', 'over'],
  )
})

test('somebody of the same job title with time gets the smallest task that is enough', () => {
  const tasks = [task('Front desks', 26), task('Administrators', 14), task('Plan', 12)]
  const found = proposalFor([anouk, leila, noah], leila, 0, tasks)
  assert.deepEqual(
    [found?.task.title, found?.taker.person.user.full_name, found?.taker.free, found?.rest],
    ['Plan', 'Noah', 24 * 60, 0],
  )
  const small = proposalFor([leila, noah], leila, 0, [task('One', 3), task('Two', 5)])
  assert.deepEqual([small?.task.title, small?.rest], ['Two', 180])
  assert.equal(proposalFor([leila, anouk], leila, 0, tasks), undefined)
  assert.equal(proposalFor([leila, noah], leila, 0, [task('Big', 30)]), undefined)
  assert.equal(proposalFor([leila, noah], leila, 0, [task('Not mine', 12, false)]), undefined)
  assert.equal(proposalFor([leila, noah], noah, 0, tasks), undefined)
  assert.deepEqual(
    takersOf([anouk, leila, noah], leila, 0).map((each) => each.person.user.full_name),
    ['Noah', 'Anouk'],
  )
})

test('people are chosen by the line above them, their job title, and what they work on', () => {
  const under = (of: LoadPerson, reports_to: string) => ({
    ...of,
    user: { ...of.user, reports_to },
  })
  const people = [anouk, under(leila, 'Noah'), under(noah, 'Anouk')]
  const none = { team: null, title: null, project: null }
  const names = (chosen: object) =>
    peopleOf({ people }, { ...none, ...chosen }).map(({ user }) => user.full_name)
  assert.deepEqual(names({}), ['Anouk', 'Leila', 'Noah'])
  assert.deepEqual(names({ team: 'Noah' }), ['Leila', 'Noah'])
  assert.deepEqual(names({ team: 'Anouk', title: 'trainer' }), ['Leila', 'Noah'])
  assert.deepEqual(names({ project: 'of Leila' }), ['Leila'])
  // people who report to each other end, too
  const circle = [under(leila, 'Noah'), under(noah, 'Leila')]
  assert.equal(peopleOf({ people: circle }, { ...none, team: 'Anouk' }).length, 0)
  const { teams, titles } = choicesOf({ people, projects: {} })
  assert.deepEqual([teams.map(({ value }) => value), titles.length], [['Anouk', 'Noah'], 2])
})
