import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { postForm } from '../../../test/support/integration.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

// How a survey ends: the first ending whose conditions hold, else its closing text.

type Row = { [name: string]: any }

const score = { id: 'score', type: 'nps', label: 'Recommend us?' }
const name = { id: 'name', type: 'short-text', label: 'Your name?' }
const pages = [{ id: 'p1', title: '', fields: [score, name] }]
const unhappy = {
  id: 'unhappy',
  title: 'We are sorry, {{answers.name|you}}',
  text: 'Somebody calls you.\nSoon.',
  show_if: [{ field_id: 'score', operator: 'lte', value: 6 }],
}
const happy = {
  id: 'happy',
  title: 'Lovely',
  text: 'Tell others, too.',
  button: 'Write a review',
  url: 'https://reviews.example.com/?a=1&b=2',
  show_if: [{ field_id: 'score', operator: 'gte', value: 9 }],
  translations: { fr: { title: 'Parfait', button: 'Donner un avis' } },
}
const endings = [unhappy, happy]

describe('the endings of a survey', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService({}, undefined, true)
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: org.users.admin.token, body })

  async function ok(method: string, path: string, body?: unknown): Promise<Row> {
    const reply = await call(method, path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }

  async function refused(body: unknown, at: string, method = 'POST', path = '/api/surveys/') {
    const reply = await call(method, path, body)
    assert.equal(reply.status, 400, reply.text)
    assert.deepEqual(
      reply.body.errors.map(({ field }: Row) => field),
      [at],
      reply.text,
    )
    return reply.body.errors[0].message as string
  }

  const survey = (more: object = {}) =>
    ok('POST', '/api/surveys/', {
      name: 'Pulse',
      status: 'published',
      language: 'en',
      form_structure: { pages, endings },
      ...more,
    })

  async function linkOf(id: string, body: object = {}): Promise<string> {
    return new URL((await ok('POST', `/api/surveys/${id}/link/`, body)).url).pathname
  }

  /** The page that a visitor is shown once these answers are sent, and the same when they come back. */
  async function answered(path: string, answers: { [id: string]: string }, query = '') {
    let cookie = ''
    const keep = (reply: Reply) => {
      cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return reply
    }
    const get = async () => keep(await service.call('GET', path + query, { headers: { cookie } }))
    const start = /name="start" value="([^"]+)"/.exec((await get()).text)?.[1] ?? ''
    const sent = Object.entries(answers).map(([id, value]): [string, string] => [`a.${id}`, value])
    const fields: [string, string][] = [['page', '0'], ['go', 'next'], ['start', start], ...sent]
    const reply = keep(await postForm(service, path + query, fields, { cookie }))
    assert.equal(reply.status, 303, reply.text)
    return { text: (await get()).text, again: async () => (await get()).text }
  }

  const headingOf = (text: string) => /<h1>([^<]*)<\/h1>/.exec(text)?.[1]

  test('are the first whose conditions hold, else what the survey says itself, also later on', async () => {
    const closing = { closing_title: 'Done', closing_text: 'Thanks, {{answers.name|all}}.' }
    const { survey_id } = await survey(closing)
    const path = await linkOf(survey_id)
    const low = await answered(path, { score: '3', name: 'A & B <i>' })
    assert.equal(headingOf(low.text), 'We are sorry, A &amp; B &lt;i&gt;')
    assert.match(low.text, /<p class="words">Somebody calls you\.\nSoon\.<\/p>/)
    assert.doesNotMatch(low.text, /<a [^>]*href="https:\/\/reviews/)
    const high = await answered(path, { score: '9' })
    assert.equal(headingOf(high.text), 'Lovely')
    assert.match(
      high.text,
      /<a href="https:\/\/reviews\.example\.com\/\?a=1&amp;b=2"\s*>Write a review<\/a\s*>/,
    )
    const between = await answered(path, { score: '8' })
    assert.equal(headingOf(between.text), 'Done')
    assert.match(between.text, /Thanks, all\./)
    // what was shown stays what its version says, and what is written anew is for new answers
    await ok('PUT', `/api/surveys/${survey_id}/`, { form_structure: { pages, endings: [happy] } })
    assert.equal(headingOf(await low.again()), 'We are sorry, A &amp; B &lt;i&gt;')
    assert.equal(headingOf((await answered(path, { score: '3' })).text), 'Done')
  })

  test('are answered to whoever submits by the API, in words and once it is finished', async () => {
    const { survey_id } = await survey()
    const submit = (answers: object, more: object = {}) =>
      ok('POST', `/api/surveys/${survey_id}/fill/`, { answers, ...more })
    const { ending } = await submit({ score: 2, name: 'Ada' })
    assert.deepEqual(ending, {
      title: 'We are sorry, Ada',
      text: 'Somebody calls you.\nSoon.',
      button: null,
      url: null,
    })
    assert.equal((await submit({ score: 2 }, { finished: false })).ending, null)
    const last = await submit({ score: 8 })
    assert.deepEqual(last.ending, { title: null, text: null, button: null, url: null })
  })

  test('are answered in the language of the submission, which its later parts keep', async () => {
    const translations = { fr: { closing_title: 'Fini' } }
    const { survey_id } = await survey({ closing_title: 'Done', translations })
    const path = `/api/surveys/${survey_id}/fill/`
    const submit = (score: number, more: object = {}) =>
      ok('POST', path, { answers: { score }, ...more })
    const french = await submit(9, { language: 'fr' })
    assert.deepEqual(
      [french.language, french.ending.title, french.ending.text, french.ending.button],
      ['fr', 'Parfait', 'Tell others, too.', 'Donner un avis'],
    )
    assert.equal((await submit(8, { language: 'fr' })).ending.title, 'Fini')
    assert.equal((await submit(9, { language: 'nl' })).ending.title, 'Lovely')
    assert.equal((await submit(9)).ending.title, 'Lovely')
    const { response_id } = await submit(3, { language: 'fr', finished: false })
    assert.equal((await submit(9, { response_id })).ending.title, 'Parfait')
    await refused({ answers: { score: 1 }, language: 'xx' }, 'language', 'POST', path)
  })

  test('of an earlier version are shown with its pages, as they are written in the first language', async () => {
    const asked = {
      ...score,
      id: 'size',
      type: 'dropdown',
      options: [{ value: 's', label: 'Small' }],
    }
    const told = {
      ...happy,
      title: 'Noted: {{answers.size}}',
      show_if: [{ field_id: 'size', operator: 'eq', value: 's' }],
      translations: { en: { title: 'Not this' }, fr: { title: 'Bien : {{answers.size}}' } },
    }
    const first = { pages: [{ id: 'p1', title: '', fields: [asked] }], endings: [told] }
    const { survey_id } = await survey({ form_structure: first })
    const done = await answered(await linkOf(survey_id), { size: 's' })
    assert.equal(headingOf(done.text), 'Noted: Small')
    await ok('PUT', `/api/surveys/${survey_id}/`, { form_structure: { pages, endings } })
    assert.equal(headingOf(await done.again()), 'Noted: Small')
  })

  test('of old surveys are their closing texts, as they were', async () => {
    const { survey_id, form_structure } = await survey({
      form_structure: pages,
      closing_text: 'We are done here.',
    })
    assert.equal(form_structure.endings, undefined)
    const path = await linkOf(survey_id)
    const { text } = await answered(path, { score: '1' })
    assert.equal(headingOf(text), 'Thank you')
    assert.match(text, /We are done here\./)
    const plain = await linkOf((await survey({ form_structure: pages })).survey_id)
    const usual = (await answered(plain, { score: '1' })).text
    assert.match(usual, /Your answers were received\./)
  })

  test('stay where a body has pages alone, and are refused where these no longer ask what they need', async () => {
    const { survey_id } = await survey()
    const path = `/api/surveys/${survey_id}/`
    const more = [{ ...pages[0], title: 'More' }]
    const { form_structure } = await ok('PUT', path, { form_structure: more })
    assert.deepEqual(form_structure.endings, endings)
    assert.equal(form_structure.version, 2)
    const again = await ok('PUT', path, { form_structure })
    assert.equal(again.form_structure.version, 2)
    const without = [{ id: 'p1', title: '', fields: [name] }]
    await refused({ form_structure: without }, 'form_structure.endings.0.show_if', 'PUT', path)
    const none = await ok('PUT', path, { form_structure: { pages: without, endings: [] } })
    assert.deepEqual([none.form_structure.endings, none.form_structure.version], [undefined, 3])
  })

  test('are refused by the name of what is wrong', async () => {
    const at = (ending: object, place = '') =>
      refused(
        { name: 'Pulse', form_structure: { pages, endings: [{ ...happy, ...ending }] } },
        `form_structure.endings.0${place}`,
      )
    assert.match(await at({ show_if: [] }, '.show_if'), /closing text/)
    await at({ show_if: 'always' }, '.show_if')
    await at({ show_if: [{ field_id: 'gone', value: 1 }] }, '.show_if')
    await at({ show_if: [{ any: [] }] }, '.show_if')
    await at({ show_if: [{ field_id: 'score', operator: 'near', value: 1 }] }, '.show_if')
    await at({ show_if: [{ field_id: 'score', vlaue: 1 }] }, '.show_if.0.vlaue')
    await at({ url: 'javascript:alert(1)' }, '.url')
    await at({ url: 5 }, '.url')
    await at({ title: 'x'.repeat(256) }, '.title')
    await at({ text: 'x'.repeat(2001) }, '.text')
    await at({ text: 7 }, '.text')
    await at({ button: 'x'.repeat(101) }, '.button')
    await at({ title: '', text: '' }, '.title')
    await at({ text: '{{answers.gone}}' }, '.text')
    await at({ translations: { fr: { text: '{{contact.secret}}' } } }, '.text')
    await at({ translations: { fr: { txet: 'x' } } }, '.translations.fr.txet')
    await at({ titel: 'x' }, '.titel')
    await at({ id: 5 }, '.id')
    await refused(
      { name: 'Pulse', form_structure: { pages, endings: [happy, happy] } },
      'form_structure.endings.1.id',
    )
    await refused(
      { name: 'Pulse', form_structure: pages, closing_text: '{{answers.gone}}' },
      'closing_text',
    )
    for (const closing_url of ['nowhere', 'example.com/next', 'https://u:p@example.com']) {
      await refused({ name: 'Pulse', form_structure: pages, closing_url }, 'closing_url')
    }
    const { survey_id } = await survey({ closing_url: 'https://example.com/next' })
    const path = `/api/surveys/${survey_id}/`
    for (const place of [path, `${path}draft/`]) {
      await refused({ closing_url: 'example.com/next' }, 'closing_url', 'PUT', place)
    }
  })

  test('have ids that no page, question or text of the survey has', async () => {
    const at = 'form_structure.endings.0.id'
    const { survey_id } = await survey()
    const path = `/api/surveys/${survey_id}/`
    for (const id of ['score', 'p1', 'closing', 'survey']) {
      const form_structure = { pages, endings: [{ ...happy, id }] }
      assert.match(await refused({ name: 'Pulse', form_structure }, at), new RegExp(id))
      await refused({ form_structure }, at, 'PUT', `${path}draft/`)
    }
    // a question cannot take the id of an ending that is there
    const more = { ...name, id: 'unhappy' }
    await refused(
      { form_structure: [{ ...pages[0], fields: [score, name, more] }] },
      at,
      'PUT',
      path,
    )
  })

  test('are drafted without what publishing needs, and published, duplicated and kept as a template', async () => {
    const { survey_id } = await survey()
    const path = `/api/surveys/${survey_id}/`
    const open = { ...happy, title: '', text: '', show_if: [] }
    const draft = await ok('PUT', `${path}draft/`, { form_structure: { pages, endings: [open] } })
    assert.deepEqual(draft.form_structure.endings, [open])
    await refused({}, 'form_structure.endings.0.show_if', 'POST', `${path}publish/`)
    assert.deepEqual((await ok('GET', path)).form_structure.endings, endings)
    await ok('PUT', `${path}draft/`, {
      form_structure: { pages, endings: [] },
      closing_button: 'Home',
      closing_url: 'https://example.com/',
    })
    assert.deepEqual((await ok('GET', `${path}draft/`)).form_structure.endings, [])
    const copy = await ok('POST', `${path}duplicate/`, {})
    assert.deepEqual(copy.form_structure.endings, endings)
    const template = await ok('POST', `${path}save-as-template/`, {})
    assert.deepEqual(template.form_structure.endings, endings)
    await ok('POST', `${path}publish/`, {})
    const after = await ok('GET', path)
    assert.equal(after.form_structure.endings, undefined)
    assert.deepEqual([after.closing_button, after.closing_url], ['Home', 'https://example.com/'])
    // an empty list comes back as none, which changes nothing
    const { url } = await ok('POST', `${path}preview/`, {})
    assert.match((await service.call('GET', new URL(url).pathname)).text, /Recommend us/)
  })

  test('are previewed one by one, and after what is answered', async () => {
    const { survey_id } = await survey({ closing_title: 'Done' })
    const { url } = await ok('POST', `/api/surveys/${survey_id}/preview/`, { language: 'fr' })
    const { pathname } = new URL(url)
    const shown = async (query: string) => (await service.call('GET', pathname + query)).text
    assert.equal(headingOf(await shown('?ending=unhappy')), 'We are sorry, you')
    assert.equal(headingOf(await shown('?ending=happy')), 'Parfait')
    assert.match(await shown('?ending=happy'), /target="_blank"\s*>Donner un avis</)
    assert.equal(headingOf(await shown('?ending=closing')), 'Done')
    const fields: [string, string][] = [
      ['page', '0'],
      ['go', 'next'],
      ['a.score', '10'],
      ['carried', '{}'],
    ]
    assert.equal(headingOf((await postForm(service, pathname, fields)).text), 'Parfait')
  })

  test('are translated with the other texts, as a table, too', async () => {
    const { survey_id } = await survey({ closing_title: 'Done' })
    const path = `/api/surveys/${survey_id}/translations/`
    const table = await ok('GET', path)
    const rowOf = (key: string) => table.texts.find((each: Row) => each.key === key)
    assert.deepEqual(rowOf('ending.happy.title'), {
      key: 'ending.happy.title',
      text: 'Lovely',
      translations: { fr: 'Parfait' },
    })
    assert.equal(rowOf('survey.closing_title').text, 'Done')
    const { text } = await call('GET', `${path}export/`)
    assert.match(text, /ending\.happy\.button,Write a review,.*Donner un avis/)
    const csv = 'key,fr,de\nending.happy.text,Dites-le.,Weitersagen.\nsurvey.closing_title,Fini,\n'
    await ok('PUT', path, { csv })
    const long = { key: 'ending.happy.button', translations: { de: 'x'.repeat(101) } }
    await refused({ texts: [long] }, 'texts.0.translations.de', 'PUT', path)
    await ok('POST', `/api/surveys/${survey_id}/publish/`, {})
    const link = await linkOf(survey_id)
    const high = await answered(link, { score: '10' }, '?lang=fr')
    assert.match(high.text, /Dites-le\./)
    const none = await answered(link, { score: '8' }, '?lang=fr')
    assert.equal(headingOf(none.text), 'Fini')
  })

  test('in a frame lead the site around it on', async () => {
    const { survey_id } = await survey()
    const { script } = await ok('PUT', `/api/surveys/${survey_id}/embed/`, { is_active: true })
    const key = /key=([^"&]+)/.exec(script)?.[1] ?? ''
    const path = `/s/embed/${key}`
    const first = await service.call('GET', path)
    const action = /action="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const fields: [string, string][] = [
      ['page', '0'],
      ['go', 'next'],
      ['a.score', '9'],
    ]
    const reply = await postForm(service, action, fields)
    assert.equal(reply.status, 303, reply.text)
    const last = await service.call('GET', reply.headers.get('location') ?? '')
    assert.match(last.text, /target="_top"\s*>Write a review</)
    assert.match(last.text, /perennial: "over"/)
  })

  test('are no part of the form of a task', async () => {
    const form = await survey({ item_type: 'form' })
    const task = await ok('POST', '/api/tasks/', { title: 'Fill', form_id: form.survey_id })
    assert.deepEqual(Object.keys(task.form_structure).toSorted(), ['pages', 'version'])
    const others = { pages, endings: [happy] }
    await ok('PUT', `/api/surveys/${form.survey_id}/draft/`, { form_structure: others })
    const { tasks } = await ok('POST', `/api/surveys/${form.survey_id}/publish/preview/`, {})
    assert.deepEqual(tasks, [])
  })
})
