import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { postForm } from '../../../server/test/support/integration.ts'
import type { Mailbox } from '../../../server/test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../server/test/support/mailbox.ts'
import { plainPdf } from '../../../server/test/support/pdf.ts'
import { byKeysAlone, focusIsAt, pressAt, tabTo, typeAt } from '../support/keyboard.ts'
import { madeIdentity } from '../../../server/src/records/documents/seals/made-certificate.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// Documents that people sign: who is waited for, what happened, and how it ends.

describe('the signatures of a document', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let mailbox: Mailbox
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    mailbox = await startMailbox()
    workspace = await startWorkspace({ settings: { smtpUrl: mailbox.url } })
    call = await workspace.as('admin')
  })

  let people = 0
  const person = (name: string, more: object = {}) => ({
    name,
    email: `signer${++people}@signers.test`,
    ...more,
  })
  const linkTo = async ({ email }: { email: string }) =>
    new URL(linkIn(await mailbox.next(email))).pathname
  const sign = (path: string, name: string) =>
    postForm(workspace.service, path, { name, agree: 'yes', act: 'sign' })

  /** A document with a PDF of so many pages, through the API. */
  async function contract(pages = 1): Promise<string> {
    const session = await workspace.open('admin', { path: '/documents' })
    const content = plainPdf(Array(pages).fill({})).toString('base64')
    const id = await session.evaluate(async (base64) => {
      const form = new FormData()
      const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
      form.append('document_name', 'Service agreement')
      form.append('file', new Blob([bytes]), 'agreement.pdf')
      const reply = await fetch('/api/documents/', { method: 'POST', body: form })
      return ((await reply.json()) as { attach_id: string }).attach_id
    }, content)
    await session.context().close()
    return id
  }

  async function asked(recipients: object[], more: object = {}): Promise<string> {
    const id = await contract()
    await call('POST', `/api/documents/${id}/signature/request/`, { recipients, ...more })
    return id
  }

  const rowOf = (page: Page, name: string) =>
    page.locator('ol > li', { has: page.getByText(name, { exact: true }) })

  test('are followed as they come, reminded and sealed', async () => {
    const [ada, bob] = [person('Ada Lovelace'), person('Bob Ross', { role: 'approver' })]
    const id = await asked([ada, bob], { message: 'Before Friday, please.' })
    const page = await workspace.open('admin', { path: `/documents/${id}/signatures` })
    await page.getByRole('heading', { name: 'Waiting for 2 of 2' }).waitFor()
    await rowOf(page, ada.name).getByText('Not opened yet').waitFor()
    await page.getByText('Before Friday, please.').waitFor()
    assert.deepEqual(await problemsOf(page), [])

    const first = await linkTo(ada)
    await workspace.service.call('POST', `${first}/viewed`)
    await rowOf(page, ada.name).getByText('Opened, not signed').waitFor()
    await page.getByText('opened the document').waitFor()

    await page.getByRole('button', { name: 'Remind Ada Lovelace', exact: true }).click()
    await rowOf(page, ada.name)
      .getByText(/^Reminded this minute, again from /)
      .waitFor()
    assert.match((await mailbox.next(ada.email)).subject ?? '', /^Reminder.*Service agreement/)
    await page.getByRole('button', { name: 'Remind Bob Ross', exact: true }).click()
    await rowOf(page, bob.name)
      .getByText(/^Reminded this minute, again from /)
      .waitFor()
    await page.getByText('Reminded 2 times, last this minute.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Remind/ }).count(), 0)
    assert.deepEqual(await problemsOf(page), [])

    assert.equal((await sign(first, 'Ada Lovelace')).status, 303)
    await page.getByRole('heading', { name: 'Waiting for 1 of 2' }).waitFor()
    await rowOf(page, ada.name).getByText('Signed', { exact: true }).waitFor()
    const second = await linkTo(bob)
    assert.equal((await sign(second, 'Bob Ross')).status, 303)

    await page.getByRole('link', { name: 'Open the sealed version' }).click()
    await page.getByRole('heading', { name: 'Signed by all 2' }).waitFor()
    await page.getByText('Valid and unchanged.').waitFor()
    await page.getByText('Everybody has signed').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.context().close()
  })

  test('go to the right address once it is corrected', async () => {
    const [wrong, right] = [person('Ivy Reed'), person('Ivy Reed')]
    const id = await asked([wrong])
    const page = await workspace.open('admin', { path: `/documents/${id}/signatures` })
    await page.getByRole('button', { name: 'Correct Ivy Reed' }).click()
    await page.getByLabel('E-mail').fill(right.email)
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Correct and send' }).click()
    await rowOf(page, right.name).getByText(right.email).waitFor()
    await page.getByText(`corrected the address ${wrong.email}`).waitFor()
    assert.equal((await sign(await linkTo(right), 'Ivy Reed')).status, 303)
    await page.getByRole('heading', { name: 'Signed', exact: true }).waitFor()
    await page.context().close()
  })

  test('say in the list whom they wait for, and lead there', async () => {
    const id = await asked([person('Cleo Vance')])
    const page = await workspace.open('admin', { path: '/documents' })
    const row = page.getByRole('row', { name: /Cleo Vance/ })
    await row.getByText('Waits for Cleo Vance').waitFor()
    await page.getByRole('button', { name: 'Waiting for others', exact: true }).click()
    await row.waitFor()
    const session = 'fetch("/api/session/").then((reply) => reply.json())'
    const { user } = await page.evaluate<{ user: { email: string } }>(session)
    const own = await asked([{ name: 'Myself Alone', email: user.email }])
    await page.getByRole('button', { name: 'Waiting for me', exact: true }).click()
    await page.getByRole('row', { name: /Myself Alone/ }).waitFor()
    assert.equal(await row.count(), 0)
    assert.deepEqual(await problemsOf(page), [])
    await page.reload()
    await page.locator('[aria-current="page"]', { hasText: 'Waiting for me' }).waitFor()
    await page.getByRole('row', { name: /Myself Alone/ }).waitFor()
    await page.getByRole('button', { name: 'Waiting for others', exact: true }).click()
    await row.waitFor()
    assert.equal(await page.getByRole('row', { name: /Myself Alone/ }).count(), 0)
    await call('POST', `/api/documents/${own}/signature/void/`, {})
    await page.goto(`/documents/${id}`)
    await page.getByRole('link', { name: 'Waits for Cleo Vance' }).click()
    await page.getByRole('heading', { name: 'Waiting for 1 of 1' }).waitFor()
    await page.context().close()
  })

  test('are withdrawn with a reason that the recipient reads, on a phone', async () => {
    const dan = person('Dan Brewer')
    const id = await asked([dan])
    const link = await linkTo(dan)
    const page = await workspace.open('admin', {
      path: `/documents/${id}/signatures`,
      screen: 'phone',
      theme: 'dark',
    })
    await page.getByRole('heading', { name: 'Waiting for 1 of 1' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Withdraw the request' }).click()
    await page.getByLabel('Reason').fill('The price was wrong')
    const dialog = page.getByRole('dialog')
    assert.deepEqual(await problemsOf(page), [])
    await dialog.getByRole('button', { name: 'Withdraw the request' }).click()
    await page.getByText('Nobody is asked to sign').waitFor()
    await page.getByText('“The price was wrong”').waitFor()
    assert.match((await mailbox.next(dan.email)).text ?? '', /The price was wrong/)
    assert.equal((await workspace.service.call('GET', link)).status, 410)
    await page.context().close()
  })

  test('begin with an upload, which opens; a bad file says why, and a drop on the list uploads', async () => {
    const page = await workspace.open('admin', { path: '/documents' })
    await page.getByRole('heading', { name: 'Documents' }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New document' })
    await dialog.waitFor()
    assert.deepEqual(await problemsOf(page), [])
    const buffer = plainPdf(Array(6).fill({}))
    const file = { name: 'offer.pdf', mimeType: 'application/pdf', buffer }
    // one that goes on in the background opens nothing
    const held = Promise.withResolvers<void>()
    await page.route('**/api/documents/', async (route) => {
      await held.promise
      await route.continue()
    })
    await dialog.locator('input[type=file]').setInputFiles({ ...file, name: 'later.pdf' })
    await dialog.getByRole('button', { name: 'Go on in the background' }).click()
    await dialog.waitFor({ state: 'detached' })
    held.resolve()
    await page.getByRole('row', { name: /later\.pdf/ }).waitFor()
    await page.unroute('**/api/documents/')
    await page.keyboard.press('c')
    await dialog.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('heading', { name: 'offer.pdf' }).waitFor()
    await page.getByRole('group', { name: 'Page 1 of 6' }).locator('canvas').waitFor()
    await page.getByRole('link', { name: 'Read in the whole window' }).click()
    await page.getByRole('group', { name: 'Page 1 of 6' }).getByText('Page 1 of the text').waitFor()
    await page.getByLabel('Page, of 6').fill('5')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Page 5 of 6' }).locator('canvas').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    const width = () =>
      page.getByRole('group', { name: 'Page 5 of 6' }).evaluate((each) => each.clientWidth)
    const before = await width()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Larger' }).click()
    await page.waitForFunction(
      (was) => (document.querySelector('[data-page="5"]')?.clientWidth ?? 0) > was,
      before,
    )
    await page.getByRole('button', { name: 'Fit width' }).click()
    await page.waitForFunction(
      (was) => document.querySelector('[data-page="5"]')?.clientWidth === was,
      before,
    )

    await page.goto('/documents')
    await page.getByRole('heading', { name: 'Documents' }).waitFor()
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.items.add(new File(['one'], 'one.txt', { type: 'text/plain' }))
      data.items.add(new File(['%PDF-1.4 broken'], 'two.pdf', { type: 'application/pdf' }))
      for (const type of ['dragenter', 'drop']) {
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
        )
      }
    })
    const dropped = page.getByRole('dialog', { name: 'New document' })
    await dropped.getByRole('link', { name: 'two.pdf' }).waitFor()
    await dropped.getByRole('link', { name: 'one.txt' }).click()
    await page.getByText('one', { exact: true }).waitFor()
    const [damaged] = await call('GET', '/api/documents/?page=1&items_per_page=1&q=two.pdf')
    await page.goto(`/documents/${damaged.attach_id}`)
    await page.getByText('This file cannot be shown').waitFor()
    await page.context().close()
  })

  test('are prepared by keys alone, sent as placed, and signed', async () => {
    const id = await contract(6)
    const page = await workspace.open('admin', { path: `/documents/${id}/signatures/prepare` })
    await byKeysAlone(page)
    const [gus, hal] = [person('Gus Pike'), person('Hal Moss')]
    for (const each of [gus, hal]) {
      await pressAt(page, page.getByRole('combobox', { name: 'Add a recipient' }))
      const search = page.getByRole('combobox', { name: 'Name or e-mail address' })
      await search.waitFor()
      await page.keyboard.type(each.email)
      await page.getByRole('button', { name: `Create “${each.email}”` }).waitFor()
      await page.getByRole('option').first().waitFor({ state: 'detached' })
      await page.keyboard.press('Enter')
      const name = page.getByRole('group', { name: each.email }).getByLabel('Name')
      await name.waitFor()
      await focusIsAt(page, page.getByRole('combobox', { name: 'Add a recipient' }))
      await tabTo(page, name, 'Shift+Tab')
      await page.keyboard.type(each.name)
      await page.getByRole('group', { name: each.name }).waitFor()
    }
    await page.getByRole('group', { name: 'Hal Moss' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await pressAt(page, page.getByRole('button', { name: 'Next: fields' }))
    await page.getByRole('group', { name: 'Page 1 of 6' }).locator('canvas').waitFor()
    await page.keyboard.press('i')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const initials = page.getByRole('button', { name: /^Initials, Gus Pike, page 1/ })
    await focusIsAt(page, initials)
    await page.keyboard.press('ArrowLeft')
    assert.deepEqual(await problemsOf(page), [])
    for (const [label, mm] of [
      ['Left', '22.3'],
      ['Top', '164.2'],
    ] as const) {
      await typeAt(page, page.getByRole('textbox', { name: label, exact: true }), mm)
    }
    await pressAt(page, page.getByRole('button', { name: 'Copy to every page' }))
    await page.getByText('6 fields').waitFor()
    await page.keyboard.press('s')
    await page.keyboard.press('Enter')
    await focusIsAt(page, page.getByRole('button', { name: /^Signature, Gus Pike, page 1/ }))
    await pressAt(page, page.getByRole('button', { name: /Hal Moss/ }).first())
    await page.keyboard.press('s')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Enter')
    await focusIsAt(page, page.getByRole('button', { name: /^Signature, Hal Moss, page/ }))
    await pressAt(page, page.getByRole('button', { name: 'Check and send', exact: true }))
    await page.getByText('Ready to send').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await pressAt(page, page.getByRole('button', { name: 'Send to 2 people' }))
    await page.getByRole('heading', { name: 'Waiting for 2 of 2' }).waitFor()
    const { signature_recipients: stored } = await call('GET', `/api/documents/${id}/`)
    const [a4Width, a4Height] = [595, 842].map((points) => (points / 72) * 25.4)
    const placed = (
      stored as { fields: { kind: string; x: number; y: number }[] }[]
    )[0]?.fields.filter(({ kind }) => kind === 'initials')
    assert.equal(placed?.length, 6)
    for (const { x, y } of placed ?? []) {
      assert.ok(Math.abs(x * (a4Width ?? 0) - 22.3) < 0.05, `${x}`)
      assert.ok(Math.abs(y * (a4Height ?? 0) - 164.2) < 0.05, `${y}`)
    }
    assert.equal(stored[1].fields.length, 1)
    assert.equal((await sign(await linkTo(gus), 'Gus Pike')).status, 303)
    await page.getByRole('heading', { name: 'Waiting for 1 of 2' }).waitFor()
    await page.context().close()
  })

  test('are placed with the pointer where it is, at three zooms', async () => {
    const id = await contract(2)
    const page = await workspace.open('admin', { path: `/documents/${id}/signatures/prepare` })
    await page.getByRole('button', { name: 'Add me' }).click()
    await page.getByRole('button', { name: 'Next: fields' }).click()
    const paper = page.locator('[data-page="1"]')
    await paper.locator('canvas').waitFor()
    for (const [at, zoom] of ['Smaller', 'Larger', 'Larger'].entries()) {
      await page.getByRole('button', { name: zoom, exact: true }).click()
      await paper.locator('canvas').waitFor()
      await page.getByRole('button', { name: 'Date', exact: true }).click()
      const box = await paper.boundingBox()
      assert.ok(box)
      const [x, y] = [0.3, 0.1 + at * 0.1]
      await page.mouse.click(box.x + x * box.width, box.y + y * box.height)
      await page
        .getByRole('button', { name: /^Date, .* page 1/ })
        .nth(at)
        .waitFor()
      const left = page.getByRole('textbox', { name: 'Left', exact: true })
      const top = page.getByRole('textbox', { name: 'Top', exact: true })
      const [mmLeft, mmTop] = [Number(await left.inputValue()), Number(await top.inputValue())]
      // half of 32 × 8 mm from the pointer, which is on whole pixels
      const [wide, high] = [(595 / 72) * 25.4, (842 / 72) * 25.4]
      const pixel = (wide / box.width) * 1.1
      assert.ok(Math.abs(mmLeft + 16 - x * wide) <= pixel, `${mmLeft} at ${box.width}`)
      assert.ok(Math.abs(mmTop + 4 - y * high) <= pixel, `${mmTop} at ${box.height}`)
    }
    const field = page.getByRole('button', { name: /^Date, .* page 1/ }).first()
    const from = await field.boundingBox()
    assert.ok(from)
    await page.mouse.move(from.x + 10, from.y + 5)
    await page.mouse.down()
    await page.mouse.move(from.x + 60, from.y + 45, { steps: 5 })
    await page.mouse.up()
    await page.waitForFunction(
      (was) => (document.querySelector('[data-field]')?.getBoundingClientRect().x ?? 0) > was + 20,
      from.x,
    )
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(
      (was) =>
        Math.abs((document.querySelector('[data-field]')?.getBoundingClientRect().x ?? 0) - was) <
        2,
      from.x,
    )
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Check and send', exact: true }).click()
    await page.getByText(/3 × date/).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.context().close()
  })

  test('are prepared by two people at once without losing anything', async () => {
    const id = await contract(2)
    const path = `/documents/${id}/signatures/prepare`
    const [one, two] = [
      await workspace.open('admin', { path }),
      await workspace.open('manager', { path }),
    ]
    await two.getByRole('button', { name: 'Add me' }).waitFor()
    await one.getByRole('button', { name: 'Add me' }).click()
    await one.getByText('Saved', { exact: true }).waitFor()
    // the other has not read that
    await two.getByRole('button', { name: 'Add me' }).click()
    await two.getByText('Somebody else changed this preparation, too').waitFor()
    await two.getByText('Saved', { exact: true }).waitFor()
    expectFaults(two, /412/)
    await two.getByRole('button', { name: 'Message', exact: true }).click()
    const isStored = two.waitForResponse(
      (reply) => reply.request().method() === 'PUT' && reply.url().endsWith('/preparation/'),
    )
    await two.getByLabel('What the mail and the page say').fill('Please sign.')
    await isStored
    const stored = await call('GET', `/api/documents/${id}/signature/preparation/`)
    assert.deepEqual([stored.recipients.length, stored.message], [2, 'Please sign.'])
    assert.equal(
      await two.evaluate(
        'Object.keys(localStorage).filter((name) => name.startsWith("draft")).length',
      ),
      0,
    )
    for (const page of [one, two]) await page.context().close()
  })

  test('are asked for by conditions, and handed over where the sender allows it', async () => {
    const id = await contract()
    const ada = person('Ada Lovelace')
    const at = (key: string, kind: string, y: number, label: string) => ({
      key,
      recipient: 'a',
      kind,
      page: 1,
      x: 0.1,
      y,
      width: 0.3,
      height: 0.03,
      label,
      required: kind === 'text',
    })
    await call('PUT', `/api/documents/${id}/signature/preparation/`, {
      recipients: [{ key: 'a', ...ada, role: 'signer', order: 1 }],
      fields: [
        at('box', 'checkbox', 0.1, 'For a company'),
        at('vat', 'text', 0.2, 'VAT number'),
        at('sign', 'signature', 0.3, ''),
      ],
      message: '',
      expires: null,
    })
    const page = await workspace.open('admin', { path: `/documents/${id}/signatures/prepare` })
    await page.getByRole('button', { name: 'Fields', exact: true }).click()
    const vat = page.getByRole('button', { name: /^VAT number, / })
    await vat.click()
    const choose = async (label: string, option: string) => {
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('Asked only if', 'For a company, page 1')
    await choose('Condition', 'is ticked')
    await page.locator('[data-words="VAT number · 1 · if …"]').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    // a signature is always asked for
    await page.getByRole('button', { name: /^Signature, / }).click()
    await page.getByRole('combobox', { name: 'Asked only if' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Message', exact: true }).click()
    await page.getByRole('switch', { name: /hand over to somebody else/ }).click()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Check and send', exact: true }).click()
    await page.getByText('Each may hand over to somebody else, once.').waitFor()
    await page.getByRole('button', { name: 'Send to 1 person' }).click()
    await page.getByRole('heading', { name: 'Waiting for 1 of 1' }).waitFor()
    const { signature_recipients: asked } = await call('GET', `/api/documents/${id}/`)
    const [box, number] = asked[0].fields
    assert.deepEqual(number.show_if, { field: box.key, operator: 'filled' })
    const bea = person('Bea Stone')
    const reply = await postForm(workspace.service, await linkTo(ada), {
      act: 'delegate',
      delegate_name: bea.name,
      delegate_email: bea.email,
    })
    assert.equal(reply.status, 200)
    await rowOf(page, bea.name).getByText('It was handed over to them').waitFor()
    await page
      .getByText(`handed over to ${bea.name}, ${bea.email}, by a new link`)
      .first()
      .waitFor()
    assert.deepEqual(await problemsOf(page), [])
    // the box is not ticked: nobody asks for the number
    assert.equal((await sign(await linkTo(bea), bea.name)).status, 303)
    await page.getByRole('heading', { name: /Everybody|Signed|Sealing|Sealed/ }).waitFor()
    await page.context().close()
  })

  test('ask for a file, which is read beside who attached it', async () => {
    const id = await contract()
    const ada = person('Ada Lovelace')
    await call('PUT', `/api/documents/${id}/signature/preparation/`, {
      recipients: [{ key: 'a', ...ada, role: 'signer', order: 1 }],
      fields: [],
      message: '',
      expires: null,
    })
    const page = await workspace.open('admin', { path: `/documents/${id}/signatures/prepare` })
    await page.getByRole('button', { name: 'Fields', exact: true }).click()
    await page.getByRole('group', { name: 'Page 1 of 1' }).locator('canvas').waitFor()
    await page.getByRole('button', { name: 'Attachment' }).click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByLabel('Label', { exact: true }).fill('Passport')
    await page.getByText('Which file is wanted.').waitFor()
    await page.getByRole('switch', { name: 'Must be attached' }).waitFor()
    assert.equal(await page.getByLabel('Filled in beforehand').count(), 0)
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Check and send', exact: true }).click()
    await page.getByRole('button', { name: 'Send to 1 person' }).click()
    await page.getByRole('heading', { name: 'Waiting for 1 of 1' }).waitFor()

    const form = new FormData()
    for (const [name, value] of Object.entries({ name: ada.name, agree: 'yes', act: 'sign' }))
      form.append(name, value)
    form.append('file.0', new Blob([Buffer.alloc(2500)]), 'passport.pdf')
    const link = `${workspace.service.url}${await linkTo(ada)}`
    const signed = await fetch(link, { method: 'POST', body: form, redirect: 'manual' })
    assert.equal(signed.status, 303)
    await page.getByText('attached passport.pdf (2.5 kB)').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      rowOf(page, ada.name).getByRole('link', { name: 'passport.pdf' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'passport.pdf')
    assert.deepEqual(await problemsOf(page), [])
    await page.context().close()
  })

  test('are prepared on a phone in the dark without scrolling sideways', async () => {
    const id = await contract(2)
    const path = `/documents/${id}/signatures/prepare`
    const page = await workspace.open('admin', { path, screen: 'phone', theme: 'dark' })
    await page.getByRole('button', { name: 'Add me' }).click()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Fields', exact: true }).click()
    await page.locator('[data-page="1"] canvas').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Signature', exact: true }).click()
    await page.locator('[data-page="1"]').click({ position: { x: 150, y: 120 } })
    await page.getByRole('button', { name: /^Signature, .* page 1/ }).waitFor()
    await page.getByRole('button', { name: 'Message', exact: true }).click()
    await page.getByLabel('What the mail and the page say').fill('Please sign.')
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Check and send', exact: true }).click()
    await page.getByRole('button', { name: 'Send to 1 person' }).click()
    await page.getByRole('heading', { name: 'Waiting for 1 of 1' }).waitFor()
    await page.context().close()
  })

  test('are sealed with an own certificate, and refuse a time stamp service that does not answer', async () => {
    const page = await workspace.open('admin', { path: '/settings/signing' })
    await page.getByRole('heading', { name: 'Certificate' }).waitFor()
    const { certificates, privateKey } = await madeIdentity('Acme Seals', new Date())
    const own = certificates.map((each) => new X509Certificate(each).toString()).join('')
    const choose = async (name: string, content: string) => {
      const buffer = Buffer.from(content)
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer })
      await page.getByRole('button', { name: 'Use this certificate' }).click()
    }
    await choose('broken.pem', 'no certificate')
    await page.getByText('Must have a private key, which the password opens').waitFor()
    await choose('acme.pem', privateKey + own)
    await page.getByText('Acme Seals').first().waitFor()
    const { certificate } = await call('GET', '/api/organization/signing/')
    assert.match(certificate.subject, /Acme Seals/)
    await page.getByLabel('Address').fill('http://127.0.0.1:1/stamps')
    await page.getByRole('button', { name: 'Try and save' }).click()
    await page.getByText('Must be a time stamp service (RFC 3161) that answers').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    expectFaults(page, /400/)
    await page.context().close()
  })

  test('that were declined say by whom and why', async () => {
    const eve = person('Eve Stone')
    const id = await asked([eve, person('Finn Hale')])
    const page = await workspace.open('member', { path: `/documents/${id}/signatures` })
    await page.getByRole('heading', { name: 'Waiting for 2 of 2' }).waitFor()
    const declined = { act: 'decline', reason: 'Not my contract' }
    await postForm(workspace.service, await linkTo(eve), declined)
    await page.getByRole('heading', { name: 'Declined by Eve Stone' }).waitFor()
    await rowOf(page, 'Eve Stone').getByText('“Not my contract”').waitFor()
    await rowOf(page, 'Finn Hale').getByText('Did not sign').waitFor()
    await page.context().close()
  })
})
