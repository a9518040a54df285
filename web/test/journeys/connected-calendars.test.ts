import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { Dav } from '../../../server/test/support/radicale.ts'
import { noRadicale, startRadicale } from '../../../server/test/support/radicale.ts'
import { until } from '../../../server/test/support/until.ts'
import { wholePicture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// Somebody connects the calendar that they already have; a meeting goes there, is moved there and moved here.

describe('connected calendars', { skip: noBrowser() || noRadicale() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let dav: Dav

  before(async () => {
    workspace = await startWorkspace({ jobs: true })
    call = await workspace.as('admin')
    dav = await startRadicale(['work', 'home'])
  })

  test('are connected, chosen from, kept the same on both sides and disconnected', async () => {
    const page = await workspace.open('admin', { path: '/settings/calendars' })
    await page.getByRole('button', { name: 'Calendar A: Connect calendar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Server').fill(dav.url)
    await dialog.getByLabel('User name there').fill(dav.account)
    await dialog.getByLabel('Password').fill('wrong')
    await dialog.getByRole('button', { name: 'Connect calendar' }).click()
    await dialog.getByText('is not accepted for this user name').waitFor()
    expectFaults(page, /400/)
    await dialog.getByLabel('Password').fill(dav.password)
    await dialog.getByRole('button', { name: 'Connect calendar' }).click()
    // two calendars: the person chooses
    await page.getByText('Choose one: until then nothing is synchronized.').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('combobox', { name: 'Which calendar' }).click()
    await page.getByRole('option', { name: 'work' }).click()
    await page.getByText(/^Synchronized/).waitFor()
    await wholePicture(page, 'connected-calendars')

    const year = new Date().getUTCFullYear() + 1
    const meeting = await call('POST', '/api/calendar/info/', {
      title: 'Clairval steering',
      start: `${year}-03-01T09:00:00Z`,
      end: `${year}-03-01T10:00:00Z`,
      push_to_calendar_a: true,
    })
    await until(async () => (await dav.all()).size === 1)
    const [[name, text] = ['', '']] = await dav.all()
    await dav.put(name, text.replaceAll(`${year}0301T`, `${year}0302T`))
    await page.getByRole('button', { name: 'Calendar A: Synchronize now' }).click()
    const read = () => call('GET', `/api/calendar/info/${meeting.calendar_id}/`)
    await until(async () => (await read()).start === `${year}-03-02T09:00:00.000Z`)
    // and here a day later, by keys
    const calendar = await workspace.open('admin', { path: `/calendar?on=${year}-03-02` })
    await calendar.getByRole('button', { name: /^Clairval steering/ }).focus()
    await calendar.keyboard.press('Alt+ArrowRight')
    await until(async () => (await dav.all()).get(name)?.includes(`${year}0303T`) === true)
    await calendar.context().close()
    await page.getByText('1 meeting is there').waitFor({ timeout: 40_000 })

    await page.getByRole('button', { name: 'Disconnect Calendar A' }).click()
    await page.getByRole('button', { name: 'Disconnect calendar' }).click()
    await page.getByRole('button', { name: 'Calendar A: Connect calendar' }).waitFor()
    assert.equal((await dav.all()).size, 1)
    await page.close()
  })

  for (const [screen, theme] of [
    ['wide', 'dark'],
    ['phone', 'light'],
    ['phone', 'dark'],
  ] as const) {
    test(`say what is wrong with a connection, ${screen}, ${theme}`, async () => {
      const { url: address, account, password } = await startRadicale()
      const body = { slot: 'b', address, account, password }
      const { connection_id } = await call('POST', '/api/calendar/connections/', body)
      await until(async () => {
        const connections = await call('GET', '/api/calendar/connections/')
        const found = connections.find(
          (each: { connection_id: string }) => each.connection_id === connection_id,
        )
        return found.state === 'connected'
      })
      const page = await workspace.open('admin', { path: '/settings/calendars', screen, theme })
      await page.getByText(/^Synchronized/).waitFor()
      assert.deepEqual(await problemsOf(page), [])
      await wholePicture(page, `connected-calendars-${screen}-${theme}`)
      await page.close()
      await call('DELETE', `/api/calendar/connections/${connection_id}/`)
    })
  }
})
