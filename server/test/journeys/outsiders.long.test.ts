import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { PDF } from '@libpdf/core'
import type { Browser } from 'playwright-core'
import { newId } from '../../src/kit/ground/ids.ts'
import { launchBrowser, looks, noBrowser, problemsOf } from '../support/browser.ts'
import { depth } from '../support/depth.ts'
import { authorizeQuery, makeApp } from '../support/integration.ts'
import type { Mailbox, Received } from '../support/mailbox.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, sql, startService } from '../support/service.ts'
import { ageLinks } from '../support/links.ts'
import { lacks, told } from '../support/pdf.ts'

/** A folder for pictures of what people outside are shown, to look at. */
const pictures = process.env.PICTURES

/** Where paragraphs and facts of a mail begin, from the left: one place for them all. */
const edgesOfTexts = `[...new Set(
  [...document.querySelectorAll('.card p, .card table td:first-child')].map((each) => {
    const range = document.createRange()
    range.selectNodeContents(each)
    return Math.round(range.getBoundingClientRect().left)
  }),
)]`

/** Wider than a phone, and with nowhere to break. */
const longWord = 'Kundenzufriedenheitsbefragungsauswertungsgespräch'

describe('what people outside are shown', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
    await call('PUT', '/api/organization/settings/mail/', {
      footer: `Larkspur Works, ${longWord}`,
    })
  })

  const call = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  const brand = async (colour: string | null, language = 'en', logo: string | null = null) => {
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update organizations set primary_color = ${colour}, language = ${language},
        logo_url = ${logo}, name = 'Larkspur Works' where organization_id = ${org.id}`),
    )
    // the notification of the change may come later than the next request
    service.runtime.cache.evict(org.id)
  }

  const pathOf = (mail: Received) => new URL(linkIn(mail)).pathname

  /** The path of each page, and the mails that lead to them. */
  async function everything(mark: string) {
    const paths: { [name: string]: string } = {}
    const mails: { [name: string]: Received } = {}
    const invited = `invited-${mark}@guests.test`
    await call('POST', '/api/users/profile/action/', { email: invited, full_name: 'Ines Gast' })
    mails.invite = await mailbox.next(invited)
    paths.invite = pathOf(mails.invite)
    await ageLinks(service, org, org.users.member.email)
    await fetch(`${service.url}/reset`, {
      method: 'POST',
      body: new URLSearchParams({ email: org.users.member.email }),
    })
    mails.reset = await mailbox.next(org.users.member.email)
    paths.reset = pathOf(mails.reset)
    const fields = [
      { id: 'nps', type: 'nps', label: 'How likely are you to recommend us?', required: true },
      {
        id: 'ease',
        type: 'ratings',
        label: 'How was the start?',
        minLabel: 'Rough',
        maxLabel: 'Smooth',
      },
      { id: 'why', type: 'long-text', label: 'What should we do better?' },
      {
        id: 'best',
        type: 'single-select',
        label: 'What did you like best?',
        options: [{ value: 'word', label: longWord }],
      },
    ]
    const survey = await call('POST', '/api/surveys/', {
      name: `How are we doing? ${mark}`,
      description: 'Three questions, one minute.',
      form_structure: [{ id: 'one', title: '', fields }],
      background_color: '#103b2b',
      status: 'published',
    })
    const answerer = `answerer-${mark}@guests.test`
    await call('POST', `/api/surveys/${survey.body.survey_id}/send/`, {
      email_addresses: [answerer],
    })
    mails.survey = await mailbox.next(answerer)
    paths.survey = pathOf(mails.survey)
    const done = await call('POST', `/api/surveys/${survey.body.survey_id}/link/`, {
      email: `done-${mark}@guests.test`,
    })
    paths.thanks = new URL(done.body.url).pathname
    const open = await call('POST', `/api/surveys/${survey.body.survey_id}/link/`, {})
    paths.proof = new URL(open.body.url).pathname
    await fetch(service.url + paths.thanks, {
      method: 'POST',
      body: new URLSearchParams({ page: '0', 'a.nps': '9', go: 'next' }),
    })
    const [, unsubscribe] = /(\/unsubscribe\/\S+)/.exec(mails.survey.text!) ?? []
    paths.unsubscribe = unsubscribe!
    const { customer } = org.users
    const forCustomer = async (title: string) => {
      const body = { title, owner: customer.user_id, is_shared: true, due_date: '2040-05-01' }
      await call('POST', '/api/tasks/', body)
      return mailbox.next(customer.email)
    }
    mails.task = await forCustomer(`Send us the list of sites, ${mark}`)
    paths.task = pathOf(mails.task)
    paths.used = pathOf(await forCustomer(`Name your contact, ${mark}`))
    await fetch(service.url + paths.used, {
      method: 'POST',
      body: new URLSearchParams({ act: 'done' }),
    })
    const signer = `signer-${mark}@guests.test`
    const document = await call('POST', '/api/documents/', {
      document_name: 'Agreement',
      editor_html_content: '<h2>Agreement</h2><p>Between us and you, for a year.</p>',
    })
    await call('POST', `/api/documents/${document.body.attach_id}/signature/request/`, {
      message: 'Please sign by Friday.',
      expires_at: '2040-05-01T12:00:00Z',
      recipients: [
        {
          name: 'Ines Gast',
          email: signer,
          fields: [
            { kind: 'signature', page: 1, x: 0.1, y: 0.8 },
            { kind: 'text', page: 1, x: 0.1, y: 0.7, label: 'Customer number' },
          ],
        },
      ],
    })
    mails.sign = await mailbox.next(signer)
    paths.sign = pathOf(mails.sign)
    const guest = `guest-${mark}@guests.test`
    await call('POST', '/api/calendar/info/', {
      calendar_id: newId(),
      title: 'Kick-off',
      description: 'Who does what, and when.',
      location: 'Room 2',
      start: '2040-03-01T09:00:00Z',
      end: '2040-03-01T10:00:00Z',
      link: 'https://meet.example.test/kick-off',
      attendees: [{ type: 'external', email: guest, name: 'Ines Gast' }],
    })
    mails.meeting = await mailbox.next(guest)
    const [, meeting] = /(\/meeting\/[^\s?]+)/.exec(mails.meeting.text!) ?? []
    paths.meeting = meeting!
    paths.home = '/'
    paths.ask = '/reset'
    const app = await makeApp(service, org, { name: `Flow ${mark}` })
    paths.connect = `/oauth/authorize?${authorizeQuery(app).toString()}`
    return { paths, mails }
  }

  test('names who asks, until when, in the language of the browser', async () => {
    await brand('#5a2ca0', 'es')
    const { paths } = await everything('words')
    const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5', accept: 'text/html' }
    const expected: { [name: string]: RegExp } = {
      invite: /Larkspur Works beitreten[^]*admin of [^<]* lädt Sie ein[^]*Bis [^<]*20\d\d/,
      reset: /Neues Passwort wählen/,
      survey: /Larkspur Works möchte wissen[^]*Sehr unwahrscheinlich[^]*Rough[^]*Absenden/,
      thanks: /Vielen Dank/,
      unsubscribe: /Abbestellen[^]*answerer-words@guests\.test/,
      sign: /admin of [^<]* von Larkspur Works bittet Sie[^]*Bis [^<]*1\. Mai 2040[^]*Customer number, Seite 1/,
      meeting: /admin of [^<]* von Larkspur Works lädt Sie ein[^]*1\. März 2040[^]*Zusagen/,
      ask: /Ein neues Passwort/,
      connect: /Bei Larkspur Works anmelden/,
    }
    for (const [name, text] of Object.entries(expected)) {
      const page = await service.call('GET', paths[name]!, { headers: german })
      assert.equal(page.status, 200, `${name} ${page.status}`)
      assert.match(page.text, /<html lang="de">/, name)
      assert.match(page.text, text, name)
      if (name !== 'ask') assert.match(page.text, /--action: #5a2ca0/, name)
    }
    // a browser that asks for none of the six gets the organization's
    const other = await service.call('GET', paths.invite!, { headers: { 'accept-language': 'ja' } })
    assert.match(other.text, /<html lang="es">[^]*Unirse a Larkspur Works/)
    const missing = await service.call('GET', '/sign/unknown-unknown-unknown', {
      headers: { 'accept-language': 'fr' },
    })
    assert.equal(missing.status, 404)
    assert.match(missing.text, /<html lang="fr">[^]*Ce lien est inconnu/)
  })

  test('shows the picture of the organization, and loads no other', async () => {
    const logo = 'https://cdn.example.test/larkspur.png'
    await brand(null, 'en', logo)
    const { paths, mails } = await everything('logo')
    for (const name of ['invite', 'survey', 'sign', 'meeting', 'unsubscribe', 'connect']) {
      const page = await service.call('GET', paths[name]!, { headers: { accept: 'text/html' } })
      assert.match(
        page.text,
        new RegExp(`<header>[^]*<img src="${logo}" alt="Larkspur Works"[^]*</header>`),
        name,
      )
      const policy = page.headers.get('content-security-policy')!
      assert.match(policy, /img-src [^;]*https:\/\/cdn\.example\.test/, name)
    }
    assert.match(mails.invite!.html!, new RegExp(`<img\\s+src="${logo}"`))
    await brand(null)
  })

  test('keeps the theme of a survey to its last page', async () => {
    const { paths } = await everything('theme')
    for (const name of ['survey', 'thanks']) {
      assert.match((await service.call('GET', paths[name]!)).text, /background: #103b2b/, name)
    }
  })

  test('accepts the fields placed on the pages, and mails the sealed document to everybody', async () => {
    await brand(null)
    const pdf = PDF.create()
    pdf.addPage({ width: 300, height: 300 })
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(await pdf.save())]), 'contract.pdf')
    const uploaded = await fetch(`${service.url}/api/documents/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${org.users.admin.token}` },
      body: form,
    })
    const { attach_id: id } = (await uploaded.json()) as { attach_id: string }
    const fields = [
      { kind: 'signature', page: 1, x: 0.1, y: 0.8, width: 0.5, height: 0.1 },
      { kind: 'date', page: 1, x: 0.1, y: 0.7 },
      { kind: 'text', page: 1, x: 0.1, y: 0.5, label: 'Customer number' },
      { kind: 'initials', page: 2, x: 0.1, y: 0.5 },
    ]
    const at = `/api/documents/${id}/signature/request/`
    const ask = (body: object) => service.call('POST', at, { token: org.users.admin.token, body })
    const watcher = { name: 'Carl', email: 'carl@guests.test', role: 'cc' }
    const signer = { name: 'Ada King', email: 'ada@guests.test', fields }
    const refused = await ask({ recipients: [signer, { ...watcher, fields }] })
    assert.match(refused.text, /recipients\.1\.fields/)
    const outside = await ask({ recipients: [{ ...signer, fields: [{ ...fields[0], x: 2 }] }] })
    assert.match(outside.text, /recipients\.0\.fields\.0\.x/)
    const requested = await ask({ recipients: [signer, watcher] })
    assert.equal(requested.status, 200, requested.text)
    assert.equal(requested.body.signature_recipients[0].fields[2].label, 'Customer number')
    const path = pathOf(await mailbox.next('ada@guests.test'))
    const sign = (more: { [name: string]: string }) =>
      fetch(service.url + path, {
        method: 'POST',
        body: new URLSearchParams({ name: 'Ada King', agree: 'yes', act: 'sign', ...more }),
        redirect: 'manual',
      })
    const without = await sign({ 'field.2': ' ' })
    assert.equal(without.status, 400)
    assert.match(await without.text(), /Fill in what is marked/)
    assert.equal((await sign({ 'field.2': 'C-4711' })).status, 303)
    for (const address of ['ada@guests.test', 'carl@guests.test']) {
      const mail = await mailbox.next(address)
      assert.match(mail.subject!, /is signed by everybody/)
      const [attached] = mail.attachments
      assert.equal(attached?.mimeType, 'application/pdf')
      assert.equal(attached.filename, 'contract (signed).pdf')
      const sealed = await PDF.load(new Uint8Array(attached.content as ArrayBuffer))
      assert.ok(sealed.getPageCount() > 1)
      if (lacks('pdftotext')) continue
      const { text } = await told('pdftotext', ['-l', '1', 'in.pdf', '-'], {
        'in.pdf': new Uint8Array(attached.content as ArrayBuffer),
      })
      assert.match(text, /Ada King[^]*C-4711|C-4711[^]*Ada King/)
    }
    const read = await call('GET', `/api/documents/${id}/`)
    assert.equal(read.body.signature_status, 'signed')
    assert.deepEqual(
      read.body.signature_recipients[0].fields.map(({ value }: { value: string }) => value),
      ['Ada King', new Date().toISOString().slice(0, 10), 'C-4711', 'AK'],
    )
    assert.match((await service.call('GET', path)).text, /Signed by everybody/)
  })

  describe('in a real browser', { skip: noBrowser() }, () => {
    let browser: Browser

    before(async () => {
      browser = await launchBrowser()
    })

    // a light one, on which a white text cannot be read, and a dark one
    const brands = [
      ['#ffd400', 'en'],
      ['#5a2ca0', 'de'],
    ] as const
    for (const [colour, language] of brands.slice(0, depth(1, 2))) {
      test(`nothing is wrong with the pages and mails in ${colour}`, async () => {
        await brand(colour, language)
        const { paths, mails } = await everything(colour.slice(1))
        for (const { size, viewport, colorScheme } of looks) {
          const context = await browser.newContext({
            colorScheme,
            viewport,
            locale: language,
            javaScriptEnabled: true,
          })
          const page = await context.newPage()
          const look = async (name: string) => {
            const problems = await problemsOf(page)
            // a mail is shown inside a program, which has the landmarks and the heading
            const found = problems.filter(
              (each) => !(name.startsWith('mail-') && /^(landmark|page-has|region)/.test(each)),
            )
            assert.deepEqual(found, [], `${name} ${colorScheme} ${size}`)
            if (!pictures) return
            const file = `${name}-${colour.slice(1)}-${colorScheme}-${size}.png`
            writeFileSync(join(pictures, file), await page.screenshot({ fullPage: true }))
          }
          for (const [name, path] of Object.entries(paths)) {
            await page.goto(service.url + path)
            await look(name)
          }
          for (const [name, { html }] of Object.entries(mails)) {
            await page.goto('about:blank')
            await page.setContent(html!)
            await look(`mail-${name}`)
            const edges = await page.evaluate(edgesOfTexts)
            assert.equal((edges as number[]).length, 1, `${name} ${size}: ${String(edges)}`)
          }
          await context.close()
        }
      })
    }
  })
})
