import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { dueTasks } from '../../jobs/due.ts'
import { addDays } from '../../kit/ground/dates.ts'

let service: TestService
let org: TestOrganization
before(async () => {
  service = await startService()
  org = await makeOrganization(service)
})

type Role = keyof TestOrganization['users']
const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
  service.call(method, path, { token: org.users[role].token, body })
const base = '/api/tasks/'
const daily = { due_date: '2026-03-02', recurrence_pattern: 'FREQ=DAILY' }

async function make(body: object): Promise<any> {
  const reply = await call('POST', base, { title: 'Task', ...body })
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

/** Completes a task of a series and gives the next. */
async function nextOf({ item_id }: { item_id: string }, role?: Role): Promise<any> {
  const done = await call('PUT', `${base}${item_id}/`, { is_completed: true }, role)
  assert.equal(done.status, 200, done.text)
  const { body } = await call('GET', `${base}?items_per_page=500`)
  const found = body.filter((each: any) => each.parent_recurring_id === item_id)
  assert.equal(found.length, 1)
  return found[0]
}

const typesOf = async (id: string) =>
  (await call('GET', `/api/activity/log/tasks/${id}/`)).body.map(({ type }: any) => type).sort()

describe('the next task of a series', () => {
  test('emits what any new task with an owner does, and notifies them once', async () => {
    const owner = org.users.member.user_id
    const first = await make({ ...daily, owner })
    assert.deepEqual(await typesOf(first.item_id), ['task_assigned', 'task_created'])
    const next = await nextOf(first)
    assert.deepEqual(await typesOf(next.item_id), ['task_assigned', 'task_created'])
    const notified = await rows(
      service,
      sql`select title from notifications where user_id = ${owner}
        and notification_obj ->> 'reference_id' = ${next.item_id}`,
    )
    assert.equal(notified.length, 1)
  })

  test('copies the plan of the previous one, without its progress', async () => {
    const parent = await make({})
    const first = await make({
      ...daily,
      parent_id: parent.item_id,
      description: 'Each day',
      priority: 'high',
      tags: ['a'],
      users: [org.users.manager.user_id],
      position: 3,
      start_date: '2026-03-01',
      custom_fields: { floor: 2 },
      display_id: 'T-1',
      is_starred: true,
      is_risk: true,
      is_blocked: true,
      form_responses: { q: 1 },
      external_map: { jira: 'X-1' },
    })
    const next = await nextOf(first)
    const planned = [
      'title',
      'description',
      'item_type',
      'parent_id',
      'priority',
      'tags',
      'users',
      'position',
      'custom_fields',
    ]
    for (const name of planned) assert.deepEqual(next[name], first[name], name)
    assert.equal(next.parent_id, parent.item_id)
    assert.deepEqual([next.start_date, next.due_date], ['2026-03-02', '2026-03-03'])
    assert.deepEqual(
      [next.display_id, next.form_responses, next.external_map, next.completed_at],
      [null, null, null, null],
    )
    assert.deepEqual([next.is_starred, next.is_risk, next.is_blocked], [false, false, false])
  })

  test('brings the subtasks on all levels, open and as many days later; the others stay', async () => {
    const first = await make({ ...daily, due_date: '2026-03-02', title: 'Close the month' })
    const sub = (title: string, parent_id: string, more: object = {}) =>
      make({ title, parent_id, item_type: 2, ...more })
    const open = await sub('Open', first.item_id, {
      start_date: '2026-02-27',
      due_date: '2026-03-01',
    })
    const done = await sub('Done', first.item_id, {
      owner: org.users.member.user_id,
      priority: 'high',
    })
    const below = await sub('Below', done.item_id, { due_date: '2026-03-02' })
    const gone = await sub('Gone', first.item_id)
    await sub('Own series', first.item_id, daily)
    await call('PUT', `${base}${done.item_id}/`, { is_completed: true })
    await call('DELETE', `${base}${gone.item_id}/`)
    const next = await nextOf(first)
    const { body } = await call('GET', `${base}?items_per_page=500`)
    const under = (id: string) =>
      body
        .filter((each: any) => each.parent_id === id)
        .sort((a: any, b: any) => (a.title < b.title ? -1 : 1))
    const [copyOfDone, copyOfOpen, ...rest] = under(next.item_id)
    assert.deepEqual(rest, [])
    assert.deepEqual(
      [copyOfOpen.title, copyOfOpen.start_date, copyOfOpen.due_date, copyOfOpen.is_completed],
      ['Open', '2026-02-28', '2026-03-02', false],
    )
    assert.deepEqual(
      [copyOfDone.title, copyOfDone.is_completed, copyOfDone.owner.user_id, copyOfDone.priority],
      ['Done', false, org.users.member.user_id, done.priority],
    )
    assert.deepEqual(
      under(copyOfDone.item_id).map(({ title, due_date }: any) => [title, due_date]),
      [['Below', '2026-03-03']],
    )
    // those of the task before are where they were
    assert.deepEqual(
      under(first.item_id).map(({ title, is_completed }: any) => [title, is_completed]),
      [
        ['Done', true],
        ['Open', false],
        ['Own series', false],
      ],
    )
    assert.equal(under(done.item_id)[0].item_id, below.item_id)
    assert.equal(open.parent_id, first.item_id)
    // and the next but one has them once
    const { body: completed } = await call('PUT', `${base}${next.item_id}/`, { is_completed: true })
    assert.equal(completed.is_completed, true)
    const titles = (await call('GET', `${base}?items_per_page=500`)).body.filter(
      (each: any) => each.title === 'Below',
    ).length
    assert.equal(titles, 3)
  })

  test('belongs to nobody where the people of the one before have left', async () => {
    const invited = await call('POST', '/api/users/profile/action/', {
      email: 'leaving@example.test',
      full_name: 'Lea Leaving',
    })
    const { profile_id } = invited.body
    const first = await make({ ...daily, owner: profile_id, users: [profile_id] })
    assert.equal((await call('DELETE', `/api/users/profile/${profile_id}/`)).status, 204)
    const next = await nextOf(first)
    assert.deepEqual([next.owner, next.users], [null, []])
  })

  test('keeps links that whoever completes the one before does not see', async () => {
    const form = await call('POST', '/api/surveys/', { name: 'Check-list' })
    const { survey_id: form_id } = form.body
    const first = await make({ ...daily, owner: org.users.customer.user_id, form_id })
    assert.equal((await nextOf(first, 'customer')).form_id, form_id)
  })

  test('comes once on each day, whatever holidays do, and by those of its project', async () => {
    const set = async (country: string, dates: string[]) => {
      const holidays = dates.map((date) => ({ name: date, date }))
      const reply = await call('POST', '/api/holidays/holinfo/', { country, state: '', holidays })
      return reply.headers.get('x-record-id')
    }
    // a Friday and the Monday after it
    await set('AA', ['2032-01-02', '2032-01-05'])
    const holidays_id = await set('BB', ['2032-01-01'])
    const project = await call('POST', '/api/project/info/', { project_name: 'P', holidays_id })
    const project_id = project.headers.get('x-record-id')
    const daysOf = async (body: object, count: number) => {
      let task = await make({ due_date: '2031-12-31', ...body })
      const days = [task.due_date]
      const expected = []
      while (days.length < count) {
        expected.push(task.recurrence_pattern.next_occurrence)
        const first = task.parent_recurring_id ?? task.item_id
        await call('PUT', `${base}${task.item_id}/`, { is_completed: true })
        const { body: listed } = await call('GET', `${base}?items_per_page=500`)
        task = listed.find((each: any) => each.parent_recurring_id === first && !each.is_completed)
        days.push(task.due_date)
      }
      // each said which day would be the next
      assert.deepEqual(days.slice(1), expected)
      return days.map((day) => day.slice(5))
    }
    const recurring = (holiday_policy: string) => ({
      recurrence_pattern: { frequency: 'daily', holiday_policy },
    })
    const skipped = await daysOf(recurring('skip'), 6)
    assert.deepEqual(skipped, ['12-31', '01-03', '01-04', '01-06', '01-07', '01-08'])
    const moved = await daysOf(recurring('move'), 4)
    assert.deepEqual(moved, ['12-31', '01-06', '01-07', '01-08'])
    const ofProject = await daysOf({ ...recurring('skip'), project_id }, 4)
    assert.deepEqual(ofProject, ['12-31', '01-02', '01-03', '01-04'])
  })

  test('comes with its day where the series follows the calendar, not when the last is done', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const recurrence_pattern = { frequency: 'daily', mode: 'on_schedule' }
    const first = await make({ due_date: addDays(today, 5), recurrence_pattern })
    const seriesOf = async () => {
      const { body } = await call('GET', `${base}?items_per_page=500`)
      return body.filter((each: any) => each.parent_recurring_id === first.item_id)
    }
    await call('PUT', `${base}${first.item_id}/`, { is_completed: true })
    await dueTasks(service.runtime)
    assert.deepEqual(await seriesOf(), [])
    const later = new Date(Date.now() + 6 * 86_400_000)
    await dueTasks({ ...service.runtime, now: () => later })
    const days = (await seriesOf()).map((each: any) => each.due_date)
    assert.deepEqual(days, [later.toISOString().slice(0, 10)])
  })

  test('catches up with the last year where a series by the calendar began decades ago', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const by = (rule: object) => ({ mode: 'on_schedule', holiday_policy: 'ignore', ...rule })
    const begin = (due_date: string, rule: object) =>
      make({ due_date, recurrence_pattern: by(rule) })
    const monthly = await begin('1990-01-01', { frequency: 'monthly' })
    // every second year, of which this is none
    const start = `${Number(today.slice(0, 4)) - 21}${today.slice(4, 7)}-01`
    const rare = await begin(start, { frequency: 'yearly', interval: 2 })
    await dueTasks(service.runtime)
    const daysAfter = async ({ item_id }: { item_id: string }) => {
      const found = await rows(
        service,
        sql`select due_date from tasks where parent_recurring_id = ${item_id} order by due_date`,
      )
      return found.map(({ due_date }) => String(due_date))
    }
    const days = await daysAfter(monthly)
    assert.ok(days.length === 12 || days.length === 13, `${days}`)
    assert.ok(days[0]! >= addDays(today, -366), `${days}`)
    assert.deepEqual(await daysAfter(rare), [])
    const { body } = await call('GET', `${base}${rare.item_id}/`)
    assert.equal(body.recurrence_status, 'active')
    assert.ok(body.recurrence_pattern.next_occurrence > today)
  })

  test('leaves out the days on which the series was paused', async () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const mode of ['on_completion', 'on_schedule']) {
      const recurrence_pattern = { frequency: 'daily', mode, holiday_policy: 'ignore' }
      const due_date = addDays(today, -10)
      const first = await make({ due_date, recurrence_pattern, recurrence_status: 'paused' })
      const at = `${base}${first.item_id}/`
      await call('PUT', at, { is_completed: true })
      const resumed = await call('PUT', at, { recurrence_status: 'active' })
      assert.equal(resumed.status, 200, resumed.text)
      await dueTasks(service.runtime)
      const { body } = await call('GET', `${base}?items_per_page=500`)
      const next = body.filter((each: any) => each.parent_recurring_id === first.item_id)
      assert.equal(next.length, 1, mode)
      assert.ok(next[0].due_date >= today, `${mode}: ${next[0].due_date}`)
    }
  })

  test('begins without values that must be unique, and may lack fields that have become required', async () => {
    const badge = { key: 'badge', label: 'Badge', type: 'text', unique: true, required: true }
    const fields = await call('PUT', '/api/organization/settings/fields/tasks/', [badge])
    assert.equal(fields.status, 200, fields.text)
    const first = await make({ ...daily, custom_fields: { badge: 'B-1', floor: 1 } })
    assert.deepEqual((await nextOf(first)).custom_fields, { floor: 1 })
  })
})
