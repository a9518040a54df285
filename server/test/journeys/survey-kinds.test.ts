import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, noBrowser, problemsOf, sizes } from '../support/browser.ts'
import { atEnd } from '../support/finally.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

// The page of a survey with all kinds of questions, in two languages: with its script, and without.

const pictures = process.env.PICTURES

const form_structure = [
  {
    id: 'p1',
    title: 'You',
    translations: { fr: { title: 'Vous' } },
    fields: [
      {
        id: 'go',
        type: 'yes-no',
        label: 'Shall we start?',
        translations: { fr: { label: 'Commençons ?' } },
      },
      {
        id: 'who',
        type: 'contact',
        label: 'Who decides?',
        required: true,
        show_if: [{ field_id: 'go', operator: 'eq', value: true }],
      },
      {
        id: 'greet',
        type: 'statement',
        label: 'Welcome, {{answers.who|whoever you are}}.',
        show_if: [{ field_id: 'who', operator: 'is_not_empty' }],
      },
      { id: 'seats', type: 'number', label: 'Seats' },
      { id: 'price', type: 'calculated', label: 'Price', formula: '{seats} * 12.5' },
      {
        id: 'rates',
        type: 'rating-matrix',
        label: 'How important?',
        rows: ['Speed', 'Help'],
        show_if: [
          {
            any: [
              { field_id: 'price', operator: 'gt', value: 100 },
              { field_id: 'go', operator: 'eq', value: false },
            ],
          },
        ],
      },
    ],
  },
  {
    id: 'p2',
    title: 'Papers',
    fields: [
      { id: 'where', type: 'address', label: 'Where?' },
      { id: 'plan', type: 'file', label: 'Your plan' },
      { id: 'sign', type: 'signature', label: 'Sign here', required: true },
    ],
  },
]

describe('the kinds of questions', { skip: noBrowser() }, () => {
  let service: TestService
  let org: TestOrganization
  let browser: Browser

  before(async () => {
    service = await startService({})
    org = await makeOrganization(service)
    browser = await launchBrowser()
  })

  async function published() {
    const { token } = org.users.admin
    const body = { name: 'Kick-off', language: 'en', form_structure, status: 'published' }
    const made = await service.call('POST', '/api/surveys/', { token, body })
    assert.equal(made.status, 201, made.text)
    const id = made.body.survey_id as string
    const link = await service.call('POST', `/api/surveys/${id}/link/`, { token, body: {} })
    return { id, path: new URL(link.body.url).pathname }
  }

  const stored = (id: string) =>
    rows(
      service,
      sql`select answers, finished, language from survey_responses where survey_id = ${id}`,
    )

  for (const size of ['desktop', 'phone'] as const) {
    for (const javaScriptEnabled of [true, false]) {
      const how = javaScriptEnabled ? 'with' : 'without'
      test(`are answered in a second language: ${size}, ${how} a script`, async () => {
        const { id, path } = await published()
        const context = await browser.newContext({ viewport: sizes[size], javaScriptEnabled })
        atEnd(() => context.close())
        const page = await context.newPage()
        const complaints: string[] = []
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('console', (message) => {
          if (message.type() === 'error') complaints.push(message.text())
        })
        await page.goto(service.url + path)
        const isFine = async () => {
          if (javaScriptEnabled) assert.deepEqual(await problemsOf(page), [])
        }
        await page.getByLabel('Seats').fill('4')
        await page.getByRole('button', { name: 'Français' }).click()
        await page.getByRole('heading', { name: 'Vous' }).waitFor()
        // what was typed has come along
        assert.equal(await page.getByLabel('Seats').inputValue(), '4')
        const who = page.getByRole('group', { name: /Who decides/ })
        const rates = page.getByRole('group', { name: /How important/ })
        if (javaScriptEnabled) {
          assert.deepEqual([await who.isVisible(), await rates.isVisible()], [false, false])
          assert.equal(await page.locator('output').innerText(), '50')
          await page.getByLabel('Seats').fill('10')
          assert.equal(await page.locator('output').innerText(), '125')
          assert.equal(await rates.isVisible(), true)
          await page.getByLabel('Seats').fill('4')
          assert.equal(await rates.isVisible(), false)
        }
        await page.getByRole('group', { name: 'Commençons ?' }).getByLabel('Oui').check()
        await who.getByLabel('Prénom').fill('Ada')
        await who.getByLabel('Nom', { exact: true }).fill('Byron')
        await who.getByLabel('E-mail').fill('ada@kinds.test')
        if (javaScriptEnabled) {
          await page.getByText('Welcome, Ada Byron.').waitFor()
          // taken back, nothing of it is left
          await page.getByRole('group', { name: 'Commençons ?' }).getByLabel('Non').check()
          assert.equal(await page.getByText('Welcome,').isVisible(), false)
          assert.equal(await rates.isVisible(), true)
          await page.getByRole('group', { name: 'Commençons ?' }).getByLabel('Oui').check()
        }
        if (pictures)
          await page.screenshot({
            path: join(pictures, `survey-kinds-${size}-${how}.png`),
            fullPage: true,
          })
        await isFine()
        await page.getByRole('button', { name: 'Suivant' }).click()
        await page.getByRole('heading', { name: 'Papers' }).waitFor()
        await page.getByRole('group', { name: /Where/ }).getByLabel('Ville').fill('Lyon')
        await page.locator('input[type=file]').setInputFiles({
          name: 'plan.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('a,b'),
        })
        await page.getByRole('button', { name: 'Envoyer' }).click()
        // the signature is missing, and the file need not be chosen again
        await page.getByText('plan.csv').waitFor()
        const sign = page.getByRole('group', { name: /Sign here/ })
        await sign.getByRole('textbox').fill('Ada Byron')
        if (javaScriptEnabled) {
          await sign.locator('svg').scrollIntoViewIfNeeded()
          const box = await sign.locator('svg').boundingBox()
          assert.ok(box)
          await page.mouse.move(box.x + 20, box.y + 20)
          await page.mouse.down()
          await page.mouse.move(box.x + 90, box.y + 50, { steps: 4 })
          await page.mouse.up()
        }
        if (pictures)
          await page.screenshot({
            path: join(pictures, `survey-papers-${size}-${how}.png`),
            fullPage: true,
          })
        await isFine()
        await page.getByRole('button', { name: 'Envoyer' }).click()
        await page.getByRole('heading', { name: 'Merci' }).waitFor()
        const [response, ...others] = await stored(id)
        assert.deepEqual(others, [])
        const { plan, sign: signed, ...answers } = response.answers
        assert.deepEqual(answers, {
          go: true,
          who: { first_name: 'Ada', last_name: 'Byron', email: 'ada@kinds.test' },
          seats: 4,
          price: 50,
          where: { city: 'Lyon' },
        })
        assert.equal(plan[0].name, 'plan.csv')
        assert.equal(signed.name, 'Ada Byron')
        assert.equal(Boolean(signed.path), javaScriptEnabled)
        assert.deepEqual([response.finished, response.language], [true, 'fr'])
        const mine = complaints.filter((each) => !each.includes('the server responded with'))
        assert.deepEqual(mine, [])
      })
    }
  }

  test('are kept when the page is left', async () => {
    const { id, path } = await published()
    const context = await browser.newContext({ viewport: sizes.desktop })
    atEnd(() => context.close())
    const page = await context.newPage()
    await page.goto(service.url + path)
    await page.getByLabel('Seats').fill('7')
    await page.goto('about:blank')
    await until(async () => (await stored(id)).length > 0)
    await page.goto(service.url + path)
    assert.equal(await page.getByLabel('Seats').inputValue(), '7')
    assert.deepEqual((await stored(id))[0].answers, { seats: 7, price: 87.5 })
  })
})
