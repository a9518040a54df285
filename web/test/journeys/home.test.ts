import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { planStory } from '../../../server/test/support/plan-story.ts'
import type { TestOrganization } from '../../../server/test/support/service.ts'
import { makeOrganization, password } from '../../../server/test/support/service.ts'
import { addDays } from '../../../server/src/kit/ground/dates.ts'
import { nextOn } from '../../src/home/words.ts'
import { byKeysAlone, focusIsAt, pressAt } from '../support/keyboard.ts'
import { whenSettled } from '../support/settled.ts'
import type { Look, TestWorkspace } from '../support/workspace.ts'
import { faultsOf, startWorkspace } from '../support/workspace.ts'

// A day of work from Home: what is to be done now, by keys and by finger, and what is said where there is nothing.

const pictures = process.env.PICTURES

describe('Home', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let org: TestOrganization
  let story: ReturnType<typeof planStory>
  let now: string
  let me: string

  before(async () => {
    // no job says anything while a test counts
    workspace = await startWorkspace({ jobs: false })
  })
  beforeEach(async () => {
    org = await makeOrganization(workspace.service)
    story = planStory(workspace.service, org)
    me = org.users.member.user_id
    now = (await home()).today
  })

  const home = (as = org.users.member.token) => story.ask('GET', '/api/home/', undefined, as)
  const task = (title: string, days: number | null, more: object = {}) =>
    story.make('/api/tasks/', {
      title,
      owner: me,
      due_date: days === null ? null : addDays(now, days),
      ...more,
    })
  const read = (id: string) => story.ask('GET', `/api/tasks/${id}/`)

  /** A page of somebody of the organization of the test. */
  async function open(who: 'admin' | 'manager' | 'member' | 'observer', look: Look = {}) {
    const { path = '/', ...rest } = look
    const page = await workspace.open(null, { ...rest, path: '/sign-in' })
    const reply = await page.context().request.post('/api/session/', {
      data: { email: org.users[who].email, password },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(reply.status(), 200)
    await page.goto(path)
    return page
  }

  const row = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true })
  const group = (page: Page, name: RegExp) => page.getByRole('region', { name })

  async function picture(page: Page, name: string) {
    if (!pictures) return
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
  }

  /** A project with late and waiting work, meetings, deals, an account and a mention. */
  async function fill() {
    const { admin } = org.users
    const project = await story.make('/api/project/info/', {
      project_name: 'Clairval Santé onboarding',
      project_manager: me,
      due_date: addDays(now, -2),
    })
    const late = await task('Agree on the cut-over evening', -4, { project_id: project })
    await task('Answer the security questions', -1, { project_id: project })
    const after = await task('Train the planners', 9, { project_id: project })
    await story.link(after, late)
    await task('Ask Maëlle for the rest of the export', 0, { project_id: project })
    await task('Confirm rooms for the training', 0)
    for (const at of [2, 3, 5]) await task(`Forms before the visit ${at}`, at)
    await story.ask(
      'POST',
      '/api/tasks/',
      { title: 'Check the sample without names', owner: admin.user_id, due_date: addDays(now, 3) },
      org.users.member.token,
    )
    const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    await story.make('/api/calendar/info/', {
      title: 'Weekly meeting',
      start: soon(-10),
      end: soon(50),
      users: [me],
      link: 'https://meet.example/weekly',
    })
    for (const [name, days] of [
      ['Olmeda onboarding', -6],
      ['Fret Tremblaie', -1],
    ] as const) {
      await story.make('/api/project/info/', {
        project_name: name,
        project_owner: me,
        due_date: addDays(now, days),
      })
    }
    return { project, late }
  }

  test('is one request, and its counts are those of the lists that it leads to', async () => {
    for (let at = 0; at < 30; at++) await task(`Check the export, part ${at}`, -2)
    await fill()
    const page = await open('member')
    const settled = whenSettled(page)
    await row(page, 'Agree on the cut-over evening').waitFor()
    await settled()
    const sent: string[] = []
    // the sidebar has the modules, and the count of what is unread
    const others = ['/api/modules/', '/api/notifyhub/notify-info/unread-count/', '/api/stream/']
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/') && !others.includes(pathname)) sent.push(pathname)
    })
    await page.reload()
    await row(page, 'Agree on the cut-over evening').waitFor()
    assert.deepEqual(sent, ['/api/home/'])
    await settled()
    const elements = await page.locator('body *').count()
    assert.ok(elements <= 900, `${elements} elements`)
    const late = group(page, /^Late/)
    assert.match(await late.getByRole('heading').innerText(), /Late\s*32/)
    await late.getByRole('link', { name: 'Late: show all 32' }).click()
    const heading = page.getByRole('heading', { level: 1, name: 'Tasks' })
    await heading.waitFor()
    await page.getByRole('main').getByText('32', { exact: true }).first().waitFor()
    await page.goBack()
    const card = group(page, /^Projects going late/)
    assert.match(await card.getByRole('heading').innerText(), /3/)
    await card.getByRole('link', { name: 'Projects going late: all' }).click()
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    await page.getByRole('main').getByText('3', { exact: true }).first().waitFor()
  })

  test('five rows are cleared by keys alone, and two taken back', async (t) => {
    // who made a task may take back that they gave it away
    const own = (title: string, days: number) =>
      story
        .call(
          'POST',
          '/api/tasks/',
          { title, owner: me, due_date: addDays(now, days) },
          org.users.member.token,
        )
        .then(({ headers }) => String(headers.get('x-record-id')))
    await own('Agree on the cut-over evening', -4)
    const thursday = await own('Answer the security questions', -3)
    const given = await own('Ask for the rest of the export', -2)
    const snoozed = await own('Review the booking rules', -1)
    const asked = await own('Confirm rooms for the training', 0)
    const page = await byKeysAlone(await open('member'))
    const { keyboard } = page
    await row(page, 'Confirm rooms for the training').waitFor()
    const began = performance.now()
    await keyboard.press('j')
    await focusIsAt(page, row(page, 'Agree on the cut-over evening'))
    await keyboard.press('Space')
    await focusIsAt(page, row(page, 'Answer the security questions'))
    await keyboard.press('4')
    await focusIsAt(page, row(page, 'Ask for the rest of the export'))
    await keyboard.press('a')
    await page.getByRole('combobox', { name: /^Give/ }).waitFor()
    await keyboard.type('manager')
    await keyboard.press('Enter')
    await page.getByText(/has “Ask for the rest of the export” now/).waitFor()
    await focusIsAt(page, row(page, 'Review the booking rules'))
    await keyboard.press('z')
    await page.getByRole('combobox', { name: /^Move/ }).waitFor()
    await keyboard.type('two weeks')
    await keyboard.press('Enter')
    await page.getByText(/“Review the booking rules” moved to/).waitFor()
    await focusIsAt(page, row(page, 'Confirm rooms for the training'))
    await keyboard.press('r')
    await focusIsAt(page, page.getByRole('textbox', { name: /comment/i }))
    await keyboard.type('The rooms are free until noon')
    await keyboard.press('Control+Enter')
    await page
      .getByRole('complementary')
      .getByRole('listitem')
      .getByText('The rooms are free')
      .waitFor()
    const seconds = (performance.now() - began) / 1000
    t.diagnostic(`${seconds.toFixed(1)} s`)
    assert.ok(seconds < 20, `${seconds} s`)
    assert.equal((await read(thursday)).due_date, nextOn(4, now))
    assert.equal((await read(given)).owner.user_id, org.users.manager.user_id)
    assert.equal((await read(snoozed)).due_date, addDays(now, 14))
    const comments = await story.ask(
      'GET',
      `/api/interactions/info/?module_name=tasks&reference_id=${asked}`,
    )
    assert.match(JSON.stringify(comments), /The rooms are free/)
    while (await page.getByRole('complementary', { name: /Confirm rooms/ }).count()) {
      await keyboard.press('Escape')
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    }
    await focusIsAt(page, row(page, 'Confirm rooms for the training'))
    await keyboard.press('u')
    await row(page, 'Review the booking rules').waitFor()
    await page.getByText(/^Undone: “Review/).waitFor()
    await keyboard.press('u')
    await row(page, 'Ask for the rest of the export').waitFor()
    // not all notices together, of which an earlier one says who has it
    await page.getByText(/^Undone: [^“]* has “Ask/).waitFor()
    assert.equal((await read(snoozed)).due_date, addDays(now, -1))
    assert.equal((await read(given)).owner.user_id, me)
  })

  test('follows others: a row given away says so and leaves, a new one comes in', async () => {
    const lost = await task('Answer the security questions', -1)
    await task('Confirm rooms', 0)
    const page = await open('member')
    await row(page, 'Confirm rooms').focus()
    await story.ask('PUT', `/api/tasks/${lost}/`, { owner: org.users.admin.user_id })
    await page.getByText('Given to somebody else meanwhile').waitFor()
    await row(page, 'Answer the security questions').waitFor({ state: 'detached' })
    await task('Ask Maëlle', -3)
    await row(page, 'Ask Maëlle').waitFor()
    await focusIsAt(page, row(page, 'Confirm rooms'))
  })

  test('offline it says of when it is, and what is ticked is stored later', async () => {
    const id = await task('Confirm rooms', 0)
    await task('Ask Maëlle', 1)
    const page = await open('member')
    await row(page, 'Ask Maëlle').waitFor()
    // what an act needs has been read
    await row(page, 'Ask Maëlle').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Ask Maëlle' }).waitFor()
    await page.keyboard.press('Escape')
    await page.context().setOffline(true)
    await page.getByText(/as of \d/).waitFor()
    await page.getByRole('checkbox', { name: 'Complete Confirm rooms' }).click()
    await page.getByRole('checkbox', { name: 'Complete Confirm rooms', checked: true }).waitFor()
    assert.equal((await read(id)).is_completed, false)
    await page.context().setOffline(false)
    await page.getByText('“Confirm rooms” is done').waitFor()
    assert.equal((await read(id)).is_completed, true)
    await page.getByText(/as of \d/).waitFor({ state: 'detached' })
    // what the page loads ahead is not there without a network
    const faults = faultsOf(page).splice(0)
    assert.ok(faults.every((fault) => fault.includes('ERR_INTERNET_DISCONNECTED')))
  })

  test('a first day has its starts, and a module without rights no card', async () => {
    const page = await open('admin')
    await page.getByRole('heading', { name: 'Bring your data' }).waitFor()
    await page.getByRole('heading', { name: 'Nothing is assigned to you yet' }).waitFor()
    for (const name of [
      'Import contacts',
      'Create a project from a template',
      'Invite a colleague',
    ])
      await page.getByRole('link', { name }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'home-first')
    await story.ask('POST', '/api/company/', { company_name: 'Clairval Santé' })
    const member = await open('member')
    await member.getByRole('heading', { name: 'Nothing is assigned to you yet' }).waitFor()
    assert.equal(await member.getByRole('heading', { name: 'Bring your data' }).count(), 0)
    await group(member, /^Accounts at risk/).waitFor()
    await story.allow('member', { accounts: { read: 'none' } })
    await member.reload()
    await group(member, /^Mentions/).waitFor()
    assert.equal(await group(member, /^Accounts at risk/).count(), 0)
  })

  test('is arranged: a role, cards away and in another order, and back again', async () => {
    const page = await byKeysAlone(await open('member'))
    const { keyboard } = page
    const shown = () => page.locator('main h2[id]').allInnerTexts()
    await group(page, /^Mentions/).waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Arrange Home' }))
    await pressAt(page, page.getByRole('checkbox', { name: 'Mentions' }), 'Space')
    await page.getByText('Mentions is hidden').waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Move Meetings to prepare up' }))
    await page.getByText('Meetings to prepare moved').waitFor()
    await keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Arrange Home' }).waitFor({ state: 'detached' })
    await page.reload()
    await group(page, /^Accounts at risk/).waitFor()
    assert.deepEqual(await shown(), [
      'Projects going late',
      'Meetings to prepare',
      'Accounts at risk',
    ])
    await pressAt(page, page.getByRole('button', { name: 'Arrange Home' }))
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'home-arrange')
    await pressAt(page, page.getByRole('radio', { name: 'Delivery' }), 'ArrowDown')
    await page.getByText('Home is for sales').waitFor()
    await keyboard.press('Escape')
    // what is behind a dialog is nobody's while it is open
    await group(page, /^Closing this month/).waitFor()
    assert.equal((await home()).role, 'sales')
    await pressAt(page, page.getByRole('button', { name: 'Arrange Home' }))
    await pressAt(page, page.getByRole('button', { name: 'Back to the usual' }))
    await page.getByText('Home is as usual again').waitFor()
    await keyboard.press('Escape')
    await group(page, /^Projects going late/).waitFor()
    assert.equal((await home()).role, 'delivery')
  })

  test('who leads sees what the team has to do', async () => {
    await task('Answer the security questions', -1)
    await story.ask('PUT', `/api/users/profile/${me}/`, { reports_to: org.users.manager.user_id })
    const page = await open('manager')
    await group(page, /^Team/).waitFor()
    assert.equal(await row(page, 'Answer the security questions').count(), 0)
    await page.keyboard.press('Shift+m')
    await row(page, 'Answer the security questions').waitFor()
    await page
      .getByText(/member of/)
      .first()
      .waitFor()
    await page.getByRole('radio', { name: 'Me', exact: true }).click()
    await row(page, 'Answer the security questions').waitFor({ state: 'detached' })
  })

  test('all done says what is next', async () => {
    await task('Import the data', 1)
    const page = await open('member')
    await page.getByText('Done for today. Next: Import the data, tomorrow.').waitFor()
    await picture(page, 'home-done')
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`has no fault on a wide page and a phone, ${theme}`, async () => {
      await fill()
      for (const screen of ['wide', 'phone'] as const) {
        const page = await open('member', { theme, screen })
        await row(page, 'Agree on the cut-over evening').waitFor()
        if (screen === 'phone') {
          await page.getByRole('region', { name: 'Next meeting' }).waitFor()
          await picture(page, `home-${screen}-${theme}`)
          await page.getByRole('button', { name: 'More', exact: true }).click()
          await row(page, 'Olmeda onboarding').waitFor()
        } else {
          await page.keyboard.press('j')
          await page.getByRole('button', { name: /^Done/ }).waitFor()
          await picture(page, `home-${screen}-${theme}`)
        }
        assert.deepEqual(await problemsOf(page), [])
        const tooWide = await page.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
        )
        assert.equal(tooWide, false)
      }
    })
  }
})
