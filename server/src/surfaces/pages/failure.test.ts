import assert from 'node:assert/strict'
import type { MockTracker } from 'node:test'
import { before, describe, test } from 'node:test'
import type { TestService } from '../../../test/support/service.ts'
import { startService } from '../../../test/support/service.ts'
import { Admission } from '../admission.ts'
import { InFlight, overloaded } from '../in-flight.ts'

/** What people open: screens, guides, and what links lead to. */
const opened = ['/', '/deals', '/deals/x?peek=y', '/docs', '/nowhere/at/all']
for (const word of ['s', 'sign', 'invite', 'enter', 'widget', 'meeting', 'unsubscribe']) {
  opened.push(`/${word}/token`)
}
opened.push('/reset', '/reset/token')

/** What programs ask, whatever their client accepts. */
const asked = ['/api/contact/', '/api/', '/automation/contacts', '/mcp', '/openapi.json']

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('a page that an overloaded service refuses', () => {
  let service: TestService

  before(async () => {
    service = await startService({ maxInFlight: 1000 })
  })

  const ways: { [way: string]: (mock: MockTracker) => void } = {
    'before the framework sees it': (mock) => {
      mock.method(Admission.prototype, 'isOpen', () => false)
      mock.method(Admission.prototype, 'hasRoom', () => false)
      mock.method(Admission.prototype, 'hold', (_: unknown, refuse: () => void) => refuse())
    },
    'for too many in progress': (mock) => {
      mock.method(InFlight.prototype, 'enter', () => {
        throw overloaded(2)
      })
    },
  }
  for (const [way, close] of Object.entries(ways)) {
    test(`${way} tries again by itself`, async (t) => {
      close(t.mock)
      for (const path of opened) {
        const { status, headers, text } = await service.call('GET', path, { headers: html })
        assert.equal(status, 503, path)
        assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', path)
        const seconds = headers.get('retry-after')
        assert.match(seconds ?? '', /^[123]$/, path)
        assert.ok(text.includes(`<meta name="retry-after" content="${seconds}" />`), path)
        assert.ok(
          text.includes(`<noscript><meta http-equiv="refresh" content="${seconds}" /></noscript>`),
        )
        assert.match(text, /<p role="status">.*tries again by itself/, path)
        assert.match(headers.get('content-security-policy') ?? '', /script-src 'sha256-/)
        assert.equal(headers.get('cache-control'), 'no-store')
        assert.ok(headers.get('x-request-id'))
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
      }
    })

    test(`${way} speaks the language of the browser`, async (t) => {
      close(t.mock)
      const headers = { ...html, 'accept-language': 'de' }
      const { text } = await service.call('GET', '/s/token', { headers })
      assert.match(text, /lang="de"[\s\S]*Einen Moment bitte/)
    })

    test(`${way} stays JSON for programs`, async (t) => {
      close(t.mock)
      for (const path of asked) {
        const { status, body } = await service.call('GET', path, { headers: html })
        assert.deepEqual([status, body?.code], [503, 'overloaded'], path)
      }
      for (const path of ['/', '/deals', '/docs']) {
        const { body } = await service.call('GET', path)
        assert.equal(body?.code, 'overloaded', path)
      }
      const form = { ...html, 'content-type': 'application/x-www-form-urlencoded' }
      const written = await service.call('POST', '/oauth/introspect', {
        headers: form,
        body: 'a=b',
      })
      assert.notEqual(written.headers.get('content-type'), 'text/html; charset=utf-8')
    })

    test(`${way} does not send a form again`, async (t) => {
      close(t.mock)
      const headers = {
        ...html,
        origin: service.url,
        'content-type': 'application/x-www-form-urlencoded',
      }
      const { status, text } = await service.call('POST', '/s/token', { headers, body: 'a=b' })
      assert.equal(status, 503)
      assert.match(text, /This did not work/)
      assert.doesNotMatch(text, /retry-after|refresh|<script/)
    })
  }
})
