import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { nothing, script, scriptsOn } from '../support/scripts.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// Comments on records: mentions reach the other's inbox, no typed text is lost, and nothing
// that is stored can run.

describe('a conversation', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let company: { company_id: string; company_name: string }
  let address: string

  before(async () => {
    workspace = await startWorkspace()
    const call = await workspace.as('admin')
    ;[company] = await call('GET', '/api/company/?page=1&items_per_page=1&sort=company_name')
    address = `/companies/${company.company_id}/comments`
  })

  const box = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })
  /** The editor, whose code comes when the box gets the focus. */
  const editor = (page: Page) =>
    page.locator('[contenteditable=true][aria-label="Write a comment"]')

  test('brings a mention into the other’s inbox while they look at it', async (t) => {
    const manager = workspace.demo.people.find(({ role }) => role === 'manager')
    assert.ok(manager)
    const theirs = await workspace.open('manager', { path: '/inbox' })
    await theirs.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    const mine = await workspace.open('admin', { path: address })
    await box(mine).waitFor()
    // with the pointer; the same by the keyboard alone is among its journeys
    await box(mine).click()
    await editor(mine).waitFor()
    await mine.keyboard.type(`Please look at this @${manager.full_name.split(' ')[0]}`)
    await mine.getByRole('option', { name: manager.full_name }).click()
    await mine.keyboard.type('before Friday')
    await mine.getByRole('button', { name: 'Comment', exact: true }).click()
    const sent = performance.now()
    await mine.getByRole('article').getByText('before Friday').waitFor()
    const notice = theirs.getByRole('button', { name: /mentioned you.*before Friday/s })
    await notice.waitFor({ timeout: 10_000 })
    t.diagnostic(`in the other's inbox ${Math.round(performance.now() - sent)} ms later`)
    await theirs.getByRole('heading', { level: 3, name: company.company_name }).waitFor()
    await notice.click()
    const panel = theirs.getByRole('complementary', { name: company.company_name })
    await panel.getByRole('article').getByText('before Friday').waitFor()
    const its = panel.getByRole('article').filter({ hasText: 'before Friday' })
    await its.getByText('New', { exact: true }).waitFor()
    await notice.getByLabel('Unread').waitFor({ state: 'detached' })
  })

  test('opens what a notification is about, a meeting too', async () => {
    const manager = workspace.demo.people.find(({ role }) => role === 'manager')
    assert.ok(manager)
    const theirs = await workspace.open('manager', { path: '/inbox' })
    await theirs.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    const call = await workspace.as('admin')
    const { user_id: id } = (
      await call('GET', `/api/users/profile/?page=1&items_per_page=1&q=${manager.email}`)
    )[0]
    await call('POST', '/api/calendar/info/', {
      title: 'Walk through the plan',
      start: '2030-05-06T09:00:00Z',
      end: '2030-05-06T10:00:00Z',
      users: [id],
    })
    await theirs.getByRole('button', { name: /Walk through the plan/ }).waitFor()
    await theirs.keyboard.press('j')
    await theirs.keyboard.press('Enter')
    const panel = theirs.getByRole('complementary', { name: 'Walk through the plan' })
    await panel.getByText('9:00', { exact: false }).first().waitFor()
  })

  test('is opened at the comment that a mail links to', async () => {
    const call = await workspace.as('admin')
    const { interaction_id }: { interaction_id: string } = await call(
      'POST',
      '/api/interactions/info/',
      {
        module_name: 'companies',
        reference_id: company.company_id,
        content: '<p>Linked from a mail</p>',
      },
    )
    const page = await workspace.open('admin', {
      path: `/companies/${company.company_id}#comment-${interaction_id}`,
    })
    await page.getByRole('tab', { name: 'Comments', selected: true }).waitFor()
    await page.locator(`#comment-${interaction_id}`).getByText('Linked from a mail').waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByRole('tab', { name: 'Activity', selected: true }).waitFor()
    await page.context().close()
  })

  test('begins with r on any tab of the page', async () => {
    const page = await workspace.open('admin', { path: `/companies/${company.company_id}/files` })
    await page.getByRole('tab', { name: 'Files', selected: true }).waitFor()
    await page.keyboard.press('r')
    await page.locator('[aria-label="Write a comment"]:focus').waitFor()
    await page.getByRole('tab', { name: 'Activity', selected: true }).waitFor()
    await page.context().close()
  })

  test('has every letter that is typed while the editor is on its way', async () => {
    const page = await workspace.open('member', { path: address })
    await box(page).click()
    // faster than anybody types, so that there is a letter at each moment
    await page.keyboard.type('Could you call them back before Friday, please?')
    await editor(page).waitFor()
    await page.keyboard.type(' Thanks.')
    assert.equal(
      await editor(page).innerText(),
      'Could you call them back before Friday, please? Thanks.',
    )
    await page.context().close()
  })

  test('keeps what is half typed when the page is left, and when one is signed out', async () => {
    const page = await workspace.open('admin', { path: address })
    await box(page).click()
    await editor(page).waitFor()
    await page.keyboard.type('Half a thought')
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    await page.goBack()
    await editor(page).getByText('Half a thought').waitFor()
    await editor(page).click()
    await page.keyboard.press('End')
    await page.keyboard.type(', now whole')
    // signed out elsewhere
    const gone = await page.context().request.delete('/api/session/', {
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.ok(gone.ok())
    await page.keyboard.press('Control+Enter')
    const again = page.getByRole('dialog', { name: 'You were signed out' })
    await again.waitFor()
    await again.getByLabel('Password').fill(workspace.demo.password)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.waitFor({ state: 'detached' })
    const written = page.getByRole('article').filter({ hasText: 'Half a thought, now whole' })
    await written.and(page.locator(':not([aria-busy])')).waitFor()
    expectFaults(page, /401/)
    const call = await workspace.as('admin')
    const about = `module_name=companies&reference_id=${company.company_id}`
    const { results } = await call('GET', `/api/interactions/info/?${about}`)
    const its = results.filter(({ content }: any) => content.includes('now whole'))
    assert.equal(its.length, 1)
  })

  test('takes back what is deleted by mistake, and deletes the rest', async () => {
    const page = await workspace.open('admin', { path: address })
    const write = async (text: string) => {
      await box(page).click()
      await editor(page).waitFor()
      await page.keyboard.type(text)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('article').filter({ hasText: text }).waitFor()
    }
    await write('To be deleted by mistake')
    const comment = page.getByRole('article').filter({ hasText: 'To be deleted by mistake' })
    await comment.getByRole('button', { name: 'More about this comment' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await comment.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await comment.waitFor()
    await comment.getByRole('button', { name: 'React' }).click()
    await page.getByRole('button', { name: 'Heart', exact: true }).click()
    await comment.getByRole('button', { name: /^Heart, 1/ }).waitFor()
  })

  test('shows a hundred stored scripts as harmless text', async () => {
    const call = await workspace.as('admin')
    const scripts = Array.from({ length: 100 }, (_, at) => script(at))
    const about = { module_name: 'companies', reference_id: company.company_id }
    for (const [at, text] of scripts.entries()) {
      await call('POST', '/api/interactions/info/', { ...about, content: text })
      if (at % 9) continue
      await call('POST', '/api/contact/', {
        full_name: text.slice(0, 100),
        company: { company_id: company.company_id },
      })
    }
    const page = await workspace.open('admin', { path: address })
    const looks = [
      address,
      address.replace('comments', 'contacts'),
      address.replace('/comments', ''),
    ]
    for (const path of [...looks, '/contacts?q=onerror', `/companies?peek=${company.company_id}`]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      // what is stored is there, as text
      await page
        .getByRole('main')
        .getByText(/onerror|globalThis/)
        .first()
        .waitFor()
      while (await page.getByRole('button', { name: 'Show earlier comments' }).count()) {
        await page.getByRole('button', { name: 'Show earlier comments' }).click()
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      }
      assert.deepEqual(await scriptsOn(page), nothing, path)
    }
    await page.keyboard.press('Control+k')
    await page.keyboard.type('onerror')
    await page.getByRole('option').first().waitFor()
    assert.deepEqual(await scriptsOn(page), nothing)
  })
})
