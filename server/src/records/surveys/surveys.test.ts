import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { refusedField } from '../../../test/support/refused.ts'
import { watchLoop } from '../../../test/support/loop.ts'
import { slowness } from '../../../test/support/speed.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { endedSurveys } from '../../jobs/ended-surveys.ts'

type Role = keyof TestOrganization['users']

describe('surveys', () => {
  let service: TestService
  let org: TestOrganization
  const base = '/api/surveys/'
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const fields = [
    { id: 'nps', type: 'nps', label: 'Would you recommend us?', required: true },
    { id: 'why', type: 'short-text', label: 'Why?' },
    {
      id: 'like',
      type: 'multi-select',
      label: 'What do you like?',
      options: ['Speed', { value: 'help', label: 'Support' }],
      show_if: [{ field_id: 'nps', operator: 'gt', value: 6 }],
    },
  ]
  const form_structure = [{ id: 'p1', title: 'One', fields }]
  const make = async (body: object = {}) => {
    const reply = await call('POST', base, { name: 'Pulse', form_structure, ...body })
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const submit = (id: string, answers: object, more: object = {}) =>
    call('POST', `${base}${id}/fill/`, { answers, ...more })
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  test('keep the version of their structure when it is saved as it is', async () => {
    const { survey_id } = await make()
    const once = await call('PUT', `${base}${survey_id}/`, { form_structure })
    assert.equal(once.body.form_structure.version, 1)
    assert.equal(once.headers.get('etag'), '"1"')
    const other = [{ id: 'p1', title: 'Two', fields }]
    const next = await call('PUT', `${base}${survey_id}/`, { form_structure: other })
    assert.equal(next.body.form_structure.version, 2)
  })

  test('keep the version of their structure when it is sent again without ids', async () => {
    const question = { type: 'short-text', label: 'Why?' }
    const pages = [
      { title: 'One', fields: [question, { ...question, label: 'How?' }] },
      { title: 'Two' },
    ]
    const { survey_id, form_structure: first } = await make({ form_structure: pages })
    const put = async (sent: object[]) =>
      (await call('PUT', `${base}${survey_id}/`, { form_structure: sent })).body.form_structure
    assert.deepEqual(await put(pages), first)
    // what is new has ids of its own, and what is named elsewhere keeps the one it has
    const [one, two] = first.pages
    const next = await put([
      { title: 'One', fields: [question, question] },
      { ...one, fields: [] },
      two,
    ])
    const [page, moved, last] = next.pages
    assert.notEqual(page.id, one.id)
    assert.deepEqual([moved.id, last.id, page.fields[0].id], [one.id, two.id, one.fields[0].id])
    assert.ok(!one.fields.some(({ id }: { id: string }) => id === page.fields[1].id))
  })

  test('export their answers, a column a question of any version, choices by their labels', async () => {
    const matrix = {
      id: 'both',
      type: 'matrix',
      label: 'How is, "today"',
      rows: [{ value: 'app', label: 'The app' }, 'team'],
      options: ['good', { value: 'bad', label: '=Bad' }],
    }
    const named = [{ id: 'p', fields: [...fields, matrix, { ...fields[1], id: 'why2' }] }]
    const { survey_id } = await make({ form_structure: named })
    await call('POST', `${base}${survey_id}/publish/`, {})
    const submitted = { nps: 9, why: '+1; "yes"', like: ['help', 'Speed'], both: { app: 'bad' } }
    await submit(survey_id, submitted, { respondent_email: 'one@x.test' })
    const next = [{ id: 'p', fields: [{ id: 'new', type: 'short-text', label: 'New' }] }]
    await call('PUT', `${base}${survey_id}/`, { form_structure: next })
    await submit(survey_id, {}, { finished: false })
    const reply = await call('GET', `${base}${survey_id}/responses/export/?bom=true`)
    assert.equal(reply.status, 200, reply.text)
    assert.match(reply.headers.get('content-type')!, /^text\/csv/)
    assert.match(reply.headers.get('content-disposition')!, /survey-responses-.*\.csv/)
    const lines = parse(reply.text, { bom: true }) as string[][]
    assert.deepEqual(lines[0]!.slice(1), [
      'creation_time',
      'finished',
      'finished_at',
      'respondent_email',
      'structure_version',
      'New',
      'Would you recommend us?',
      'Why? (why)',
      'What do you like?',
      'How is, "today": The app',
      'How is, "today": team',
      'Why? (why2)',
    ])
    const answers = [9, `'+1; "yes"`, 'Support; Speed', `'=Bad`, '', ''].map(String)
    assert.deepEqual(
      lines.slice(1).map((line) => [line[2], ...line.slice(4)]),
      [
        ['false', '', '2', '', '', '', '', '', '', ''],
        ['true', 'one@x.test', '1', '', ...answers],
      ],
    )
    assert.match(lines[2]![1]!, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const only = await call('GET', `${base}${survey_id}/responses/export/?finished=true`)
    assert.equal(parse(only.text).length, 2)
    const many = await make()
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`
        insert into survey_responses (organization_id, id, survey_id, structure_version, answers,
          finished, creation_time, last_update_time)
        select ${org.id}, 'r' || lpad(i::text, 24, '0'), ${many.survey_id}, 1, '{"nps":3}', true,
          now(), now() from generate_series(1, 1100) i`),
    )
    const whole = parse((await call('GET', `${base}${many.survey_id}/responses/export/`)).text)
    assert.equal(new Set(whole.map(([id]: string[]) => id)).size, 1101)
  })

  test('show a customer the answers that the customer gave, not those of others', async () => {
    const { user_id } = org.users.customer
    const account = await call('POST', '/api/account/info/', { account_name: 'Attached' })
    const { account_id } = account.body
    await call('PUT', `/api/users/profile/${user_id}/`, { account_id })
    const { survey_id } = await make({ account_id })
    await call('POST', `${base}${survey_id}/publish/`, {})
    await submit(survey_id, { nps: 2 }, { respondent_email: 'other@x.test' })
    const mine = await call(
      'POST',
      `${base}${survey_id}/fill/`,
      { answers: { nps: 9 } },
      'customer',
    )
    assert.equal(mine.status, 201, mine.text)
    const path = `${base}${survey_id}/responses/`
    const seen = (await call('GET', path, undefined, 'customer')).body
    assert.deepEqual(
      seen.map((each: { response_id: string }) => each.response_id),
      [mine.body.response_id],
    )
    const file = await call('GET', `${path}export/`, undefined, 'customer')
    assert.equal(parse(file.text).length, 2)
    assert.equal((await call('GET', path)).body.length, 2)
  })

  test('keep their pages, and name the place of an error', async () => {
    const survey = await make()
    assert.equal(survey.status, 'draft')
    assert.equal(survey.is_active, true)
    assert.equal(survey.field_count, 3)
    assert.equal(survey.form_structure.version, 1)
    assert.equal(survey.form_structure.pages[0].fields[2].options[0].value, 'Speed')
    const wrong: [object, string][] = [
      [{ id: 'a', type: 'party', label: 'x' }, 'form_structure.0.fields.0.type'],
      [{ id: 'a', type: 'nps' }, 'form_structure.0.fields.0.label'],
      [{ id: 'a', type: 'dropdown', label: 'x' }, 'form_structure.0.fields.0.options'],
    ]
    for (const [field, path] of wrong) {
      const reply = await call('POST', base, { name: 'x', form_structure: [{ fields: [field] }] })
      assert.equal(reply.status, 400)
      assert.equal(reply.body.errors[0].field, path)
    }
    const past = await call('POST', base, { name: 'x', end_date: '2020-01-01T00:00:00Z' })
    assert.equal(past.body.errors[0].field, 'end_date')
  })

  test('go from draft to published to closed and back, and nowhere else', async () => {
    const { survey_id } = await make()
    const move = async (what: string) => (await call('POST', `${base}${survey_id}/${what}/`)).status
    assert.equal(await move('close'), 409)
    assert.equal(await move('publish'), 200)
    assert.equal(await move('publish'), 200)
    assert.equal(await move('close'), 200)
    assert.equal(await move('close'), 200)
    assert.equal(await move('publish'), 200)
    const put = await call('PUT', `${base}${survey_id}/`, { status: 'closed' })
    assert.equal(put.body.status, 'closed')
    await call('POST', `${base}${survey_id}/publish/`)
    const emptied = await call('PUT', `${base}${survey_id}/`, { form_structure: [] })
    assert.equal(emptied.status, 400, emptied.text)
    const empty = await make({ form_structure: [] })
    assert.equal((await call('POST', `${base}${empty.survey_id}/publish/`)).status, 400)
    const template = await call('POST', `${base}${survey_id}/save-as-template/`, { name: 'T' })
    assert.deepEqual([template.body.item_type, template.body.name], ['survey_template', 'T'])
    assert.equal((await call('POST', `${base}${template.body.survey_id}/publish/`)).status, 409)
    const copy = await call('POST', `${base}${survey_id}/duplicate/`, { name: 'Copy' })
    assert.deepEqual([copy.body.status, copy.body.name], ['draft', 'Copy'])
    const log = (await call('GET', `/api/activity/log/surveys/${survey_id}/`)).body
    const types = log.map(({ type }: any) => type)
    for (const type of ['survey_published', 'survey_closed']) assert.ok(types.includes(type))
  })

  test('take answers that fit, whole or in parts, and no others', async () => {
    const { survey_id } = await make({ status: 'published' })
    const wrong = await submit(survey_id, { nps: 11, nope: 1 })
    assert.equal(wrong.status, 400)
    assert.deepEqual(
      wrong.body.errors.map(({ field }: any) => field),
      ['answers.nope', 'answers.nps'],
    )
    assert.equal((await submit(survey_id, { why: 'x' })).body.errors[0].field, 'answers.nps')
    const begun = await submit(survey_id, { why: 'Because' }, { finished: false })
    assert.equal(begun.status, 201, begun.text)
    const { response_id } = begun.body
    const done = await submit(survey_id, { nps: 9, like: ['Speed'] }, { response_id })
    assert.equal(done.status, 200, 'it was there')
    assert.deepEqual(done.body.answers, { why: 'Because', nps: 9, like: ['Speed'] })
    assert.equal((await submit(survey_id, { nps: 9 }, { response_id })).status, 409)
    // a question that is not shown is not answered
    const low = await submit(survey_id, { nps: 3, like: ['Speed'] })
    assert.deepEqual(low.body.answers, { nps: 3 })
    const { body } = await call('GET', `${base}${survey_id}/responses/?page_size=1`)
    assert.equal(body.length, 1)
    assert.equal((await call('GET', `${base}${survey_id}/`)).body.response_count, 2)
    const { insights } = (await call('GET', `${base}${survey_id}/insights/`)).body
    assert.equal(insights.total_responses, 2)
    assert.equal(insights.nps, 0)
    assert.deepEqual(insights.questions[2].distribution, [
      { value: 'Speed', label: 'Speed', count: 1 },
      { value: 'help', label: 'Support', count: 0 },
    ])
  })

  test('take no blank answer and no unfinished matrix where one is required', async () => {
    const options = ['a', 'b']
    const fields = [
      { id: 'why', type: 'short-text', label: 'Why?', required: true },
      { id: 'grid', type: 'matrix', label: 'Grid', options, rows: ['one', 'two'], required: true },
    ]
    const { survey_id } = await make({ status: 'published', form_structure: [{ fields }] })
    const grid = { one: 'a', two: 'b' }
    refusedField(await submit(survey_id, { why: ' \n', grid }), ['answers.why'])
    const half = await submit(survey_id, { why: 'so', grid: { one: 'a' } })
    refusedField(half, ['answers.grid'])
    assert.match(half.body.message, /also in two/)
    const partial = { finished: false }
    assert.equal((await submit(survey_id, { grid: { one: 'a' } }, partial)).status, 201)
    assert.equal((await submit(survey_id, { why: 'so', grid })).status, 201)
  })

  test('have no question that nobody could answer', async () => {
    const one = (field: object) => ({
      name: 'One',
      form_structure: [{ fields: [{ label: 'Q', ...field }] }],
    })
    const wrong: [field: object, name: string][] = [
      [{ type: 'matrix', rows: ['a'] }, 'options'],
      [{ type: 'matrix', options: ['a'], rows: [] }, 'rows'],
      [{ type: 'number', min: 5, max: 1 }, 'max'],
      [{ type: 'number', min: 'five' }, 'min'],
    ]
    for (const [field, name] of wrong) {
      refusedField(await call('POST', base, one(field)), [`form_structure.0.fields.0.${name}`])
    }
    const open = one({ id: 'n', type: 'number', min: null, max: null })
    const { survey_id } = await make({ ...open, status: 'published' })
    for (const n of [-5, 0, 5]) assert.equal((await submit(survey_id, { n })).status, 201)
  })

  test('have colors as hexadecimal', async () => {
    for (const name of ['background_color', 'action_color']) {
      for (const color of ['red', '#12', 'rgb(1,2,3)', '14704c', '#14704c80']) {
        refusedField(await call('POST', base, { name: 'Red', [name]: color }), [name])
      }
      for (const color of ['#14704C', '#abc', null, '']) {
        const reply = await call('POST', base, { name: 'Green', form_structure, [name]: color })
        assert.equal(reply.status, 201, reply.text)
      }
    }
  })

  test('count the answers in the rows of a matrix, and the places of a ranking', async () => {
    const options = ['a', 'b']
    const fields = [
      { id: 'grid', type: 'matrix', label: 'Grid', options, rows: ['one', 'two'] },
      { id: 'order', type: 'ranking', label: 'Order', options },
    ]
    const { survey_id } = await make({ status: 'published', form_structure: [{ fields }] })
    await submit(survey_id, { grid: { one: 'a', two: 'b' }, order: ['b', 'a'] })
    await submit(survey_id, { grid: { one: 'a' }, order: ['a', 'b'] })
    await submit(survey_id, { grid: { two: 'a' }, order: ['b', 'a'] })
    const { questions } = (await call('GET', `${base}${survey_id}/insights/`)).body.insights
    const counted = (distribution: any[]) =>
      distribution.map(({ value, count, average_rank: rank }) => [value, count, rank ?? null])
    const [grid, order] = questions
    assert.deepEqual(counted(grid.distribution), [
      ['a', 3, null],
      ['b', 1, null],
    ])
    const rows = grid.rows.map((row: any) => [row.value, counted(row.distribution)])
    assert.deepEqual(rows, [
      [
        'one',
        [
          ['a', 2, null],
          ['b', 0, null],
        ],
      ],
      [
        'two',
        [
          ['a', 1, null],
          ['b', 1, null],
        ],
      ],
    ])
    assert.deepEqual(counted(order.distribution), [
      ['a', 3, 1.67],
      ['b', 3, 1.33],
    ])
  })

  test('let who began a response continue it, and nobody else', async () => {
    const { survey_id } = await make({ status: 'published' })
    const begun = await submit(survey_id, { why: 'Mine' }, { finished: false })
    const { response_id } = begun.body
    const link = await call('POST', `${base}${survey_id}/link/`, {})
    const own = await call('POST', `${base}${survey_id}/link/`, { email: 'other@x.test' })
    const byLink = ({ body }: Reply) => `${base}public/${body.encrypted_token}/`
    const body = { answers: { why: 'Theirs', nps: 1 }, response_id }
    for (const path of [`${base}${survey_id}/fill/`, byLink(link), byLink(own)]) {
      const { token } = org.users.manager
      const reply = await service.call('POST', path, { token, body })
      assert.equal(reply.status, 404, reply.text)
    }
    // a link of somebody's own takes one response, not the one beside it
    assert.equal((await call('POST', byLink(own), body)).status, 404)
    const done = await call('POST', byLink(link), { answers: { nps: 9 }, response_id })
    assert.deepEqual([done.status, done.body.answers], [200, { why: 'Mine', nps: 9 }], done.text)
  })

  test('are answered by customers in their own name alone', async () => {
    const { survey_id } = await make({ status: 'published' })
    const { body } = await call('POST', `${base}${survey_id}/link/`, {})
    const path = `${base}public/${body.encrypted_token}/`
    const { token, email } = org.users.customer
    const answer = (respondent_email: string | undefined) =>
      service.call('POST', path, { token, body: { answers: { nps: 1 }, respondent_email } })
    refusedField(await answer('another@customer.test'), ['respondent_email'])
    for (const own of [email, email.toUpperCase(), undefined]) {
      assert.equal((await answer(own)).status, 201)
    }
    // a personal link identifies its respondent
    const sent = { email: 'another@customer.test' }
    const link = await call('POST', `${base}${survey_id}/link/`, sent)
    const personal = `${base}public/${link.body.encrypted_token}/`
    const reply = await service.call('POST', personal, { token, body: { answers: { nps: 9 } } })
    assert.deepEqual([reply.status, reply.body.respondent_email], [201, sent.email], reply.text)
  })

  test('are shown by their link as the caller is shown surveys', async () => {
    const account = await call('POST', '/api/account/info/', { name: 'Elsewhere' })
    const { account_id } = account.body
    await call('POST', '/api/tags/info/', { name: 'onboarding', is_shared: true })
    const tags = ['churning', 'onboarding']
    const { survey_id } = await make({ status: 'published', tags, account_id })
    const { body } = await call('POST', `${base}${survey_id}/link/`, {})
    const path = `${base}public/${body.encrypted_token}/`
    const shown = (token: string) => service.call('GET', path, { token })
    const ours = await shown(org.users.admin.token)
    assert.deepEqual([ours.body.tags, ours.body.account_id], [tags, account_id])
    const theirs = await shown(org.users.customer.token)
    assert.equal(theirs.status, 200, theirs.text)
    assert.deepEqual([theirs.body.tags, theirs.body.account_id], [['onboarding'], null])
  })

  test('keep their limit exactly, however many answer at once', async () => {
    const { survey_id } = await make({ status: 'published', response_limit: 5 })
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => submit(survey_id, { nps: 8 })),
    )
    const taken = replies.filter(({ status }) => status === 201)
    assert.equal(taken.length, 5)
    assert.ok(replies.every(({ status }) => status === 201 || status === 409))
    const { body } = await call('GET', `${base}${survey_id}/limit-status/`)
    assert.deepEqual(
      [body.accepting_responses, body.reason, body.remaining, body.response_count],
      [false, 'limit_reached', 0, 5],
    )
  })

  test('accept one response per e-mail if limited to that', async () => {
    const { survey_id } = await make({ status: 'published', one_per_email: true })
    const first = await submit(survey_id, { nps: 8 }, { respondent_email: 'A@x.test' })
    assert.equal(first.status, 201)
    for (const respondent_email of [undefined, null, ' ']) {
      refusedField(await submit(survey_id, { nps: 8 }, { respondent_email }), ['respondent_email'])
    }
    const again = await submit(survey_id, { nps: 8 }, { respondent_email: 'a@X.test' })
    assert.equal(again.status, 409)
    const begun = await submit(
      survey_id,
      { why: 'x' },
      { finished: false, respondent_email: 'a@x.test' },
    )
    const { response_id } = begun.body
    const finished = await submit(survey_id, { nps: 8 }, { response_id })
    assert.equal(finished.status, 409, 'the e-mail given before counts')
  })

  test('count the e-mails that answered before they took one answer of each', async () => {
    const { survey_id } = await make({ status: 'published' })
    await submit(survey_id, { nps: 8 }, { respondent_email: 'Before@x.test' })
    await call('PUT', `${base}${survey_id}/`, { one_per_email: true })
    const again = await submit(survey_id, { nps: 8 }, { respondent_email: 'before@x.test' })
    assert.equal(again.status, 409)
    const other = await submit(survey_id, { nps: 8 }, { respondent_email: 'other@x.test' })
    assert.equal(other.status, 201)
  })

  test('keep the id of a question that was answered', async () => {
    const asked = (id: string, label = 'Why?') => [
      { id: 'p', title: 'P', fields: [{ id, type: 'short-text', label }] },
    ]
    const { survey_id } = await make({ form_structure: asked('why'), status: 'published' })
    const change = (form_structure: unknown) =>
      call('PUT', `${base}${survey_id}/`, { form_structure })
    assert.equal((await change(asked('reason'))).status, 200, 'nobody has answered yet')
    await submit(survey_id, { reason: 'x' })
    const renamed = await change(asked('cause'))
    assert.equal(renamed.status, 400)
    assert.match(renamed.body.errors[0].message, /reason has answers/)
    assert.equal((await change(asked('other', 'Something else?'))).status, 200)
  })

  test('take no time over long texts, and no ids that every object has', async () => {
    const questions = [{ id: 'mail', type: 'email', label: 'E-mail' }]
    const survey = await make({ status: 'published', form_structure: [{ fields: questions }] })
    const began = Date.now()
    const reply = await submit(survey.survey_id, { mail: `a@${'a.'.repeat(200_000)} ` })
    assert.equal(reply.body.errors[0].field, 'answers.mail')
    assert.ok(Date.now() - began < 2000)
    const odd = [{ id: 'constructor', type: 'nps', label: 'x' }]
    const refused = await call('POST', base, { name: 'x', form_structure: [{ fields: odd }] })
    assert.equal(refused.body.errors[0].field, 'form_structure.0.fields.0.id')
  })

  test('ask by conditions that are known, and refuse others', async () => {
    const questions = (operator: string) => [
      { id: 'n', type: 'nps', label: 'n' },
      {
        id: 'why',
        type: 'short-text',
        label: 'Why?',
        required: true,
        show_if: [{ field_id: 'n', operator, value: 7 }],
      },
    ]
    const form = (operator: string) => ({ form_structure: [{ fields: questions(operator) }] })
    const wrong = await call('POST', base, { name: 'x', ...form('resembles') })
    assert.equal(wrong.body.errors[0].field, 'form_structure.0.fields.1.show_if')
    const { survey_id } = await make({ status: 'published', ...form('lte') })
    assert.equal((await submit(survey_id, { n: 8 })).status, 201)
    assert.equal((await submit(survey_id, { n: 7 })).status, 400)
  })

  test('show a customer its own answers, and not the other recipients', async () => {
    const { body } = await call('POST', '/api/account/info/', { name: 'Globex' })
    const { account_id } = body
    const profile = `/api/users/profile/${org.users.customer.user_id}/`
    assert.equal((await call('PUT', profile, { account_id })).status, 200)
    const { survey_id } = await make({ status: 'published', account_id })
    const as = (path: string) =>
      service.call('GET', `${base}${survey_id}/${path}`, { token: org.users.customer.token })
    await submit(survey_id, { nps: 8 }, { respondent_email: 'other@x.test' })
    const responses = await as('responses/')
    assert.deepEqual([responses.status, responses.body], [200, []], responses.text)
    assert.equal((await as('schedules/')).status, 403)
  })

  test('can be sent back as they were read after their end', async () => {
    const end_date = new Date(Date.now() + 300).toISOString()
    const { survey_id } = await make({ end_date, status: 'published' })
    const at = `${base}${survey_id}/`
    for (let reason; reason !== 'ended';) {
      reason = (await call('GET', `${at}limit-status/`)).body.reason
    }
    const same = await call('PUT', at, (await call('GET', at)).body)
    assert.equal(same.status, 200, same.text)
    const link = await call('POST', `${at}link/`, { expires_at: '2999-01-01T00:00:00' })
    assert.match(link.body.expires_at, /^2998-12-31T23|^2999-01-01T00/)
    await call('DELETE', at)
  })

  test('that are closed answer with their closing text', async () => {
    const { survey_id } = await make({ status: 'published', closing_text: 'Thank you all' })
    await call('POST', `${base}${survey_id}/close/`)
    const reply = await submit(survey_id, { nps: 8 })
    assert.deepEqual([reply.status, reply.body.message], [409, 'Thank you all'])
  })

  test('make a new version of each edit, and an answered question keeps its kind', async () => {
    const { survey_id } = await make({ status: 'published' })
    await submit(survey_id, { nps: 8 })
    const longer = [
      { ...form_structure[0], fields: [...fields, { id: 'x', type: 'date', label: 'When?' }] },
    ]
    const put = await call('PUT', `${base}${survey_id}/`, { form_structure: longer })
    assert.equal(put.body.form_structure.version, 2)
    const other = [{ id: 'p1', fields: [{ ...fields[0], type: 'short-text' }] }]
    assert.equal((await call('PUT', `${base}${survey_id}/`, { form_structure: other })).status, 400)
    const [old] = (await call('GET', `${base}${survey_id}/responses/`)).body
    assert.equal(old.structure_version, 1)
  })

  test('are counted, filtered and deleted together', async () => {
    const form = await make({ item_type: 'form' })
    const { body: forms } = await call('GET', `${base}forms/`)
    assert.ok(forms.every(({ item_type }: any) => item_type === 'form'))
    const { body } = await call('GET', `${base}counts/`)
    assert.equal(body.by_item_type.form, forms.length)
    const list = await call('GET', `${base}?status=draft&page_size=1&sort_key=name&sort_order=asc`)
    assert.deepEqual([list.body.length, list.body[0].status], [1, 'draft'])
    const ids = [form.survey_id, 'nope']
    const gone = await call('POST', `${base}bulk-delete/`, { survey_ids: ids })
    assert.deepEqual(gone.body, { deleted: 1, failed: [{ id: 'nope', error: 'Survey not found' }] })
  })

  test('and their responses are followed by the links of pages under either name', async () => {
    const { survey_id } = await make()
    await call('POST', `${base}${survey_id}/publish/`)
    for (const nps of [7, 8, 9]) await submit(survey_id, { nps }, { finished: true })
    const lists = [base, `${base}${survey_id}/responses/`]
    for (const list of lists) {
      const all = await call('GET', `${list}?items_per_page=500`)
      const ids = []
      let next: string | undefined = `${list}?page_number=1&page_size=2`
      while (next && ids.length <= all.body.length) {
        const page: Reply = await call('GET', next)
        ids.push(...page.body.map((row: any) => row.response_id ?? row.survey_id))
        next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      }
      assert.deepEqual(
        ids,
        all.body.map((row: any) => row.response_id ?? row.survey_id),
      )
    }
  })

  test('are not listed by a query that says two things under two names', async () => {
    const { survey_id } = await make()
    for (const [path, name] of [
      ['?page=1&page_number=2', 'page_number'],
      ['?items_per_page=1&page_size=2', 'page_size'],
      ['?sort=name&sort_key=status', 'sort_key'],
      ['?reverse=true&sort_order=asc', 'sort_order'],
      [`${survey_id}/responses/?page=1&page_number=2`, 'page_number'],
    ] as const)
      refusedField(await call('GET', base + path), [name], path)
    const same = '?page=1&page_number=1&sort=name&sort_key=name&reverse=true&sort_order=desc'
    assert.equal((await call('GET', base + same)).status, 200)
  })

  test('depend on stored values, not on read-only fields in a body', async () => {
    const { survey_id } = await make({ status: 'published' })
    await submit(survey_id, { nps: 8 })
    const body = { status: 'draft', response_count: 0 }
    const put = await call('PUT', `${base}${survey_id}/`, body)
    assert.deepEqual([put.status, put.body.code], [409, 'wrong_move'], put.text)
  })

  test('take answers to questions that leave their options empty', async () => {
    const questions = [{ id: 'n', type: 'number', label: 7, options: null }]
    const survey = await make({ status: 'published', form_structure: [{ fields: questions }] })
    assert.equal(survey.form_structure.pages[0].fields[0].label, '7')
    assert.equal((await submit(survey.survey_id, { n: 4 })).status, 201)
  })

  test('are checked alike by both ways of changing them', async () => {
    const { survey_id } = await make()
    const path = `${base}${survey_id}/update-with-propagation/`
    const wrong = { status: 'gone', end_date: 'soon', background_url: 'javascript:1', name: 5 }
    for (const [field, value] of Object.entries(wrong)) {
      refusedField(await call('PUT', path, { [field]: value }), [field])
    }
    const put = await call('PUT', path, { name: 'Both', description: 'Kept' })
    assert.deepEqual([put.body.name, put.body.description], ['Both', 'Kept'])
  })

  test('close by themselves once their end has passed, with the event of any other closing', async () => {
    const end_date = new Date(Date.now() + 60_000).toISOString()
    const { survey_id } = await make({ status: 'published', end_date })
    const later = { ...service.runtime, now: () => new Date(Date.now() + 120_000) }
    assert.equal(await endedSurveys(service.runtime), 0)
    assert.equal(await endedSurveys(later), 1)
    assert.equal((await call('GET', `${base}${survey_id}/`)).body.status, 'closed')
    const events = await rows(
      service,
      sql`select actor_type from events where type = 'survey_closed' and reference_id = ${survey_id}`,
    )
    assert.deepEqual(events, [{ actor_type: 'system' }])
  })

  test('limit what a page shows, so that it is rendered quickly', async () => {
    const texts = (count: number) => Array.from({ length: count }, (_, n) => `${n}`)
    const page = (...its: object[]) => [{ fields: its.map((each) => ({ label: 'Q', ...each })) }]
    const ranking = (count: number) => ({ type: 'ranking', options: texts(count) })
    const matrix = (count: number) => ({ type: 'matrix', options: texts(100), rows: texts(count) })
    const dropdown = { type: 'dropdown', options: texts(10_001) }
    for (const tooLarge of [
      page(ranking(101)),
      page(matrix(101)),
      page(dropdown),
      page(ranking(80), ranking(80)),
    ]) {
      const reply = await call('POST', base, { name: 'Large', form_structure: tooLarge })
      refusedField(reply, ['form_structure.0.fields'])
    }
    const show_if = Array(1001).fill({ field_id: 'a', value: 1 })
    const asked = page({ id: 'a', type: 'number' }, { type: 'number', show_if })
    refusedField(await call('POST', base, { name: 'Conditions', form_structure: asked }), [
      'form_structure',
    ])
    const largest = page(ranking(100))
    const { survey_id } = await make({ status: 'published', form_structure: largest })
    const { body: link } = await call('POST', `${base}${survey_id}/link/`, {})
    const path = `/s/${link.encrypted_token}`
    assert.equal((await service.call('GET', path)).status, 200)
    // as an archive may bring it
    const stored = JSON.stringify({ version: 1, pages: page({ id: 'r', ...ranking(6000) }) })
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(
        sql`update surveys set form_structure = ${stored}::jsonb where id = ${survey_id}`,
      ),
    )
    assert.equal((await service.call('GET', path)).status, 410)
  })

  test('are exported with thousands of questions without holding the others up', async () => {
    const question = { type: 'short-text', label: 'Q' }
    const page = { fields: Array(400).fill(question) }
    const { survey_id } = await make({ form_structure: Array(25).fill(page) })
    const loop = watchLoop()
    const reply = await call('GET', `${base}${survey_id}/responses/export/`)
    assert.equal(reply.status, 200, reply.text)
    assert.ok(loop.longest().ms < 300 * slowness(), `${loop.longest().ms}`)
    loop.stop()
  })
})
