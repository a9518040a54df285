import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { FakeCalendars } from '../../../server/test/support/fake-calendars.ts'
import { startGoogle } from '../../../server/test/support/fake-google.ts'
import { startMicrosoft } from '../../../server/test/support/fake-microsoft.ts'
import { useProvider } from '../../../server/test/support/provider-calendars.ts'
import { until } from '../../../server/test/support/until.ts'
import { wholePicture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// Somebody connects Google Calendar and Microsoft 365 through the consent of each; one refuses at first.

describe('calendars of Google and Microsoft 365', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let google: FakeCalendars
  let microsoft: FakeCalendars

  before(async () => {
    workspace = await startWorkspace({ jobs: true })
    call = await workspace.as('admin')
    google = await startGoogle(['work', 'family'])
    microsoft = await startMicrosoft()
    useProvider(workspace.service, 'google', google)
    useProvider(workspace.service, 'microsoft', microsoft)
  })

  /** The providers send the browser to the service's public address, where it does not listen in a test. */
  async function comesBack(page: Page): Promise<void> {
    const { publicUrl } = workspace.service.runtime.config
    await page.route(`${publicUrl}/**`, (route) =>
      route.fulfill({
        status: 302,
        headers: { location: route.request().url().replace(publicUrl, workspace.url) },
      }),
    )
  }

  test('are connected by consent, chosen from and said to be broken, and a refusal is said', async () => {
    const page = await workspace.open('admin', { path: '/settings/calendars' })
    await comesBack(page)
    await page.getByRole('button', { name: 'Calendar A: Connect Google Calendar' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await wholePicture(page, 'provider-calendars-choice')
    await page.getByRole('button', { name: 'Calendar A: Connect Google Calendar' }).click()
    await page.getByText(/^Synchronized/).waitFor()
    await page.getByText(`Google Calendar · ${google.account}`).waitFor()
    assert.equal(new URL(page.url()).search, '')
    await page.getByRole('combobox', { name: 'Which calendar' }).waitFor()

    // refused, then given
    const { authorizeUrl } = microsoft.provider
    microsoft.provider.authorizeUrl = `${authorizeUrl}?refused=1`
    await page.getByRole('button', { name: 'Calendar B: Connect Microsoft 365' }).click()
    await page.getByText('You did not give access to your calendars').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await wholePicture(page, 'provider-calendars-refused')
    microsoft.provider.authorizeUrl = authorizeUrl
    await page.getByRole('button', { name: 'Calendar B: Connect Microsoft 365' }).click()
    await page.getByText(`Microsoft 365 · ${microsoft.account}`).waitFor()
    await until(async () => {
      const found = await call('GET', '/api/calendar/connections/')
      return found.every((each: { state: string }) => each.state === 'connected')
    })

    // a video conference gets its call there
    const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    const meeting = await call('POST', '/api/calendar/info/', {
      title: 'Clairval steering',
      start: `${day}T09:00:00Z`,
      end: `${day}T10:00:00Z`,
      push_to_calendar_b: true,
      is_video_conference: true,
    })
    const read = () => call('GET', `/api/calendar/info/${meeting.calendar_id}/`)
    await until(async () => /teams\.microsoft\.com/.test((await read()).link ?? ''))

    google.revokeTokens()
    await page.getByRole('button', { name: 'Calendar A: Synchronize now' }).click()
    await until(async () => {
      const [found] = await call('GET', '/api/calendar/connections/')
      return found.problem === 'credentials'
    })
    await page.reload()
    await page.getByText('The calendar no longer accepts the sign-in').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await wholePicture(page, 'provider-calendars-broken')
    await page.getByRole('button', { name: 'Calendar A: Connect again' }).click()
    await page
      .getByText('The calendar no longer accepts the sign-in')
      .waitFor({ state: 'detached' })
    await page.close()
  })

  test('an answer that was begun elsewhere connects nothing, and says so', async () => {
    const page = await workspace.open('admin', { path: '/settings/calendars?code=a&state=b' })
    await page.getByText('The calendar could not be connected').waitFor()
    expectFaults(page, /400/)
    assert.equal(new URL(page.url()).search, '')
    await page.close()
  })

  for (const [screen, theme] of [
    ['wide', 'dark'],
    ['phone', 'light'],
    ['phone', 'dark'],
  ] as const) {
    test(`are offered beside CalDAV servers, ${screen}, ${theme}`, async () => {
      const page = await workspace.open('member', { path: '/settings/calendars', screen, theme })
      await page.getByRole('button', { name: 'Calendar B: Connect Microsoft 365' }).waitFor()
      await page.getByRole('button', { name: 'Calendar B: Connect CalDAV server' }).waitFor()
      assert.deepEqual(await problemsOf(page), [])
      await wholePicture(page, `provider-calendars-${screen}-${theme}`)
      await page.close()
    })
  }
})
