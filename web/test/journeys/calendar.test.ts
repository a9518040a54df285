import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../../server/src/kit/ground/ids.ts'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { picture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// Meetings and due tasks on their days, whatever the clocks do.

describe('the calendar', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let admin: { user_id: string; timezone: string }

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
    const known = workspace.demo.people.find(({ role }) => role === 'admin')
    assert.ok(known)
    admin = await userAt(known.email)
    // the clock of a city that changes it
    await call('PUT', `/api/users/profile/${admin.user_id}/`, {
      timezone: 'Europe/Paris',
      locale: 'en-GB',
    })
  })

  const schedule = async (title: string, start: string, end: string, more: object = {}) => {
    const calendar_id = newId()
    await call('POST', '/api/calendar/info/', { calendar_id, title, start, end, ...more })
    return calendar_id
  }
  const userAt = async (email: string) => {
    const users = await call('GET', '/api/users/profile/?page=1&items_per_page=100')
    const found = users.find((each: { email: string }) => each.email === email)
    assert.ok(found, email)
    return found
  }
  const read = (id: string) => call('GET', `/api/calendar/info/${id}/`)
  const entry = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

  test('shows a week, with a series on the same hour on both sides of a change of clocks', async () => {
    const people = { users: [admin.user_id] }
    await schedule('Weekly review', '2027-03-22T09:00:00Z', '2027-03-22T10:00:00Z', {
      repeat: 'FREQ=DAILY;COUNT=10',
      timezone: 'Europe/Paris',
      ...people,
    })
    const [project] = await call('GET', '/api/project/info/?page=1&items_per_page=1')
    const milestone = { name: 'Data is in', due_date: '2027-03-26', owner: admin.user_id }
    await call('POST', `/api/project/info/${project.project_id}/milestones/`, milestone)
    const page = await workspace.open('admin', { path: '/calendar?on=2027-03-26' })
    await page.getByRole('grid', { name: 'Calendar' }).waitFor()
    await page.getByRole('link', { name: 'Milestone Data is in' }).waitFor()
    await picture(page, 'calendar-milestone')
    for (const day of ['2027-03-26', '2027-03-28']) {
      const cell = page.locator(`[data-day="${day}"]`)
      await cell.getByRole('button', { name: /^Weekly review, 10:00.*repeats/ }).waitFor()
    }
    await page.keyboard.press(']')
    await page.waitForURL(/on=2027-04-02/)
    await entry(page, /^Weekly review, 10:00/)
      .first()
      .waitFor()
    await page.locator('[data-stale=false]').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'calendar-clocks')
  })

  for (const [screen, theme] of [
    ['wide', 'light'],
    ['wide', 'dark'],
    ['phone', 'light'],
    ['phone', 'dark'],
  ] as const) {
    test(`is a month, a week, a day and a list, ${screen}, ${theme}`, async () => {
      const page = await workspace.open('admin', { path: '/calendar?who=team', screen, theme })
      await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
      const views = screen === 'phone' ? ['Day', 'List'] : ['Month', 'Week', 'Day', 'List']
      for (const view of views) {
        await page.getByRole('radio', { name: view }).click()
        const shown = page.locator('[data-stale=false]')
        await shown.waitFor()
        if (view === 'List')
          await page.getByRole('link', { name: 'All meetings as a table' }).waitFor()
        else if (screen === 'wide') await page.getByRole('grid', { name: 'Calendar' }).waitFor()
        const sideways = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        assert.ok(sideways <= 0, `${view}: ${sideways} px too wide`)
        assert.deepEqual(await problemsOf(page), [], view)
        await picture(page, `calendar-${view.toLowerCase()}-${screen}-${theme}`)
      }
      // each page that is open follows the changes
      await page.context().close()
    })
  }

  test('a day of a month counts what it has no room for, milestones too', async () => {
    const [project] = await call('GET', '/api/project/info/?page=1&items_per_page=1')
    for (const n of [1, 2, 3, 4]) {
      const milestone = { name: `End ${n}`, due_date: '2031-04-15', owner: admin.user_id }
      await call('POST', `/api/project/info/${project.project_id}/milestones/`, milestone)
    }
    await schedule('Counted', '2031-04-15T08:00:00Z', '2031-04-15T09:00:00Z')
    const page = await workspace.open('admin', { path: '/calendar?on=2031-04-15&as=month' })
    const day = page.locator('[data-day="2031-04-15"]')
    await day.getByText('3 more', { exact: true }).waitFor()
    assert.equal(await day.getByRole('link', { name: /^Milestone End/ }).count(), 2)
    await page.context().close()
  })

  test('gets a meeting by drawing it over the hours, which a notice takes back', async () => {
    const page = await workspace.open('admin', { path: '/calendar?on=2031-05-14' })
    const day = page.locator('[data-day="2031-05-15"]')
    await day.waitFor()
    const box = await day.boundingBox()
    assert.ok(box)
    const x = box.x + box.width / 2
    await page.mouse.move(x, box.y + 48 * 10 + 2)
    await page.mouse.down()
    await page.mouse.move(x, box.y + 48 * 10 + 30)
    await page.mouse.move(x, box.y + 48 * 11 + 22)
    await page.mouse.up()
    const form = page.getByRole('dialog', { name: 'New meeting' })
    await form.getByLabel('Title').fill('Drawn meeting')
    assert.equal(await form.getByLabel('From').inputValue(), '10:00')
    assert.equal(await form.getByLabel('To', { exact: true }).inputValue(), '11:30')
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'calendar-create')
    await form.getByRole('button', { name: 'Add to calendar' }).click()
    await entry(page, /^Drawn meeting, 10:00.*11:30/).waitFor()
    const [made] = await call(
      'GET',
      '/api/calendar/info/?page=1&items_per_page=1&q=Drawn%20meeting',
    )
    assert.equal(made.start, '2031-05-15T08:00:00.000Z')
    assert.equal(made.end, '2031-05-15T09:30:00.000Z')
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await entry(page, /^Drawn meeting/).waitFor({ state: 'detached' })
  })

  test('is worked by keys alone: a slot, a meeting, its answer', async () => {
    const id = await schedule('Answer me', '2031-06-18T08:00:00Z', '2031-06-18T09:00:00Z', {
      users: [admin.user_id],
    })
    const page = await workspace.open('admin', { path: '/calendar?on=2031-06-18' })
    const meeting = entry(page, /^Answer me, 10:00/)
    await meeting.waitFor()
    await meeting.focus()
    await page.keyboard.press('Enter')
    const look = page.getByRole('dialog', { name: 'Answer me' })
    await look.getByRole('button', { name: 'Maybe' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'calendar-look')
    const answered = page.waitForResponse((each) => each.url().endsWith('/respond/'))
    await look.getByRole('button', { name: 'Maybe' }).press('Enter')
    await answered
    assert.equal((await read(id)).attendees[0].response, 'tentative')
    await look.getByRole('button', { name: 'Maybe', pressed: true }).waitFor()
    await page.keyboard.press('Escape')
    await look.waitFor({ state: 'detached' })
    // the slot: a quarter of an hour later, a day later, longer
    await page.locator('[data-slot]').focus()
    for (const key of ['ArrowDown', 'ArrowRight', 'Shift+ArrowDown']) await page.keyboard.press(key)
    const slot = page.locator('[data-slot]')
    assert.match((await slot.getAttribute('aria-label')) ?? '', /19.* 0?9:15.* to 10:00.*, free/)
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New meeting' })
    await form.getByLabel('Title').fill('By keys')
    await page.keyboard.press('Enter')
    await entry(page, /^By keys, 0?9:15.*10:00/).waitFor()
  })

  test('marks a slot on a day that is shown, and passes hidden ones over', async () => {
    const page = await workspace.open('admin', { path: '/calendar?on=2031-06-21&hide=weekend' })
    const slot = page.locator('[data-slot]')
    await slot.focus()
    assert.match((await slot.getAttribute('aria-label')) ?? '', /Friday.*20.*9:00/)
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/on=2031-06-23/)
    const monday = page.locator('[data-day="2031-06-23"] [data-slot]')
    await monday.waitFor()
    await page.waitForFunction(() => document.activeElement?.matches('[data-slot]'))
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/on=2031-06-20/)
    await page.locator('[data-day="2031-06-20"] [data-slot]').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.context().close()
  })

  test('shows whose meetings are chosen, and takes the place of the list of meetings', async () => {
    const member = workspace.demo.people.find(({ role }) => role === 'member')
    assert.ok(member)
    const user = await userAt(member.email)
    await schedule('Only the member', '2031-07-16T08:00:00Z', '2031-07-16T09:00:00Z', {
      users: [user.user_id],
    })
    await call('POST', '/api/calendar/info/', {
      title: 'Mine alone',
      start: '2031-07-17T08:00:00Z',
      end: '2031-07-17T09:00:00Z',
    })
    const page = await workspace.open('admin', {
      path: `/calendar?on=2031-07-16&who=${user.user_id}`,
    })
    await entry(page, /^Only the member/).waitFor()
    assert.equal(await entry(page, /^Mine alone/).count(), 0)
    await page.getByRole('checkbox', { name: 'My meetings' }).click()
    await entry(page, /^Mine alone/).waitFor()
    await page.goto('/meetings')
    await page.waitForURL(/\/calendar\?as=list/)
    await page.getByRole('link', { name: 'All meetings as a table' }).click()
    await page.getByRole('heading', { level: 1, name: 'Meetings' }).waitFor()
  })

  test('shows what one has declined with those who have it, struck through', async () => {
    const member = workspace.demo.people.find(({ role }) => role === 'member')
    assert.ok(member)
    const { user_id } = await userAt(member.email)
    const [start, end] = ['2031-07-23T08:00:00Z', '2031-07-23T09:00:00Z']
    const id = await schedule('Without me', start, end, { users: [admin.user_id, user_id] })
    await call('POST', `/api/calendar/info/${id}/respond/`, { response: 'declined' })
    await schedule('With me', start, end, { users: [admin.user_id] })
    const page = await workspace.open('admin', { path: '/calendar?on=2031-07-23' })
    await entry(page, /^With me/).waitFor()
    assert.equal(await entry(page, /^Without me/).count(), 0)
    await page.goto(`/calendar?on=2031-07-23&who=me,${user_id}`)
    await entry(page, /^Without me, .*, declined/).waitFor()
    await picture(page, 'calendar-declined')
    // nobody is chosen
    await page.goto('/calendar?on=2031-07-23&who=none')
    await page.locator('[data-slot]').waitFor()
    assert.equal(await page.locator('[data-entry]').count(), 0)
    assert.equal(await page.locator('[data-stale=false]').count(), 1)
  })

  const has = (page: Page, name: string) =>
    page.waitForFunction(
      (text) => document.activeElement?.getAttribute('aria-label')?.startsWith(text),
      name,
    )
  const stored = (page: Page) =>
    page.waitForResponse(
      (each) => each.request().method() === 'PUT' && each.url().includes('/api/calendar/info/'),
    )

  test('moves and lengthens a meeting by keys and by pointer, and takes it back', async () => {
    const id = await schedule('Move me', '2031-08-13T08:00:00Z', '2031-08-13T09:00:00Z')
    const page = await workspace.open('admin', { path: '/calendar?on=2031-08-13' })
    await entry(page, /^Move me, 10:00/).focus()
    const times = async () => {
      const { start, end } = await read(id)
      return `${start.slice(8, 16)} ${end.slice(8, 16)}`
    }
    for (const [key, name, expected] of [
      ['Alt+ArrowDown', 'Move me, 10:15', '13T08:15 13T09:15'],
      ['Alt+ArrowRight', 'Move me, 10:15', '14T08:15 14T09:15'],
      ['Alt+Shift+ArrowDown', 'Move me, 10:15', '14T08:15 14T09:30'],
    ] as const) {
      const saved = stored(page)
      await page.keyboard.press(key)
      await saved
      await has(page, name)
      assert.equal(await times(), expected)
    }
    for (const expected of ['14T08:15 14T09:15', '13T08:15 13T09:15', '13T08:00 13T09:00']) {
      const saved = stored(page)
      await page.keyboard.press('Control+z')
      await saved
      assert.equal(await times(), expected)
    }
    const from = await entry(page, /^Move me, 10:00/).boundingBox()
    const to = await page.locator('[data-day="2031-08-15"]').boundingBox()
    assert.ok(from && to)
    const saved = stored(page)
    await page.mouse.move(from.x + 20, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(from.x + 40, from.y + 30)
    await page.mouse.move(to.x + 20, from.y + 10 + 96)
    await picture(page, 'calendar-drag')
    await page.mouse.up()
    await saved
    await entry(page, /^Move me, 12:00/).waitFor()
    assert.equal(await times(), '15T10:00 15T11:00')
    assert.equal(await page.getByRole('dialog', { name: 'Move me', exact: true }).count(), 0)
    // the same by fields
    await entry(page, /^Move me, 12:00/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Move/ }).click()
    const form = page.getByRole('dialog', { name: 'Move “Move me”' })
    await form.getByLabel('From').fill('09:00')
    const again = stored(page)
    await form.getByRole('button', { name: 'Move' }).click()
    await again
    await entry(page, /^Move me, 0?9:00/).waitFor()
    assert.equal(await times(), '15T07:00 15T08:00')
    assert.deepEqual(await problemsOf(page), [])
  })

  test('moves one, some or all meetings of a series, and takes each back', async () => {
    const id = await schedule('Series', '2031-09-01T08:00:00Z', '2031-09-01T08:30:00Z', {
      repeat: 'FREQ=WEEKLY;BYDAY=MO;COUNT=4',
      timezone: 'Europe/Paris',
    })
    const starts = async () => {
      const bounds = 'start=2031-08-25T00:00:00Z&end=2031-10-31T00:00:00Z&items_per_page=99'
      const all = await call('GET', `/api/calendar/info/?page=1&${bounds}`)
      return all
        .filter(({ title }: { title: string }) => title === 'Series')
        .map(({ start }: { start: string }) => start.slice(5, 16))
    }
    const before = ['09-01T08:00', '09-08T08:00', '09-15T08:00', '09-22T08:00']
    assert.deepEqual(await starts(), before)
    const page = await workspace.open('admin', { path: '/calendar?on=2031-09-08' })
    for (const [scope, expected] of [
      ['This one', ['09-01T08:00', '09-09T08:00', '09-15T08:00', '09-22T08:00']],
      ['This and later ones', ['09-01T08:00', '09-09T08:00', '09-16T08:00', '09-23T08:00']],
      ['All of the series', ['09-02T08:00', '09-09T08:00', '09-16T08:00', '09-23T08:00']],
    ] as const) {
      await entry(page, /^Series, 10:00/).focus()
      await page.keyboard.press('Alt+ArrowRight')
      const question = page.getByRole('dialog', { name: 'Move “Series”' })
      await question.getByRole('radio', { name: scope }).click()
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, 'calendar-series')
      await question.getByRole('button', { name: 'Move' }).click()
      await question.waitFor({ state: 'detached' })
      const cell = page.locator('[data-day="2031-09-09"]')
      await cell.getByRole('button', { name: /^Series, 10:00/ }).waitFor()
      assert.deepEqual(await starts(), expected, scope)
      await page.getByRole('button', { name: 'Undo' }).first().click()
      await page
        .getByText(/^Undone: /)
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Close' }).first().click()
      assert.deepEqual(await starts(), before, scope)
    }
    assert.equal((await read(id)).repeat.rrule, 'FREQ=WEEKLY;BYDAY=MO;COUNT=4')
    await entry(page, /^Series, 10:00/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Cancel meeting/ }).click()
    const form = page.getByRole('dialog', { name: 'Cancel “Series”' })
    const saved = stored(page)
    await form.getByRole('button', { name: 'Drop this date' }).click()
    await saved
    await entry(page, /^Series, 10:00/).waitFor({ state: 'detached' })
    assert.deepEqual(await starts(), [before[0], before[2], before[3]])
  })

  test('brings answers back with an undo, keeps what others change, and tells of it', async () => {
    const other = await workspace.as('manager')
    const member = await workspace.as('member')
    const known = workspace.demo.people.find(({ role }) => role === 'member')
    assert.ok(known)
    const { user_id } = await userAt(known.email)
    const users = [admin.user_id, user_id]
    const accept = (id: string) =>
      member('POST', `/api/calendar/info/${id}/respond/`, { response: 'accepted' })
    const answerOf = async (id: string) =>
      (await read(id)).attendees.find((each: { id: string }) => each.id === user_id).response
    const undone = (page: Page) =>
      page
        .getByText(/^Undone: /)
        .first()
        .waitFor()

    const one = await schedule('Agreed', '2031-10-15T08:00:00Z', '2031-10-15T09:00:00Z', { users })
    await accept(one)
    const page = await workspace.open('admin', { path: '/calendar?on=2031-10-15' })
    await entry(page, /^Agreed, 10:00/).focus()
    const move = async () => {
      const saved = stored(page)
      await page.keyboard.press('Alt+ArrowDown')
      await saved
      await has(page, 'Agreed, 10:15')
    }
    await move()
    assert.equal(await answerOf(one), 'needs_action')
    await page.keyboard.press('Control+z')
    await undone(page)
    await entry(page, /^Agreed, 10:00/).waitFor()
    assert.equal(await answerOf(one), 'accepted')

    // somebody else has moved it since
    await entry(page, /^Agreed, 10:00/).focus()
    await move()
    const start = '2031-10-15T11:00:00.000Z'
    await other('PUT', `/api/calendar/info/${one}/`, { start, end: '2031-10-15T12:00:00Z' })
    await page.keyboard.press('Control+z')
    await page
      .getByText(/changed it meanwhile/)
      .first()
      .waitFor()
    await entry(page, /^Agreed, 13:00/).waitFor()
    assert.equal((await read(one)).start, start)
    expectFaults(page, /412/)

    const all = await schedule('Daily', '2031-10-21T12:00:00Z', '2031-10-21T12:30:00Z', {
      repeat: 'FREQ=DAILY;UNTIL=20311024',
      timezone: 'Europe/Paris',
      users,
    })
    await accept(all)
    await page.goto('/calendar?on=2031-10-22')
    const day = (date: string) => page.locator(`[data-day="${date}"]`)
    const daily = (date: string) => day(date).getByRole('button', { name: /^Daily, 14:00/ })
    await daily('2031-10-22').click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Cancel meeting/ }).click()
    const form = page.getByRole('dialog', { name: 'Cancel “Daily”' })
    await form.getByText('1 person is told by mail.').waitFor()
    await form.getByRole('button', { name: 'Drop this date' }).click()
    // behind the form nothing of the page has a role
    await form.waitFor({ state: 'detached' })
    await daily('2031-10-22').waitFor({ state: 'detached' })
    const exdates = ['2031-10-22', '2031-10-23']
    await other('PUT', `/api/calendar/info/${all}/`, { repeat: { exdates } })
    await daily('2031-10-23').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await undone(page)
    await daily('2031-10-22').waitFor()
    assert.deepEqual((await read(all)).repeat.exdates, ['2031-10-23'])
    assert.equal(await answerOf(all), 'accepted')
    expectFaults(page, /412/)

    // the last day moves with the series
    await daily('2031-10-22').focus()
    await page.keyboard.press('Alt+ArrowRight')
    const question = page.getByRole('dialog', { name: 'Move “Daily”' })
    await question.getByRole('radio', { name: 'All of the series' }).click()
    await question.getByRole('button', { name: 'Move' }).click()
    await question.waitFor({ state: 'detached' })
    const { repeat } = await read(all)
    assert.deepEqual(repeat, { rrule: 'FREQ=DAILY;UNTIL=20311025', exdates: ['2031-10-24'] })
    await page.keyboard.press('Control+z')
    await daily('2031-10-21').waitFor()
    await daily('2031-10-22').waitFor()
    assert.equal((await read(all)).repeat.rrule, 'FREQ=DAILY;UNTIL=20311024')
    assert.equal(await answerOf(all), 'accepted')
  })

  test('leaves a meeting that is taken out of a series to its organizer, and overwrites nobody', async () => {
    const other = await workspace.as('manager')
    const known = workspace.demo.people.find(({ role }) => role === 'manager')
    assert.ok(known)
    const { user_id } = await userAt(known.email)
    const calendar_id = newId()
    await other('POST', '/api/calendar/info/', {
      calendar_id,
      title: 'Theirs',
      start: '2031-11-04T09:00:00Z',
      end: '2031-11-04T09:30:00Z',
      repeat: 'FREQ=DAILY;COUNT=3',
      timezone: 'Europe/Paris',
      users: [admin.user_id],
    })
    const page = await workspace.open('admin', { path: '/calendar?on=2031-11-05' })
    const on = (date: string, name: RegExp) =>
      page.locator(`[data-day="${date}"]`).getByRole('button', { name })
    const question = page.getByRole('dialog', { name: 'Move “Theirs”' })
    const ask = async (date: string) => {
      await on(date, /^Theirs, 10:00/).focus()
      await page.keyboard.press('Alt+ArrowDown')
      await question.waitFor()
    }
    await ask('2031-11-05')
    await question.getByRole('button', { name: 'Move' }).click()
    await on('2031-11-05', /^Theirs, 10:15/).waitFor()
    const all = await call('GET', '/api/calendar/info/?page=1&items_per_page=9&q=Theirs')
    const copy = all.find((each: { calendar_id: string }) => each.calendar_id !== calendar_id)
    const people = copy.attendees.map(({ id }: { id: string }) => id)
    assert.deepEqual(people.toSorted(), [admin.user_id, user_id].toSorted())

    // while the question stands, the organizer moves the series
    await ask('2031-11-04')
    await question.getByRole('radio', { name: 'All of the series' }).click()
    const start = '2031-11-04T15:00:00.000Z'
    const end = '2031-11-04T15:30:00.000Z'
    await other('PUT', `/api/calendar/info/${calendar_id}/`, { start, end })
    await question.getByRole('button', { name: 'Move' }).click()
    await page
      .getByText(/changed it meanwhile/)
      .first()
      .waitFor()
    await question.waitFor({ state: 'detached' })
    await on('2031-11-04', /^Theirs, 16:00/).waitFor()
    assert.equal((await read(calendar_id)).start, start)
    expectFaults(page, /412/)
    assert.deepEqual(await problemsOf(page), [])
  })
})
