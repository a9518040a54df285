import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { plainPdf } from '../../../server/test/support/pdf.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// Documents that are used again: saved with roles, used for a customer, and prepared as any other.

describe('reusable documents', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  test('are saved with roles, and used for a customer', async () => {
    const { attach_id: id } = await call('POST', '/api/documents/', {
      document_name: 'Agreement with {{account.account_name}}',
      editor_html_content: '<h1>Agreement</h1><p>{{account.account_name}} and {{Buyer.name}}</p>',
    })
    const page = await workspace.open('admin', { path: `/documents/${id}/signatures/prepare` })
    await page.getByRole('button', { name: 'Add me' }).click()
    await page.getByRole('button', { name: 'Check and send', exact: true }).click()
    await page.getByRole('button', { name: 'Save as reusable' }).click()

    await page.getByText('A role without an address').waitFor()
    await page.getByRole('button', { name: 'Add a role' }).click()
    await page.getByLabel('Role in the document').last().fill('Buyer')
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Check and use', exact: true }).click()
    await page.getByRole('button', { name: 'Use it' }).click()
    const dialog = page.getByRole('dialog', { name: 'Use the document' })
    await dialog.getByRole('combobox', { name: 'Buyer' }).click()
    await page.getByRole('combobox', { name: 'Name or e-mail address' }).fill('nora@buyer.test')
    await page.getByRole('button', { name: 'Create “nora@buyer.test”' }).click()
    await dialog.getByRole('button', { name: 'Create document' }).click()
    // what is empty is asked for
    const missing = dialog.getByLabel('In place of {{account.account_name}}')
    await missing.fill('Clairval & Sons')
    expectFaults(page, /400/)
    assert.deepEqual(await problemsOf(page), [])
    await dialog.getByRole('button', { name: 'Create document' }).click()

    await page.getByRole('heading', { name: 'Agreement with Clairval & Sons' }).waitFor()
    const buyer = page.getByRole('group', { name: 'nora@buyer.test' })
    assert.equal(await buyer.getByLabel('E-mail').inputValue(), 'nora@buyer.test')
    await page.getByRole('link', { name: 'Back to Agreement with Clairval & Sons' }).click()
    await page.getByText('Clairval & Sons and nora@buyer.test').waitFor()

    await page.goto(`${workspace.service.url}/documents`)
    await page.getByRole('link', { name: 'Agreement with Clairval & Sons' }).first().waitFor()
  })

  test('have fields beside a text, at each of its places or at the first', async () => {
    const path = '/documents'
    const page = await workspace.open('admin', { path })
    const content = (y: number) => `BT /F1 12 Tf 60 ${y} Td (Signature:) Tj ET`
    const pdf = plainPdf([{ content: content(400) }, { content: content(200) }]).toString('base64')
    const id = await page.evaluate(async (base64) => {
      const form = new FormData()
      const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
      form.append('document_name', 'Contract')
      form.append('file', new Blob([bytes]), 'contract.pdf')
      const reply = await fetch('/api/documents/', { method: 'POST', body: form })
      return ((await reply.json()) as { attach_id: string }).attach_id
    }, pdf)
    await page.goto(`${workspace.service.url}/documents/${id}/signatures/prepare`)
    await page.getByRole('button', { name: 'Add me' }).click()
    await page.getByRole('button', { name: 'Next: fields' }).click()
    await page.locator('[data-page="1"] canvas').waitFor()
    const place = page.getByRole('region', { name: 'At a text of the document' })
    await place.getByLabel('Text').fill('Unterschrift')
    await place.getByRole('button', { name: 'Place at the text' }).click()
    await place.getByText('“Unterschrift” does not stand in the file').waitFor()
    expectFaults(page, /400/)
    await place.getByLabel('Text').fill('signature:')
    await place.getByRole('switch', { name: 'At each place where it stands' }).click()
    await place.getByRole('button', { name: 'Place at the text' }).click()
    await page.getByRole('button', { name: /^Signature, .* page 1/ }).waitFor()
    await page.getByRole('heading', { name: '2 fields' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
  })

  test('have a field on each place for a signature in the text, of whom it names', async () => {
    const place = (whose: string) => `<p><span data-place="${whose}">${whose}</span></p>`
    const { attach_id: id } = await call('POST', '/api/documents/', {
      document_name: 'Letter',
      editor_html_content: `<p>We agree.</p>${place('Buyer')}${place('Larkspur')}`,
    })
    const signer = { email: '', role: 'signer' }
    await call('PUT', `/api/documents/${id}/signature/preparation/`, {
      recipients: [
        { ...signer, key: 'a', name: 'Ana Admin', email: 'ana@places.test', order: 1 },
        { ...signer, key: 'b', name: 'buyer', email: 'nora@places.test', order: 1 },
      ],
      fields: [],
      message: '',
      expires: null,
    })
    const page = await workspace.open('admin', { path: `/documents/${id}/signatures/prepare` })
    await page.getByRole('button', { name: 'Next: fields' }).click()
    const field = page.getByRole('button', { name: /^Signature, buyer, page 1/ })
    await field.waitFor()
    const found = page.getByRole('region', { name: 'Found in the text' })
    await found.getByText('placed').waitFor()
    // nobody is called so: it is for whose fields are placed now
    await found.getByRole('button', { name: /Larkspur/ }).click()
    const other = page.getByRole('button', { name: /^Signature, Ana Admin, page 1/ })
    await other.waitFor()
    const [one, two] = [await field.boundingBox(), await other.boundingBox()]
    assert.ok(one && two && one.y + one.height < two.y && Math.abs(one.x - two.x) < 2)
    assert.deepEqual(await problemsOf(page), [])

    // what is filled in already stands in the field, and on the page that the recipient will see
    await page.getByRole('button', { name: 'Company', exact: true }).click()
    await page.locator('[data-page="1"]').click({ position: { x: 300, y: 500 } })
    await page.getByLabel('Filled in beforehand').fill('Stone Ltd')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Check and send', exact: true }).click()
    const preview = page.getByRole('group', { name: 'Preview' })
    await preview.getByRole('button', { name: 'Preview as buyer' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    const opened = page.waitForEvent('popup')
    await preview.getByRole('button', { name: 'Preview as Ana Admin' }).click()
    const seen = await opened
    await seen.getByText('This is a preview.').waitFor()
    await seen.locator('.stage canvas').first().waitFor()
    assert.equal(await seen.locator('input[autocomplete=organization]').inputValue(), 'Stone Ltd')
    assert.deepEqual(await problemsOf(seen), [])
  })

  test('and others are sent together, as one document', async () => {
    const made = async (document_name: string, words: string) =>
      (
        await call('POST', '/api/documents/', {
          document_name,
          editor_html_content: `<p>${words}</p>`,
        })
      ).attach_id as string
    const id = await made('Osprey order', 'What is ordered')
    await made('Osprey terms', 'All the terms')
    const page = await workspace.open('admin', { path: `/documents/${id}` })
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Send together with others…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send together with others' })
    await dialog.getByRole('combobox', { name: 'Add a document' }).click()
    await page.getByRole('combobox', { name: 'Name of a document' }).fill('Osprey terms')
    await page.getByRole('option', { name: 'Osprey terms' }).click()
    await dialog.getByRole('button', { name: 'Without Osprey terms' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await dialog.getByRole('button', { name: 'Create document' }).click()
    await page.getByRole('heading', { name: 'Osprey order + Osprey terms' }).waitFor()
    await page.getByRole('button', { name: 'Add me' }).click()
    await page.getByRole('button', { name: 'Next: fields' }).click()
    await page.locator('[data-page="2"]').waitFor()
  })

  test('are twenty at most', async () => {
    const ids: string[] = []
    for (let n = 1; n <= 20; n++) {
      const { attach_id } = await call('POST', '/api/documents/', {
        document_name: `Heron ${String(n).padStart(2, '0')}`,
        editor_html_content: '<p>One of twenty</p>',
      })
      ids.push(attach_id)
    }
    const page = await workspace.open('admin', { path: `/documents/${ids[0]}` })
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Send together with others…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send together with others' })
    const add = dialog.getByRole('combobox', { name: 'Add a document' })
    for (let n = 2; n <= 20; n++) {
      const name = `Heron ${String(n).padStart(2, '0')}`
      await add.click()
      await page.getByRole('combobox', { name: 'Name of a document' }).fill(name)
      await page.getByRole('option', { name }).click()
      await dialog.getByRole('button', { name: `Without ${name}` }).waitFor()
    }
    await dialog.getByText('At most 20 can be chosen').waitFor()
    assert.equal(await add.isEnabled(), false)
    await dialog.getByRole('button', { name: 'Without Heron 20' }).click()
    assert.equal(await add.isEnabled(), true)
  })
})
