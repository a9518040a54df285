import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { distFolder } from '../../../server/src/workspace/stamp.ts'
import { openWorkspace } from '../../../server/src/workspace/workspace.ts'
import { launchBrowser, noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { atEnd } from '../../../server/test/support/finally.ts'
import type { Mailbox } from '../../../server/test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../server/test/support/mailbox.ts'
import { postForm } from '../../../server/test/support/integration.ts'
import { plainPdf } from '../../../server/test/support/pdf.ts'
import type { TestOrganization, TestService } from '../../../server/test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../server/test/support/service.ts'
import { buildScreens } from '../support/workspace.ts'

// The page on which people without an account sign: on phones, by keys alone, without scripts, and what it keeps.

const field = (kind: string, more: object = {}) => ({ kind, page: 2, x: 0.1, y: 0.5, ...more })
const fields = [
  field('text', { y: 0.8, label: 'Purchase order', required: false }),
  field('signature', { y: 0.4, width: 0.4, height: 0.08 }),
  field('date', { y: 0.55 }),
  field('initials', { page: 1, y: 0.9, width: 0.1 }),
  field('initials', { y: 0.9, width: 0.1 }),
  field('text', { y: 0.7, label: 'Place' }),
]

describe('the page on which others sign', { skip: noBrowser() }, () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let browser: Awaited<ReturnType<typeof launchBrowser>>

  before(async () => {
    await buildScreens()
    mailbox = await startMailbox()
    const workspace = openWorkspace('build', { info() {}, warn() {}, error() {} })
    await workspace.settled
    service = await startService({ smtpUrl: mailbox.url }, undefined, true, workspace)
    org = await makeOrganization(service)
    browser = await launchBrowser()
  })

  let people = 0
  /** A document that somebody is asked to sign; its id, and the path of their link. */
  async function asked(
    more: object = {},
    name = 'Ada Lovelace',
    { recipients: others = [], ...of }: { recipients?: object[]; [more: string]: unknown } = {},
  ) {
    const content = new Uint8Array(plainPdf([text('One'), text('Two')]))
    const form = new FormData()
    form.append('document_name', 'Service agreement')
    form.append('file', new Blob([content]), 'agreement.pdf')
    const { token } = org.users.admin
    const headers = { authorization: `Bearer ${token}` }
    const url = `${service.url}/api/documents/`
    const made = await fetch(url, { method: 'POST', body: form, headers })
    const { attach_id: id } = (await made.json()) as { attach_id: string }
    const email = `signer${++people}@signers.test`
    const recipients = [{ name, email, fields, ...more }, ...others]
    const body = { recipients, message: 'Before Friday, please.', ...of }
    const path = `/api/documents/${id}/signature/request/`
    const reply = await service.call('POST', path, { token, body })
    assert.equal(reply.status, 200, reply.text)
    return { id, path: new URL(linkIn(await mailbox.next(email))).pathname }
  }
  const text = (words: string) => ({ content: `BT /F1 40 Tf 72 700 Td (Page ${words}) Tj ET` })

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const desk = { viewport: { width: 1440, height: 900 } }

  /** Opens a link in a browser of its own. Whatever it complains about fails the test. */
  async function open(path: string, options: BrowserContextOptions = desk): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', ...options })
    atEnd(() => context.close())
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      // a browser says that a form was refused, or could not be sent
      if (message.type() === 'error' && !/status of 400|ERR_FAILED/.test(message.text()))
        faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    atEnd(async () => assert.deepEqual(faults, []))
    await page.goto(service.url + path)
    return page
  }

  const drawn = (page: Page) => page.locator('.page canvas').first().waitFor()
  const next = (page: Page) => page.locator('#moves button.main')

  async function draw(page: Page) {
    const pad = page.getByRole('img', { name: 'Box to draw your signature in' })
    await pad.scrollIntoViewIfNeeded()
    const { x, y } = (await pad.boundingBox()) ?? assert.fail('there is no box')
    for (const from of [20, 150]) {
      await page.mouse.move(x + from, y + 20)
      await page.mouse.down()
      await page.mouse.move(x + from + 60, y + 60, { steps: 4 })
      await page.mouse.up()
    }
  }

  async function stored(id: string) {
    const [row] = await rows(
      service,
      sql`select r.signature_name, r.signature_path, r.fields, r.viewed_at is not null as is_viewed
        from signature_recipients r join documents d on d.signature_request = r.request_id
        where d.id = ${id}`,
    )
    const values = row.fields.map(({ value }: { value: string | null }) => value)
    return { ...row, values }
  }

  test('asks for one field after another on a phone, draws the pages, and signs', async () => {
    const { id, path } = await asked()
    const page = await open(path, phone)
    // the first field can be filled in before the document is there
    await page.getByRole('heading', { name: 'Initials' }).waitFor()
    assert.equal(await page.locator('#count').textContent(), '1 of 6')
    assert.equal(await page.getByLabel('Initials, page 1').inputValue(), 'AL')
    await drawn(page)
    assert.deepEqual(await problemsOf(page), [])
    await next(page).click()

    await page.getByRole('heading', { name: 'Your signature' }).waitFor()
    // the field is in sight, and large
    const place = page.locator('.place[data-state=current]')
    const [its, stage] = [await place.boundingBox(), await page.locator('.stage').boundingBox()]
    assert.ok(its && stage)
    assert.ok(its.y >= stage.y && its.y + its.height <= stage.y + stage.height, 'it is in sight')
    assert.ok(its.width > 270 && its.width < 320, `${its.width} of 390`)
    await next(page).click()
    await page.getByText('Draw your signature, or choose “Type”').waitFor()
    await draw(page)
    await page.getByText('Draw your signature, or choose “Type”').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Take back the last stroke' }).click()
    assert.deepEqual(await problemsOf(page), [])
    assert.equal(await next(page).textContent(), 'Next: date')
    await next(page).click()
    await page.getByRole('heading', { name: 'Date' }).waitFor()
    await next(page).click()
    await next(page).click()
    await page.getByText('Fill this in').waitFor()
    await page.getByLabel('Place, page 2').fill('Utrecht')
    await next(page).click()
    assert.equal(await next(page).textContent(), 'Skip')
    await next(page).click()

    await page.getByRole('heading', { name: 'Sign the document' }).waitFor()
    assert.match((await page.locator('#summary').textContent()) ?? '', /Utrecht/)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByText('Tick that you agree').waitFor()
    await page.getByLabel(/I agree/).check()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('heading', { name: /Signed by everybody/ }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    assert.match(download.suggestedFilename(), /\.pdf$/)

    const row = await stored(id)
    assert.deepEqual(
      [row.signature_name, row.is_viewed, row.values[0], row.values[3], row.values[5]],
      ['Ada Lovelace', true, null, 'AL', 'Utrecht'],
    )
    // one stroke was taken back
    assert.equal(row.signature_path.split('M').length, 2)
  })

  test('asks for boxes, numbers and choices, on a phone', async () => {
    const kinds = [
      field('checkbox', { y: 0.1, label: 'Terms', width: 0.04 }),
      field('number', { y: 0.2, label: 'Seats' }),
      field('choice', { y: 0.3, label: 'Billing', options: ['Monthly', 'Yearly'] }),
      field('company', { y: 0.4, required: false }),
      field('name', { y: 0.5 }),
      field('signature', { y: 0.6, width: 0.4, height: 0.08 }),
    ]
    const { id, path } = await asked({ fields: kinds })
    const page = await open(path, { ...phone, colorScheme: 'dark' })
    await drawn(page)
    await next(page).click()
    await page.getByText('Fill this in').waitFor()
    await page.getByLabel('Terms, page 2').check()
    assert.deepEqual(await problemsOf(page), [])
    await next(page).click()
    await page.getByLabel('Seats, page 2').fill('many')
    await next(page).click()
    await page.getByText('Enter a number').waitFor()
    await page.getByLabel('Seats, page 2').fill('12')
    await next(page).click()
    await page.getByLabel('Billing, page 2').selectOption('Yearly')
    assert.deepEqual(await problemsOf(page), [])
    await next(page).click()
    assert.equal(await next(page).textContent(), 'Skip')
    await next(page).click()
    await page.getByRole('heading', { name: 'Name' }).waitFor()
    await next(page).click()
    await draw(page)
    await next(page).click()
    const summary = (await page.locator('#summary').textContent()) ?? ''
    assert.match(summary, /Terms✓Seats12BillingYearlyNameAda Lovelace/)
    await page.getByLabel(/I agree/).check()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('heading', { name: /Signed by everybody/ }).waitFor()
    const { values } = await stored(id)
    assert.deepEqual(values, ['yes', '12', 'Yearly', null, 'Ada Lovelace', 'Ada Lovelace'])
  })

  const proof = { label: 'Proof of address' }
  const file = (name: string, size = 4000) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(size, 65),
  })

  test('takes a file as soon as it is chosen, until it is signed, on a phone', async () => {
    const { id, path } = await asked({
      fields: [field('attachment', { y: 0.1, ...proof }), field('signature')],
    })
    const page = await open(path, phone)
    const input = page.getByLabel('Proof of address, page 2')
    await next(page).click()
    await page.getByText('Choose a file first.').waitFor()
    await input.setInputFiles(file('huge.bin', 10 * 1024 * 1024 + 1))
    await page.getByText('huge.bin is larger than 10 MiB.').waitFor()
    await input.setInputFiles(file('empty.bin', 0))
    await page.getByText('empty.bin is empty.').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await input.setInputFiles(file('draft.txt'))
    await page.getByText('draft.txt is attached.').waitFor()
    await page.getByRole('button', { name: 'Remove draft.txt' }).press('Enter')
    await page.getByText('Removed').waitFor()
    await input.setInputFiles(file('first.txt'))
    await page.getByText('first.txt is attached.').waitFor()
    await input.setInputFiles(file('bill.txt'))
    await page.getByText('bill.txt is attached.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'first.txt' }).count(), 0)
    assert.deepEqual(await problemsOf(page), [])

    // it is there on the next visit, and without the network nothing is lost
    await page.reload()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'bill.txt' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'bill.txt')
    await page.route('**/sign/**', (route) => route.abort())
    await input.setInputFiles(file('lost.txt'))
    await page.getByText('lost.txt could not be sent. Try again.').waitFor()
    await page.unroute('**/sign/**')
    await page.getByRole('link', { name: 'bill.txt' }).waitFor()
    await next(page).click()
    await page.getByText('Type', { exact: true }).click()
    await next(page).click()
    await page.getByRole('heading', { name: 'Sign the document' }).waitFor()
    assert.match((await page.locator('#summary').textContent()) ?? '', /bill\.txt/)
    await page.getByLabel(/I agree/).check()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('heading', { name: /Signed by everybody/ }).waitFor()
    assert.equal((await stored(id)).fields[0].file.name, 'bill.txt')
  })

  test('takes files without scripts', async () => {
    const { id, path } = await asked({
      fields: [
        field('attachment', { y: 0.1, ...proof }),
        field('attachment', { y: 0.2, label: 'Photo', required: false }),
        field('number', { y: 0.3, label: 'Seats' }),
      ],
    })
    const page = await open(path, { ...desk, javaScriptEnabled: false })
    const box = page.locator('.asked', { hasText: 'Proof of address' })
    await page.getByLabel('Photo, page 2').setInputFiles(file('photo.png'))
    await box.locator('input').setInputFiles(file('draft.txt'))
    await page.getByLabel('Seats, page 2').fill('12')
    await box.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('button', { name: 'Remove photo.png' }).click()
    assert.equal(await page.getByLabel('Seats, page 2').inputValue(), '12')
    await box.locator('input').setInputFiles(file('bill.txt'))
    await page.getByLabel(/I agree/).check()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('heading', { name: /Signed by everybody/ }).waitFor()
    const names = (await stored(id)).fields.map(
      (each: { file?: { name: string } }) => each.file?.name,
    )
    assert.deepEqual(names, ['bill.txt', undefined, undefined])
  })

  test('asks for what depends on a box only once it is ticked', async () => {
    const vat = { field: 'firm', operator: 'filled' }
    const { id, path } = await asked({
      fields: [
        field('checkbox', { key: 'firm', y: 0.1, label: 'For a company', required: false }),
        field('text', { y: 0.2, label: 'VAT number', show_if: vat }),
        field('signature', { y: 0.6, width: 0.4, height: 0.08 }),
      ],
    })
    const page = await open(path)
    await drawn(page)
    const [count, places] = [page.locator('#count'), page.locator('.place:visible')]
    assert.equal(await count.textContent(), '1 of 3')
    assert.equal(await places.count(), 2)
    await page.getByLabel('For a company, page 2').check()
    assert.equal(await count.textContent(), '1 of 4')
    assert.equal(await places.count(), 3)
    assert.equal(await next(page).textContent(), 'Next: vat number')
    assert.deepEqual(await problemsOf(page), [])
    await next(page).click()
    await page.getByLabel('VAT number, page 2').fill('EU123')
    await page.getByRole('button', { name: 'Back' }).click()
    // what is hidden again keeps nothing in what is sent
    await page.getByLabel('For a company, page 2').uncheck()
    assert.equal(await next(page).textContent(), 'Skip')
    await next(page).click()
    await page.getByRole('heading', { name: 'Your signature' }).waitFor()
    assert.equal(await count.textContent(), '2 of 3')
    await draw(page)
    await next(page).click()
    assert.doesNotMatch((await page.locator('#summary').textContent()) ?? '', /VAT/)
    await page.getByLabel(/I agree/).check()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('heading', { name: /Signed by everybody/ }).waitFor()
    assert.deepEqual((await stored(id)).values, [null, null, 'Ada Lovelace'])
  })

  test('shows what others have signed at its place, and lets somebody hand over', async () => {
    const bea = { name: 'Bea Stone', email: 'bea@signers.test' }
    const { id, path } = await asked(
      { fields: [field('signature', { y: 0.4 }), field('text', { y: 0.5, label: 'Place' })] },
      'Ada Lovelace',
      { recipients: [{ ...bea, order: 2 }], sequential: true, allow_delegation: true },
    )
    const signed = await postForm(service, path, {
      name: 'Ada Lovelace',
      agree: 'yes',
      act: 'sign',
      signature: 'M10 10L90 60',
      'field.1': 'Utrecht',
    })
    assert.equal(signed.status, 303)
    const link = new URL(linkIn(await mailbox.next(bea.email))).pathname
    const page = await open(link, phone)
    await drawn(page)
    const theirs = page.locator('[aria-label^="Page 2"] .theirs')
    await theirs.first().waitFor()
    assert.deepEqual(await theirs.allTextContents(), [
      'Ada Lovelace: Ada Lovelace',
      'Ada Lovelace: Utrecht',
    ])
    assert.equal(await theirs.first().locator('svg path').getAttribute('d'), 'M10 10L90 60')
    await page.getByText('Somebody else is to do this').click()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByLabel('Their full name').fill('Carl Moss')
    await page.getByLabel('Their e-mail address').fill('carl@signers.test')
    await page.getByRole('button', { name: 'Hand over' }).click()
    await page.getByRole('heading', { name: 'Handed over to Carl Moss' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    const [row] = await rows(
      service,
      sql`select array_agg(r.name order by r.position) as names from signature_recipients r
        join documents d on d.signature_request = r.request_id where d.id = ${id}`,
    )
    assert.deepEqual(row.names, ['Ada Lovelace', 'Carl Moss'])
  })

  test('can be signed by keys alone, in a hand', async () => {
    const { id, path } = await asked()
    const page = await open(path)
    await drawn(page)
    const press = (key: string) => page.keyboard.press(key)
    await press('Tab')
    await press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'panel')
    await press('Tab')
    await press('Enter')
    await page.locator('legend:focus', { hasText: 'Your signature' }).waitFor()
    await press('Tab')
    await page.keyboard.type('Ada K. Lovelace')
    await press('Tab')
    await press('ArrowRight')
    await press('Tab')
    await press('ArrowDown')
    await press('Enter')
    await page.locator('legend:focus', { hasText: 'Date' }).waitFor()
    for (let i = 0; i < 10; i++) {
      if (await page.evaluate(`document.activeElement.matches('#moves .main')`)) break
      await press('Tab')
    }
    await press('Enter')
    await page.locator('#field-5:focus').waitFor()
    await page.keyboard.type('Utrecht')
    await press('Enter')
    await page.locator('#field-0:focus').waitFor()
    await press('Enter')
    await page.locator('#agree:focus').waitFor()
    await press('Space')
    await press('Enter')
    await page.getByRole('heading', { name: /Signed by everybody/ }).waitFor()
    const row = await stored(id)
    assert.equal(row.signature_name, 'Ada K. Lovelace')
    assert.equal(row.values[3], 'AKL')
    assert.match(row.signature_path, /^(M\d+ \d+(L\d+ \d+)+)+$/)
  })

  test('takes a picture of a signature without its paper', async () => {
    const { id, path } = await asked({ fields: [] })
    const page = await open(path)
    const picture = (await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = 900
      canvas.height = 500
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      context.fillStyle = '#ded8c8'
      context.fillRect(0, 0, 900, 500)
      context.lineWidth = 10
      context.strokeStyle = '#20306a'
      context.beginPath()
      context.moveTo(200, 200)
      context.bezierCurveTo(400, 20, 420, 480, 700, 250)
      context.stroke()
      return canvas.toDataURL('image/png')
    })) as string
    const content = Buffer.from(picture.split(',')[1] ?? '', 'base64')
    await page.getByText('Upload', { exact: true }).click()
    const white = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC',
      'base64',
    )
    const file = page.getByLabel('A picture of your signature')
    await file.setInputFiles({ name: 'white.png', mimeType: 'image/png', buffer: white })
    await page.getByText('No signature can be seen in this picture').waitFor()
    await file.setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: content })
    await page.locator('.panel .paper-box .pen:visible').waitFor()
    await next(page).click()
    await page.getByLabel(/I agree/).check()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('heading', { name: /Signed by everybody/ }).waitFor()
    const { signature_path } = await stored(id)
    const ys = Array.from(signature_path.matchAll(/M\d+ (\d+)/g), ([, y]) => Number(y))
    // the curve alone, not its paper, as high as the box allows
    assert.ok(ys.length > 20 && ys.length < 200, `${ys.length} lines`)
    assert.ok(Math.max(...ys) - Math.min(...ys) > 120)
  })

  test('works without scripts, with its errors at their fields', async () => {
    for (const options of [desk, phone]) {
      const { id, path } = await asked()
      const page = await open(path, { ...options, javaScriptEnabled: false })
      await page.getByLabel('Your full name').fill('Ada Lovelace')
      await page.getByLabel('Initials, page 2').fill('A.')
      await page.getByLabel('Place, page 2').fill(' ')
      await page.getByLabel(/I agree/).check()
      await page.getByRole('button', { name: 'Sign', exact: true }).click()
      await page.getByText('Fill in what is marked').waitFor()
      const place = page.getByLabel('Place, page 2')
      assert.equal(await place.getAttribute('aria-invalid'), 'true')
      await place.fill('Utrecht')
      await page.getByLabel('Language').selectOption('de')
      await page.getByRole('button', { name: 'Change' }).click()
      assert.equal(await page.getByLabel('Place, Seite 2').inputValue(), 'Utrecht')
      await page.getByLabel(/Ich stimme zu/).check()
      await page.getByRole('button', { name: 'Unterschreiben', exact: true }).click()
      await page.getByRole('heading', { name: 'Von allen unterschrieben' }).waitFor()
      const row = await stored(id)
      assert.deepEqual([row.values[3], row.values[4], row.values[5]], ['AL', 'A.', 'Utrecht'])
    }
  })

  test('keeps what is filled in only if one wants that, and forgets it when it is signed', async () => {
    const { path } = await asked()
    const page = await open(path)
    const kept = () => page.evaluate('JSON.stringify(localStorage)')
    await page.getByLabel('Initials, page 1').fill('X')
    await page.reload()
    assert.equal(await page.getByLabel('Initials, page 1').inputValue(), 'AL')
    assert.equal(await kept(), '{}')
    await page.getByLabel(/Keep what I fill in/).check()
    await page.getByLabel('Initials, page 1').fill('XY')
    await next(page).click()
    await draw(page)
    await page.reload()
    await page.getByText('What you filled in before is here again').waitFor()
    assert.equal(await page.getByLabel('Initials, page 1').inputValue(), 'XY')
    // in another language nothing of it is lost
    await page.getByLabel('Language').selectOption('nl')
    await page.getByRole('heading', { name: 'Initialen' }).waitFor()
    assert.equal(await page.locator('#field-3').inputValue(), 'XY')
    await next(page).click()
    assert.ok(await page.locator('.pad path').getAttribute('d'))
    await page.getByText('Ik wil dat niet').click()
    await page.locator('#reason').fill('Wrong price')
    await page.locator('button[value=decline]').click()
    await page.waitForURL(/lang=nl/)
    assert.equal(await kept(), '{}')
  })

  test('is whole in both themes, at 320 pixels and at 400 %, and scrolls sideways nowhere', async () => {
    const { path } = await asked()
    for (const [colorScheme, width, height] of [
      ['light', 1440, 900],
      ['dark', 390, 844],
      ['light', 320, 640],
      ['dark', 320, 256],
    ] as const) {
      const viewport = { width, height }
      const page = await open(path, { viewport, colorScheme })
      await drawn(page)
      assert.deepEqual(await problemsOf(page), [], `${colorScheme} ${viewport.width}`)
      await next(page).click()
      await page.getByRole('heading', { name: 'Your signature' }).waitFor()
      await page.getByText('Type', { exact: true }).click()
      await page.locator('.hands .pen').first().waitFor()
      assert.deepEqual(await problemsOf(page), [], `${colorScheme} ${viewport.width}`)
      const percent = async () => parseInt((await page.locator('#zoom output').textContent()) ?? '')
      const before = await percent()
      // on a phone the field is as large as the window allows
      assert.equal(before === 100, viewport.width > 760)
      await page.getByRole('button', { name: 'Larger' }).click()
      assert.ok((await percent()) > before)
      assert.deepEqual(await problemsOf(page), [], `${colorScheme} ${viewport.width} zoomed`)
      await page.context().close()
    }
  })

  test('weighs little before it draws pages', async (t) => {
    const { path } = await asked()
    const { text: sent } = await service.call('GET', path, {
      headers: { accept: 'text/html' },
    })
    const [, address = ''] = /<script type="module" src="([^"]+)"/.exec(sent) ?? []
    const script = readFileSync(join(distFolder, address))
    const size = (gzipSync(sent).length + gzipSync(script).length) / 1000
    t.diagnostic(`${size.toFixed(1)} of 30 kB`)
    assert.ok(size < 30, `${size} kB`)
  })
})
