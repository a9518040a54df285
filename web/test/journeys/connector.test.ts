import assert from 'node:assert/strict'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { atEnd } from '../../../server/test/support/finally.ts'
import { byKeysAlone, focusIsAt, pressAt } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// From "create app" to a delivery seen, and a signed request answered; then by the keyboard alone.

describe('a connector author', () => {
  let workspace: TestWorkspace

  before(async () => {
    // the inspector's address is a public one, known before the service has its port
    const front = createServer((req, res) => {
      const { method, headers, url: path } = req
      const onwards = httpRequest(workspace.url + path, { method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(res)
      })
      req.pipe(onwards)
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    atEnd(async () => {
      front.closeAllConnections()
      front.close()
    })
    const publicUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
    workspace = await startWorkspace({ settings: { publicUrl } })
  })

  /** The secrets of the dialog that shows them once, by label; closes it. */
  async function takeSecrets(page: Page): Promise<{ [label: string]: string }> {
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Copy these now').waitFor()
    const secrets: { [label: string]: string } = {}
    for (const block of await dialog.locator('div:has(> h3)').all()) {
      const label = await block.locator('h3').innerText()
      secrets[label] = await block.locator('code').innerText()
    }
    const done = dialog.getByRole('button', { name: 'Done' })
    assert.equal(await done.isDisabled(), true, 'closing takes a tick')
    await dialog.getByRole('checkbox').click()
    await done.click()
    await dialog.waitFor({ state: 'detached' })
    return secrets
  }

  test('gets from an app to a delivery seen and a signed request', async () => {
    const page = await workspace.open('admin', { path: '/developers' })
    await page.getByRole('button', { name: 'Create app' }).click()
    await page.getByLabel('Name').fill('Ledger sync')
    await page.getByRole('checkbox', { name: 'See companies' }).click()
    await page.getByRole('checkbox', { name: 'Add and change companies' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create app' }).click()
    const secrets = await takeSecrets(page)
    assert.deepEqual(Object.keys(secrets), ['Client id', 'Client secret', 'Function key'])
    await page.getByRole('heading', { name: 'Ledger sync', level: 1 }).waitFor()

    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('button', { name: /Use the inspector/ }).click()
    await page.getByRole('checkbox', { name: 'company_created' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
    await takeSecrets(page)
    await page.getByText('Nothing sent yet').waitFor()

    await page.getByRole('link', { name: 'Inspector' }).click()
    await page.getByText('Waiting for the first delivery').waitFor()
    const call = await workspace.as('member')
    await call('POST', '/api/company/', { company_name: 'Quarry & Daughters' })
    const received = page.getByRole('log').getByRole('button', { name: 'company_created' })
    await received.waitFor({ timeout: 20_000 })
    await received.click()
    await page.getByRole('log').getByText('Quarry & Daughters').waitFor()

    await page.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByText('Delivered', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'company_created' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByText('Quarry & Daughters').waitFor()
    await panel.getByRole('button', { name: 'Resend' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Inspector' }).click()
    await assertCount(page, 'company_created', 2)

    // the secrets of this page's life are filled in; the webhook has connected the app already, but nobody
    // has approved it to be connected from this page
    await page.getByRole('link', { name: 'Try it' }).click()
    const popup = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Connect' }).click()
    const consent = await popup
    await consent.getByLabel(/mail/i).fill(emailOf())
    await consent.getByLabel(/password/i).fill(workspace.demo.password)
    await consent.getByRole('button', { name: /sign in/i }).click()
    await consent.getByRole('button', { name: 'Approve' }).click()
    await consent.getByRole('heading', { name: 'Connected' }).waitFor()
    await consent.close()
    await page.getByRole('textbox', { name: 'Path' }).fill('/automation/company?limit=1')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText('200', { exact: true }).waitFor()
    await page.getByText(/^curl 'http/).waitFor()
  })

  test('comes from the reference with the request filled in, and only for this service', async () => {
    const page = await workspace.open('admin', { path: '/docs/reference/integration-webhooks' })
    const link = page.locator('a[href^="/developers/try?method=POST"]').first()
    const { searchParams } = new URL((await link.getAttribute('href'))!, workspace.url)
    await link.click()
    const path = page.getByRole('textbox', { name: 'Path' })
    await path.waitFor()
    assert.equal(await path.inputValue(), searchParams.get('path'))
    const body: unknown = JSON.parse(searchParams.get('body')!)
    assert.equal(await page.getByLabel('Body (JSON)').inputValue(), body)
    assert.ok(JSON.parse(String(body)).url)
    const elsewhere = new URLSearchParams({ method: 'GET', path: '//elsewhere.example/x' })
    await page.goto(`${workspace.url}/developers/try?${elsewhere}`)
    await path.waitFor()
    assert.equal(await path.inputValue(), '/automation/test')
  })

  test('does it by the keyboard alone', async () => {
    const page = await byKeysAlone(await workspace.open('admin', { path: '/developers' }))
    const { keyboard } = page
    const dialog = page.getByRole('dialog')
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    const saved = async () => {
      await dialog.getByText('Copy these now').waitFor()
      await pressAt(page, dialog.getByRole('checkbox'), 'Space')
      await pressAt(page, dialog.getByRole('button', { name: 'Done' }))
      await dialog.waitFor({ state: 'detached' })
    }
    await pressAt(page, button('Create app'))
    await focusIsAt(page, dialog.getByLabel('Name'))
    await keyboard.type('By keys')
    await pressAt(page, dialog.getByRole('checkbox', { name: 'See companies' }), 'Space')
    await pressAt(page, dialog.getByRole('button', { name: 'Create app' }))
    await saved()
    await page.getByRole('heading', { name: 'By keys', level: 1 }).waitFor()

    await pressAt(page, page.getByRole('link', { name: 'Webhooks' }))
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await pressAt(page, button('Create webhook'))
    await pressAt(page, dialog.getByRole('combobox', { name: 'App' }))
    await page.getByRole('option', { name: 'By keys' }).waitFor()
    await keyboard.type('By keys')
    await keyboard.press('Enter')
    await pressAt(page, dialog.getByRole('button', { name: /Use the inspector/ }))
    await pressAt(page, dialog.getByRole('checkbox', { name: 'company_created' }), 'Space')
    await pressAt(page, dialog.getByRole('button', { name: 'Create webhook' }))
    await saved()

    await pressAt(page, page.getByRole('link', { name: 'Companies', exact: true }))
    await page.locator('tbody tr').first().waitFor()
    await keyboard.press('c')
    await focusIsAt(page, dialog.getByRole('textbox', { name: 'Company name' }))
    await keyboard.type('Larch & Sons')
    await keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })

    await page.goto('/developers/deliveries')
    await byKeysAlone(page)
    const delivery = button('company_created').first()
    await page.getByText('Delivered', { exact: true }).first().waitFor()
    await pressAt(page, delivery)
    await dialog.getByText('Larch & Sons').waitFor()
    await keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await focusIsAt(page, delivery)
  })

  function emailOf(): string {
    const admin = workspace.demo.people.find(({ role }) => role === 'admin')
    assert.ok(admin)
    return admin.email
  }
})

async function assertCount(page: Page, name: string, least: number): Promise<void> {
  const all = page.getByRole('log').getByRole('button', { name })
  await all.nth(least - 1).waitFor({ timeout: 20_000 })
}
