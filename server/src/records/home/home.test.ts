import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { planStory } from '../../../test/support/plan-story.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { addDays } from '../../kit/ground/dates.ts'
import { newId } from '../../kit/ground/ids.ts'
import { orFailed } from './part.ts'
import type { Home, Part } from './shape.ts'

describe('Home', () => {
  let service: TestService
  let org: TestOrganization
  let story: ReturnType<typeof planStory>
  let me: string
  let token: string
  let now: string
  let owner: pg.Client

  before(async () => {
    service = await startService()
    owner = new pg.Client({
      connectionString: service.runtime.database.url,
      options: '-c search_path=perennial,public -c app.organization=*',
    })
    await owner.connect()
  })
  after(() => owner.end())
  beforeEach(async () => {
    org = await makeOrganization(service)
    story = planStory(service, org)
    me = org.users.member.user_id
    token = org.users.member.token
    now = (await home()).today
  })

  const home = (query = '', as = token): Promise<Home> =>
    story.ask('GET', `/api/home/${query}`, undefined, as)
  const task = (title: string, days: number | null, more: object = {}) =>
    story.make('/api/tasks/', {
      title,
      owner: me,
      due_date: days === null ? null : addDays(now, days),
      ...more,
    })
  const titles = ({ rows }: Part) => rows.map(({ title }) => title)
  const cardOf = ({ cards }: Home, name: string) => cards.find(({ card }) => card === name)

  /** How many rows the list has to which a part leads. */
  async function listed({ list }: Part, as = token): Promise<number> {
    assert.ok(list)
    const paths: { [module: string]: string } = {
      tasks: '/api/tasks/?',
      projects: '/api/project/info/?project_type=project&',
      deals: '/api/project/info/?project_type=deal&',
      accounts: '/api/account/info/?',
    }
    const filter = encodeURIComponent(JSON.stringify(list.filter))
    const path = `${paths[list.module]}filter=${filter}&sort=${list.sort}&page=1&items_per_page=1&include_count=true`
    const reply = await story.call('GET', path, undefined, as)
    assert.equal(reply.status, 200, reply.text)
    return Number(reply.headers.get('x-total-count'))
  }

  test('has own open tasks by when they are due, and what one waits for', async () => {
    const late = await task('Late', -2)
    const after = await task('After', 3)
    await story.link(after, late)
    await task('Now', 0)
    await task('Soon', 7)
    await task('Later', 8)
    await task('Another’s', 0, { owner: org.users.admin.user_id })
    const done = await task('Done', 0)
    await story.ask('PUT', `/api/tasks/${done}/`, { is_completed: true })
    await story.ask(
      'POST',
      '/api/tasks/',
      { title: 'Asked for', owner: org.users.admin.user_id, due_date: addDays(now, 4) },
      token,
    )
    const { groups, next } = await home()
    assert.deepEqual([groups.late, groups.today, groups.week, groups.waiting].map(titles), [
      ['Late'],
      ['Now'],
      ['After', 'Soon'],
      ['Asked for'],
    ])
    const [row] = groups.late.rows
    assert.deepEqual(
      [row?.id, row?.why?.word, row?.why?.count, row?.acts],
      [late, 'holds_up', 1, ['done', 'move', 'give', 'comment']],
    )
    assert.equal(groups.waiting.rows[0]?.why?.word, 'waits_for')
    assert.equal(next?.title, 'Later')
    for (const part of Object.values(groups)) assert.equal(part.count, await listed(part))
  })

  test('counts what its list has where it shows fewer, and stays small', async () => {
    for (let i = 0; i < 40; i++) await task(`Check the export of appointments number ${i}`, -3)
    const answer = await home()
    const { late } = answer.groups
    assert.deepEqual([late.rows.length, late.count], [25, 40])
    assert.equal(await listed(late), 40)
    const bytes = gzipSync(JSON.stringify(answer)).length
    assert.ok(bytes <= 12_000, `${bytes} bytes`)
  })

  /** Moves the organization to where it is about noon, so that what takes place now began today. */
  async function moveToNoon() {
    const ahead = 12 - new Date().getUTCHours()
    const timezone = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
    await story.ask('PUT', '/api/organization/settings/', { timezone })
  }

  test('has the meetings of today that one takes part in and that are not over', async () => {
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    await moveToNoon()
    const make = (title: string, from: number, to: number, users: string[]) =>
      story.make('/api/calendar/info/', { title, start: at(from), end: at(to), users })
    await make('Runs now', -0.5, 0.2, [me])
    await make('Is over', -2, -1, [me])
    await make('Of others', -0.5, 0.2, [org.users.admin.user_id])
    await make('In two weeks', 24 * 14, 24 * 14 + 1, [me])
    const { groups } = await home()
    assert.deepEqual(titles(groups.today), ['Runs now'])
    assert.deepEqual([groups.today.count, groups.today.list], [1, null])
  })

  test('says what to know before the next meeting of a project', async () => {
    const { customer, admin } = org.users
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    await moveToNoon()
    const project = await story.make('/api/project/info/', {
      project_name: 'Clairval',
      project_manager: me,
    })
    const inProject = (title: string, more: object) =>
      task(title, null, { project_id: project, ...more })
    await inProject('Export of three sites', {
      owner: customer.user_id,
      due_date: addDays(now, -2),
    })
    await inProject('Test account', { owner: admin.user_id, is_shared: true })
    await inProject('Nobody outside sees it', {})
    const done = await inProject('Kick-off notes', {})
    const meeting = (from: number, to: number) =>
      story.make('/api/calendar/info/', {
        title: 'Weekly',
        start: at(from),
        end: at(to),
        users: [me],
        project,
        description: 'Export, imaging rules',
      })
    await meeting(-100, -99)
    await story.ask('PUT', `/api/tasks/${done}/`, { is_completed: true })
    const next = await meeting(-0.5, 0.2)
    const { preparation } = await home()
    assert.equal(preparation?.meeting_id, next)
    assert.deepEqual(
      [preparation?.theirs, preparation?.ours].map((side) => side?.rows.map(({ title }) => title)),
      [['Export of three sites'], ['Test account']],
    )
    assert.deepEqual([preparation?.done, preparation?.agenda], [1, 'Export, imaging rules'])
    assert.ok(preparation?.since && preparation.people.length)
    for (let more = 0; more < 3; more++) await inProject(`More ${more}`, { is_shared: true })
    const { ours } = (await home()).preparation ?? {}
    assert.deepEqual([ours?.rows.length, ours?.count], [3, 4])
    // what one may not read is not promised either
    await story.allow('member', { tasks: { read: 'none' } })
    const without = (await home()).preparation
    assert.deepEqual([without?.theirs.count, without?.ours.count, without?.done], [0, 0, 0])
  })

  test('looks back to the occurrence before of a meeting that repeats', async () => {
    await moveToNoon()
    const project = await story.make('/api/project/info/', {
      project_name: 'Weekly',
      project_manager: me,
    })
    const day = 86_400_000
    const at = (time: number) => new Date(time).toISOString()
    // the third of a series takes place now
    const start = Math.floor(Date.now() / 1000) * 1000 - 14 * day - 600_000
    const series = await story.make('/api/calendar/info/', {
      title: 'Weekly',
      start: at(start),
      end: at(start + 1_800_000),
      users: [me],
      project,
      repeat: 'FREQ=WEEKLY',
    })
    const { preparation } = await home()
    assert.deepEqual(
      [preparation?.meeting_id, Date.parse(preparation?.since ?? '')],
      [series, start + 7 * day + 1_800_000],
    )
  })

  test('has the cards of what one owns, each as long as its list', async () => {
    const project = await story.make('/api/project/info/', {
      project_name: 'Clairval onboarding',
      project_manager: me,
      due_date: addDays(now, -1),
    })
    const held = await story.make('/api/project/info/', {
      project_name: 'Olmeda onboarding',
      project_owner: me,
      due_date: addDays(now, -1),
    })
    await task('Export', -1, { project_id: held })
    await story.make('/api/project/info/', { project_name: 'In time', project_owner: me })
    const before = await home()
    assert.deepEqual([before.role, before.guessed], ['delivery', 'delivery'])
    const late = cardOf(before, 'projects_late')
    assert.ok(late)
    assert.deepEqual(
      new Map(late.rows.map(({ id, why }) => [id, why?.word])),
      new Map([
        [project, 'past_due'],
        [held, 'late_tasks'],
      ]),
    )
    assert.equal(late.count, await listed(late))
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five'])
      await story.make('/api/project/info/', {
        project_name: name,
        project_type: 'deal',
        project_owner: me,
        forecasted_date: addDays(now, -3),
      })
    const sales = await home()
    assert.equal(sales.role, 'sales')
    assert.deepEqual(
      sales.cards.map(({ card }) => card),
      ['deals_need_step', 'deals_closing', 'mentions', 'meetings'],
    )
    const step = cardOf(sales, 'deals_need_step')
    assert.ok(step)
    assert.deepEqual([step.rows.length, step.count, await listed(step)], [4, 5, 5])
    // a deal with a day and an open task needs none, and one whose last task is done does
    const sound = await story.make('/api/project/info/', {
      project_name: 'Sound',
      project_type: 'deal',
      project_owner: me,
      forecasted_date: addDays(now, 30),
    })
    const next = await task('Call them', 2, { project_id: sound })
    const needing = async () => cardOf(await home(), 'deals_need_step')
    assert.equal((await needing())?.count, 5)
    await story.ask('PUT', `/api/tasks/${next}/`, { is_completed: true })
    const stuck = await needing()
    assert.ok(stuck)
    assert.deepEqual([stuck.count, await listed(stuck)], [6, 6])
    const only = await story.ask(
      'GET',
      `/api/project/info/?${new URLSearchParams({
        page: '1',
        items_per_page: '50',
        project_type: 'deal',
        filter: JSON.stringify([{ field: 'open_tasks_count', operator: 'eq', value: 0 }]),
        fields: 'project_id',
      })}`,
    )
    assert.ok(only.some((each: { project_id: string }) => each.project_id === sound))
    for (const { id } of stuck.rows.slice(0, 2)) {
      await story.ask('DELETE', `/api/project/info/${id}/`)
    }
    const alone = (await needing())?.rows.find(({ id }) => id === sound)
    assert.equal(alone?.why?.word, 'no_step')
    // deals that one may not read say nothing of what one does
    await story.allow('member', { deals: { read: 'none' } })
    assert.equal((await home()).guessed, 'delivery')
  })

  test('has accounts that fell, that renew and that answered low, of the people alone and by what they may read', async () => {
    const account = (account_name: string, account_owner = me) =>
      story.make('/api/account/info/', { account_name, account_owner })
    const [fallen, steady] = [await account('Fallen'), await account('Steady')]
    const others = await account('Of another', org.users.admin.user_id)
    for (const [id, days, score] of [
      [fallen, -9, 90],
      [fallen, -1, 71],
      [steady, -9, 90],
      [steady, -1, 88],
      [others, -9, 90],
      [others, -1, 20],
    ] as const) {
      await owner.query(
        `insert into account_health_days (organization_id, account_id, day, score, is_set, inputs)
         values ($1, $2, $3, $4, true, '{}')`,
        [org.id, id, addDays(now, days), score],
      )
    }
    const [pipeline] = await story.ask('GET', '/api/pipelines/')
    const won = pipeline.stages.find(
      (stage: { category: string }) => stage.category === 'won',
    ).stage_id
    const deal = async (account_id: string, months: number | null, days: number) => {
      const id = await story.make('/api/project/info/', {
        project_name: `Contract ${account_id}`,
        project_type: 'deal',
        account_id,
        contract_duration: months,
      })
      await story.ask('PUT', `/api/project/info/${id}/`, { stage_id: won })
      await owner.query(
        'update projects set closed_at = $3 where organization_id = $1 and id = $2',
        [org.id, id, `${addDays(now, days)}T12:00:00Z`],
      )
    }
    await deal(fallen, 12, -300)
    await deal(others, 12, -300)
    // of two contracts the later end counts; one without a length never ends
    await deal(steady, 12, -300)
    await deal(steady, 24, -1)
    await deal(fallen, null, -1)
    const survey = await story.make('/api/surveys/', { name: 'How are we?' })
    for (const [id, nps, days] of [
      [fallen, 3, -2],
      [fallen, 6, -1],
      [steady, 7, -1],
      [steady, 2, -40],
      [others, 0, -1],
    ] as const) {
      await owner.query(
        `insert into record_activity (organization_id, id, subject_module, subject_id, kind, module_id,
           reference_id, source_id, at, nps) values ($1, $2, 8, $3, 'answer', 7, $4, $2, $5, $6)`,
        [org.id, newId(), id, survey, `${addDays(now, days)}T12:00:00Z`, nps],
      )
    }
    const cards = ['accounts_fallen', 'renewals', 'low_answers']
    await story.ask('PUT', '/api/preferences/', { home: { cards } }, token)
    const shown = async () => (await home()).cards
    const rows = await shown()
    assert.deepEqual(
      rows.map(({ rows: its, count }) => [titles({ rows: its } as Part), count]),
      cards.map(() => [['Fallen'], 1]),
    )
    const whys = rows.map(({ rows: [row] }) => [row?.why?.word, row?.why?.count, row?.value])
    assert.deepEqual(whys, [
      ['fell', 19, '71'],
      ['renewal', 12, null],
      ['answered', 6, '6'],
    ])
    // without the right to what is behind them the cards are not there
    await story.allow('member', { deals: { read: 'none' }, surveys: { read: 'none' } })
    assert.deepEqual(
      (await shown()).map(({ card }) => card),
      ['accounts_fallen'],
    )
    await story.allow('member', { accounts: { read: 'none' } })
    assert.deepEqual(await shown(), [])
  })

  test('has the cards that one arranged, without those that one may not read', async () => {
    const cards = ['mentions', 'accounts_at_risk', 'nonsense', 'deals_closing', 'mentions']
    await story.ask('PUT', '/api/preferences/', { home: { role: 'success', cards } }, token)
    const shown = async () => (await home()).cards.map(({ card }) => card)
    assert.deepEqual(await shown(), ['mentions', 'accounts_at_risk', 'deals_closing'])
    await story.allow('member', { deals: { read: 'none' }, accounts: { read: 'none' } })
    assert.deepEqual(await shown(), ['mentions'])
    const { available, role } = await home()
    assert.ok(!available.includes('deals_closing') && !available.includes('accounts_at_risk'))
    assert.equal(role, 'success')
  })

  test('says what there never was, and which working day is next', async () => {
    const first = await home()
    assert.equal(first.lacks, 'records')
    await story.ask('POST', '/api/company/', { company_name: 'Clairval' })
    assert.equal((await home()).lacks, 'tasks')
    const done = await task('Done', 0)
    await story.ask('PUT', `/api/tasks/${done}/`, { is_completed: true })
    assert.equal((await home()).lacks, null)
    assert.ok(first.workday > now)
    const days = [addDays(first.workday, 0), addDays(first.workday, 1)]
    await story.ask('POST', '/api/holidays/holinfo/', {
      country: 'Bridge',
      holidays: [{ name: 'Bridge', date: days[0] }],
    })
    assert.ok((await home()).workday >= (days[1] ?? ''))
  })

  test('is that of a team for whoever leads one', async () => {
    const { manager, admin } = org.users
    await task('Of the member', -1)
    assert.deepEqual(titles((await home('?as=team', manager.token)).groups.late), [])
    await story.ask('PUT', `/api/users/profile/${me}/`, { reports_to: manager.user_id })
    await task('Of another', -1, { owner: admin.user_id })
    const own = await home('', manager.token)
    assert.deepEqual([own.leads, own.role, titles(own.groups.late)], [true, 'manager', []])
    const member = async () => {
      const rows = cardOf(await home('', manager.token), 'team')?.rows ?? []
      assert.deepEqual(
        rows.map(({ id }) => id),
        [me],
      )
      return rows[0]
    }
    const { why, value } = (await member()) ?? {}
    assert.deepEqual([why?.count, why?.also, value], [1, 0, '0 %'])
    // what is late is done today, of a week of 10 hours
    await story.ask('PUT', `/api/users/profile/${me}/`, { weekly_hours: 10 })
    await task('With an estimate', -1, { estimate_minutes: 300 })
    assert.deepEqual([(await member())?.why?.count, (await member())?.value], [2, '50 %'])
    const team = await home('?as=team', manager.token)
    assert.deepEqual(titles(team.groups.late), ['Of the member', 'With an estimate'])
    assert.equal(team.groups.late.rows[0]?.why?.word, 'waits_for')
    assert.ok(team.groups.late.rows[0]?.why?.text)
    assert.equal(await listed(team.groups.late, manager.token), 2)
  })

  test('counts nothing that the caller may not read', async () => {
    const { manager, admin } = org.users
    await story.ask('PUT', `/api/users/profile/${me}/`, { reports_to: manager.user_id })
    await story.allow('manager', { roles: { update: 'none' } })
    const before = await home('?as=team', manager.token)
    await task('Private', -1, { is_private: true })
    const secret = await story.make('/api/project/info/', { project_name: 'Secret' })
    await task('Hidden', -1, { project_id: secret })
    await story.ask('PUT', `/api/project/info/${secret}/`, { is_private: true })
    const after = await home('?as=team', manager.token)
    assert.deepEqual([after.groups, after.cards], [before.groups, before.cards])
    const all = await home('', admin.token)
    assert.equal(all.leads, false)
  })

  test('a module that one may not read has no rows, and the others stand', async () => {
    await task('Late', -1)
    await story.allow('member', { tasks: { read: 'none' } })
    const { groups, cards } = await home()
    assert.deepEqual([groups.late.rows, groups.late.count], [[], 0])
    assert.deepEqual(
      cards.map(({ is_failed }) => is_failed),
      cards.map(() => false),
    )
  })

  test('reads every part', async () => {
    const { manager } = org.users
    await story.ask('PUT', `/api/users/profile/${me}/`, { reports_to: manager.user_id })
    const { available } = await home('', manager.token)
    await story.ask('PUT', '/api/preferences/', { home: { cards: available } }, manager.token)
    for (const as of ['me', 'team']) {
      const { groups, cards } = await home(`?as=${as}`, manager.token)
      assert.equal(cards.length, 10)
      for (const part of [...Object.values(groups), ...cards]) assert.equal(part.is_failed, false)
    }
  })
})

test('a part that cannot be read says so', async () => {
  const warned: string[] = []
  const log = { warn: (_: object, message: string) => warned.push(message) }
  const part = await orFailed({ log } as never, Promise.reject(new Error('timeout')))
  assert.deepEqual([part.is_failed, part.rows, warned.length], [true, [], 1])
})
