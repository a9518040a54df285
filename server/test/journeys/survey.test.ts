import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser, problemsOf, sizes } from '../support/browser.ts'
import { atEnd } from '../support/finally.ts'
import { postForm } from '../support/integration.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'

const options = [
  { value: 'speed', label: 'Speed' },
  { value: 'help', label: 'Support' },
]
const form_structure = [
  {
    id: 'p1',
    title: 'About you',
    fields: [
      { id: 'name', type: 'short-text', label: 'Your name', required: true },
      { id: 'score', type: 'nps', label: 'Would you recommend us?', required: true },
      {
        id: 'why',
        type: 'long-text',
        label: 'What went wrong?',
        show_if: [{ field_id: 'score', operator: 'lt', value: 7 }],
      },
    ],
  },
  {
    id: 'p2',
    title: 'About us',
    fields: [
      { id: 'intro', type: 'statement', label: 'Some details.' },
      { id: 'like', type: 'multi-select', label: 'What do you like?', options },
      { id: 'best', type: 'single-select', label: 'What most?', options },
      { id: 'order', type: 'ranking', label: 'In which order?', options },
      { id: 'grid', type: 'matrix', label: 'By team', rows: ['Sales', 'Care'], options },
      { id: 'team', type: 'dropdown', label: 'Which team?', options },
    ],
  },
  {
    id: 'p3',
    title: 'The end',
    fields: [
      { id: 'mail', type: 'email', label: 'Your e-mail' },
      { id: 'ok', type: 'consent', label: 'You may quote me', required: true },
    ],
  },
]
const look = { background_color: '#123456', action_color: '#ffcc00', field_border: 'Square' }

describe('the page of a survey', () => {
  let service: TestService
  let org: TestOrganization
  let now = Date.now()

  before(async () => {
    service = await startService({}, () => new Date(now))
    org = await makeOrganization(service)
  })

  const post = (path: string, body: object = {}) =>
    service.call('POST', path, { token: org.users.admin.token, body })

  /** A published survey and the path of a link to it. */
  async function published(more: object = {}, link: object = {}) {
    const body = { name: 'How are we?', form_structure, status: 'published', ...look, ...more }
    const made = await post('/api/surveys/', body)
    assert.equal(made.status, 201, made.text)
    const id = made.body.survey_id as string
    const { body: ticket } = await post(`/api/surveys/${id}/link/`, link)
    return { id, path: new URL(ticket.url).pathname }
  }

  const responses = (id: string) =>
    rows(
      service,
      sql`select answers, finished, respondent_email from survey_responses
      where survey_id = ${id} order by id`,
    )

  test('a link that is invalid, foreign, expired or of a closed survey shows a message', async () => {
    const { id, path } = await published({ closing_text: 'We are done here.' })
    const broken = await service.call('GET', `${path.slice(0, -3)}AAA`)
    assert.equal(broken.status, 404)
    assert.match(broken.text, /unknown/)
    for (const more of ['=', '%20', '%0A', '.', '*']) {
      assert.equal((await service.call('GET', `${path}${more}`)).status, 404, more)
    }
    const expires_at = new Date(now + 60_000).toISOString()
    const short = await post(`/api/surveys/${id}/link/`, { expires_at })
    now += 120_000
    const late = await service.call('GET', new URL(short.body.url).pathname)
    assert.equal(late.status, 410)
    assert.match(late.text, /has expired/)
    await post(`/api/surveys/${id}/close/`)
    const closed = await service.call('GET', path)
    assert.equal(closed.status, 410)
    assert.match(closed.text, /We are done here\./)
  })

  test('an invalid answer is reported at its question, and not stored', async () => {
    const { id, path } = await published()
    const reply = await postForm(service, path, { page: '0', 'a.score': '11', go: 'next' })
    assert.equal(reply.status, 400)
    assert.match(reply.text, /Please answer this question\./)
    assert.match(reply.text, /must be a whole number from 0 to 10/)
    assert.deepEqual(await responses(id), [])
  })

  test('a domain is a web address as people write it, and a statement has its lines', async () => {
    const fields = [
      { id: 'hint', type: 'statement', label: 'One\ntwo', description: 'In short' },
      { id: 'site', type: 'url', label: 'Your website' },
    ]
    const { id, path } = await published({
      form_structure: [{ id: 'p1', title: '', fields }],
    })
    const page = await service.call('GET', path)
    assert.match(page.text, /<p class="statement">One\ntwo<\/p>\s*<p [^>]*>In short/)
    const answer = (site: string) =>
      postForm(service, path, { page: '0', 'a.site': site, go: 'next' })
    assert.equal((await answer('javascript:alert(1)')).status, 400)
    assert.equal((await answer('www.acme.test/about')).status, 303)
    assert.deepEqual((await responses(id))[0].answers, { site: 'https://www.acme.test/about' })
  })

  test('a link of somebody’s own goes on anywhere, and takes one answer', async () => {
    const { id, path } = await published({}, { email: 'ada@acme.test' })
    const first = { page: '0', 'a.name': 'Ada <b>', 'a.score': '9', go: 'next' }
    const next = await postForm(service, path, first)
    assert.equal(next.status, 303)
    // another browser, without a cookie
    const resumed = await service.call('GET', path)
    assert.match(resumed.text, /Page 2 of 3/)
    const back = await service.call('GET', `${path}?page=1`)
    assert.match(back.text, /Ada &lt;b&gt;/)
    await postForm(service, path, { page: '1', 'a.like': 'help', go: 'next' })
    const done = await postForm(service, path, { page: '2', 'a.ok': 'yes', go: 'next' })
    assert.equal(done.status, 303)
    assert.match((await service.call('GET', path)).text, /Thank you/)
    const [response, ...others] = await responses(id)
    assert.deepEqual(others, [])
    assert.deepEqual(response, {
      answers: { name: 'Ada <b>', score: 9, like: ['help'], ok: true },
      finished: true,
      respondent_email: 'ada@acme.test',
    })
  })

  test('a survey that has its last answer takes no other', async () => {
    const { id, path } = await published({ response_limit: 1 })
    const other = new URL((await post(`/api/surveys/${id}/link/`)).body.url).pathname
    const answers = { name: 'Ada', score: 9, ok: true }
    await post(`/api/surveys/${id}/fill/`, { answers })
    for (const each of [path, other]) assert.equal((await service.call('GET', each)).status, 410)
  })

  describe('in a real browser', { skip: noBrowser() }, () => {
    let browser: Browser
    before(async () => {
      browser = await launchBrowser()
    })

    async function open(path: string, size: keyof typeof sizes, javaScriptEnabled: boolean) {
      const context = await browser.newContext({ viewport: sizes[size], javaScriptEnabled })
      atEnd(() => context.close())
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('the server responded with'))
          complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(service.url + path)
      return { page, complaints }
    }

    const nextPage = (page: Page) => page.getByRole('button', { name: 'Next' }).click()

    for (const size of ['desktop', 'phone'] as const) {
      for (const scripted of [true, false]) {
        test(`three pages are filled in: ${size}, ${scripted ? 'with' : 'without'} JavaScript`, async () => {
          const { id, path } = await published()
          const { page, complaints } = await open(path, size, scripted)
          const isFine = async () => {
            if (scripted) assert.deepEqual(await problemsOf(page), [])
          }
          await isFine()
          // refused: the name is missing
          await page.getByRole('radio', { name: '3', exact: true }).check()
          assert.equal(await page.getByLabel('What went wrong?').isVisible(), true)
          await nextPage(page)
          await page.getByText('Please answer this question.').waitFor()
          await isFine()
          await page.getByLabel('Your name').fill('Ada')
          if (scripted) {
            await page.getByRole('radio', { name: '9', exact: true }).check()
            assert.equal(await page.getByLabel('What went wrong?').isVisible(), false)
            await page.getByRole('radio', { name: '3', exact: true }).check()
          }
          await page.getByLabel('What went wrong?').fill('Slow')
          await nextPage(page)
          await page.getByText('Page 2 of 3').waitFor()
          await isFine()
          await page.getByLabel('Support').first().check()
          await page.locator('select').first().selectOption('2')
          await page.reload()
          await page.getByText('Page 2 of 3').waitFor()
          await page.getByLabel('Support').first().check()
          await page.getByRole('button', { name: 'Back' }).click()
          assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada')
          await nextPage(page)
          assert.equal(await page.getByLabel('Support').first().isChecked(), true)
          await nextPage(page)
          await page.getByText('Page 3 of 3').waitFor()
          await isFine()
          await page.getByLabel('You may quote me').check()
          await page.getByRole('button', { name: 'Send' }).click()
          await page.getByRole('heading', { name: 'Thank you' }).waitFor()
          await page.reload()
          await page.getByRole('heading', { name: 'Thank you' }).waitFor()
          const stored = await responses(id)
          assert.equal(stored.length, 1)
          assert.deepEqual(stored[0].answers, {
            name: 'Ada',
            score: 3,
            why: 'Slow',
            like: ['help'],
            ok: true,
          })
          assert.equal(stored[0].finished, true)
          assert.deepEqual(complaints, [])
        })
      }
    }
  })
})
