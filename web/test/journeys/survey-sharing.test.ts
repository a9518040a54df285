import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { until } from '../../../server/test/support/until.ts'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// A survey reaches pages, people and their mails, and its results reach others.

const pictures = process.env.PICTURES
const form_structure = [
  {
    id: 'p1',
    title: 'One',
    fields: [
      { id: 'nps', type: 'nps', label: 'Would you recommend us?' },
      { id: 'why', type: 'long-text', label: 'Why?' },
    ],
  },
]

describe('sharing a survey', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  async function survey(): Promise<string> {
    const body = { name: 'Go-live check', form_structure, status: 'published' }
    return (await call('POST', '/api/surveys/', body)).survey_id
  }

  test('it is put on pages by its rules, and a wrong one is named', async () => {
    const id = await survey()
    const page = await workspace.open('admin', { path: `/surveys/${id}/share` })
    const panel = page.getByRole('tabpanel')
    const code = panel.getByRole('img', { name: 'QR code of the address' })
    await code.waitFor()
    await page.waitForFunction(
      () =>
        [...(globalThis as any).document.images].find((each: any) => /QR/.test(each.alt))
          ?.naturalWidth > 0,
    )
    await panel.getByRole('radio', { name: 'At its lower edge' }).click()
    const pages = panel.getByLabel('Only on these pages')
    await pages.fill('/portal/*\nshop')
    await panel.getByLabel('Only on these sites').fill('www.larkspur.example')
    await panel.getByLabel('Of all visitors').fill('25')
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByText(/must be a path such as/i).waitFor()
    expectFaults(page, /400/)
    await pages.fill('/portal/*')
    await panel.getByRole('switch', { name: 'Pages with its line show it' }).click()
    await page.getByText('Saved: pages follow within five minutes').waitFor()
    await panel.getByText(/<script src=.*survey\.js\?key=/).waitFor()
    const stored = await call('GET', `/api/surveys/${id}/embed/`)
    assert.deepEqual(
      [stored.is_active, stored.kind, stored.pages, stored.sites, stored.visitors_percent],
      [true, 'slide_in', ['/portal/*'], ['www.larkspur.example'], 25],
    )
    const [links] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('link', { name: 'Links as CSV' }).click(),
    ])
    assert.match(links.suggestedFilename(), /^survey-links-.*\.csv$/)
    if (pictures) await page.screenshot({ path: join(pictures, 'sharing.png'), fullPage: true })
    assert.deepEqual(await problemsOf(page), [])
  })

  test('waits for the quiet hours that the organization has set', async () => {
    const page = await workspace.open('admin', { path: '/settings/mail' })
    await page.getByLabel('Quiet from').fill('20:00')
    await page.getByLabel('Quiet until').fill('07:30')
    await page.getByLabel('Quiet until').blur()
    await page.getByText('Quiet hours for surveys saved').waitFor()
    const { survey_quiet_hours } = await call('GET', '/api/organization/settings/mail/')
    assert.deepEqual(survey_quiet_hours, { from: '20:00', to: '07:30' })
    if (pictures) await page.screenshot({ path: join(pictures, 'quiet-hours.png'), fullPage: true })
    assert.deepEqual(await problemsOf(page), [])
    await page.getByLabel('Quiet from').fill('')
    await page.getByLabel('Quiet until').fill('')
    await page.getByLabel('Quiet until').blur()
    await until(
      async () =>
        (await call('GET', '/api/organization/settings/mail/')).survey_quiet_hours === null,
    )
  })

  for (const look of [
    { screen: 'wide', theme: 'light' },
    { screen: 'phone', theme: 'dark' },
  ] as const) {
    test(`its results are shared by a link that ends (${look.screen}, ${look.theme})`, async () => {
      const id = await survey()
      for (const nps of [10, 9, 2]) {
        const body = {
          answers: { nps, why: `Since ${nps}` },
          respondent_email: 'sam@guest.example',
        }
        await call('POST', `/api/surveys/${id}/fill/`, body)
      }
      const page = await workspace.open('admin', { path: `/surveys/${id}`, ...look })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Share the results' }).click()
      const dialog = page.getByRole('dialog', { name: 'Share the results' })
      await dialog.getByRole('checkbox', { name: 'With answers in words' }).click()
      await dialog.getByRole('button', { name: 'Make a link' }).click()
      const address = dialog.getByLabel('Address of the results')
      await address.waitFor()
      assert.deepEqual(await problemsOf(page), [])
      const name = `results-shared-${look.screen}`
      if (pictures) await page.screenshot({ path: join(pictures, `${name}-dialog.png`) })
      const { pathname } = new URL(await address.inputValue())
      const outside = await workspace.open(null, { path: pathname, ...look })
      await outside.getByText('Since 2').waitFor()
      assert.equal(await outside.getByText('sam@guest.example').count(), 0)
      assert.deepEqual(await problemsOf(outside), [])
      if (pictures) {
        await outside.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
      }
      await dialog.getByRole('button', { name: 'End the link' }).click()
      await address.waitFor({ state: 'detached' })
      await outside.reload()
      await outside.getByText('This link has expired').waitFor()
      expectFaults(outside, /410/)
    })
  }

  test('its answers are read one by one by keys, make a task, and stand with whom they are about', async () => {
    const id = await survey()
    const email = 'ines@answers.example'
    const contact = { full_name: 'Ines Olmeda', primary_email: email }
    await call('POST', '/api/contact/', contact)
    for (const [nps, who] of [
      [3, email],
      [9, 'kim@answers.example'],
    ] as const) {
      const body = { answers: { nps, why: `Because of ${nps}` }, respondent_email: who }
      await call('POST', `/api/surveys/${id}/fill/`, body)
    }
    await call('POST', `/api/surveys/${id}/fill/`, { answers: { nps: 5 }, finished: false })
    const page = await workspace.open('admin', { path: `/surveys/${id}` })
    await page.getByText('1 stopped after it').waitFor()
    await page.getByRole('link', { name: 'kim@answers.example' }).click()
    const one = page.getByRole('article', { name: 'Answer' })
    await one.getByText('Because of 9').waitFor()
    await page.keyboard.press('j')
    await one.getByText('Because of 3').waitFor()
    await one.getByRole('link', { name: 'Ines Olmeda' }).waitFor()
    await page.keyboard.press('k')
    await one.getByText('Because of 9').waitFor()
    await page.keyboard.press('k')
    await one.getByText(/only begun/).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    if (pictures) await page.screenshot({ path: join(pictures, 'answers.png'), fullPage: true })
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await one.getByText('Because of 3').waitFor()
    await one.getByRole('button', { name: 'Make a task' }).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('Title').inputValue(), 'Answer to Go-live check')
    await dialog.getByRole('button', { name: /^Create/ }).click()
    await dialog.waitFor({ state: 'detached' })
    const tasks = await call('GET', '/api/tasks/?page=1&items_per_page=50')
    const task = tasks.find(({ title }: { title: string }) => title === 'Answer to Go-live check')
    assert.match(task.description, new RegExp(`/surveys/${id}/responses\\?response=`))
    await one.getByRole('link', { name: 'Ines Olmeda' }).click()
    await page.getByRole('tab', { name: 'Answers' }).click()
    const panel = page.getByRole('tabpanel')
    await panel.getByText('Because of 3').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await panel.getByRole('link', { name: 'Go-live check' }).click()
    await one.getByText('Because of 3').waitFor()
  })
})
