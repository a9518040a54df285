import assert from 'node:assert/strict'
import fc from 'fast-check'
import { before, describe, test } from 'node:test'
import { depth } from '../../../test/support/depth.ts'
import { postForm } from '../../../test/support/integration.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { addMember } from '../../../test/support/world.ts'
import { asService } from '../../../test/support/contexts.ts'
import { sealTicket } from './links/ticket.ts'

// What a survey can ask, and when: kinds of questions, what earlier answers say in later texts, pages at random,
// choices that run out, and languages.

type Fields = { [name: string]: string } | [string, string][]
type Row = { [name: string]: any }
type More = {
  link?: object
  endings?: object[]
  language?: string
  translations?: object
  account_id?: string
}

describe('the structure of a survey', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService({}, undefined, true)
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: org.users.admin.token, body })

  async function ok(method: string, path: string, body?: unknown) {
    const reply = await call(method, path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }

  async function idOf(method: string, path: string, body: unknown): Promise<string> {
    const reply = await call(method, path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.headers.get('x-record-id') ?? ''
  }

  /** A published survey with these pages, and the path of a link to it. */
  async function published(pages: object[], { link = {}, endings, ...more }: More = {}) {
    const form_structure = endings ? { pages, endings } : pages
    const body = { name: 'Kick-off', form_structure, status: 'published', ...more }
    const id = (await ok('POST', '/api/surveys/', body)).survey_id as string
    const { url } = await ok('POST', `/api/surveys/${id}/link/`, link)
    return { id, path: new URL(url).pathname }
  }

  /** A visitor with a browser of their own. */
  function visitor(path: string) {
    let cookie = ''
    let start = ''
    const keep = (reply: Reply) => {
      cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? cookie
      start = /name="start" value="([^"]+)"/.exec(reply.text)?.[1] ?? start
      return reply
    }
    return {
      get: async (query = '', headers = {}) =>
        keep(await service.call('GET', `${path}${query}`, { headers: { cookie, ...headers } })),
      post: async (fields: Fields, query = '') => {
        const all = Array.isArray(fields) ? fields : Object.entries(fields)
        const go: [string, string][] = all.some(([name]) => name === 'go') ? [] : [['go', 'next']]
        const sent: [string, string][] = [...go, ['start', start], ...all]
        return keep(await postForm(service, path + query, sent, { cookie }))
      },
      upload: async (fields: Fields, files: [field: string, name: string, content: string][]) => {
        const form = new FormData()
        const all = Array.isArray(fields) ? fields : Object.entries(fields)
        for (const [name, value] of [['start', start], ...all]) form.append(name ?? '', value ?? '')
        for (const [field, name, content] of files) {
          form.append(
            `file.${field}`,
            new Blob([content], { type: name ? 'text/csv' : 'application/octet-stream' }),
            name,
          )
        }
        const reply = await fetch(service.url + path, {
          method: 'POST',
          body: form,
          headers: { cookie, 'sec-fetch-site': 'same-origin' },
          redirect: 'manual',
          signal: AbortSignal.timeout(15_000),
        })
        return keep({
          status: reply.status,
          text: await reply.text(),
          headers: reply.headers,
        } as never)
      },
    }
  }

  const answersOf = async (id: string) =>
    (await ok('GET', `/api/surveys/${id}/responses/`)).map((each: Row) => each.answers)

  const page = (...fields: object[]) => ({ id: 'p1', title: '', fields })

  test('has contacts, addresses, signatures, yes or no, ratings by row and calculated values', async () => {
    const rows = [
      { value: 'team', label: 'Team' },
      { value: 'tool', label: 'Product' },
    ]
    const fields = [
      { id: 'who', type: 'contact', label: 'Who are you?', required: true },
      { id: 'where', type: 'address', label: 'Where are you?' },
      { id: 'ready', type: 'yes-no', label: 'Ready?', required: true },
      {
        id: 'rates',
        type: 'rating-matrix',
        label: 'How good?',
        rows,
        maxRating: 4,
        required: true,
      },
      { id: 'seats', type: 'number', label: 'Seats' },
      { id: 'total', type: 'calculated', label: 'In a year', formula: '({seats} + 2) * 12 - -1.5' },
      { id: 'sign', type: 'signature', label: 'Sign here', required: true },
    ]
    const { id, path } = await published([page(...fields)])
    const one = visitor(path)
    const { text } = await one.get()
    for (const part of ['t.who.first_name', 't.where.country', 'm.rates.team', 't.sign.name']) {
      assert.match(text, new RegExp(`name="${part.replaceAll('.', '\\.')}"`), part)
    }
    assert.doesNotMatch(text, /maxlength="1000"[^>]*name="t\./)
    const lacks = await one.post({
      page: '0',
      't.who.first_name': 'Ada',
      't.who.email': 'nothing',
      'm.rates.team': '4',
      'a.ready': 'maybe',
      't.sign.path': 'M1 1L2 2',
    })
    assert.equal(lacks.status, 400)
    const wrong = [
      /must have an e-mail address/,
      /must be true or false/,
      /also in Product/,
      /must have a name/,
    ]
    for (const message of wrong) assert.match(lacks.text, message)
    assert.match(lacks.text, /value="Ada"/)
    const done = await one.post({
      page: '0',
      't.who.first_name': 'Ada',
      't.who.last_name': 'Byron',
      't.who.email': 'ada@kick.test',
      't.where.street': 'Rue 1',
      't.where.city': 'Lyon',
      't.where.country': 'France',
      'm.rates.team': '4',
      'm.rates.tool': '2',
      'a.ready': 'no',
      'a.seats': '3',
      'a.total': '7',
      't.sign.name': 'Ada Byron',
      't.sign.path': 'M1 1L2 2',
    })
    assert.equal(done.status, 303, done.text)
    assert.deepEqual(await answersOf(id), [
      {
        who: { first_name: 'Ada', last_name: 'Byron', email: 'ada@kick.test' },
        where: { street: 'Rue 1', city: 'Lyon', country: 'France' },
        ready: false,
        rates: { team: 4, tool: 2 },
        seats: 3,
        // what a form says of it counts for nothing
        total: 61.5,
        sign: { name: 'Ada Byron', path: 'M1 1L2 2' },
      },
    ])
    const { insights } = await ok('GET', `/api/surveys/${id}/insights/`)
    const of = (field: string) => insights.questions.find((each: Row) => each.field_id === field)
    assert.deepEqual(
      of('rates').rows.map((row: Row) => [row.label, row.average]),
      [
        ['Team', 4],
        ['Product', 2],
      ],
    )
    assert.equal(of('total').average, 61.5)
    assert.deepEqual(of('ready').distribution, [{ value: false, label: 'false', count: 1 }])
    const csv = await call('GET', `/api/surveys/${id}/responses/export/`)
    const [head = '', line = ''] = csv.text.split('\n')
    for (const name of ['Who are you?: first name', 'Where are you?: city', 'How good?: Product']) {
      assert.ok(head.includes(name), name)
    }
    assert.ok(line.includes('Ada Byron'), line)
  })

  test('refuses values that no answer can have, by the API', async () => {
    const fields = [
      { id: 'who', type: 'contact', label: 'Who?', parts: ['email'] },
      { id: 'sign', type: 'signature', label: 'Sign' },
      { id: 'file', type: 'file', label: 'File' },
      { id: 'rates', type: 'rating-matrix', label: 'Rate', rows: ['a'] },
      { id: 'words', type: 'short-text', label: 'Words', min: 2, max: 5 },
      { id: 'some', type: 'multi-select', label: 'Some', options: ['a', 'b', 'c'], min: 2, max: 2 },
    ]
    const { id } = await published([page(...fields)])
    const refused = async (answers: object, field: string) => {
      const reply = await call('POST', `/api/surveys/${id}/fill/`, { answers })
      assert.equal(reply.status, 400, JSON.stringify(answers))
      assert.equal(reply.body.errors[0].field, `answers.${field}`)
    }
    await refused({ who: { phone: '123' } }, 'who')
    await refused({ who: 'ada' }, 'who')
    await refused({ sign: { name: 'Ada', path: '<svg>' } }, 'sign')
    await refused({ file: [{ document_id: 'none' }] }, 'file')
    await refused({ file: 'none' }, 'file')
    await refused({ rates: { a: 6 } }, 'rates')
    await refused({ rates: { b: 1 } }, 'rates')
    await refused({ words: 'a' }, 'words')
    await refused({ words: 'abcdef' }, 'words')
    await refused({ some: ['a'] }, 'some')
    await refused({ some: ['a', 'b', 'c'] }, 'some')
  })

  test('is refused where it names what is not there before it, or says it wrongly', async () => {
    const refused = async (pages: object[], field: string, message: RegExp) => {
      const body = { name: 'Faulty', form_structure: pages }
      const reply = await call('POST', '/api/surveys/', body)
      assert.equal(reply.status, 400, reply.text)
      assert.equal(reply.body.errors[0].field, `form_structure.${field}`)
      assert.match(reply.body.errors[0].message, message)
    }
    const text = (more: object) => ({ id: 'q', type: 'short-text', label: 'Q', ...more })
    const sum = (formula: unknown) => ({ id: 's', type: 'calculated', label: 'S', formula })
    await refused([page(text({ label: 'Dear {{answers.q}}' }))], '0.fields.0.label', /no earlier/)
    await refused(
      [page(text({ label: '{{contact.salary}}' }))],
      '0.fields.0.label',
      /must be one of/,
    )
    await refused([page(sum('{q}'))], '0.fields.0.formula', /no earlier question/)
    await refused([page(sum('2 +'))], '0.fields.0.formula', /at its end/)
    await refused([page(sum('(2'))], '0.fields.0.formula', /without/)
    await refused([page(sum('2 2'))], '0.fields.0.formula', /operator/)
    await refused([page(sum('alert(1)'))], '0.fields.0.formula', /has “a”/)
    await refused([page(sum(undefined))], '0.fields.0.formula', /is required/)
    await refused([page(text({ show_if: [{ any: [] }] }))], '0.fields.0.show_if', /at least one/)
    await refused([page(text({ parts: ['age'] }))], '0.fields.0.parts', /some of/)
    await refused([page(text({ random_options: 'yes' }))], '0.fields.0.random_options', /true or/)
    await refused(
      [page(text({ translations: { fr: { label: 5 } } }))],
      '0.fields.0.translations.fr.label',
      /text/,
    )
    await refused([page(text({ translations: { xx: {} } }))], '0.fields.0.translations.xx', /./)
    await refused(
      [page({ id: 'o', type: 'dropdown', label: 'O', options: [{ value: 'a', most: 0 }] })],
      '0.fields.0.options.0.most',
      /above 0/,
    )
    const show_if = [{ field_id: 'q', operator: 'is_not_empty' }]
    const loose = { title: '', random_order: true }
    await refused(
      [
        { id: 'a', ...loose, fields: [text({})] },
        { id: 'b', ...loose, fields: [{ id: 'r', type: 'date', label: 'R', show_if }] },
      ],
      '1.random_order',
      /may come after it/,
    )
    await refused([{ id: 'a', title: '', show_if, fields: [text({})] }], '0.show_if', /no earlier/)
  })

  test('asks pages and groups of conditions only where they hold, going back and changing branch', async () => {
    const options = ['new', 'known', 'other']
    const pages = [
      {
        id: 'a',
        title: 'Kind',
        fields: [{ id: 'kind', type: 'single-select', label: 'Kind?', options, required: true }],
      },
      {
        id: 'b',
        title: 'Only for new ones',
        show_if: [{ field_id: 'kind', value: 'new' }],
        fields: [{ id: 'size', type: 'number', label: 'Size?', required: true }],
      },
      {
        id: 'c',
        title: 'Either',
        show_if: [
          {
            any: [
              { field_id: 'size', operator: 'gt', value: 10 },
              { field_id: 'kind', value: 'other' },
            ],
          },
        ],
        fields: [{ id: 'more', type: 'short-text', label: 'More?', required: true }],
      },
      {
        id: 'd',
        title: 'End',
        fields: [{ id: 'end', type: 'short-text', label: 'Anything else?' }],
      },
    ]
    const { id, path } = await published(pages)
    const one = visitor(path)
    const first = await one.get()
    assert.match(first.text, /Page 1 of 2/)
    const to = (reply: Row) => reply.headers.get('location')?.split('?')[1]
    assert.equal(to(await one.post({ page: '0', 'a.kind': 'new' })), 'page=2')
    assert.match((await one.get('?page=2')).text, /Page 2 of 3/)
    assert.equal(to(await one.post({ page: '1', 'a.size': '20' })), 'page=3')
    assert.equal(to(await one.post({ page: '2', 'a.more': 'a lot' })), 'page=4')
    // back to the beginning, and another way
    assert.equal(to(await one.post({ page: '3', go: 'back' })), 'page=3')
    assert.equal(to(await one.post({ page: '2', 'a.more': 'a lot', go: 'back' })), 'page=2')
    assert.equal(to(await one.post({ page: '0', 'a.kind': 'known' })), 'page=4')
    const last = await one.get('?page=4')
    assert.match(last.text, /Page 2 of 2/)
    assert.equal((await one.post({ page: '3', 'a.end': 'no' })).status, 303)
    assert.deepEqual(await answersOf(id), [{ kind: 'known', end: 'no' }])
  })

  test('asks on each page exactly what the store keeps, whatever is answered, in whatever order', async () => {
    const choice = fc.constantFrom('a', 'b', 'c')
    // questions that earlier ones show, on pages that earlier ones show
    const rule = fc.record({
      on: fc.nat(8),
      value: choice,
      isGroup: fc.boolean(),
      other: fc.nat(8),
    })
    const plan = fc.record({
      rules: fc.array(fc.option(rule), { minLength: 9, maxLength: 9 }),
      pageRules: fc.array(fc.option(rule), { minLength: 4, maxLength: 4 }),
      ends: fc.array(rule, { maxLength: 3 }),
      walk: fc.array(
        fc.record({
          isBack: fc.boolean(),
          values: fc.array(choice, { minLength: 9, maxLength: 9 }),
        }),
        { minLength: 4, maxLength: 9 },
      ),
    })
    type Drawn = { on: number; value: string; isGroup: boolean; other: number } | null
    const ruleOf = (drawn: Drawn, before: number) => {
      if (!drawn || !before) return []
      const one = { field_id: `q${drawn.on % before}`, value: drawn.value }
      const other = { field_id: `q${drawn.other % before}`, operator: 'is_empty' }
      return [drawn.isGroup ? { any: [one, other] } : one]
    }
    const place = (n: number) => Math.min(3, Math.floor(n / 2.5))
    await fc.assert(
      fc.asyncProperty(plan, async ({ rules, pageRules, ends, walk }) => {
        const pages = [0, 1, 2, 3].map((p) => {
          const here = rules.map((_, n) => n).filter((n) => place(n) === p)
          return {
            id: `p${p}`,
            title: '',
            show_if: ruleOf(pageRules[p] ?? null, here[0] ?? 0),
            fields: here.map((n) => ({
              id: `q${n}`,
              type: 'dropdown',
              label: `Q${n}`,
              options: ['a', 'b', 'c'],
              show_if: ruleOf(rules[n] ?? null, n),
            })),
          }
        })
        const endings = ends.map((each, n) => ({
          id: `e${n}`,
          title: `Ending ${n}`,
          text: '',
          show_if: ruleOf(each, 9),
        }))
        type Given = { [id: string]: string }
        const open = (parts: Row[], kept: Given) =>
          parts.every((each) =>
            (each.any ?? [each]).some((one: Row) =>
              one.operator ? kept[one.field_id] === undefined : kept[one.field_id] === one.value,
            ),
          )
        /** What is asked of these answers, said once more: in order, hidden ones are none. */
        const naive = (given: Given) => {
          const kept: Given = {}
          for (const part of pages) {
            if (!open(part.show_if, kept)) continue
            for (const { id, show_if } of part.fields) {
              if (open(show_if, kept) && given[id] !== undefined) kept[id] = given[id]
            }
          }
          return kept
        }
        const { id, path } = await published(pages, { endings })
        const one = visitor(path)
        await one.get()
        let given: Given = {}
        let at = 0
        for (const { isBack, values } of walk) {
          const shown = (await one.get(`?page=${at + 1}`)).text
          const index = Number(/name="page" value="(\d)"/.exec(shown)?.[1])
          assert.equal(index, at)
          const here = pages[index]?.fields ?? []
          const own = new Set(here.map((each) => each.id))
          const asks = [...shown.matchAll(/data-question="(q\d)"/g)].map(([, each]) => each ?? '')
          // what depends on this page alone is shown where it may come to be asked
          const settled = here.filter(({ show_if }) =>
            show_if.every((each: Row) =>
              (each.any ?? [each]).every((one: Row) => !own.has(one.field_id)),
            ),
          )
          const before = naive(given)
          for (const field of settled) {
            const isAsked = naive({ ...before, [field.id]: 'a' })[field.id] !== undefined
            assert.equal(asks.includes(field.id), isAsked, `${field.id} on page ${index}`)
          }
          const answers = Object.fromEntries(
            asks.map((each) => [each, values[Number(each.slice(1))] ?? 'a']),
          )
          const without = Object.entries(before).filter(([each]) => !own.has(each))
          given = naive({ ...Object.fromEntries(without), ...answers })
          const sent = Object.entries(answers).map(([name, value]): [string, string] => [
            `a.${name}`,
            value,
          ])
          const go = isBack && index > 0 ? 'back' : 'next'
          const reply = await one.post([['page', String(index)], ['go', go], ...sent])
          assert.equal(reply.status, 303, reply.text)
          const [stored] = await answersOf(id)
          assert.deepEqual(stored, given)
          const to = /page=(\d)/.exec(reply.headers.get('location') ?? '')?.[1]
          if (to === undefined) {
            const end = endings.find(({ show_if }) => open(show_if, given))
            const heading = /<h1>([^<]*)</.exec((await one.get()).text)?.[1]
            assert.equal(heading, end?.title ?? 'Thank you')
            break
          }
          at = Number(to) - 1
        }
      }),
      { numRuns: depth(12, 500) },
    )
  })

  test('puts answers and the person of the link into texts, escaped, and nothing of what is hidden', async () => {
    const made = (path: string, body: object) => idOf('POST', path, body)
    const company_id = await made('/api/company/', { company_name: 'Clairval' })
    const rival = await made('/api/company/', { company_name: 'Secret rival' })
    const account = await ok('POST', '/api/account/info/', {
      account_name: 'Rival account',
      company_id: rival,
    })
    await ok('POST', '/api/contact/', {
      full_name: 'Hélène <b>Roux',
      primary_email: 'helene@pipe.test',
      company: company_id,
    })
    const pages = [
      page(
        {
          id: 'likes',
          type: 'yes-no',
          label: 'Hello {{contact.first_name|there}}, do you like it?',
        },
        {
          id: 'name',
          type: 'short-text',
          label: 'Your product at {{contact.company|your company}} ({{account.name|no account}})?',
          show_if: [{ field_id: 'likes', value: true }],
        },
      ),
      {
        id: 'p2',
        title: 'About {{answers.name|the product}}',
        fields: [{ id: 'why', type: 'long-text', label: 'Why {{ answers.name | it }}?' }],
      },
    ]
    const of = { account_id: account.account_id }
    const { path } = await published(pages, { link: { email: 'helene@pipe.test' }, ...of })
    const one = visitor(path)
    const first = (await one.get()).text
    assert.match(first, /Hello Hélène, do you like it\?/)
    assert.match(first, /at Clairval \(no account\)\?/)
    assert.doesNotMatch(first, /Rival account/)
    await one.post({ page: '0', 'a.likes': 'yes', 'a.name': '<script>x</script>' })
    const second = (await one.get('?page=2')).text
    assert.match(second, /About &lt;script&gt;x&lt;\/script&gt;/)
    assert.match(second, /Why &lt;script&gt;/)
    assert.doesNotMatch(second, /<script>x/)
    await one.post({ page: '0', 'a.likes': 'no', 'a.name': 'hidden words' })
    const other = (await one.get('?page=2')).text
    assert.match(other, /About the product/)
    assert.match(other, /Why it\?/)
    assert.doesNotMatch(other, /hidden words|script&gt;x/)
    const open = await published(pages, of)
    // where questions are named, what goes into them is not
    const { insights } = await ok('GET', `/api/surveys/${open.id}/insights/`)
    assert.equal(insights.questions[2].label, 'Why …?')
    const { conditions } = await ok('GET', `/api/surveys/${open.id}/automation-options/`)
    const named = conditions.find(({ field }: { field: string }) => field === 'answers.why')
    assert.equal(named.label, 'Why …?')
    const anyone = (await visitor(open.path).get()).text
    assert.match(anyone, /Hello there, do you like it\?/)
    assert.match(anyone, /at your company \(no account\)/)
  })

  test('fills what the contact of a link lacks, and makes a contact only where a question says so', async () => {
    const who = (more: object = {}) =>
      page({
        id: 'who',
        type: 'contact',
        label: 'You?',
        parts: ['first_name', 'last_name', 'email', 'phone', 'job_title'],
        ...more,
      })
    const answer = (path: string, email: string) =>
      visitor(path).post({
        page: '0',
        't.who.first_name': 'Eve',
        't.who.last_name': 'Adams',
        't.who.email': email,
        't.who.phone': '+33 1 23',
        't.who.job_title': 'Chief',
      })
    const contact = async (email: string) =>
      (
        await ok(
          'GET',
          `/api/contact/?page=1&items_per_page=9&filter=${encodeURIComponent(JSON.stringify([{ field: 'primary_email', operator: 'eq', value: email }]))}`,
        )
      ).map(({ full_name, phone, job_title }: Row) => ({ full_name, phone, job_title }))
    const email = 'eve@fill.test'
    await ok('POST', '/api/contact/', {
      full_name: 'Eve A.',
      primary_email: email,
      job_title: 'CEO',
    })
    const filled = { full_name: 'Eve A.', phone: '+33 1 23', job_title: 'CEO' }
    const stranger = await published([who()])
    assert.equal((await answer(stranger.path, email)).status, 303)
    assert.deepEqual(await contact(email), [{ ...filled, phone: null }])
    const own = await published([who()], { link: { email } })
    assert.equal((await answer(own.path, email)).status, 303)
    assert.deepEqual(await contact(email), [filled])
    assert.equal((await answer(stranger.path, 'new@fill.test')).status, 303)
    assert.deepEqual(await contact('new@fill.test'), [])
    const adding = await published([who({ adds_contact: true })])
    assert.equal((await answer(adding.path, 'new@fill.test')).status, 303)
    assert.deepEqual(await contact('new@fill.test'), [
      { full_name: 'Eve Adams', phone: '+33 1 23', job_title: 'Chief' },
    ])
    assert.equal((await answer(adding.path, email)).status, 303)
    assert.deepEqual(await contact(email), [filled])
  })

  test('takes files, which stay while other answers are wrong, and are documents of the survey', async () => {
    const { id, path } = await published([
      page(
        { id: 'plan', type: 'file', label: 'Your plan', required: true, max: 2 },
        { id: 'like', type: 'multi-select', label: 'What?', options: ['a', 'b'] },
        { id: 'name', type: 'short-text', label: 'Name', required: true },
      ),
    ])
    const one = visitor(path)
    await one.get()
    const wrong = await one.upload({ page: '0', go: 'next' }, [
      ['plan', 'plan.csv', 'a,b'],
      ['plan', 'other.csv', 'c,d'],
    ])
    assert.equal(wrong.status, 400, wrong.text)
    assert.match(wrong.text, /plan\.csv/)
    const shown = await one.get()
    const removed = /name="x\.plan" value="([^"]+)"/.exec(shown.text)?.[1] ?? ''
    const done = await one.upload(
      [
        ['page', '0'],
        ['go', 'next'],
        ['a.name', 'Ada'],
        ['a.like', 'a'],
        ['a.like', 'b'],
        ['x.plan', removed],
      ],
      [['plan', '', '']],
    )
    assert.equal(done.status, 303, done.text)
    const [answers] = await answersOf(id)
    assert.deepEqual(answers.like, ['a', 'b'])
    assert.deepEqual(
      answers.plan.map(({ name, size }: Row) => [name, size]),
      [['other.csv', 3]],
    )
    const document = await ok('GET', `/api/documents/${answers.plan[0].document_id}/`)
    assert.equal(document.reference_id, id)
    assert.equal((await call('GET', `/api/documents/${removed}/`)).status, 404)
    // nobody answers with the files of others
    const rival = await published([page({ id: 'plan', type: 'file', label: 'Plan' })])
    const stolen = await call('POST', `/api/surveys/${rival.id}/fill/`, {
      answers: { plan: answers.plan },
    })
    assert.equal(stolen.status, 400)
    const too = await visitor(rival.path).upload({ page: '0', go: 'next' }, [
      ['other', 'x.csv', 'x'],
    ])
    assert.equal(too.status, 400)
  })

  test('does not offer a choice that enough have taken, one after another or at once', async () => {
    const options = [
      { value: 'mon', label: 'Monday', most: 2 },
      { value: 'tue', label: 'Tuesday' },
    ]
    const { id, path } = await published([
      page({ id: 'day', type: 'dropdown', label: 'Which day?', options, required: true }),
    ])
    const early = visitor(path)
    assert.match((await early.get()).text, /Monday/)
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => call('POST', `/api/surveys/${id}/fill/`, { answers: { day: 'mon' } })),
    )
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 201, 400, 400])
    assert.doesNotMatch((await visitor(path).get()).text, /Monday/)
    const late = await early.post({ page: '0', 'a.day': 'mon' })
    assert.equal(late.status, 400)
    assert.equal((await early.post({ page: '0', 'a.day': 'tue' })).status, 303)
  })

  test('counts a choice with the answers from the time it is limited, and asks again whoever finds it taken', async () => {
    const day = (most?: number) => ({
      id: 'day',
      type: 'dropdown',
      label: 'Which day?',
      options: [
        { value: 'mon', label: 'Monday', ...(most ? { most } : {}) },
        { value: 'toString', label: 'Any' },
      ],
      required: true,
    })
    const why = { id: 'p2', title: '', fields: [{ id: 'why', type: 'short-text', label: 'Why?' }] }
    const { id, path } = await published([page(day()), why])
    const takenIn = async () =>
      (await rows(service, sql`select t.taken from surveys t where t.id = ${id}`))[0].taken
    const fill = (value: string) =>
      call('POST', `/api/surveys/${id}/fill/`, { answers: { day: value } })
    for (const value of ['mon', 'mon', 'toString']) assert.equal((await fill(value)).status, 201)
    assert.equal(await takenIn(), null)
    await ok('PUT', `/api/surveys/${id}/`, { form_structure: [page(day(4)), why] })
    // many look at once: what was answered before is counted once
    const looks = await Promise.all([1, 2, 3].map(() => visitor(path).get()))
    for (const { text } of looks) assert.match(text, /Monday/)
    assert.deepEqual(await takenIn(), { day: { mon: 2, toString: 1 } })
    const slow = visitor(path)
    await slow.get()
    assert.equal((await slow.post({ page: '0', 'a.day': 'mon' })).status, 303)
    const replies = await Promise.all(['mon', 'mon', 'mon', 'toString'].map(fill))
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 201, 201, 400])
    assert.deepEqual(await takenIn(), { day: { mon: 4, toString: 2 } })
    // whoever chose it before it was full is asked once more, on the page where it is asked
    const late = await slow.post({ page: '1', 'a.why': 'Because' })
    assert.equal(late.status, 400)
    assert.match(late.text, /name="page" value="0"/)
    assert.doesNotMatch(late.text, /Monday/)
    assert.equal((await slow.post({ page: '0', 'a.day': 'toString' })).status, 303)
    assert.equal((await slow.post({ page: '1', 'a.why': 'Because' })).status, 303)
    assert.deepEqual(await takenIn(), { day: { mon: 4, toString: 3 } })
    // no longer limited and limited again: those in between count, too
    await ok('PUT', `/api/surveys/${id}/`, { form_structure: [page(day()), why] })
    assert.equal((await fill('mon')).status, 201)
    await ok('PUT', `/api/surveys/${id}/`, { form_structure: [page(day(5)), why] })
    assert.equal((await fill('mon')).status, 400)
  })

  test('draws the order of pages and choices once for each respondent', async () => {
    const options = Array.from({ length: 12 }, (_, n) => `Choice ${n}`)
    const random = (n: number) => ({
      id: `p${n}`,
      title: `Part ${n}`,
      random_order: true,
      fields: [
        { id: `q${n}`, type: 'single-select', label: `Q${n}`, options, random_options: true },
      ],
    })
    const first = {
      id: 'first',
      title: 'Part first',
      fields: [{ id: 'q', type: 'date', label: 'Q' }],
    }
    const { id, path } = await published([first, ...[1, 2, 3, 4, 5, 6].map(random)])
    const orders = new Set<string>()
    for (let visit = 0; visit < 4; visit++) {
      const one = visitor(path)
      assert.match((await one.get()).text, /Part first/)
      await one.post({ page: '0', 'a.q': '2026-01-02' })
      const pages: string[] = []
      for (let n = 2; n <= 7; n++) {
        const { text } = await one.get(`?page=${n}`)
        assert.equal((await one.get(`?page=${n}`)).text, text)
        const question = /data-question="(q\d)"/.exec(text)?.[1] ?? ''
        pages.push(
          question,
          ...[...text.matchAll(/value="(Choice \d+)"/g)].map(([, each]) => each ?? ''),
        )
        await one.post({ page: String(n - 1), [`a.${question}`]: 'Choice 3' })
      }
      const asked = pages.filter((each) => each.startsWith('q'))
      assert.deepEqual(asked.toSorted(), ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'])
      orders.add(pages.join())
    }
    assert.ok(orders.size > 1)
    assert.equal((await answersOf(id)).filter((each: Row) => each.q6 === 'Choice 3').length, 4)
  })

  test('is in several languages: of the link, the browser or the first, each missing text as it is written', async () => {
    const pages = [
      {
        id: 'p1',
        title: 'Welcome',
        translations: { fr: { title: 'Bienvenue' } },
        fields: [
          {
            id: 'q',
            type: 'single-select',
            label: 'How was it?',
            options: [
              { value: 'good', label: 'Good' },
              { value: 'bad', label: 'Bad' },
            ],
            translations: { fr: { label: 'Comment était-ce ?', options: { good: 'Bien' } } },
          },
        ],
      },
      { id: 'p2', title: 'Second', fields: [{ id: 'r', type: 'date', label: 'When?' }] },
    ]
    const { id, path } = await published(pages, {
      language: 'en',
      translations: { fr: { name: 'Démarrage' }, de: { name: 'Beginn' } },
    })
    const one = visitor(path)
    const french = (await one.get('', { 'accept-language': 'fr-CH' })).text
    for (const word of [
      'Démarrage',
      'Bienvenue',
      'Comment était-ce',
      'Bien<',
      'Bad<',
      'lang="fr"',
      'Suivant',
    ]) {
      assert.ok(french.includes(word), word)
    }
    assert.match(french, /Deutsch[^]*Français/)
    const german = (await one.get('?lang=de', { 'accept-language': 'fr' })).text
    assert.ok(german.includes('Beginn') && german.includes('How was it?'))
    assert.match((await one.get('', { 'accept-language': 'es' })).text, /Kick-off[^]*How was it/)
    // what is answered goes along, and so does the language
    await one.get('?lang=fr')
    const changed = await one.post({ page: '0', 'a.q': 'good', go: 'lang-fr' })
    assert.match(changed.headers.get('location') ?? '', /\?page=1&lang=fr$/)
    assert.match((await one.get('?page=1&lang=fr')).text, /value="good"[^>]*checked/)
    await one.post({ page: '0', 'a.q': 'good' }, '?lang=fr')
    assert.match((await one.get()).text, /lang="fr"/)
    await one.post({ page: '1', 'a.r': '2026-01-02' }, '?lang=fr')
    const [response] = await ok('GET', `/api/surveys/${id}/responses/`)
    assert.equal(response.language, 'fr')
    assert.equal(response.answers.q, 'good')
  })

  test('is translated by a table, in the draft, and sent back as it was exported', async () => {
    const options = [{ value: 'a.b', label: 'Fine, thanks' }]
    const { id } = await published([page({ id: 'q', type: 'dropdown', label: 'How?', options })], {
      language: 'en',
    })
    const at = `/api/surveys/${id}/translations/`
    const table = await ok('GET', at)
    assert.deepEqual(
      table.texts.map(({ key }: Row) => key),
      ['survey.name', 'question.q.label', 'question.q.options.a.b'],
    )
    const after = await ok('PUT', at, {
      texts: [
        { key: 'question.q.label', translations: { fr: 'Comment ?', de: 'Wie?' } },
        { key: 'question.q.options.a.b', translations: { fr: 'Bien, "merci"' } },
      ],
    })
    assert.deepEqual(after.missing, [
      { language: 'de', count: 2 },
      { language: 'fr', count: 1 },
    ])
    assert.equal((await ok('GET', `/api/surveys/${id}/draft/`)).is_draft, true)
    const csv = (await call('GET', `${at}export/`)).text
    assert.match(csv, /^key,text,en,de,fr/)
    const same = await ok('PUT', at, { csv })
    assert.equal(same.version, after.version)
    const more = await ok('PUT', at, { csv: 'key;fr\nsurvey.name;Démarrage\n' })
    assert.deepEqual(more.missing.at(-1), { language: 'fr', count: 0 })
    const gone = await ok('PUT', at, {
      texts: [{ key: 'question.q.label', translations: { de: '' } }],
    })
    assert.deepEqual(gone.languages, ['fr'])
    const wrong = await call('PUT', at, { texts: [{ key: 'question.z.label', translations: {} }] })
    assert.equal(wrong.body.errors[0].field, 'texts.0.key')
    for (const bad of ['a,b\n1,2', 'key,fr\nnone,Oui', `key,fr\nsurvey.name,${'x'.repeat(300)}`]) {
      const reply = await call('PUT', at, { csv: bad })
      assert.equal(reply.status, 400, bad.slice(0, 40))
      assert.equal(reply.body.errors[0].field, 'csv')
    }
    await ok('POST', `/api/surveys/${id}/publish/`)
    const { form_structure, translations } = await ok('GET', `/api/surveys/${id}/`)
    assert.equal(form_structure.pages[0].fields[0].translations.fr.options['a.b'], 'Bien, "merci"')
    assert.deepEqual(translations, { fr: { name: 'Démarrage' } })
  })

  test('keeps what is typed when the page is left, also beside what does not fit', async () => {
    const { id, path } = await published([
      page(
        { id: 'name', type: 'short-text', label: 'Name', required: true },
        { id: 'mail', type: 'email', label: 'Mail', required: true },
      ),
    ])
    const one = visitor(path)
    await one.get()
    assert.equal((await one.post({ page: '0', go: 'keep' })).status, 204)
    assert.deepEqual(await answersOf(id), [])
    const left = await one.post({ page: '0', 'a.name': 'Ada', 'a.mail': 'half', go: 'keep' })
    assert.equal(left.status, 204)
    assert.match((await one.get()).text, /value="Ada"/)
    assert.deepEqual(await answersOf(id), [{ name: 'Ada' }])
  })

  test('keeps what is sent, whatever is stored as its page is left before, at once or after it', async () => {
    const field = (id: string) => ({ id, type: 'short-text', label: id, required: true })
    const { id, path } = await published([
      page(field('name'), field('mail')),
      { id: 'p2', title: '', fields: [field('why')] },
    ])
    const one = visitor(path)
    const seen = async (query: string) =>
      /name="seen" value="([\d.]+)"/.exec((await one.get(query)).text)?.[1]
    assert.equal(await seen(''), '0.0')
    const keep = (state: string, name: string) =>
      one.post({ page: '0', 'a.name': name, 'a.mail': 'm', go: 'keep', seen: state })
    assert.equal((await keep('0.2', 'Second')).status, 204)
    // what was sent earlier and arrives later
    assert.equal((await keep('0.1', 'First')).status, 204)
    assert.deepEqual(await answersOf(id), [{ name: 'Second', mail: 'm' }])
    assert.equal(await seen('?page=1'), '0.2')
    await one.post({ page: '0', 'a.name': 'Sent', 'a.mail': 'm', seen: '0.2' })
    assert.equal((await keep('0.3', 'Late')).status, 204)
    assert.deepEqual(await answersOf(id), [{ name: 'Sent', mail: 'm' }])
    assert.equal(await seen('?page=1'), '1.0')
    await keep('1.1', 'Typed')
    assert.deepEqual(await answersOf(id), [{ name: 'Typed', mail: 'm' }])
    for (let n = 0; n < 8; n++) {
      const state = (await seen('?page=1')) ?? ''
      const [steps, keeps] = state.split('.').map(Number)
      await Promise.all([
        one.post({ page: '0', 'a.name': `Sent ${n}`, 'a.mail': 'm', seen: state }),
        keep(`${steps}.${(keeps ?? 0) + 1}`, `Typed ${n}`),
      ])
      assert.deepEqual(await answersOf(id), [{ name: `Sent ${n}`, mail: 'm' }])
    }
    // another page that is left at the same moment loses nothing of this one
    const state = (await seen('?page=2')) ?? ''
    const [steps = '0'] = state.split('.')
    await Promise.all([
      keep(`${steps}.1`, 'Both'),
      one.post({ page: '1', 'a.why': 'Why', go: 'keep', seen: `${steps}.2` }),
    ])
    const [{ why }] = await answersOf(id)
    assert.equal(why, 'Why')
    assert.equal((await one.post({ page: '1', 'a.why': 'Done' })).status, 303)
    const done = await answersOf(id)
    assert.ok((await keep(`${steps}.3`, 'After')).status < 300)
    assert.deepEqual(await answersOf(id), done)
  })

  test('says of the person of a link what whoever sent it may read, and nothing else', async () => {
    const primary_email = 'piped@rights.test'
    await ok('POST', '/api/contact/', { full_name: 'Zoé Martin', primary_email })
    const label = 'Hello {{contact.first_name|you}}?'
    const { id, path } = await published([page({ id: 'q', type: 'short-text', label })], {
      link: { email: primary_email },
    })
    const greets = async (url: string) =>
      /Hello ([^?]+)\?/.exec((await visitor(new URL(url, service.url).pathname).get()).text)?.[1]
    assert.equal(await greets(path), 'Zoé')
    const surveys = { read: 'all', update: 'all' } as const
    const maker = await addMember(service, org, { surveys })
    const reader = await addMember(service, org, { surveys, contacts: { read: 'all' } })
    const linkOf = async ({ token }: { token: string }) => {
      const body = { email: primary_email }
      const reply = await service.call('POST', `/api/surveys/${id}/link/`, { token, body })
      assert.equal(reply.status, 200, reply.text)
      return reply.body.url as string
    }
    assert.equal(await greets(await linkOf(maker)), 'you')
    const known = await linkOf(reader)
    assert.equal(await greets(known), 'Zoé')
    await ok('PUT', `/api/users/profile/${reader.user_id}/`, { is_active: false })
    assert.equal(await greets(known), 'you')
    // a mailing has the rights of who sent it
    const mail = async ({ token }: { token: string }) => {
      const body = { email_addresses: [primary_email] }
      const reply = await service.call('POST', `/api/surveys/${id}/send/`, { token, body })
      assert.equal(reply.status, 200, reply.text)
      const schedule = reply.body.schedule_id as string
      const ticket = { survey: id, email: primary_email, expires: null, schedule }
      return asService(service, org, async (ctx) => `/s/${sealTicket(ctx, ticket)}`)
    }
    assert.equal(await greets(await mail(maker)), 'you')
    assert.equal(await greets(await mail(org.users.admin)), 'Zoé')
  })

  test('cuts no letter in halves', async () => {
    const { path } = await published([
      page({ id: 'name', type: 'short-text', label: 'Name' }),
      {
        id: 'p2',
        title: '',
        fields: [{ id: 'q', type: 'short-text', label: 'Why {{answers.name}}?' }],
      },
    ])
    const one = visitor(path)
    await one.get()
    await one.post({ page: '0', 'a.name': '😀'.repeat(120) })
    const shown = /Why (😀+)/u.exec((await one.get('?page=2')).text)?.[1] ?? ''
    assert.equal(shown.length, 198)
  })

  test('counts in a task: what is calculated is stored, what is hidden is none', async () => {
    const fields = [
      { id: 'has', type: 'yes-no', label: 'Do you?' },
      { id: 'n', type: 'number', label: 'How many?', show_if: [{ field_id: 'has', value: true }] },
      { id: 'sum', type: 'calculated', label: 'Sum', formula: '{n} * 2' },
    ]
    const form = await ok('POST', '/api/surveys/', {
      name: 'Form',
      item_type: 'form',
      form_structure: [page(...fields)],
    })
    const { item_id } = await ok('POST', '/api/tasks/', { title: 'Fill', form_id: form.survey_id })
    const put = (form_responses: object) => ok('PUT', `/api/tasks/${item_id}/`, { form_responses })
    assert.deepEqual((await put({ has: true, n: 4, sum: 1 })).form_responses, {
      has: true,
      n: 4,
      sum: 8,
    })
    const { form_responses } = await put({ has: false })
    assert.deepEqual(
      [form_responses.has, form_responses.n, form_responses.sum],
      [false, null, null],
    )
  })
})
