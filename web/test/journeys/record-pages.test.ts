import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { firstRows } from '../support/first-rows.ts'
import { byKeysAlone, focusIsAt, pressAt } from '../support/keyboard.ts'
import { whenSettled } from '../support/settled.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// The page of a record of each type: its figures, its details beside the work, and all its fields.

type Field = { name: string; label: string; place: string; is_shown: boolean }

const addresses = {
  companies: '/companies',
  contacts: '/contacts',
  accounts: '/accounts',
  deals: '/deals',
  projects: '/projects',
  tasks: '/tasks',
  documents: '/documents',
  calendar: '/meetings',
  surveys: '/surveys',
  tags: '/tags',
}

describe('record pages', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let made = 0

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  async function first(module: keyof typeof addresses) {
    const described = await call('GET', `/api/modules/${module}/`)
    const [row] = await call('GET', firstRows(module, described, 1))
    const id: string = row[described.key]
    return { fields: described.fields as Field[], path: `${addresses[module]}/${id}` }
  }
  const labels = (page: Page, place: string) => page.locator(`${place} dt`).allTextContents()
  const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'All fields' })

  test('have every field that one may read once among all fields, and no system field beside the work', async (t) => {
    for (const module of Object.keys(addresses) as (keyof typeof addresses)[]) {
      await t.test(module, async () => {
        const { fields, path } = await first(module)
        const page = await workspace.open('admin', { path })
        await page.getByRole('heading', { level: 1 }).waitFor()
        const systems = fields.filter(({ place }) => place === 'system').map(({ label }) => label)
        const toggle = page.getByRole('button', { name: 'Details', exact: true })
        if ((await toggle.count()) && (await toggle.getAttribute('aria-pressed')) === 'false') {
          await toggle.click()
        }
        const rail = await labels(page, module === 'tags' ? 'main' : 'aside[aria-label=Details]')
        assert.ok(rail.length <= 8, rail.join())
        const named = fields.filter(({ place }) => place !== 'system').map(({ label }) => label)
        for (const label of rail) {
          assert.ok(named.includes(label) || !systems.includes(label), `${module}: ${label}`)
        }
        await page.keyboard.press('Shift+I')
        const drawer = drawerOf(page)
        await drawer.getByText('About this record').click()
        await drawer.getByRole('switch', { name: 'Show empty' }).click()
        assert.deepEqual(
          (await labels(page, '[role=dialog]')).toSorted(),
          fields.map(({ label }) => label).toSorted(),
        )
        await page.context().close()
      })
    }
  })

  test('say each figure once, and offer what is missing in one line', async () => {
    const word = `Whimbrel${++made}x`
    await call('POST', '/api/company/', { company_name: word, industry: 'software' })
    const [found] = await call('GET', `/api/company/?page=1&items_per_page=1&q=${word}`)
    const page = await workspace.open('admin', { path: `/companies/${found.company_id}` })
    const rail = page.getByRole('complementary', { name: 'Details' })
    await rail.getByText('Industry', { exact: true }).waitFor()
    assert.equal(await page.getByRole('heading', { name: word }).count(), 1)
    assert.deepEqual(await rail.locator('dt').allTextContents(), ['Industry'])
    const missing = rail.locator('p', { hasText: /^\+ Add/ })
    assert.match(await missing.innerText(), /domain, /)
    await rail.getByRole('button', { name: 'Edit Domain' }).click()
    await rail.getByRole('textbox', { name: 'Domain' }).fill(`${word.toLowerCase()}.example`)
    await page.keyboard.press('Enter')
    await page.getByText('Domain changed').waitFor()
    assert.deepEqual(await rail.locator('dt').allTextContents(), ['Domain', 'Industry'])
    assert.doesNotMatch(await missing.innerText(), /domain/)
    // a fact that is emptied stays where it is until the page is left
    await rail.getByRole('button', { name: /^Edit Domain/ }).click()
    await rail.getByRole('textbox', { name: 'Domain' }).fill('')
    await page.keyboard.press('Enter')
    await rail.getByRole('button', { name: 'Edit Domain: Empty' }).waitFor()
    await page.context().close()
  })

  test('open and close the details by their key, for all records of the type and for the next visit', async () => {
    const { path } = await first('contacts')
    const page = await workspace.open('member', { path })
    const rail = page.getByRole('complementary', { name: 'Details' })
    await rail.waitFor()
    const stored = page.waitForResponse((reply) => reply.url().includes('/api/preferences/'))
    await page.keyboard.press('i')
    await rail.waitFor({ state: 'detached' })
    await stored
    await page.reload()
    await page.getByRole('tab', { name: 'Activity' }).waitFor()
    assert.equal(await rail.count(), 0)
    await page.keyboard.press('i')
    await rail.waitFor()
    // the plan of a project has the whole width
    const project = await first('projects')
    await page.goto(project.path)
    await page.getByRole('tab', { name: 'Plan', selected: true }).waitFor()
    assert.equal(await rail.count(), 0)
    await page.context().close()
  })

  test('find and edit any field by keys alone, and leave the focus where it was', async () => {
    const { path } = await first('accounts')
    const page = await byKeysAlone(await workspace.open('admin', { path }))
    const all = page.getByRole('button', { name: /^All fields/ })
    await pressAt(page, all)
    const drawer = drawerOf(page)
    await pressAt(page, drawer.getByRole('searchbox', { name: 'Search fields' }), 'End')
    await page.keyboard.type('descr')
    const edit = drawer.getByRole('button', { name: /^Edit Description/ })
    await pressAt(page, edit)
    const field = drawer.getByRole('textbox', { name: 'Description' })
    await focusIsAt(page, field)
    // Escape leaves the field first, and then the drawer
    await page.keyboard.press('Escape')
    await focusIsAt(page, edit)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await focusIsAt(page, all)
    await page.context().close()
  })

  async function deal(more: object = {}) {
    const project_name = `Whimbrel deal ${++made}`
    await call('POST', '/api/project/info/', { project_name, project_type: 'deal', ...more })
    const q = encodeURIComponent(project_name)
    const [found] = await call(
      'GET',
      `/api/project/info/?page=1&items_per_page=1&project_type=deal&q=${q}`,
    )
    return { id: found.project_id as string, project_name }
  }
  const stageOf = async (id: string) =>
    (await call('GET', `/api/project/info/${id}/`)).current_stage.stage_name

  test('ask what is next for a deal: typed by keys, it is a task of its owner, done and undone there', async () => {
    const { id } = await deal()
    const page = await byKeysAlone(await workspace.open('admin', { path: `/deals/${id}` }))
    const next = page.getByRole('region', { name: 'Next step' })
    const field = next.getByRole('textbox', { name: 'Next step' })
    await field.waitFor()
    await page.keyboard.press('n')
    await focusIsAt(page, field)
    await page.keyboard.type('Send the prices')
    await page.keyboard.press('Enter')
    await next.getByRole('link', { name: 'Send the prices' }).waitFor()
    const query = `project_id=${id}&page=1&items_per_page=5`
    const [task] = await call('GET', `/api/tasks/?${query}`)
    const { user } = await call('GET', '/api/session/')
    assert.deepEqual([task.title, task.owner.user_id], ['Send the prices', user.user_id])
    assert.ok(JSON.stringify(await call('GET', '/api/home/')).includes('Send the prices'))
    await pressAt(page, next.getByRole('button', { name: 'Done' }))
    await page.getByText('Send the prices completed').waitFor()
    await field.waitFor()
    await page.keyboard.press('Control+z')
    await next.getByRole('link', { name: 'Send the prices' }).waitFor()
    await page.context().close()
  })

  test('a stage that needs something asks for it alone, on the page and on the board, and goes on', async () => {
    const [pipeline] = await call('GET', '/api/pipelines/')
    const proposal = pipeline.stages.find(
      (stage: { stage_name: string }) => stage.stage_name === 'Discovery',
    )
    const path = `/api/pipelines/${pipeline.pipeline_id}/`
    const setNeeds = (required_fields: string[]) =>
      call('PUT', path, { stages: [{ stage_id: proposal.stage_id, required_fields }] })
    await setNeeds(['contract_duration', 'expected_deal_value'])
    const one = await deal({ expected_deal_value: 900 })
    const page = await byKeysAlone(await workspace.open('admin', { path: `/deals/${one.id}` }))
    await page.getByRole('list', { name: 'Stage' }).waitFor()
    // what is missing is said before
    const needs = page.getByRole('region', { name: 'Next step' }).getByRole('listitem')
    await needs.filter({ hasText: 'Contract duration is missing' }).waitFor()
    await needs.filter({ hasText: 'Deal value is known' }).waitFor()
    await page.keyboard.press(']')
    const dialog = page.getByRole('dialog', { name: 'What the stage needs' })
    const field = dialog.getByRole('textbox')
    await dialog.getByText(/Contract duration is required to go on to Discovery/).waitFor()
    assert.equal(await field.count(), 1)
    await pressAt(page, field, 'End')
    await page.keyboard.type('24')
    await page.keyboard.press('Enter')
    await page.getByText('Moved to Discovery').waitFor()
    assert.equal(await stageOf(one.id), 'Discovery')
    assert.equal((await call('GET', `/api/project/info/${one.id}/`)).contract_duration, 24)
    // both are taken back at once
    const undone = page.waitForResponse((reply) => reply.request().method() === 'PUT')
    await page.keyboard.press('Control+z')
    await undone
    await page
      .getByRole('list', { name: 'Stage' })
      .locator('[aria-current=step]', { hasText: 'Qualification' })
      .waitFor()
    assert.equal((await call('GET', `/api/project/info/${one.id}/`)).contract_duration, null)
    expectFaults(page, /400/)
    await page.context().close()

    const two = await deal({ expected_deal_value: 900 })
    const q = encodeURIComponent(two.project_name)
    const board = await workspace.open('admin', { path: `/deals?q=${q}` })
    const card = board.locator('[data-card]', { hasText: two.project_name })
    await card.dragTo(board.locator('[data-lane]', { hasText: 'Discovery' }).first())
    const asked = board.getByRole('dialog', { name: 'What the stage needs' })
    await asked.getByRole('button', { name: 'Cancel' }).click()
    // who does not go on is where they were, without an error
    await board
      .locator('[data-lane]', { hasText: 'Qualification' })
      .first()
      .locator('[data-card]')
      .waitFor()
    await card.dragTo(board.locator('[data-lane]', { hasText: 'Discovery' }).first())
    await asked.getByRole('textbox').fill('12')
    await asked.getByRole('button', { name: 'Go on' }).click()
    await board.getByText(`${two.project_name} moved to Discovery`).first().waitFor()
    assert.equal(await stageOf(two.id), 'Discovery')
    expectFaults(board, /400/)
    await setNeeds([])
    await board.context().close()
  })

  test('an account says why it has its score: the points add up, and each reason leads to what it counts', async () => {
    const accounts = await call('GET', '/api/account/info/?page=1&items_per_page=50')
    const all: { id: string; health: any }[] = []
    for (const { account_id: id } of accounts) {
      all.push({ id, health: await call('GET', `/api/account/info/${id}/health/`) })
    }
    const links = ({ health }: (typeof all)[number]) =>
      health.inputs.filter((each: any) => each.points > 0 && each.links.length).length
    const worst = all.toSorted((one, other) => links(other) - links(one))[0]!
    assert.ok(links(worst) > 0, 'no account of the demonstration has a reason with a link')
    const page = await workspace.open('admin', { path: `/accounts/${worst.id}` })
    const why = page.getByRole('region', { name: `Why ${worst.health.score}` })
    await why.waitFor()
    const more = why.getByRole('button', { name: 'What it is made of' })
    if (await more.count()) await more.click()
    const lines = await why.locator('li > :first-child').allTextContents()
    const points = lines.reduce((sum, text) => sum + Number(text.replace('−', '')), 0)
    // each line is rounded by itself
    assert.ok(Math.abs(100 - points - worst.health.score) <= lines.length, lines.join())
    const addresses = await why
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    assert.ok(addresses.length > 0)
    // each reason has one act, which leads to what it counts
    const counted: { [input: string]: string } = {
      overdue_work: 'Open the tasks',
      open_risks: 'Open the risks',
    }
    for (const { input, points: taken, value } of worst.health.inputs) {
      const label = counted[input]
      if (!label || !taken) continue
      await why.getByRole('link', { name: label }).click()
      await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
      await page.getByRole('main').getByText(String(value), { exact: true }).first().waitFor()
      await page.goBack()
      await why.waitFor()
      const again = why.getByRole('button', { name: 'What it is made of' })
      if (await again.count()) await again.click()
    }
    for (const address of addresses.slice(0, 3)) {
      await page.goto(address)
      await page.getByRole('heading', { level: 1, name: /./ }).waitFor()
      assert.equal(await page.getByText('is not here any more').count(), 0)
    }
    await page.context().close()
  })

  test('show the next meeting with a contact, their company and its account', async () => {
    const word = `Whimbrel${++made}y`
    const idOf = async (path: string, key: string) =>
      (await call('GET', `${path}?page=1&items_per_page=1&q=${word}`))[0][key] as string
    await call('POST', '/api/company/', { company_name: word })
    const company = await idOf('/api/company/', 'company_id')
    await call('POST', '/api/account/info/', { account_name: word, company_id: company })
    await call('POST', '/api/contact/', { full_name: word, company })
    const contact = await idOf('/api/contact/', 'contact_id')
    const start = Date.now() + 3 * 86_400_000
    await call('POST', '/api/calendar/info/', {
      title: `Prices for ${word}`,
      start: new Date(start).toISOString(),
      end: new Date(start + 3_600_000).toISOString(),
      attendees: [{ type: 'contact', id: contact }],
      link: 'https://meet.example/prices',
    })
    const account = await idOf('/api/account/info/', 'account_id')
    const page = await workspace.open('admin', { path: `/contacts/${contact}` })
    const next = page.getByRole('region', { name: 'Next meeting' })
    await next.getByRole('link', { name: `Join Prices for ${word}` }).waitFor()
    await next.getByText('in 3 days').waitFor()
    for (const path of [`/companies/${company}`, `/accounts/${account}`]) {
      await page.goto(path)
      await next.getByRole('link', { name: `Prices for ${word}`, exact: true }).waitFor()
    }
    assert.deepEqual(await problemsOf(page), [])
    await next.getByRole('link', { name: `Prices for ${word}`, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: `Prices for ${word}` }).waitFor()
    await page.context().close()
  })

  test('have a field where somebody who may puts it, for everybody or for themselves, and back by undo', async () => {
    const { path } = await first('contacts')
    const page = await byKeysAlone(await workspace.open('admin', { path }))
    const rail = page.getByRole('complementary', { name: 'Details' })
    await rail.waitFor()
    const { fields } = await call('GET', '/api/modules/contacts/')
    const { label, name } = fields.find(
      (field: Field & { type: string }) => field.place === 'more' && field.type === 'text',
    )
    const layout = async () => (await call('GET', '/api/modules/contacts/')).layout
    const choose = async (item: string) => {
      await pressAt(page, drawerOf(page).getByRole('button', { name: `Place of ${label}` }))
      const choice = page.getByRole('menuitem', { name: item })
      await choice.waitFor()
      while (!(await choice.evaluate((element) => element === document.activeElement))) {
        await page.keyboard.press('ArrowDown')
      }
      await page.keyboard.press('Enter')
    }
    await page.keyboard.press('Shift+I')
    await pressAt(page, drawerOf(page).getByRole('switch', { name: 'Show empty' }), 'Space')
    await choose('Show in the head')
    await page.getByText(`${label} is shown in the head`).waitFor()
    assert.ok((await layout()).strip.includes(name))
    const stored = page.waitForResponse((reply) => reply.url().includes('/layout/'))
    await page.keyboard.press('Escape')
    await drawerOf(page).waitFor({ state: 'detached' })
    await page.locator('main dt', { hasText: label }).first().waitFor()
    await page.keyboard.press('Control+z')
    await stored
    assert.equal(await layout(), null)
    // for oneself it stands beside the work, and only there
    await page.keyboard.press('Shift+I')
    await pressAt(page, drawerOf(page).getByRole('switch', { name: 'Show empty' }), 'Space')
    const kept = page.waitForResponse((reply) => reply.url().includes('/api/preferences/'))
    await choose('Pin for me')
    await kept
    assert.equal(await layout(), null)
    assert.deepEqual(await problemsOf(page), [])
    await page.keyboard.press('Escape')
    await drawerOf(page).waitFor({ state: 'detached' })
    await page.reload()
    await rail
      .getByText(label, { exact: true })
      .or(rail.getByRole('button', { name: `Edit ${label}` }))
      .first()
      .waitFor()
    await page.context().close()
  })

  test('have a box to write a comment above what happened, which is restricted by chips', async () => {
    const { id } = await deal()
    const page = await workspace.open('admin', { path: `/deals/${id}` })
    await page.getByRole('textbox', { name: 'Write a comment' }).waitFor()
    await page.keyboard.press('r')
    await page.locator('[contenteditable=true]:focus').waitFor()
    await page.keyboard.type('They decide by Friday')
    await page.keyboard.press('Control+Enter')
    const entry = page.getByRole('tabpanel').getByRole('listitem')
    await entry.getByText('They decide by Friday').waitFor()
    await entry.getByText(/created the deal/).waitFor()
    const chip = page.getByRole('button', { name: 'Comments', exact: true })
    await chip.click()
    await entry.getByText(/created the deal/).waitFor({ state: 'detached' })
    await entry.getByText('They decide by Friday').waitFor()
    assert.equal(await chip.getAttribute('aria-pressed'), 'true')
    await page.context().close()
  })

  test('go to the record before and after it in the list that one came from, by j and k', async () => {
    const page = await workspace.open('admin', { path: '/contacts' })
    const names = page.getByRole('rowheader').getByRole('link')
    const [first, second] = [await names.nth(0).innerText(), await names.nth(1).innerText()]
    await names.nth(0).click()
    await page.getByRole('complementary').getByRole('button', { name: 'Open the page' }).click()
    const heading = (name: string) => page.getByRole('heading', { level: 1, name })
    await heading(first).waitFor()
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.keyboard.press('j')
    await heading(second).waitFor()
    await page.getByText(/^2 of \d+$/).waitFor()
    await page.keyboard.press('k')
    await heading(first).waitFor()
    await page.context().close()
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`are without findings with all fields open, on a phone too, ${theme}`, async () => {
      for (const screen of ['wide', 'phone'] as const) {
        const { path } = await first('deals')
        const page = await workspace.open('admin', { path, theme, screen })
        const settled = whenSettled(page)
        await page.getByRole('tab', { name: 'Activity' }).waitFor()
        if (screen === 'phone') {
          // the tabs are in sight before the details
          const box = await page.getByRole('tab', { name: 'Activity' }).boundingBox()
          assert.ok(box && box.y + box.height < 740, `the tabs are at ${box?.y}`)
          await page.getByRole('tab', { name: 'Details' }).click()
          await page.getByRole('button', { name: /^All fields/ }).waitFor()
        }
        await page.getByRole('button', { name: /^All fields/ }).click()
        await drawerOf(page).getByText('About this record').click()
        await settled()
        assert.deepEqual(await problemsOf(page), [])
        await page.context().close()
      }
    })
  }
})
