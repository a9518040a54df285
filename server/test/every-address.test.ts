import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../src/kit/ground/ids.ts'
import type { Mailbox } from './support/mailbox.ts'
import { linkIn, startMailbox } from './support/mailbox.ts'
import type { TestService } from './support/service.ts'
import { makeOrganization, rows, sql, startService } from './support/service.ts'
import { directivesOf, shapeOfHtml } from './support/shape.ts'

// Web addresses that tenants write: which are refused, and how pages show those that were stored
// before they were checked.

let service: TestService
let mailbox: Mailbox

before(async () => {
  mailbox = await startMailbox()
  service = await startService({ smtpUrl: mailbox.url }, undefined, true)
})

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
    const signaturePath = `/api/documents/${attach_id}/signature/request/`
    assert.equal((await service.call('POST', signaturePath, { token, body: request })).status, 200)
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
      [new URL(link.body.url).pathname, sign, `/widget/${widget_key}`].map((path) =>
        service.call('GET', path),
      ),
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

  test('a path is taken for the logo of an account, and no other host by one', async () => {
    const org = await makeOrganization(service)
    const { token } = org.users.admin
    for (const logo_path of ['/logos/acme.png', 'acme.svg', 'https://a.test/x.png', '']) {
      const made = await service.call('POST', '/api/account/info/', {
        token,
        body: { name: newId(), logo_path },
      })
      assert.equal(made.status, 201, made.text)
      assert.equal(made.body.logo_path, logo_path)
    }
    const foreign = { name: newId(), logo_path: '//evil.test/x.png' }
    const refused = await service.call('POST', '/api/account/info/', { token, body: foreign })
    assert.equal(refused.status, 400, refused.text)
  })
})
