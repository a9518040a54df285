import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { parse } from 'parse5'
import type { TestService } from '../../../test/support/service.ts'
import { startService } from '../../../test/support/service.ts'
import { slugOf } from './html.ts'

/** What a page holds: the ids that can be linked to, and the links. */
type Page = { status: number; text: string; ids: Set<string>; links: string[] }

describe('the documentation at /docs', () => {
  let service: TestService
  const read = new Map<string, Promise<Page>>()

  before(async () => {
    service = await startService()
  })

  function pageOf(path: string): Promise<Page> {
    const known = read.get(path)
    if (known) return known
    const reading = service.call('GET', path).then(({ status, text }) => {
      const ids = new Set<string>()
      const links: string[] = []
      walk(parse(text), (name, value) => {
        if (name === 'id') ids.add(value)
        if (name === 'href') links.push(value)
      })
      return { status, text, ids, links }
    })
    read.set(path, reading)
    return reading
  }

  test('shows every guide and every operation, and each link leads somewhere', async () => {
    const names = globSync('*.md', { cwd: new URL('../../../../docs/guide/', import.meta.url) })
    const guides = names.map((name) => name.replace('.md', '')).filter((name) => name !== 'README')
    const paths = new Set(['/docs'])
    for (const path of paths) {
      const page = await pageOf(path)
      assert.equal(page.status, 200, path)
      for (const link of page.links) {
        const [to = '', hash] = link.split('#')
        if (/^(https?:|data:)/.test(to)) continue
        const target = to === '' ? path : to
        if (/^\/docs\/(guide|reference)\//.test(target)) paths.add(target)
        if (!hash) continue
        assert.ok((await pageOf(target)).ids.has(hash), `${path} links to ${link}`)
      }
    }
    for (const name of guides) assert.ok(paths.has(`/docs/guide/${name}`), `${name} is not linked`)
    const { links } = await pageOf('/docs')
    for (const methods of Object.values(service.document().paths)) {
      for (const { operationId } of Object.values(methods)) {
        const found = links.filter((link) => link.endsWith(`#${operationId}`))
        assert.equal(found.length, 1, operationId)
      }
    }
    for (const event of Object.keys(service.document().webhooks)) {
      assert.ok(links.includes(`/docs/reference/events#${event}`), event)
    }
  })

  test('tells a browser that there is no such page, and links to others', async () => {
    for (const path of ['/docs/guide/nowhere', '/docs/nowhere', '/docs/a/b/c', '/docs/search/x']) {
      const page = await service.call('GET', path, { headers: { accept: 'text/html' } })
      assert.equal(page.status, 404, path)
      assert.match(page.text, /<h1>There is no page here<\/h1>/)
      assert.match(page.text, /<a href="\/docs">overview<\/a>/)
      const program = await service.call('GET', path)
      assert.equal(program.body.code, 'not_found')
    }
  })

  test('says of every operation how it is tried', async () => {
    const { publicUrl } = service.runtime.config
    for (const [path, methods] of Object.entries(service.document().paths)) {
      for (const [method, described] of Object.entries(methods)) {
        const { operationId, tags = [] } = described
        const { links, text } = await pageOf(`/docs/reference/${slugOf((tags as string[])[0]!)}`)
        const isSigned = JSON.stringify(described.security ?? []).includes('oauthSignature')
        const asked = new URLSearchParams({ method: method.toUpperCase(), path })
        const isLinked = links.some((link) => {
          const { pathname, searchParams } = new URL(link, publicUrl)
          return (
            pathname === '/developers/try' &&
            [...asked].every(([name, value]) => searchParams.get(name) === value)
          )
        })
        const shown = `curl -X ${method.toUpperCase()} '${publicUrl.replace(/\/$/, '')}${path}'`
        assert.equal(isLinked, isSigned, String(operationId))
        assert.equal(text.includes(shown), !isSigned, String(operationId))
      }
    }
    assert.equal((await service.call('GET', '/docs/explorer/')).status, 404)
  })

  test('is small, compressed, and not sent twice', async () => {
    for (const path of ['/docs', '/docs/guide/webhooks', '/docs/reference/companies']) {
      const headers = { 'accept-encoding': 'br' }
      const reply = await service.app.inject({ url: path, headers })
      assert.equal(reply.headers['content-encoding'], 'br', path)
      assert.ok(reply.rawPayload.length < 40_000, `${path} ${reply.rawPayload.length}`)
      const etag = String(reply.headers.etag)
      assert.match(etag, /^W\/"[\w-]{27}"$/)
      assert.equal(reply.headers['cache-control'], 'no-cache')
      const again = await service.app.inject({ url: path, headers: { 'if-none-match': etag } })
      assert.equal(`${again.statusCode} ${again.body}`, '304 ')
      const asset = /href="(\/docs\/style\.[\w-]+\.css)"/.exec((await pageOf(path)).text)?.[1]
      const style = await service.call('GET', asset ?? '')
      assert.match(style.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    }
  })

  test('runs nothing and loads nothing from elsewhere', async () => {
    for (const path of ['/docs', '/docs/search?q=x']) {
      const { headers } = await service.call('GET', path)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'; style-src 'self'; script-src 'self'/)
      assert.ok(!policy.includes('unsafe'))
    }
  })

  test('finds guides and operations by their words', async () => {
    const first = async (q: string) => {
      const { body } = await service.call('GET', `/docs/search.json?q=${encodeURIComponent(q)}`)
      return body.results.slice(0, 3).map(({ url }: { url: string }) => url) as string[]
    }
    assert.ok((await first('verify')).includes('/docs/guide/webhooks#verify'))
    assert.ok((await first('personal access tokens')).includes('/docs/guide/access-tokens'))
    assert.ok(
      (await first('integration_create_company'))[0]?.endsWith('#integration_create_company'),
    )
    assert.ok((await first('deal_won'))[0]?.endsWith('#deal_won'))
    assert.deepEqual(await first('zzzz nothing of the kind'), [])
    assert.deepEqual(await first(''), [])
    const page = await service.call('GET', '/docs/search?q=refresh+token')
    assert.match(page.text, /href="\/docs\/guide\/oauth#refresh"/)
  })

  test('shows what was searched for as text, whatever it is', async () => {
    const nasty = ['<script>alert(1)</script>', '"><img src=x>', '%00', 'é'.repeat(5000), '(((((((']
    for (const q of nasty) {
      for (const path of ['/docs/search', '/docs/search.json']) {
        const reply = await service.call('GET', `${path}?q=${encodeURIComponent(q)}&q=2`)
        assert.equal(reply.status, 200, q)
        assert.ok(!/<script>alert|<img/.test(reply.text), q)
      }
      const one = await service.call('GET', `/docs/search?q=${encodeURIComponent(q)}`)
      assert.ok(!/<script>alert|<img/.test(one.text), q)
    }
  })

  test('shows the paths of an installation that has another segment for its platform', async () => {
    const other = await startService({ automationSegment: 'zap' })
    const { text } = await other.call('GET', '/docs/guide/quick-start-integration')
    assert.match(text, /\/zap\/company/)
    assert.doesNotMatch(text, /\/automation\//)
  })

  test('knows no other page, and is only read', async () => {
    for (const path of [
      '/docs/guide/README',
      '/docs/guide/..%2f..%2fREADME',
      '/docs/guide/nothing',
      '/docs/reference/nothing',
      '/docs/nothing',
    ]) {
      assert.equal((await service.call('GET', path)).status, 404, path)
    }
    for (const path of ['/docs', '/docs/guide/webhooks', '/docs/search.json']) {
      assert.equal((await service.call('POST', path)).status, 405, path)
    }
  })
})

type Node = { attrs?: { name: string; value: string }[]; childNodes?: Node[] }

function walk(node: unknown, see: (name: string, value: string) => void) {
  const { attrs = [], childNodes = [] } = node as Node
  for (const { name, value } of attrs) see(name, value)
  for (const child of childNodes) walk(child, see)
}
