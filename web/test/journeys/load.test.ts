import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { byKeysAlone, focusIsAt, tabTo } from '../support/keyboard.ts'
import { isStored, planProject } from '../support/plan.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// Who has too much to do, and who could take some of it: by the pointer, by keys alone, and on a phone.

describe('the load of people', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  const path = '/projects?as=load'

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  type Person = { user: { user_id: string; full_name: string }; weeks: Week[] }
  type Week = { week: string; planned: number; capacity: number; without_estimate: number }
  const read = (): Promise<{ people: Person[]; today: string }> => call('GET', '/api/load/')

  /** Somebody with more work than time in the week after next, and somebody with the same job title. */
  async function tooMuch(word: string) {
    const { people } = await read()
    const [from, to] = people as [Person, Person]
    const profile = (person: Person, body: object) =>
      call('PUT', `/api/users/profile/${person.user.user_id}/`, body)
    for (const person of [from, to]) await profile(person, { designation: `Trainer of ${word}` })
    await profile(to, { weekly_hours: 100 })
    const { week, capacity, planned } = from.weeks[2]!
    const owner = from.user.user_id
    const task = (title: string, estimate_minutes?: number) =>
      call('POST', '/api/tasks/', {
        title,
        owner,
        start_date: week,
        due_date: week,
        estimate_minutes,
      })
    await task(`Front desks of ${word}`, Math.max(capacity - planned, 120) - 60)
    await task(`Administrators of ${word}`, 960)
    await task(`Nobody knows of ${word}`)
    return { from: from.user, to: to.user, week }
  }

  const cell = (page: Page, name: string, at: number) =>
    page
      .getByRole('row')
      .filter({ hasText: name })
      .getByRole('gridcell')
      .nth(at)
      .getByRole('button')

  /** Waits for what is planned of somebody in the week after next, in minutes. */
  async function isPlanned(user: string, planned: number) {
    const deadline = performance.now() + 15_000
    for (;;) {
      const { people } = await read()
      const found = people.find((person) => person.user.user_id === user)!.weeks[2]!.planned
      if (found === planned) return
      assert.ok(performance.now() < deadline, `${found} instead of ${planned}`)
    }
  }
  const plannedOf = async (user: string) =>
    (await read()).people.find((person) => person.user.user_id === user)!.weeks[2]!.planned

  test('a cell opens its tasks, one of which goes to a person with the same job title, and comes back', async () => {
    const { from, to } = await tooMuch('Lyon')
    const page = await workspace.open('admin', { path: '/tasks' })
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/load/')) requests.push(request.url())
    })
    await page.goto(workspace.url + path)
    await page.getByRole('grid', { name: 'Load of people by week' }).waitFor()
    assert.equal(requests.length, 1, requests.join())
    const over = cell(page, from.full_name, 2)
    const name = `${from.full_name}, week of .*, over, \\d+ without estimate$`
    await page
      .getByRole('button', { name: new RegExp(name) })
      .first()
      .waitFor()
    assert.deepEqual(await problemsOf(page), [])
    const before = { from: await plannedOf(from.user_id), to: await plannedOf(to.user_id) }
    await over.click()
    await page.getByText('Administrators of Lyon', { exact: true }).waitFor()
    await page.getByText('Both weeks would be within capacity.').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    if (process.env.PICTURES)
      await page.screenshot({ path: join(process.env.PICTURES, 'load.png') })
    await page.getByRole('button', { name: `of Administrators of Lyon to ${to.full_name}` }).click()
    await isPlanned(from.user_id, before.from - 960)
    await isPlanned(to.user_id, before.to + 960)
    await page.getByRole('button', { name: 'Undo' }).click()
    await isPlanned(from.user_id, before.from)
    await isPlanned(to.user_id, before.to)
    await page.context().close()
  })

  test('by keys alone: arrows to a cell, a for its first task, a name, and both weeks are previewed', async () => {
    const { from, to } = await tooMuch('Bron')
    const page = await workspace.open('admin', { path })
    await byKeysAlone(page)
    await page.getByRole('grid', { name: 'Load of people by week' }).waitFor()
    // the one stop of the grid
    await page.getByRole('grid').locator('button[tabindex="0"]').focus()
    await page.keyboard.press('Home')
    for (let n = 0; n < 2; n++) await page.keyboard.press('ArrowRight')
    await focusIsAt(page, cell(page, from.full_name, 2))
    const before = { from: await plannedOf(from.user_id), to: await plannedOf(to.user_id) }
    await page.keyboard.press('a')
    await page.getByRole('textbox', { name: 'Find a person' }).waitFor()
    await page.keyboard.type(to.full_name)
    await page.keyboard.press('Tab')
    await page.locator('[data-previewed]').nth(1).waitFor()
    assert.equal(await page.locator('[data-previewed]').count(), 2)
    assert.deepEqual(await problemsOf(page), [])
    await page.keyboard.press('Enter')
    await page.getByText(`${to.full_name} has “`).waitFor()
    assert.ok((await plannedOf(to.user_id)) > before.to)
    await page.context().close()
  })

  /** Takes a task of the open cell and holds it over another cell; the returned function drops it there. */
  async function drag(page: Page, title: string, over: ReturnType<typeof cell>) {
    const from = await page.getByText(title, { exact: true }).boundingBox()
    assert.ok(from)
    await page.mouse.move(from.x + 8, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(from.x + 14, from.y + from.height / 2, { steps: 3 })
    const to = await over.boundingBox()
    assert.ok(to)
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2 - 6, { steps: 4 })
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 2 })
    await page.locator('[data-previewed]').nth(1).waitFor()
    return () => page.mouse.up()
  }
  const taskOf = async (title: string) => {
    const q = encodeURIComponent(title)
    const [found] = await call('GET', `/api/tasks/?page=1&items_per_page=1&q=${q}`)
    return found
  }
  const daysOf = async (title: string) => {
    const { start_date, due_date, owner } = await taskOf(title)
    return [start_date, due_date, owner.user_id]
  }
  const later = (day: string, by: number) =>
    new Date(Date.parse(day) + 86_400_000 * by).toISOString().slice(0, 10)

  test('a task is dragged to another person and to another week, both previewed, each with its undo', async () => {
    const { from, to, week } = await tooMuch('Nancy')
    const title = 'Administrators of Nancy'
    const page = await workspace.open('admin', { path })
    await page.getByRole('grid', { name: 'Load of people by week' }).waitFor()
    const before = { from: await plannedOf(from.user_id), to: await plannedOf(to.user_id) }
    await cell(page, from.full_name, 2).click()
    await page.getByText(title, { exact: true }).waitFor()
    const drop = await drag(page, title, cell(page, to.full_name, 2))
    if (process.env.PICTURES)
      await page.screenshot({ path: join(process.env.PICTURES, 'load-drag.png') })
    await drop()
    await page.getByText(`${to.full_name} has “${title}” now`).waitFor()
    await isPlanned(from.user_id, before.from - 960)
    await isPlanned(to.user_id, before.to + 960)
    await page.getByRole('button', { name: 'Undo' }).click()
    await isPlanned(to.user_id, before.to)
    await isPlanned(from.user_id, before.from)
    // what is dropped where it was, or with Escape, stays
    await cell(page, from.full_name, 2).click()
    await page.getByText(title, { exact: true }).waitFor()
    await drag(page, title, cell(page, to.full_name, 4))
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await page.locator('[data-previewed]').first().waitFor({ state: 'detached' })
    assert.deepEqual(await daysOf(title), [week, week, from.user_id])
    const dropLater = await drag(page, title, cell(page, to.full_name, 4))
    await dropLater()
    const moved = [later(week, 14), later(week, 14), to.user_id]
    await isStored(() => daysOf(title), moved)
    await page.getByRole('button', { name: 'Undo' }).click()
    await isStored(() => daysOf(title), [week, week, from.user_id])
    await page.context().close()
  })

  test('what waits for a task in its plan moves with it, once that is agreed to; one undo takes back all', async () => {
    const { from, to, week } = await tooMuch('Metz')
    const plan = await planProject(call, 'Roll-out in Metz', { Data: ['Export', 'Import'] })
    const [first, second] = [await plan.idOf('Export'), await plan.idOf('Import')]
    const last = later(week, 4)
    const set = (id: string, start_date: string, due_date: string, more: object = {}) =>
      call('PUT', `/api/tasks/${id}/`, { start_date, due_date, ...more })
    await set(first, week, last, { owner: from.user_id, estimate_minutes: 1200 })
    await set(second, later(week, 7), later(week, 8))
    await call('POST', `/api/tasks/${second}/dependencies/`, { predecessor_id: first })
    const stored = async () => {
      const { tasks } = await plan.read()
      return tasks.map((row: any) => [row.title, row.start_date, row.due_date, row.owner?.user_id])
    }
    const before = await stored()
    const page = await workspace.open('admin', { path })
    await cell(page, from.full_name, 2).click()
    await page.getByText('Export', { exact: true }).waitFor()
    const drop = await drag(page, 'Export', cell(page, to.full_name, 3))
    await drop()
    const dialog = page.getByRole('dialog', { name: 'Move Export' })
    await dialog.getByRole('button', { name: 'Move 2 tasks' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    assert.deepEqual(await stored(), before)
    await dialog.getByRole('button', { name: 'Move 2 tasks' }).click()
    await isStored(stored, [
      ['Export', later(week, 7), later(last, 7), to.user_id],
      ['Import', later(week, 14), later(week, 15), before[1][3]],
    ])
    await page.getByText('Moved 2 tasks').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await isStored(stored, before)
    await page.context().close()
  })

  test('by keys alone: m for the first task, and a week', async () => {
    const { from, week } = await tooMuch('Lille')
    const title = 'Administrators of Lille'
    const page = await workspace.open('admin', { path })
    await byKeysAlone(page)
    await page.getByRole('grid', { name: 'Load of people by week' }).waitFor()
    await page.getByRole('grid').locator('button[tabindex="0"]').focus()
    await page.keyboard.press('Home')
    for (let n = 0; n < 2; n++) await page.keyboard.press('ArrowRight')
    await focusIsAt(page, cell(page, from.full_name, 2))
    await page.keyboard.press('Enter')
    const move = page.getByRole('button', { name: `${title}: Move…` })
    await tabTo(page, move)
    await page.keyboard.press('Enter')
    await page.getByText('to the week of').waitFor()
    await page.locator('[data-previewed]').nth(1).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.keyboard.press('Enter')
    await isStored(() => daysOf(title), [later(week, 7), later(week, 7), from.user_id])
    await page.keyboard.press('Control+z')
    await isStored(() => daysOf(title), [week, week, from.user_id])
    await page.context().close()
  })

  test('a phone lists the next four weeks of each person, in the dark too', async () => {
    const page = await workspace.open('admin', { path, screen: 'phone', theme: 'dark' })
    const { people } = await read()
    const item = page.getByRole('listitem').filter({ hasText: people[0]!.user.full_name }).first()
    await item.waitFor()
    assert.equal(await item.getByRole('listitem').count(), 4)
    assert.deepEqual(await problemsOf(page), [])
    const { scrollWidth, clientWidth } = await page.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      clientWidth: document.documentElement.clientWidth,
    }))
    assert.ok(scrollWidth <= clientWidth, `${scrollWidth} > ${clientWidth}`)
    if (process.env.PICTURES) {
      await page.screenshot({ path: join(process.env.PICTURES, 'load-phone.png') })
    }
    await page.context().close()
  })

  test('hours and days away are set in one’s profile, and make the weeks shorter', async () => {
    const page = await workspace.open('admin', { path: '/settings/profile' })
    const hours = page.getByRole('textbox', { name: 'Hours a week' })
    await hours.fill('30')
    await hours.press('Tab')
    await page.getByText('Hours saved').waitFor()
    const { people } = await read()
    const me = (await call('GET', '/api/session/')).user.user_id
    const { week } = people[0]!.weeks[3]!
    await page.getByLabel('First day away').fill(week)
    await page.getByRole('button', { name: 'Add days away' }).click()
    await page.getByText('Days away saved').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    const { weeks } = (await read()).people.find(({ user }) => user.user_id === me)!
    assert.ok(weeks[3]!.capacity < 30 * 60, `${weeks[3]!.capacity}`)
    await page.getByRole('button', { name: /^Remove / }).click()
    await page.getByText('Days away removed').waitFor()
    await page.context().close()
  })

  test('an administrator sets those of somebody else', async () => {
    const { people } = await read()
    const { user } = people.at(-1)!
    const page = await workspace.open('admin', { path: '/settings/people' })
    await page.getByRole('button', { name: `Actions for ${user.full_name}` }).click()
    await page.getByRole('menuitem', { name: 'Working time…' }).click()
    const hours = page.getByRole('textbox', { name: 'Hours a week' })
    await hours.fill('20')
    await hours.press('Tab')
    await page.getByText('Hours saved').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    const profile = await call('GET', `/api/users/profile/${user.user_id}/`)
    assert.equal(profile.weekly_hours, 20)
    await page.context().close()
  })
})
