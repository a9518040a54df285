import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { seedNumber } from '../../../../test/support/depth.ts'
import { planStory } from '../../../../test/support/plan-story.ts'
import { randomly } from '../../../../test/support/scattered.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../../test/support/service.ts'

type Body = { [name: string]: any }

describe('the time of a task', () => {
  let service: TestService
  let org: TestOrganization
  let story: ReturnType<typeof planStory>
  const base = '/api/time-entries/'

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    story = planStory(service, org)
  })

  const newTask = (more: object = {}) => story.make('/api/tasks/', { title: 'Import', ...more })
  const spent = async (task: string) => {
    const { total_elapsed_time, version } = await story.ask('GET', `/api/tasks/${task}/`)
    return [total_elapsed_time, version]
  }
  const add = async (body: Body, as?: string): Promise<Body> => story.ask('POST', base, body, as)
  const entriesOf = (task: string, as?: string) =>
    story.ask('GET', `${base}?task_id=${task}`, undefined, as) as Promise<Body[]>

  test('is the sum of its entries, whatever is done with them', async () => {
    const [task, other] = [await newTask(), await newTask()]
    const first = await add({ task_id: task, seconds: 9000, note: 'Mapped the columns' })
    assert.equal(first.user.user_id, org.users.admin.user_id)
    assert.match(first.date, /^\d{4}-\d\d-\d\d$/)
    assert.deepEqual([first.is_billable, first.task_title], [true, 'Import'])
    assert.deepEqual(await spent(task), [9000, 2])
    const second = await add({
      task_id: task,
      seconds: 600,
      date: '2031-01-06',
      is_billable: false,
    })
    assert.deepEqual(await spent(task), [9600, 3])
    const at = `${base}${second.time_entry_id}/`
    await story.ask('PUT', at, { seconds: 1200 })
    await story.ask('PATCH', at, { note: 'Two attempts' })
    assert.deepEqual(await spent(task), [10_200, 4])
    await story.ask('DELETE', at)
    assert.deepEqual(await spent(task), [9000, 5])
    await story.ask('POST', `${at}restore/`)
    assert.deepEqual(await spent(task), [10_200, 6])
    await story.ask('PUT', at, { task_id: other })
    assert.deepEqual(
      [await spent(task), await spent(other)],
      [
        [9000, 7],
        [1200, 2],
      ],
    )
    const [entry] = await entriesOf(other)
    assert.deepEqual([entry?.note, entry?.date], ['Two attempts', '2031-01-06'])
    const log = await story.ask('GET', `/api/activity/log/tasks/${other}/`)
    assert.deepEqual(log[0].changes, [{ field: 'total_elapsed_time', from: 0, to: 1200 }])
  })

  test('counts what several people add at once', async () => {
    const task = await newTask()
    const people = [org.users.admin, org.users.manager, org.users.member]
    const seconds = Array.from({ length: 12 }, (_, i) => 60 * (i + 1))
    await Promise.all(
      seconds.map((each, i) => add({ task_id: task, seconds: each }, people[i % 3]!.token)),
    )
    const [total] = await spent(task)
    assert.equal(
      total,
      seconds.reduce((sum, each) => sum + each, 0),
    )
  })

  test('is measured by each person’s own timer, which becomes an entry where it stops', async () => {
    const [task, other] = [await newTask(), await newTask()]
    const { admin, member } = org.users
    const timer = (id: string, what: string, as: string) =>
      story.call('POST', `/api/tasks/${id}/timer/${what}/`, undefined, as)
    const running = async (id: string, as: string) => {
      const { is_timer_running, time_track_id } = await story.ask(
        'GET',
        `/api/tasks/${id}/`,
        undefined,
        as,
      )
      assert.equal(time_track_id !== null, is_timer_running)
      return is_timer_running
    }
    await timer(task, 'start', admin.token)
    assert.deepEqual(
      [await running(task, admin.token), await running(task, member.token)],
      [true, false],
    )
    const filter = JSON.stringify([{ field: 'is_timer_running', operator: 'eq', value: true }])
    const found = await story.ask('GET', `/api/tasks/?filter=${encodeURIComponent(filter)}`)
    assert.deepEqual(
      found.map(({ item_id }: Body) => item_id),
      [task],
    )
    assert.equal((await timer(task, 'stop', member.token)).status, 409)
    assert.equal((await timer(task, 'start', member.token)).status, 200)
    assert.equal(await running(task, admin.token), true)
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update timers set started_at = started_at - interval '90 minutes'
        where user_id = ${member.user_id}`),
    )
    await timer(other, 'start', member.token)
    const [entry, ...more] = await entriesOf(task)
    assert.deepEqual([entry?.user.user_id, more.length], [member.user_id, 0])
    assert.ok(entry!.seconds >= 5400 && entry!.seconds < 5430, String(entry!.seconds))
    assert.equal((await spent(task))[0], entry!.seconds)
    const stopped = await timer(task, 'stop', admin.token)
    assert.deepEqual([stopped.body.is_timer_running, stopped.body.time_track_id], [false, null])
    assert.equal(await running(other, member.token), true)
    assert.equal((await entriesOf(task)).length, 2)
    await timer(other, 'stop', member.token)
  })

  test('is changed by who spent it and by who may change the task, and is nothing for customers', async () => {
    const { admin, manager, member, customer, observer } = org.users
    const account_id = await story.make('/api/account/info/', { account_name: 'Clairval' })
    const task = await newTask({ account_id, is_shared: true, owner: customer.user_id })
    const own = await add({ task_id: task, seconds: 60 }, member.token)
    const theirs = await add({ task_id: task, seconds: 60 }, admin.token)
    const change = async (entry: Body, as: string) => {
      const path = `${base}${entry.time_entry_id}/`
      return (await story.call('PUT', path, { seconds: 120 }, as)).status
    }
    assert.deepEqual(
      [await change(own, member.token), await change(theirs, member.token)],
      [200, 403],
    )
    assert.equal(await change(own, manager.token), 200)
    const booked = { task_id: task, seconds: 60, user: manager.email }
    assert.equal((await story.call('POST', base, booked, member.token)).status, 403)
    assert.equal((await add(booked)).user.user_id, manager.user_id)
    const unknown = await story.call('POST', base, { ...booked, user: 'nobody@acme.test' })
    assert.deepEqual([unknown.status, unknown.body.errors[0].field], [400, 'user'])
    for (const { token } of [customer, observer]) {
      assert.deepEqual(await everyEntry(token), [])
      assert.equal(
        (await story.call('GET', `${base}${own.time_entry_id}/`, undefined, token)).status,
        404,
      )
      assert.equal(
        (await story.call('POST', base, { task_id: task, seconds: 60 }, token)).status,
        403,
      )
      const report = await story.ask('GET', `${base}report/`, undefined, token)
      assert.deepEqual([report.seconds, report.rows], [0, []])
      const file = await story.call('GET', '/api/exports/time-entries/', undefined, token)
      assert.equal(file.text.trim().split('\n').length, 1)
    }
    const hidden = await newTask({ is_private: true })
    const secret = await add({ task_id: hidden, seconds: 60 })
    assert.equal(await change(secret, member.token), 404)
    assert.equal(
      (await story.call('POST', base, { task_id: hidden, seconds: 1 }, member.token)).status,
      400,
    )
    assert.equal(
      (await story.call('GET', `${base}?task_id=${hidden}`, undefined, member.token)).status,
      404,
    )
  })

  const everyEntry = (as: string) => story.ask('GET', base, undefined, as) as Promise<Body[]>

  test('refuses what is no time', async () => {
    const task = await newTask()
    const wrong = [{ seconds: 0 }, { seconds: -60 }, { seconds: 2_678_401 }, { seconds: 1.5 }]
    for (const each of [
      ...wrong,
      { seconds: 60, date: '2031-02-30' },
      { seconds: 60, task_id: 'none' },
    ]) {
      const reply = await story.call('POST', base, { task_id: task, ...each })
      assert.equal(reply.status, 400, JSON.stringify(each))
    }
    const range = await story.call('GET', `${base}report/?from=2031-02-01&to=2031-01-01`)
    assert.deepEqual([range.status, range.body.errors[0].field], [400, 'to'])
    const long = await story.call('GET', `${base}report/?from=2031-01-01&to=2032-01-07`)
    assert.match(long.text, /370 days after from at most/)
  })
})

describe('a report of time', () => {
  test('sums up what its reader may read, as a recount of the entries does', async () => {
    const service = await startService()
    const org = await makeOrganization(service)
    const story = planStory(service, org)
    const dice = randomly(seedNumber)
    const below = (count: number) => Math.floor(dice() * count)
    const { admin, manager, member } = org.users
    await story.ask('PUT', '/api/organization/settings/', { week_start: 7 })
    const projects = await Promise.all(
      ['One', 'Two', 'Three'].map((project_name, i) =>
        story.make('/api/project/info/', { project_name, is_private: i === 2 }),
      ),
    )
    const tasks = await Promise.all(
      [...projects, ...projects, null].map((project_id, i) =>
        story.make('/api/tasks/', {
          title: `Task ${i}`,
          is_private: i === 4,
          ...(project_id ? { project_id } : {}),
        }),
      ),
    )
    const day = (n: number) => new Date(Date.UTC(2030, 11, 1 + n)).toISOString().slice(0, 10)
    for (let n = 0; n < 60; n++) {
      const user = [admin, manager, member][below(3)]!
      await story.ask('POST', '/api/time-entries/', {
        task_id: tasks[below(tasks.length)],
        seconds: 1 + below(40_000),
        date: day(below(60)),
        is_billable: dice() < 0.6,
        user: user.email,
      })
    }
    const deleted = await story.ask('GET', '/api/time-entries/?items_per_page=3')
    for (const { time_entry_id } of deleted)
      await story.ask('DELETE', `/api/time-entries/${time_entry_id}/`)

    const weekOf = (date: string) => {
      const of = new Date(date)
      return new Date(+of - of.getUTCDay() * 86_400_000).toISOString().slice(0, 10)
    }
    const keys: { [group: string]: (entry: Body) => string | null } = {
      person: ({ user }) => user.user_id,
      project: ({ project_id }) => project_id,
      week: ({ date }) => weekOf(date),
    }
    const sums = (entries: Body[]) => ({
      seconds: entries.reduce((sum, { seconds }) => sum + seconds, 0),
      billable_seconds: entries.reduce(
        (sum, { seconds, is_billable }) => sum + (is_billable ? seconds : 0),
        0,
      ),
    })
    const byWeek = (entries: Body[]) =>
      [...Map.groupBy(entries, ({ date }) => weekOf(date))]
        .map(([week, its]) => ({ week, ...sums(its) }))
        .toSorted((a, b) => (a.week < b.week ? -1 : 1))
    for (const { token } of [admin, manager, member]) {
      const all: Body[] = await story.ask(
        'GET',
        '/api/time-entries/?items_per_page=100',
        undefined,
        token,
      )
      assert.ok(all.length > 20)
      for (const query of [
        'from=2030-12-01&to=2031-01-31',
        'from=2030-12-10&to=2031-01-09&is_billable=true',
        `from=2030-12-01&to=2031-01-31&project_id=${projects[0]}`,
        `from=2030-12-01&to=2031-01-31&user=${encodeURIComponent(member.email)}`,
      ]) {
        const asked = new URLSearchParams(query)
        const meant = all.filter(
          ({ date, is_billable, project_id, user }) =>
            date >= asked.get('from')! &&
            date <= asked.get('to')! &&
            (is_billable || !asked.has('is_billable')) &&
            (project_id === asked.get('project_id') || !asked.has('project_id')) &&
            (user.email === asked.get('user') || !asked.has('user')),
        )
        for (const group of ['person', 'project', 'week']) {
          const report = await story.ask(
            'GET',
            `/api/time-entries/report/?${query}&group=${group}`,
            undefined,
            token,
          )
          const { rows, weeks, seconds, billable_seconds, is_complete } = report
          assert.deepEqual({ seconds, billable_seconds }, sums(meant))
          assert.equal(is_complete, true)
          assert.deepEqual(
            weeks.filter((week: Body) => week.seconds),
            byWeek(meant),
          )
          assert.equal(weeks[0].week, weekOf(asked.get('from')!))
          const shown = rows.map(({ label, ...row }: Body) => {
            assert.notEqual(label, '')
            return row
          })
          const counted = [...Map.groupBy(meant, keys[group]!)].map(([key, its]) => ({
            key,
            ...sums(its),
            weeks: byWeek(its),
          }))
          const ordered = (list: Body[]) =>
            list.toSorted((a, b) => (String(a.key) < String(b.key) ? -1 : 1))
          assert.deepEqual(ordered(shown), ordered(counted), `${group} ${query}`)
        }
        const file = await story.call(
          'GET',
          `/api/exports/time-entries/?${query}`,
          undefined,
          token,
        )
        const [head, ...lines] = file.text.trim().split(/\r?\n/)
        assert.equal(head, 'Day,Person,E-mail,Project,Task,Hours,Billable,Note,Id')
        assert.equal(lines.length, meant.length)
        const hours = lines.reduce((sum, line) => sum + Number(line.split(',')[5]), 0)
        assert.ok(Math.abs(hours - sums(meant).seconds / 3600) < 1e-4)
      }
    }
  })
})
