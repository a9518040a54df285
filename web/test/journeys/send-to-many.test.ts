import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { Mailbox } from '../../../server/test/support/mailbox.ts'
import { startMailbox } from '../../../server/test/support/mailbox.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// One document for many: pasted or picked, checked line by line, undone, sent.

const pictures = process.env.PICTURES

const picture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `many-${name}.png`) })
}

describe('a document for many', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let mailbox: Mailbox
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let id: string

  before(async () => {
    mailbox = await startMailbox()
    workspace = await startWorkspace({ settings: { smtpUrl: mailbox.url } })
    call = await workspace.as('admin')
    const { attach_id } = await call('POST', '/api/documents/', {
      document_name: 'Terms for {{Customer.name}}',
      editor_html_content: '<p>{{account.account_name}}</p>',
    })
    const signer = { name: '', email: '', role: 'signer' }
    await call('PUT', `/api/documents/${attach_id}/signature/preparation/`, {
      recipients: [
        { ...signer, key: 'c', order: 1, role_name: 'Customer' },
        { ...signer, key: 'w', order: 2, role_name: 'Witness' },
      ],
      fields: [],
      message: '',
      expires: null,
    })
    id = (await call('POST', `/api/documents/${attach_id}/reusable/`, {})).attach_id
  })

  test('says what is wrong before, is undone, and is sent and followed', async () => {
    const page = await workspace.open('admin', { path: `/documents/${id}` })
    await page.getByRole('button', { name: 'Send to many' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send to many' })
    const head = 'Name,E-mail,Witness,account.account_name,Notes\n'
    await dialog
      .getByLabel('People')
      .fill(
        `${head}Ada,ada@many.test,Will <will@many.test>,Clairval,x\nBob,bob,w@many.test,B\nEve,eve@many.test,w@many.test,`,
      )
    await dialog.getByText('1 person gets it.').waitFor()
    await dialog.getByText('2 lines are left out.').waitFor()
    await dialog.getByText('Nothing is taken from: Notes').waitFor()
    await dialog.getByText('This is no e-mail address.').waitFor()
    await dialog.getByText('{{account.account_name}} is empty').waitFor()
    await picture(page, 'lines')
    assert.deepEqual(await problemsOf(page), [])
    await dialog.getByRole('button', { name: 'Send to 1 person' }).click()
    await page.getByText('Goes to 1 person in 30 seconds').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Nothing was sent').waitFor()

    await page.goto(`${workspace.url}/documents/${id}/signatures`)
    await page.getByText('Undone: nothing was sent').waitFor()
    // held no longer than it has to be here
    const line = {
      name: 'Ada',
      email: 'ada@many.test',
      roles: { Witness: { name: 'Will', email: 'will@many.test' } },
      values: { 'account.account_name': 'Clairval' },
    }
    await call('POST', `/api/documents/${id}/signature/batches/`, {
      lines: [line],
      hold_seconds: 0,
    })
    await page.reload()
    await page.getByText('Sent to 1 person').waitFor()
    await page.getByRole('button', { name: 'Show people' }).first().click()
    await picture(page, 'batches')
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('link', { name: 'Ada' }).click()
    await page.getByRole('heading', { name: 'Waiting for 2 of 2' }).waitFor()
    await page.getByRole('heading', { name: 'Terms for Ada' }).waitFor()
    await mailbox.next('ada@many.test')
  })

  test('goes to contacts of a filter, from the menu, on a phone and by keys', async () => {
    await call('POST', '/api/contact/', {
      full_name: 'Zoe Osprey',
      primary_email: 'zoe@osprey.test',
    })
    const { attach_id } = await call('POST', '/api/documents/', {
      document_name: 'Notice',
      editor_html_content: '<p>Notice</p>',
    })
    const page = await workspace.open('admin', {
      path: `/documents/${attach_id}`,
      screen: 'phone',
      theme: 'dark',
    })
    await page.getByRole('button', { name: 'More', exact: true }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Send to many…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Send to many' })
    await dialog.getByRole('radio', { name: 'A list' }).press('ArrowRight')
    await dialog.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
    const popup = page.getByRole('dialog').last()
    await popup.getByRole('button', { name: 'Full name' }).press('Enter')
    await popup.getByRole('textbox').fill('Zoe Osprey')
    await dialog.getByRole('button', { name: 'Send to 1 person' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByText('zoe@osprey.test').waitFor()
    await picture(page, 'phone')
    assert.deepEqual(await problemsOf(page), [])
    await dialog.getByRole('button', { name: 'Send to 1 person' }).press('Enter')
    await page.getByText('Goes to 1 person in 30 seconds').waitFor()
  })
})
