import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync, inflateSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import decodeQR from 'qr/decode.js'
import { postForm } from '../../../test/support/integration.ts'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

// How a survey reaches people besides mails, and how its results do.

describe('a survey that is shared', () => {
  let service: TestService
  let org: TestOrganization
  let now = Date.now()

  before(async () => {
    service = await startService({}, () => new Date(now), true)
    org = await makeOrganization(service)
  })

  type Role = keyof TestOrganization['users']
  const as = (role: Role, method: string, path: string, body?: unknown, headers = {}) =>
    service.call(method, path, { token: org.users[role].token, body, headers })
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await as('admin', method, path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  const nps = { id: 'nps', type: 'nps', label: 'How likely?', required: true }
  const why = { id: 'why', type: 'long-text', label: 'Why?' }
  const twoPages = [
    { id: 'p1', title: 'One', fields: [nps] },
    { id: 'p2', title: 'Two', fields: [why] },
  ]

  async function survey(more: object = {}): Promise<string> {
    const body = { name: 'Pulse', form_structure: twoPages, status: 'published', ...more }
    return (await call('POST', '/api/surveys/', body)).survey_id
  }

  async function embedded(id: string, rules: object = {}) {
    const { script } = await call('PUT', `/api/surveys/${id}/embed/`, { is_active: true, ...rules })
    const [, key] = /survey\.js\?key=([\w-]+)"/.exec(script) ?? []
    assert.ok(key, script)
    return key
  }
  const logged = async (id: string) => {
    const events = sql`select count(*)::int as n from events where reference_id = ${id}`
    return (await rows(service, events))[0].n as number
  }
  /** Where the form of a page is sent, which says who answers where there is no cookie. */
  const actionIn = (text: string) =>
    (/<form[^>]*? action="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')

  describe('on a page of another site', () => {
    test('has rules that are read and stored, and a wrong one is named', async () => {
      const id = await survey()
      const path = `/api/surveys/${id}/embed/`
      const before = { ...(await call('GET', path)), entries: await logged(id) }
      assert.deepEqual(
        [before.is_active, before.kind, before.script, before.again_after_days],
        [false, 'popup', null, null],
      )
      const rules = {
        is_active: true,
        kind: 'slide_in',
        pages: ['/portal/*', 'https://larkspur.example/a'],
        sites: ['www.larkspur.example', '*.clairval.example', 'localhost:3000'],
        wait_seconds: 20,
        scroll_percent: 50,
        visitors_percent: 25,
        again_after_days: 30,
      }
      const { script, version, ...stored } = await call('PUT', path, rules)
      assert.deepEqual(stored, { survey_id: id, ...rules })
      assert.equal(version, before.version + 1)
      // what was read may be sent back, and changes nothing
      const again = await call('PUT', path, { ...stored, script, version })
      assert.deepEqual([again.script, again.version], [script, version])
      const late = await as('admin', 'PUT', path, { kind: 'inline' }, { 'if-match': '"1"' })
      assert.equal(late.status, 412)
      for (const [field, body] of [
        ['pages.1', { pages: ['/ok', 'portal'] }],
        ['sites.1', { sites: ['a.example', 'https://a.example'] }],
        ['sites.0', { sites: ['a.example/path'] }],
        ['sites.0', { sites: ["a.example; script-src 'unsafe-inline'"] }],
        ['sites', { sites: Array.from({ length: 21 }, (_, n) => `${n}.example`) }],
        ['wait_seconds', { wait_seconds: -1 }],
        ['visitors_percent', { visitors_percent: 0 }],
        ['kind', { kind: 'banner' }],
        ['colour', { colour: 'red' }],
      ] as const) {
        refusedField(await as('admin', 'PUT', path, body), [field])
      }
      for (const role of ['customer', 'observer'] as const) {
        assert.ok([403, 404].includes((await as(role, 'GET', path)).status), role)
      }
      const template = await survey({ item_type: 'survey_template', status: 'draft' })
      assert.equal(
        (await as('admin', 'PUT', `/api/surveys/${template}/embed/`, { is_active: true })).status,
        409,
      )
      const entries = await logged(id)
      assert.equal(entries, before.entries + 1)
    })

    test('is shown by a small script that holds its rules, until it takes no answers', async () => {
      const id = await survey({ name: 'Is </script> \u2028 safe?' })
      const key = await embedded(id, { pages: ['/portal/*'] })
      const path = `/survey.js?key=${key}`
      const { status, headers, text } = await service.call('GET', path)
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^text\/javascript/)
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
      assert.equal(headers.get('set-cookie'), null)
      assert.ok(gzipSync(text).length < 12_000, String(gzipSync(text).length))
      assert.match(text, /"pages":\["\/portal\/\*"\]/)
      assert.doesNotMatch(text, /\u2028/)
      await call('POST', `/api/surveys/${id}/close/`)
      const closed = await service.call('GET', path)
      assert.deepEqual([closed.status, closed.text.includes('/portal/')], [200, false])
      assert.equal((await service.call('GET', '/survey.js?key=nobodys')).status, 404)
      assert.equal((await service.call('GET', '/survey.js')).status, 404)
    })

    test('is framed by the pages of its sites alone, and of all without one', async () => {
      const id = await survey()
      const key = await embedded(id, { sites: ['www.larkspur.example', '*.clairval.example'] })
      const policyOf = async () =>
        /frame-ancestors ([^;]+)/.exec(
          (await service.call('GET', `/s/embed/${key}`)).headers.get('content-security-policy') ??
            '',
        )?.[1]
      assert.equal(await policyOf(), 'www.larkspur.example *.clairval.example')
      const { text } = await service.call('GET', `/survey.js?key=${key}`)
      assert.match(text, /"sites":\["www\.larkspur\.example","\*\.clairval\.example"\]/)
      await call('POST', `/api/surveys/${id}/close/`)
      assert.equal(await policyOf(), 'www.larkspur.example *.clairval.example')
      await call('POST', `/api/surveys/${id}/publish/`)
      await embedded(id, { sites: [] })
      assert.equal(await policyOf(), '*')
      // one that was stored before there were sites
      await service.runtime.database.transaction(org.id, (queries) =>
        queries.run(sql`update surveys set embed = embed - 'sites'
          where organization_id = ${org.id} and id = ${id}`),
      )
      assert.equal(await policyOf(), '*')
      assert.deepEqual((await call('GET', `/api/surveys/${id}/embed/`)).sites, [])
    })

    test('is answered step by step without any cookie, once by each form', async () => {
      const id = await survey()
      const key = await embedded(id)
      const path = `/s/embed/${key}`
      const opened = await service.call('GET', `${path}?lang=fr`)
      assert.match(opened.headers.get('content-security-policy') ?? '', /frame-ancestors \*/)
      assert.equal(opened.headers.get('x-frame-options'), null)
      assert.match(opened.text, /<html lang="fr">/)
      const begun = actionIn(opened.text)
      const first = await postForm(service, begun, { page: '0', 'a.nps': '9', go: 'next' })
      assert.equal(first.status, 303)
      assert.equal(first.headers.get('set-cookie'), null)
      const next = first.headers.get('location') ?? ''
      const { searchParams } = new URL(next, service.url)
      assert.deepEqual([searchParams.get('page'), searchParams.get('lang')], ['2', 'fr'])
      assert.ok(searchParams.get('start'))
      const second = await service.call('GET', next)
      assert.match(second.text, /Why\?/)
      const form = { page: '1', 'a.why': 'Quick', go: 'next' }
      const last = await postForm(service, actionIn(second.text), form)
      const thanks = await service.call('GET', last.headers.get('location') ?? '')
      assert.match(thanks.text, /Merci/)
      assert.match(thanks.text, /perennial: "over"/)
      assert.match((await postForm(service, actionIn(second.text), form)).text, /Merci/)
      const stored = await call('GET', `/api/surveys/${id}/responses/`)
      assert.deepEqual(
        stored.map(({ answers, finished, language }: any) => [answers, finished, language]),
        [[{ nps: 9, why: 'Quick' }, true, 'fr']],
      )
      // another visitor begins anew
      assert.notEqual(actionIn((await service.call('GET', `${path}?lang=fr`)).text), begun)
      await call('PUT', `/api/surveys/${id}/embed/`, { is_active: false })
      assert.equal((await service.call('GET', path)).status, 410)
      // its key is no link, and a link is no key of it
      assert.equal((await service.call('GET', `/s/${key}`)).status, 404)
      const { encrypted_token } = await call('POST', `/api/surveys/${id}/link/`, {})
      assert.equal((await service.call('GET', `/s/embed/${encrypted_token}`)).status, 404)
    })
  })

  test('is on a code that cameras read, as SVG and as PNG', async () => {
    const id = await survey()
    const path = `/api/surveys/${id}/link/code/`
    const read = async (query: string) => {
      const headers = { authorization: `Bearer ${org.users.admin.token}` }
      const reply = await fetch(`${service.url}${path}${query}`, { headers })
      assert.equal(reply.status, 200)
      return {
        type: reply.headers.get('content-type'),
        bytes: Buffer.from(await reply.arrayBuffer()),
      }
    }
    const opens = async (address: string) => {
      const { text } = await service.call('GET', new URL(address).pathname)
      assert.match(text, /How likely\?/)
    }
    const png = await read('?format=png&size=3')
    assert.equal(png.type, 'image/png')
    await opens(decodeQR(pixelsOf(png.bytes)))
    const svg = await read('')
    assert.equal(svg.type, 'image/svg+xml')
    await opens(decodeQR(drawn(svg.bytes.toString())))
    assert.equal((await as('customer', 'GET', path)).status, 403)
    refusedField(await as('admin', 'GET', `${path}?format=gif`), ['format'])
  })

  describe('by a link for each person', () => {
    const contact = async (name: string, more: object = {}) => {
      const primary_email = `${name.toLowerCase()}@links.test`
      const body = { full_name: name, primary_email, department: 'Links', ...more }
      const reply = await as('admin', 'POST', '/api/contact/', body)
      assert.equal(reply.status, 200, reply.text)
      return reply.headers.get('x-record-id') ?? ''
    }
    const filter = (value: string) =>
      encodeURIComponent(JSON.stringify([{ field: 'department', operator: 'eq', value }]))

    test('is a file of those who may be asked, each with their own', async () => {
      const ids = [await contact('Ada'), await contact('Bob')]
      await contact('Cyd', { do_not_contact: 'yes' })
      await contact('Dan', { primary_email: null })
      await contact('Eve', { department: 'Other' })
      const id = await survey()
      const path = `/api/surveys/${id}/links/export/?filter=${filter('Links')}`
      const { text, headers, status } = await as('admin', 'GET', path)
      assert.equal(status, 200, text)
      assert.match(headers.get('content-disposition') ?? '', /survey-links-.*\.csv/)
      const people = parse(text, { columns: true }) as { [name: string]: string }[]
      assert.deepEqual(
        people.map(({ contact_id, full_name }) => [contact_id, full_name]),
        [
          [ids[0], 'Ada'],
          [ids[1], 'Bob'],
        ],
      )
      const { pathname } = new URL(people[1]!.link!)
      await postForm(service, pathname, { page: '0', 'a.nps': '3', go: 'next' })
      await postForm(service, pathname, { page: '1', 'a.why': 'Slow', go: 'next' })
      assert.match((await service.call('GET', pathname)).text, /Thank you/)
      const [answer] = await call('GET', `/api/surveys/${id}/responses/`)
      assert.deepEqual(
        [answer.respondent_email, answer.answers, answer.finished],
        ['bob@links.test', { nps: 3, why: 'Slow' }, true],
      )
    })

    test('is refused to who may not send it or read contacts', async () => {
      const id = await survey()
      const path = `/api/surveys/${id}/links/export/`
      assert.equal((await as('customer', 'GET', path)).status, 403)
      assert.equal((await as('admin', 'GET', `${path}?filter_id=none`)).status, 404)
      assert.equal((await as('admin', 'GET', '/api/surveys/none/links/export/')).status, 404)
    })
  })

  describe('as results', () => {
    async function answered() {
      const id = await survey({ one_per_email: false })
      const email = 'ria@results.test'
      await as('admin', 'POST', '/api/contact/', { full_name: 'Ria Vale', primary_email: email })
      for (const [at, score] of [10, 9, 3, 8, 9].entries()) {
        const body = {
          answers: { nps: score, why: `Word ${at}` },
          respondent_email: at === 2 ? email : `p${at}@results.test`,
        }
        await call('POST', `/api/surveys/${id}/fill/`, body)
      }
      await call('POST', `/api/surveys/${id}/fill/`, { answers: { nps: 5 }, finished: false })
      return id
    }
    const share = (id: string, body: object) =>
      call('POST', `/api/surveys/${id}/share-results/`, body)
    const shown = (url: string, language = 'en') =>
      service.call('GET', new URL(url).pathname, { headers: { 'accept-language': language } })

    test('are seen by whoever has the link, with texts and names only where it says so', async () => {
      const id = await answered()
      const plain = await shown((await share(id, {})).url)
      assert.equal(plain.status, 200)
      assert.match(plain.text, /How likely\?/)
      assert.match(plain.text, /<dd>\s*\+40/)
      assert.doesNotMatch(plain.text, /Word 2|Ria Vale|@results\.test/)
      const texts = await shown((await share(id, { texts: true })).url)
      assert.match(texts.text, /Word 2/)
      assert.doesNotMatch(texts.text, /Ria Vale|@results\.test/)
      const names = await shown((await share(id, { texts: true, names: true })).url)
      assert.match(names.text, /Ria Vale/)
      assert.match(names.text, /p1@results\.test/)
      assert.match(names.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      const german = await shown((await share(id, {})).url, 'de')
      assert.match(german.text, /<html lang="de">/)
      assert.match(german.text, /Ergebnisse: Pulse/)
      const few = { answers: JSON.stringify([{ field: 'answers.nps', operator: 'lt', value: 7 }]) }
      const part = await shown((await share(id, { filters: few, texts: true })).url)
      assert.match(part.text, /These are some of the answers/)
      assert.match(part.text, /Word 2/)
      assert.doesNotMatch(part.text, /Word 1/)
    })

    test('end with their day, their link and their maker', async () => {
      const id = await answered()
      const path = `/api/surveys/${id}/share-results/`
      const day = new Date(now + 60_000).toISOString()
      const dated = await share(id, { expires_at: day })
      const gone = await share(id, {})
      const links = await call('GET', path)
      assert.deepEqual(
        links.map(({ link_id }: any) => link_id),
        [gone.link_id, dated.link_id],
      )
      assert.equal((await shown(links[0].url)).status, 200)
      await call('DELETE', `${path}${gone.link_id}/`)
      for (const url of [gone.url, links[0].url]) assert.equal((await shown(url)).status, 410)
      assert.equal((await as('admin', 'DELETE', `${path}${gone.link_id}/`)).status, 404)
      now += 61_000
      assert.equal((await shown(dated.url)).status, 410)
      // jobs would wait for a clock that is ahead of the database's
      now -= 61_000
      const made = await as('manager', 'POST', path, {})
      assert.equal(made.status, 201, made.text)
      assert.equal((await shown(made.body.url)).status, 200)
      const { user_id } = org.users.manager
      await call('PUT', `/api/users/profile/${user_id}/`, { is_active: false })
      assert.equal((await shown(made.body.url)).status, 410)
      await call('PUT', `/api/users/profile/${user_id}/`, { is_active: true })
      assert.equal((await service.call('GET', '/results/nobodys')).status, 404)
      const shared = await rows(
        service,
        sql`select count(*)::int as n from events where reference_id = ${id}
          and changes::jsonb @> '[{"field": "shared_results"}]'`,
      )
      assert.equal(shared[0].n, 4)
    })

    test('are shared by those alone who may read and change them, and a wrong field is named', async () => {
      const id = await answered()
      const path = `/api/surveys/${id}/share-results/`
      for (const role of ['customer', 'observer'] as const) {
        assert.ok([403, 404].includes((await as(role, 'POST', path, {})).status), role)
        assert.ok([403, 404].includes((await as(role, 'GET', path)).status), role)
      }
      for (const [field, body] of [
        ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
        ['filters.since', { filters: { since: 'soon' } }],
        ['until', { filters: { since: '2026-02-01', until: '2026-01-01' } }],
        ['name', { name: true }],
      ] as const) {
        refusedField(await as('admin', 'POST', path, body), [field])
      }
    })

    test('stand with whom they are about, and a task that follows leads back to its answer', async () => {
      const made = async (path: string, body: object) => {
        const reply = await as('admin', 'POST', path, body)
        assert.ok(reply.status < 300, reply.text)
        return reply.headers.get('x-record-id') ?? ''
      }
      const company = await made('/api/company/', { company_name: 'Clairval' })
      const account = await made('/api/account/info/', {
        account_name: 'Clairval Santé',
        company_id: company,
      })
      const project = await made('/api/project/info/', {
        project_name: 'Fourteen clinics',
        account_id: account,
      })
      const email = 'helene@clairval.test'
      const contact = await made('/api/contact/', {
        full_name: 'Hélène',
        primary_email: email,
        company: company,
      })
      const id = await survey()
      await call('POST', `/api/surveys/${id}/automations_save/`, {
        name: 'Call back',
        trigger: { type: 'score_below', value: 7 },
        actions: [{ type: 'create_task', config: { title: 'Call', description: 'Soon' } }],
      })
      const { response_id } = await call('POST', `/api/surveys/${id}/fill/`, {
        answers: { nps: 2, why: 'The import was slow' },
        respondent_email: email,
      })
      const path = '/api/surveys/answers/'
      for (const [name, value] of Object.entries({ account, company, contact, project })) {
        const found = await call('GET', `${path}?${name}_id=${value}`)
        assert.deepEqual(
          found.map((each: any) => [each.response_id, each.respondent_name, each.nps, each.text]),
          [[response_id, 'Hélène', 2, 'The import was slow']],
          name,
        )
        assert.deepEqual(await call('GET', `${path}?${name}_id=${value}&page=2`), [])
        assert.equal((await as('customer', 'GET', `${path}?${name}_id=${value}`)).status, 404)
      }
      const grouped = async (by: string) =>
        (await call('GET', `/api/surveys/${id}/score-groups/?by=${by}`)).groups
      const [group, ...others] = await grouped('account')
      assert.deepEqual(
        [group.key, group.label, group.detractors, group.nps, others],
        [account, 'Clairval Santé', 1, -100, []],
      )
      assert.deepEqual(
        (await grouped('segment')).map(({ key, nps }: any) => [key, nps]),
        [[null, -100]],
      )
      assert.equal((await grouped('owner')).length, 1)
      // over time, which adds up to the group
      const { body: more } = await as('admin', 'POST', `/api/surveys/${id}/fill/`, {
        answers: { nps: 9 },
        respondent_email: email,
      })
      await service.runtime.database.transaction(org.id, (queries) =>
        queries.run(sql`update survey_responses set finished_at = finished_at - interval '70 days'
          where organization_id = ${org.id} and id = ${more.response_id}`),
      )
      for (const by of ['account', 'owner', 'segment']) {
        const [its] = await grouped(`${by}&unit=month`)
        assert.deepEqual(
          its.trend.map(({ nps, promoters, detractors }: any) => [nps, promoters, detractors]),
          [
            [100, 1, 0],
            [-100, 0, 1],
          ],
          by,
        )
        assert.deepEqual([its.promoters, its.detractors, its.nps], [1, 1, 0])
        assert.ok(its.trend.every(({ date }: any) => date.endsWith('-01')))
      }
      assert.deepEqual(
        (await call('GET', `/api/surveys/${id}/score-groups/?by=owner&until=2020-01-01`)).groups,
        [],
      )
      refusedField(await as('admin', 'GET', path), ['account_id'])
      refusedField(
        await as('admin', 'GET', `${path}?account_id=${account}&contact_id=${contact}`),
        ['contact_id'],
      )
      const runs = () => call('GET', `/api/surveys/${id}/automations/runs/`)
      await until(async () => (await runs()).length === 2)
      const [run] = (await runs()).filter((each: any) => each.response_id === response_id)
      assert.equal(run.status, 'done', JSON.stringify(run))
      const task = await call('GET', `/api/tasks/${run.results[0].task_id}/`)
      assert.match(task.description, /^Soon\n\nhttp.*\/surveys\/\w+\/responses\?response=\w+$/)
      assert.ok(task.description.endsWith(`/surveys/${id}/responses?response=${response_id}`))
    })

    test('say where people stop and how long they take', async () => {
      const id = await survey()
      const { encrypted_token } = await call('POST', `/api/surveys/${id}/link/`, {
        email: 'slow@results.test',
      })
      await postForm(service, `/s/${encrypted_token}`, { page: '0', 'a.nps': '6', go: 'next' })
      now += 90_000
      await postForm(service, `/s/${encrypted_token}`, { page: '1', 'a.why': 'So', go: 'next' })
      const begin = (answers: object) =>
        call('POST', `/api/surveys/${id}/fill/`, { answers, finished: false })
      await begin({ nps: 4 })
      await begin({ nps: 5 })
      await begin({ nps: 5, why: 'Almost' })
      await begin({})
      const { insights } = await call('GET', `/api/surveys/${id}/insights/`)
      assert.equal(insights.median_seconds, 90)
      assert.equal(insights.partial_responses, 4)
      assert.deepEqual(
        insights.questions.map(({ drop_off, stopped }: any) => [drop_off, stopped]),
        [
          [3, 2],
          [1, 1],
        ],
      )
      const [month] = insights.nps_trend
      assert.deepEqual([month.nps_low, month.nps, month.nps_high], [-98.5, -100, 48.5])
    })
  })
})

/** The pixels of a PNG of one bit, as a camera would give them. */
function pixelsOf(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const at = png.indexOf('IDAT')
  const lines = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
  const stride = 1 + Math.ceil(width / 8)
  return picture(width, height, (x, y) => !(lines[y * stride + 1 + (x >> 3)]! & (0x80 >> (x & 7))))
}

/** The same of an SVG of runs. */
function drawn(svg: string) {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
  const dark = new Set<string>()
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    for (let at = 0; at < Number(length); at++) dark.add(`${Number(x) + at},${y}`)
  }
  const size = 3
  return picture(side * size, side * size, (x, y) =>
    dark.has(`${Math.floor(x / size)},${Math.floor(y / size)}`),
  )
}

function picture(width: number, height: number, isDark: (x: number, y: number) => boolean) {
  const data = new Uint8Array(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (isDark(x, y)) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return { width, height, data }
}
