import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, looks, noBrowser, problemsOf, sizes } from '../support/browser.ts'
import { atEnd } from '../support/finally.ts'
import { postForm } from '../support/integration.ts'
import { callTool } from '../support/mcp.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, password, rows, sql, startService } from '../support/service.ts'

const verifier = 'v'.repeat(43)
const documentUrl = 'https://assistant.example/client.json'

describe('an assistant is connected in a real browser', { skip: noBrowser() }, () => {
  let service: TestService
  let browser: Browser
  let org: TestOrganization
  let program: string

  before(async () => {
    service = await startService({ oauthRegistration: true })
    browser = await launchBrowser()
    org = await makeOrganization(service)
    // the program on the person's own machine, at a port that it did not know when it was described
    const server = createServer((_request, response) =>
      response.end('<!doctype html><title>p</title>back at the program'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd(async () => void server.close())
    program = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
    const redirect_uris = ['http://127.0.0.1/callback']
    service.runtime.services.clientDocuments = {
      isKnown: () => true,
      read: async (client_id) => ({ client_id, client_name: 'Field Assistant', redirect_uris }),
    }
  })

  function address(client_id: string) {
    const query = new URLSearchParams({
      client_id,
      response_type: 'code',
      redirect_uri: program,
      state: 'a state',
      scope: 'company.read company.write deal.read survey.read',
      resource: `${service.runtime.config.publicUrl}/mcp`,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    return `${service.url}/oauth/connect?${query}`
  }

  async function open(options: object) {
    const context = await browser.newContext(options)
    atEnd(() => context.close())
    return context.newPage()
  }

  async function signIn(page: Page, email: string) {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** A picture for whoever changes the pages: `SCREENSHOTS` names a folder. */
  async function picture(page: Page, name: string) {
    const folder = process.env.SCREENSHOTS
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }

  for (const { size, viewport, colorScheme } of looks) {
    test(`one that describes itself, by sign-in and consent: ${size}, ${colorScheme}`, async () => {
      const page = await open({ viewport, colorScheme })
      await page.goto(address(documentUrl))
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `mcp-sign-in-${size}-${colorScheme}`)
      await page.getByText('Field Assistant is described by assistant.example').waitFor()
      await signIn(page, org.users.manager.email)
      await page.getByRole('heading', { name: `Connect Field Assistant to ${org.name}?` }).waitFor()
      await page.getByText('described by assistant.example').waitFor()
      await page.getByText(`You will go back to ${new URL(program).host}`).waitFor()
      // what the integration surface opens by events alone, an assistant reads
      await page.getByText('See surveys and their responses').waitFor()
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `mcp-consent-${size}-${colorScheme}`)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('back at the program').waitFor()
      const back = new URL(page.url())
      assert.equal(back.searchParams.get('state'), 'a state')
      const issued = await postForm(service, '/oauth/token', {
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') ?? '',
        redirect_uri: program,
        client_id: documentUrl,
        code_verifier: verifier,
      })
      assert.equal(issued.status, 200, issued.text)
      const found = await callTool(service, issued.body.access_token, 'find_records', {
        module: 'companies',
      })
      assert.equal(found.isError, false)
      // approved before, and asked again: another program may have taken its name
      await page.goto(address(documentUrl))
      await page.getByRole('button', { name: 'Approve' }).waitFor()
      await page.getByRole('button', { name: 'Use another account' }).click()
      await page.getByLabel('E-mail').waitFor()
    })
  }

  test('one that registered itself is shown as such, and can be refused', async () => {
    const body = { client_name: 'Old ‮Assistant', redirect_uris: [program] }
    const { client_id } = (await service.call('POST', '/oauth/register', { body })).body
    const page = await open({ viewport: sizes.phone })
    await page.goto(address(client_id))
    await page.getByText('Old Assistant gave itself this name').waitFor()
    await signIn(page, org.users.admin.email)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('back at the program').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
    const apps = await rows(service, sql`select id from apps where client_id = ${client_id}`)
    assert.equal(apps.length, 0)
  })

  test('somebody of two organizations names one, and an observer reads that their role may not connect apps', async () => {
    const other = await makeOrganization(service)
    const { email } = org.users.member
    await service.runtime.database.transaction(other.id, (queries) =>
      queries.run(sql`update users set email = ${email}, email_key = ${email.toLowerCase()}
        where id = ${other.users.admin.user_id}`),
    )
    const page = await open({ viewport: sizes.phone })
    await page.goto(address(documentUrl))
    await signIn(page, email)
    await page.getByRole('alert').filter({ hasText: 'several organizations' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'mcp-several')
    await page.getByLabel('Organization').fill(other.name)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: `Connect Field Assistant to ${other.name}?` }).waitFor()

    const second = await open({ viewport: sizes.phone })
    await second.goto(address(documentUrl))
    await signIn(second, org.users.observer.email)
    await second.getByText(`Your role in ${org.name} does not allow connecting apps`).waitFor()
    assert.deepEqual(await problemsOf(second), [])
  })
})
