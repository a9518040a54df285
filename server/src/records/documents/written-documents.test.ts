import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import type { PdfRef } from '@libpdf/core'
import { PDF } from '@libpdf/core'
import { lacks, sealedOf, told } from '../../../test/support/pdf.ts'
import { pngOf } from '../../../test/support/picture.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { blocksAsHtml } from '../../kit/ground/editor-blocks.ts'
import { safeHtml } from './safe-html.ts'
import { sealedPdf, textPdf } from './sealing/pdf.ts'

const table = (rows: number) =>
  `<table><tbody><tr><th>Item</th><th>Amount</th></tr>${Array.from(
    { length: rows },
    (_, at) => `<tr><td>Clinic ${at}</td><td class="align-right">${at} €</td></tr>`,
  ).join('')}</tbody></table>`

describe('the pages of a written document', () => {
  const textOf = async (html: string, pictures: { [address: string]: Uint8Array } = {}) => {
    const bytes = await textPdf({ title: 'Agreement', html, pictures })
    const { text } = await told('pdftotext', ['-layout', 'in.pdf', '-'], { 'in.pdf': bytes })
    const checked = await told('qpdf', ['--check', 'in.pdf'], { 'in.pdf': bytes })
    assert.match(checked.text, /No syntax or stream encoding errors/)
    return { bytes, pages: text.split('\f').slice(0, -1) }
  }
  const skip = lacks('pdftotext', 'qpdf', 'pdffonts', 'pdfimages')

  test('have its headings, lists, quotes and tables, each as such', { skip }, async () => {
    const { bytes, pages } = await textOf(
      `<h2>1 Parties</h2><p>Plain, <strong>bold</strong> and <em>slanted</em></p><ul><li>One<ul><li>Inner</li></ul></li></ul>
       <ol start="3"><li>Third</li><li>Fourth</li></ol><ul class="task"><li class="done">Done</li></ul><blockquote>Quoted</blockquote>
       <pre>a  b\n  c</pre>${table(2)}`,
    )
    const [page = ''] = pages
    assert.match(page, /Agreement[^]*1 Parties[^]*Plain, bold and slanted[^]*One[^]*Inner/)
    assert.match(page, /3\. +Third[^]*4\. +Fourth[^]*Done[^]*Quoted[^]*a +b\n +c/)
    assert.match(page, /Item +Amount\n[^]*Clinic 1 +1 ?€/)
    const { text: fonts } = await told('pdffonts', ['in.pdf'], { 'in.pdf': bytes })
    for (const font of ['Helvetica-Bold', 'Helvetica-Oblique', 'Courier']) {
      assert.match(fonts, new RegExp(font))
    }
  })

  test(
    'go on over pages, with the head of a table again, and their numbers',
    { skip },
    async () => {
      const { pages } = await textOf(`${table(80)}<hr class="page-break"><h2>Signatures</h2>`)
      assert.ok(pages.length >= 4)
      for (const [at, page] of pages.entries()) {
        assert.match(page, new RegExp(`${at + 1} ?/ ?${pages.length}`))
        if (at < pages.length - 1) assert.match(page, /Item +Amount/, `page ${at + 1}`)
      }
      const rows = pages.join('').match(/Clinic \d+/g) ?? []
      assert.deepEqual(
        rows,
        Array.from({ length: 80 }, (_, at) => `Clinic ${at}`),
      )
      assert.match(pages.at(-1) ?? '', /^\s*Signatures/)
      assert.doesNotMatch(pages.at(-2) ?? '', /Signatures/)
    },
  )

  test(
    'show a row that is higher than a page to its end, and words longer than a line',
    { skip },
    async () => {
      const words = Array.from({ length: 1500 }, (_, at) => `w${at}`).join(' ')
      const { pages } = await textOf(
        `<table><tr><td>${words}</td><td>beside</td></tr></table><p>${'x'.repeat(400)}</p>`,
      )
      const all = pages.join(' ')
      for (const word of ['w0', 'w750', 'w1499', 'beside'])
        assert.match(all, new RegExp(`\\b${word}\\b`))
      assert.equal(all.match(/x/g)?.length, 400)
    },
  )

  test('have pictures at their width, and say which one is missing', { skip }, async () => {
    const src = '/api/documents/a/images/b/'
    const { bytes, pages } = await textOf(
      `<p>Before</p><img src="${src}" alt="A plan" class="w-50"><img src="/api/documents/a/images/c/" alt="Lost">`,
      { [src]: pngOf(80, 40) },
    )
    const { text } = await told('pdfimages', ['-list', 'in.pdf'], { 'in.pdf': bytes })
    assert.match(text, / 80 +40 +rgb .* 24 +24 /)
    assert.match(pages[0] ?? '', /\[Lost\]/)
    assert.doesNotMatch(pages[0] ?? '', /A plan/)
  })

  test('are those that are sealed, with what is filled in on them', { skip }, async () => {
    const html = '<p><span data-place="Customer"></span></p>'
    const own = { kind: 'text', page: 1, x: 0.1, y: 0.5, width: 0.4, height: 0.03 } as const
    const fields = [{ ...own, label: null, required: true, value: 'Filled in' }]
    const { bytes } = await sealedPdf(sealedOf(undefined, { html, people: [{ fields }] }))
    const { text } = await told('pdftotext', ['in.pdf', '-'], { 'in.pdf': bytes })
    const [first = ''] = text.split('\f')
    assert.match(first, /Agreement[^]*Customer[^]*Filled in/)
  })

  test('name the places for signatures, by which fields are placed on them', async () => {
    const place = (whose: string) => `<p><span data-place="${whose}">${whose}</span></p>`
    const html = `${place('Käufer & Sons 100 %')}<hr class="page-break" /><p>More</p>${place('Us')}`
    const pdf = await PDF.load(await textPdf({ title: 'Agreement', html, pictures: {} }))
    const resolve = (ref: PdfRef) => pdf.context.resolve(ref) ?? null
    const named = pdf.getCatalog().getDict('Dests', resolve)
    assert.deepEqual(
      Array.from(named?.keys() ?? [], ({ value }) => value),
      [`place.0.${encodeURIComponent('Käufer & Sons 100 %')}`, 'place.1.Us'],
    )
    const pages = pdf.getPages().map(({ dict }) => dict)
    const places = Array.from(named?.keys() ?? [], (name) => {
      const fit = named?.getArray(name.value, resolve)
      return pages.findIndex((page) => page === fit?.at(0, resolve))
    })
    assert.deepEqual(places, [0, 1])
  })

  test(
    'take a thousand levels of lists and a table of nothing in their stride',
    { skip },
    async () => {
      const deep = `${'<ul><li>'.repeat(1000)}Deep${'</li></ul>'.repeat(1000)}`
      const { pages } = await textOf(`<table></table><table><tr></tr></table>${deep}<p>After</p>`)
      assert.match(pages.join(''), /After/)
    },
  )
})

describe('blocks of Editor.js as HTML', () => {
  test('lose nothing that somebody wrote', () => {
    const blocks = [
      { type: 'header', data: { text: 'Head', level: 3 } },
      {
        type: 'list',
        data: {
          style: 'ordered',
          items: [{ content: 'Outer', items: [{ content: 'Inner', items: [] }] }],
        },
      },
      {
        type: 'checklist',
        data: {
          items: [
            { text: 'Ticked', checked: true },
            { text: 'Open', checked: false },
          ],
        },
      },
      { type: 'quote', data: { text: 'Said', caption: 'By whom' } },
      {
        type: 'table',
        data: {
          withHeadings: true,
          content: [
            ['A', 'B'],
            ['1', '2'],
          ],
        },
      },
      { type: 'linkTool', data: { link: 'https://a.test/x', meta: { title: 'A page' } } },
      { type: 'warning', data: { title: 'Take care', message: 'It is hot' } },
      { type: 'code', data: { code: 'a < b' } },
    ]
    const html = blocksAsHtml({ blocks })
    assert.match(html, /<h3>Head<\/h3>\n<ol><li>Outer<ol><li>Inner<\/li><\/ol><\/li><\/ol>/)
    assert.match(html, /<ul class="task"><li class="done">Ticked<\/li><li>Open<\/li><\/ul>/)
    assert.match(html, /Said[^]*By whom[^]*<th>A<\/th>[^]*<td>1<\/td>/)
    assert.match(
      html,
      /<a href="https:\/\/a.test\/x">[^]*A page[^]*Take care[^]*It is hot[^]*a &lt; b/,
    )
    assert.equal(safeHtml(html), html)
  })
})

describe('the text of a document', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  type Who = 'admin' | 'member' | 'customer'
  const call = (method: string, path: string, body?: object, who: Who = 'admin') =>
    service.call(method, path, { token: org.users[who].token, ...(body ? { body } : {}) })
  const document = async (more: object = {}) => {
    const made = await call('POST', '/api/documents/', { document_name: 'Agreement', ...more })
    assert.equal(made.status, 201, made.text)
    return made.body.attach_id as string
  }
  async function upload(id: string, bytes: Buffer, who: Who = 'admin') {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(bytes)]), 'plan.png')
    const headers = { authorization: `Bearer ${org.users[who].token}` }
    const path = `${service.url}/api/documents/${id}/images/`
    const reply = await fetch(path, { method: 'POST', body, headers })
    const answer = await reply.json()
    return { status: reply.status, body: answer as { src: string; width: number; height: number } }
  }
  const filesOf = () =>
    globSync('**/document-images/**', {
      cwd: service.runtime.config.dataDir,
      withFileTypes: true,
    }).filter((each) => each.isFile()).length
  const bytesAt = async (path: string, who: Who = 'admin') => {
    const headers = { authorization: `Bearer ${org.users[who].token}` }
    const reply = await fetch(`${service.url}${path}`, { headers })
    return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) }
  }

  test('keeps what the editor writes, and pictures of documents alone', async () => {
    const html =
      '<ul class="task"><li class="done">Done</li></ul><table><tbody><tr><th class="w-30 align-right">A</th></tr></tbody></table><hr class="page-break" /><p class="align-center"><span data-place="Customer">Customer</span></p><img src="/api/documents/a/images/b/" alt="Plan" class="w-50" />'
    const bad =
      '<img src="https://evil.test/x.png"><img src="/api/documents/a/images/../../users/" onerror="x()"><p class="evil" style="x">Text</p>'
    const id = await document({ editor_html_content: html + bad })
    const { body } = await call('GET', `/api/documents/${id}/`)
    assert.equal(body.editor_html_content, `${html}<p>Text</p>`)
  })

  test('has pictures, which those see who read the text, and which copies take along', async () => {
    const id = await document()
    const picture = pngOf(30, 20)
    const made = await upload(id, picture)
    assert.equal(made.status, 201)
    const { src, width, height } = made.body
    assert.deepEqual([width, height], [30, 20])
    assert.ok((await bytesAt(src)).bytes.equals(picture))
    const { body: log } = await call('GET', `/api/documents/activities/?document_id=${id}`)
    assert.ok(
      log.some(({ title }: { title: string }) => title === 'A picture was added to Agreement'),
    )

    const html = `<p>Look</p><img src="${src}" alt="Plan" />`
    await call('PUT', `/api/documents/${id}/`, { editor_html_content: html })
    const pdf = await bytesAt(`/api/documents/${id}/pdf/`)
    assert.match(pdf.bytes.toString('latin1'), /\/Subtype \/Image/)

    const kept = await call('POST', `/api/documents/${id}/reusable/`, {})
    const used = await call('POST', `/api/documents/${kept.body.attach_id}/use/`, {})
    const [, copied = ''] = /src="([^"]+)"/.exec(used.body.editor_html_content) ?? []
    const read = (await call('GET', `/api/documents/${used.body.attach_id}/`)).body
    const [, now = ''] = /src="([^"]+)"/.exec(read.editor_html_content) ?? []
    assert.ok(now.includes(used.body.attach_id) && !now.includes(id), `${copied} ${now}`)
    assert.ok((await bytesAt(now)).bytes.equals(picture))

    assert.equal((await upload(id, Buffer.from('no picture'))).status, 400)
    assert.equal((await upload(id, picture, 'customer')).status, 403)
    assert.equal((await bytesAt(src, 'customer')).status, 404)
    // a picture in JSON is looked at and stored for those alone who may change the document
    const hidden = await document({ is_private: true })
    const image = picture.toString('base64')
    for (const [body, who, at, status] of [
      [{ image }, 'admin', hidden, 201],
      [{ image: 'AAAA' }, 'admin', hidden, 400],
      [{ image }, 'member', hidden, 404],
      [{ image: 'AAAA' }, 'member', hidden, 404],
      [{ image: 'AAAA' }, 'member', id, 403],
    ] as const) {
      const stores = filesOf()
      const sent = await call('POST', `/api/documents/${at}/images/`, body, who)
      assert.equal(sent.status, status, sent.text)
      assert.equal(filesOf() - stores, status === 201 ? 1 : 0)
    }
    const other = await makeOrganization(service)
    const headers = { authorization: `Bearer ${other.users.admin.token}` }
    assert.equal((await fetch(`${service.url}${src}`, { headers })).status, 404)
    // a picture that does not stand in what somebody reads is none of theirs
    const bare = await call('POST', `/api/documents/${id}/images/`, {})
    assert.deepEqual([bare.status, bare.body.errors[0].field], [400, 'file'])
  })

  test('says what its placeholders stand for, and keeps it once it is published or sent', async () => {
    const account = await call('POST', '/api/account/info/', { account_name: 'Müller & Söhne' })
    const { account_id } = account.body
    const html =
      '<p>{{account.account_name}}, {{account.website_url | &quot;no site&quot;}}, {{today | long}}</p>'
    const id = await document({ editor_html_content: html, account_id })
    const placeholders = [
      'account.account_name',
      'account.website_url',
      'account.nothing',
      'me.name',
    ]
    const { status, body, text } = await call('POST', `/api/documents/${id}/values/`, {
      placeholders,
    })
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.values
        .map(({ state, value }: { state: string; value: string | null }) => [state, value])
        .slice(0, 3),
      [
        ['filled', 'Müller & Söhne'],
        ['empty', null],
        ['unknown', null],
      ],
    )
    assert.equal(body.values[3].state, 'filled')
    const other = await call('POST', `/api/documents/${id}/values/`, {
      placeholders,
      account_id: null,
    })
    assert.equal(other.body.values[0].state, 'empty')
    assert.equal(
      (await call('POST', `/api/documents/${id}/values/`, { placeholders }, 'customer')).status,
      404,
    )

    const located = await call('POST', `/api/documents/${id}/signature/locate/`, {
      text: 'Müller & Söhne',
    })
    assert.equal(located.body.places?.length, 1, located.text)

    const published = await call('POST', `/api/documents/${id}/publish/`)
    assert.match(published.body.editor_html_content, /^<p>Müller &amp; Söhne, no site, \w/)
    await call('PUT', `/api/account/info/${account_id}/`, { account_name: 'Renamed' })
    const after = await call('GET', `/api/documents/${id}/`)
    assert.match(after.body.editor_html_content, /Müller/)

    const empty = await document({
      editor_html_content: '<p>{{account.website_url}}</p>',
      account_id,
    })
    const sent = await call('POST', `/api/documents/${empty}/signature/request/`, {
      recipients: [{ name: 'Ada', email: 'ada@signers.test' }],
    })
    assert.deepEqual([sent.status, sent.body.errors[0].field], [400, 'values.account.website_url'])
    const later = await call('PUT', `/api/documents/${empty}/`, { document_status: 'published' })
    assert.deepEqual(
      [later.status, later.body.errors[0].field],
      [400, 'values.account.website_url'],
    )
    const said = '<p>{{account.website_url | "none"}}</p>'
    const fixed = await call('PUT', `/api/documents/${empty}/`, {
      editor_html_content: said,
      document_status: 'published',
    })
    assert.equal(fixed.body.editor_html_content, '<p>none</p>')
  })

  test('is not published or sent while both sides of a choice stand in it', async () => {
    const side = (name: string) => `<div class="side" data-by="${name}"><p>${name}</p></div>`
    const html = `<div class="choice">${side('Ada')}${side('Bob')}</div>`
    const id = await document({ editor_html_content: html })
    const kept = await call('GET', `/api/documents/${id}/`)
    assert.equal(kept.body.editor_html_content, html)
    for (const [path, body] of [
      ['publish/', undefined],
      ['signature/request/', { recipients: [{ name: 'Ada', email: 'ada@signers.test' }] }],
    ] as const) {
      const refused = await call('POST', `/api/documents/${id}/${path}`, body)
      assert.deepEqual([refused.status, refused.body.code], [409, 'unsettled'])
    }
  })

  test('is kept as a version, which stays as it is, and goes on in the next as a draft', async () => {
    const id = await document({ editor_html_content: '<p>First</p>' })
    await call('POST', `/api/documents/${id}/publish/`)
    assert.equal((await call('POST', `/api/documents/${id}/versions/`, {}, 'customer')).status, 403)
    const kept = await call('POST', `/api/documents/${id}/versions/`)
    assert.equal(kept.status, 201, kept.text)
    const next = kept.body.attach_id as string
    assert.notEqual(next, id)
    const facts = ({ version, document_status, published_at, editor_html_content }: any) => [
      version,
      document_status,
      published_at === null,
      editor_html_content,
    ]
    assert.deepEqual(facts(kept.body), [2, 'draft', true, '<p>First</p>'])
    await call('PUT', `/api/documents/${next}/`, { editor_html_content: '<p>Second</p>' })
    const { body: versions } = await call('GET', `/api/documents/${id}/versions/`)
    assert.deepEqual(versions.map(facts), [
      [2, 'draft', true, '<p>Second</p>'],
      [1, 'published', false, '<p>First</p>'],
    ])
    const { body: log } = await call('GET', `/api/documents/activities/?document_id=${next}`)
    const titles = log.map(({ title }: { title: string }) => title)
    assert.equal(
      titles.filter((each: string) => each === 'Version 1 of Agreement was kept').length,
      1,
    )

    // only of the latest, and not while it is signed
    const old = await call('POST', `/api/documents/${id}/versions/`)
    assert.deepEqual([old.status, old.body.code, old.body.data.id], [409, 'old_version', next])
    const recipients = [{ name: 'Ada', email: 'ada@signers.test' }]
    await call('POST', `/api/documents/${next}/signature/request/`, { recipients })
    const locked = await call('POST', `/api/documents/${next}/versions/`)
    assert.deepEqual([locked.status, locked.body.code], [409, 'locked'])
    const { body: still } = await call('GET', `/api/documents/${next}/versions/`)
    assert.equal(still.length, 2)
    const other = await makeOrganization(service)
    const { token } = other.users.admin
    const path = `/api/documents/${next}/versions/`
    assert.equal((await service.call('POST', path, { token })).status, 404)
  })

  test('is a PDF for everybody who may read it, as it is filled in now', async () => {
    const id = await document({ editor_html_content: '<h2>Terms</h2><p>{{organization.name}}</p>' })
    const read = await bytesAt(`/api/documents/${id}/pdf/`)
    assert.equal(read.status, 200)
    assert.equal(read.bytes.subarray(0, 5).toString(), '%PDF-')
    assert.equal((await bytesAt(`/api/documents/${id}/pdf/`, 'customer')).status, 404)
    const blank = await document()
    assert.equal((await bytesAt(`/api/documents/${blank}/pdf/`)).status, 404)
    const blocks = { blocks: [{ type: 'paragraph', data: { text: 'Old' } }] }
    const old = await document({ editorjs_content: blocks })
    assert.equal((await bytesAt(`/api/documents/${old}/pdf/`)).status, 200)
  })
})
