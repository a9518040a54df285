import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { Mailbox } from '../../../server/test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../server/test/support/mailbox.ts'
import { plainPdf } from '../../../server/test/support/pdf.ts'
import { byKeysAlone, pressAt, typeAt } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// An agreement from its reusable document to its seal: declined on the way, corrected, sent again, and told to its customer's account.

describe('an agreement', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let mailbox: Mailbox
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let account: { account_id: string; account_name: string }
  let deal: string

  before(async () => {
    mailbox = await startMailbox()
    workspace = await startWorkspace({ settings: { smtpUrl: mailbox.url } })
    call = await workspace.as('admin')
    const list = await call('GET', '/api/account/info/?page=1&items_per_page=1&q=Clairval')
    account = list[0]
    await call('POST', '/api/project/info/', {
      project_name: 'Osprey deal',
      project_type: 'deal',
      account_id: account.account_id,
    })
    const deals = await call(
      'GET',
      '/api/project/info/?project_type=deal&q=Osprey&page=1&items_per_page=1',
    )
    deal = deals[0].project_id
  })

  /** A reusable PDF of the customer and a witness, in this order, with signatures beside its words. */
  async function reusable(): Promise<string> {
    const page = await workspace.open('admin', { path: '/documents' })
    const content = (words: string, y: number) => `BT /F1 12 Tf 60 ${y} Td (${words}) Tj ET`
    const pdf = plainPdf([
      { content: `${content('Customer signature:', 400)} ${content('Witness signature:', 200)}` },
    ]).toString('base64')
    const id = await page.evaluate(async (base64) => {
      const form = new FormData()
      const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
      form.append('document_name', 'Agreement with {{account.account_name}}')
      form.append('file', new Blob([bytes]), 'agreement.pdf')
      const reply = await fetch('/api/documents/', { method: 'POST', body: form })
      return ((await reply.json()) as { attach_id: string }).attach_id
    }, pdf)
    await page.context().close()
    const signer = { name: '', email: '', role: 'signer' }
    await call('PUT', `/api/documents/${id}/signature/preparation/`, {
      recipients: [
        { ...signer, key: 'c', order: 1, role_name: 'Customer' },
        { ...signer, key: 'w', order: 2, role_name: 'Witness' },
      ],
      fields: [],
      message: '',
      expires: null,
    })
    return (await call('POST', `/api/documents/${id}/reusable/`, {})).attach_id as string
  }

  const linkTo = async (email: string) => new URL(linkIn(await mailbox.next(email))).pathname

  /** The page of a link, on a phone. */
  async function phone(path: string): Promise<Page> {
    return workspace.open(null, { path, screen: 'phone' })
  }

  /** Signs on the page that is open, with the name written. */
  async function sign(page: Page) {
    await page.getByRole('heading', { name: 'Your signature' }).waitFor()
    await page.getByText('Type', { exact: true }).click()
    await page.locator('#moves button.main').click()
    await page.getByRole('heading', { name: 'Sign the document' }).waitFor()
    await page.getByLabel(/I agree/).check()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
  }

  test('is placed by its words, declined, corrected and sent again, signed, sealed, checked and told', async () => {
    const id = await reusable()
    const made = await call('POST', `/api/documents/${id}/use/`, {
      account_id: account.account_id,
      project_id: deal,
      roles: {
        Customer: { name: 'Cleo Customer', email: 'cleo@agreement.test' },
        Witness: { name: 'Will Witness', email: 'will@agreement.test' },
      },
    })
    const document = made.attach_id as string
    const page = await workspace.open('admin', {
      path: `/documents/${document}/signatures/prepare`,
    })
    await page.getByRole('heading', { name: `Agreement with ${account.account_name}` }).waitFor()
    await byKeysAlone(page)
    await pressAt(page, page.getByRole('button', { name: 'Next: fields' }))
    await page.locator('[data-page="1"] canvas').waitFor()
    const place = page.getByRole('region', { name: 'At a text of the document' })
    await typeAt(page, place.getByLabel('Text'), 'customer signature:')
    await pressAt(page, place.getByRole('button', { name: 'Place at the text' }))
    await page.getByRole('button', { name: /^Signature, Cleo Customer, page 1/ }).waitFor()
    await pressAt(page, page.getByRole('button', { name: /Will Witness/ }).first())
    await typeAt(page, place.getByLabel('Text'), 'witness signature:')
    await pressAt(page, place.getByRole('button', { name: 'Place at the text' }))
    await page.getByRole('button', { name: /^Signature, Will Witness, page 1/ }).waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Check and send', exact: true }))
    await pressAt(page, page.getByRole('button', { name: 'Send to 2 people' }))
    await page.getByRole('heading', { name: 'Waiting for 2 of 2' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.context().close()

    // the first signs, and then the second is asked, who declines
    const first = await phone(await linkTo('cleo@agreement.test'))
    await sign(first)
    await first.getByRole('heading', { name: /^You signed/ }).waitFor()
    await first.context().close()
    const second = await phone(await linkTo('will@agreement.test'))
    await second.getByText('I do not want to').click()
    await second.getByLabel('Why do you decline?').fill('I am on holiday')
    await second.locator('button[value=decline]').click()
    await second.getByRole('heading', { name: 'You declined' }).waitFor()
    await second.context().close()

    // somebody else is the witness
    const status = await workspace.open('admin', { path: `/documents/${document}/signatures` })
    await status.getByRole('heading', { name: 'Declined by Will Witness' }).waitFor()
    await status.getByText('“I am on holiday”').first().waitFor()
    await status.getByRole('button', { name: 'Correct and send again' }).click()
    const witness = status.getByRole('group', { name: 'Will Witness' })
    await witness.getByLabel('E-mail').fill('wilma@agreement.test')
    await witness.getByLabel('Name').fill('Wilma Witness')
    await status.getByText('Saved', { exact: true }).waitFor()
    await status.getByRole('button', { name: 'Check and send', exact: true }).click()
    await status.getByText(/Wilma Witness signs \(1 × signature\)/).waitFor()
    await status.getByRole('button', { name: 'Send to 2 people' }).click()
    await status.getByRole('heading', { name: 'Waiting for 2 of 2' }).waitFor()
    // whoever had signed reads why that request ended, and only then what is asked now
    const cleo = 'cleo@agreement.test'
    assert.match((await mailbox.next(cleo)).text ?? '', /Will Witness declined/)
    for (const email of [cleo, 'wilma@agreement.test']) {
      const signing = await phone(await linkTo(email))
      await sign(signing)
      await signing.getByRole('heading', { name: /^(You signed|Signed by everybody)/ }).waitFor()
      await signing.context().close()
    }
    await status.getByRole('link', { name: 'Open the sealed version' }).click()
    await status.getByText('Valid and unchanged.').waitFor()

    // anybody can check the file
    const sealed = await call(
      'GET',
      `/api/documents/?page=1&items_per_page=1&q=Agreement&project_id=${deal}`,
    )
    const reply = await status.context().request.get(`/api/documents/${sealed[0].attach_id}/file/`)
    const file = { name: 'sealed.pdf', mimeType: 'application/pdf', buffer: await reply.body() }
    const check = await workspace.open(null, { path: '/check' })
    await check.locator('input[type=file]').setInputFiles(file)
    await check.getByRole('button', { name: 'Check', exact: true }).click()
    await check.getByText(/^Valid: sealed by .* unchanged since\.$/).waitFor()
    await check.context().close()

    // and both who look after the customer and whoever sells read it
    for (const path of [`/accounts/${account.account_id}`, `/deals/${deal}`]) {
      await status.goto(`${workspace.url}${path}/activity`)
      await status
        .getByText(/Agreement with/)
        .first()
        .waitFor()
      await status
        .getByText(/declined/i)
        .first()
        .waitFor()
    }
    assert.deepEqual(await problemsOf(status), [])
    await status.context().close()
  })
})
