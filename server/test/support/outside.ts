import assert from 'node:assert/strict'
import { PDF, PdfArray, PdfDict, PdfRef } from '@libpdf/core'
import type { PdfObject } from '@libpdf/core'
import { newId } from '../../src/kit/ground/ids.ts'
import { sealedPdf } from '../../src/records/documents/sealing/pdf.ts'
import { authorizeQuery, makeApp, postForm } from './integration.ts'
import type { Mailbox, Received } from './mailbox.ts'
import { linkIn } from './mailbox.ts'
import type { Reply, TestOrganization, TestService } from './service.ts'
import { makeOrganization, password, rows, sql } from './service.ts'
import type { Shape } from './shape.ts'
import { directivesOf, shapeOfCalendar, shapeOfHtml, shapeOfTable, wordsOf } from './shape.ts'

/** A page, mail, calendar, table or PDF: what it is made of, and the words in it. */
type Output = { shape: Shape; words: string; policy?: { [directive: string]: string[] } }
export type Outputs = { [name: string]: Output }

type Outside = { service: TestService; mailbox: Mailbox }

/** All that outsiders are shown of an organization in which every text is this one. */
export async function everything({ service, mailbox }: Outside, text: string): Promise<Outputs> {
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
  const parts = { service, text, org, send, page, mail, table, calendar }
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
  service: TestService
  text: string
  org: TestOrganization
  send(method: string, path: string, body?: object): Promise<Reply>
  page(name: string, reply: Reply): void
  mail(name: string, address: string): Promise<Received>
  table(name: string, reply: Reply): void
  calendar(name: string, ics: string): void
}

const get = (service: TestService, path: string, headers = {}) =>
  service.call('GET', path, { headers })

async function surveys({ service, text, org, send, page, mail, table }: Parts) {
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
  page('survey', await get(service, pathname))
  const wrong = { page: '0', 'a.f1': text, 'a.f2': text, 'a.f4': text, 'a.f10': text }
  page('survey with mistakes', await postForm(service, pathname, wrong))
  const right = { page: '0', 'a.f0': text.trim() ? text : 'x', 'a.f1': text, 'a.f17': 'yes' }
  const done = await postForm(service, pathname, right)
  assert.equal(done.status, 303, done.text)
  page('survey, thanks', await get(service, pathname))
  await mail('automation', automated)
  table('responses', await send('GET', `/api/surveys/${id}/responses/export/`))
  const { body } = await send('POST', `/api/surveys/${id}/link/`, {})
  await send('POST', `/api/surveys/${id}/close/`)
  page('survey, closed', await get(service, new URL(body.url).pathname))
}

async function signing({ service, text, org, send, page, mail }: Parts) {
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
  page('signing', await get(service, pathname))
  const wrong = { act: 'sign', name: text, signature: text, reason: text }
  page('signing with mistakes', await postForm(service, pathname, wrong))
  const file = await service.call('GET', `${pathname}/file`)
  checkFileName(file.headers.get('content-disposition')!)
  await send('POST', `/api/documents/${attach_id}/signature/remind/`)
  await mail('reminder to sign', signer)
  await send('POST', `/api/documents/${attach_id}/signature/void/`, { reason: text })
  await mail('signature withdrawn', signer)
  page('signing, withdrawn', await get(service, pathname))
  const other = await send('POST', '/api/documents/', {
    document_name: text,
    editorjs_content: { blocks: [{ type: 'code', data: { code: text } }] },
  })
  const another = await requested(other.body.attach_id, 'another')
  const link = new URL(linkIn(await mail('signature of a text', another))).pathname
  page('signing a text', await get(service, link))
  await postForm(service, link, { act: 'decline', reason: text })
  page('signing, declined', await get(service, link))
}

async function people({ service, text, org, send, page, mail }: Parts) {
  const email = `invited@${org.id}.test`
  await send('POST', '/api/users/profile/action/', { email, full_name: text })
  const invitation = await mail('invitation', email)
  const link = new URL(linkIn(invitation)).pathname
  page('invitation', await get(service, link))
  const short = { full_name: text, password: 'short' }
  page('invitation with mistakes', await postForm(service, link, short))
  const { member } = org.users
  await service.call('POST', '/api/login/reset/', { body: { email: member.email } })
  await mail('new password', member.email)
  const app = await makeApp(service, org, { name: text, description: text })
  const html = { accept: 'text/html' }
  const signInPage = await get(service, `/oauth/authorize?${authorizeQuery(app)}`, html)
  page('sign-in', signInPage)
  let cookie = cookiesOf(signInPage)
  const [, request = ''] = /name="request" value="([^"]+)"/.exec(signInPage.text) ?? []
  const submit = (form: { [name: string]: string }) =>
    postForm(service, '/oauth/authorize/sign-in', { request, ...form }, { ...html, cookie })
  page('sign-in with mistakes', await submit({ email: text.replaceAll(/[\r\n\t]/g, ' ') }))
  const signedIn = await submit({ email: org.users.admin.email, password })
  assert.equal(signedIn.status, 303, signedIn.text)
  cookie = cookiesOf(signInPage, signedIn)
  const consent = signedIn.headers.get('location')!
  page('consent', await get(service, consent, { ...html, cookie }))
}

/** The cookies that a browser has after these replies. */
function cookiesOf(...replies: Reply[]): string {
  const all = replies.flatMap(({ headers }) => headers.getSetCookie())
  const pairs = all.map((each) => (each.split(';')[0] ?? '').split('='))
  return [...new Map(pairs.map(([name, value]) => [name, `${name}=${value}`])).values()].join('; ')
}

async function widget({ service, text, org, send, page }: Parts) {
  const fields = ['text', 'long-text', 'email', 'rating'].map((type, n) => ({
    name: `f${n}`,
    label: text,
    type,
    required: true,
  }))
  const form = { title: text, submit_label: text, thanks: text, fields }
  const { body } = await send('PUT', '/api/widget-config', { form })
  page('feedback form', await get(service, `/widget/${body.key}`))
  const typed = { f0: text, f1: text, f2: text, f3: text }
  page('feedback form with mistakes', await postForm(service, `/widget/${body.key}`, typed))
  const right = { ...typed, f2: 'a@b.test', f3: '5' }
  page('feedback form, thanks', await postForm(service, `/widget/${body.key}`, right))
  await send('PUT', '/api/widget-config', { is_active: false })
  page('feedback form, closed', await get(service, `/widget/${body.key}`))
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

async function meetings({ service, text, org, send, mail, calendar }: Parts, user_id: string) {
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
  calendar('feed', (await get(service, new URL(feed.body.url).pathname)).text)
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
  const person = {
    name: text,
    email: text,
    role: 'signer',
    status: 'signed',
    acted_at: at,
    fields: [],
  }
  const { bytes } = await sealedPdf({
    document: {
      id: 'one',
      document_name: text,
      file_name: text,
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
  const read = await PDF.load(bytes)
  const kinds = new Set<string>()
  const seen = new Set<PdfObject>()
  const look = (value: PdfObject | undefined) => {
    const object = value instanceof PdfRef ? (read.getObject(value) ?? undefined) : value
    if (!object || seen.has(object)) return
    seen.add(object)
    if (object instanceof PdfArray) for (const each of object) look(each)
    if (!(object instanceof PdfDict)) return
    for (const [key, each] of object) {
      if (/Action|^(AA|JS|JavaScript|S|A|Launch|URI)$/.test(key.value)) kinds.add(key.value)
      look(each)
    }
  }
  look(read.getCatalog())
  assert.deepEqual(Array.from(read.getCatalog().keys(), ({ value }) => value).toSorted(), [
    'AcroForm',
    'Names',
    'Pages',
    'Perms',
    'Type',
  ])
  return { shape: [...kinds], words: read.getTitle() ?? '' }
}
