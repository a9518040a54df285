import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { postForm } from '../../../../test/support/integration.ts'
import type { Mailbox } from '../../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../../test/support/mailbox.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

// A personal link takes one answer of its recipient to its mailing.

const fields = [{ id: 'nps', type: 'nps', label: 'How likely?', required: true }]
const form_structure = [
  { id: 'p1', title: 'One', fields },
  { id: 'p2', title: 'Two', fields: [{ id: 'why', type: 'short-text', label: 'Why?' }] },
]

describe('a survey that is asked of the same person twice', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  const call = async (method: string, path: string, body?: object) => {
    const { token } = org.users.admin
    const reply = await service.call(method, path, { token, body })
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  const survey = async (more: object = {}) =>
    (
      await call('POST', '/api/surveys/', {
        name: 'Pulse',
        form_structure,
        status: 'published',
        ...more,
      })
    ).survey_id as string
  /** Mails a survey, and returns the address of the recipient's page. */
  async function mailed(id: string, email: string) {
    const { schedule_id } = await call('POST', `/api/surveys/${id}/send/`, {
      email_addresses: [email],
    })
    const { pathname } = new URL(linkIn(await mailbox.next(email)))
    return { pathname, schedule_id }
  }
  const answer = async (path: string, nps: number, why?: string) => {
    const replies = [await postForm(service, path, { page: '0', 'a.nps': String(nps), go: 'next' })]
    if (why) replies.push(await postForm(service, path, { page: '1', 'a.why': why, go: 'next' }))
    return replies.map(({ status }) => status)
  }
  const responses = (id: string) => call('GET', `/api/surveys/${id}/responses/`)

  test('takes one answer of each mailing, which continues its own', async () => {
    const id = await survey()
    const email = 'ada@twice.test'
    const first = await mailed(id, email)
    assert.deepEqual(await answer(first.pathname, 3, 'slow'), [303, 303])
    const second = await mailed(id, email)
    const page = await service.call('GET', second.pathname)
    assert.match(page.text, /How likely\?/)
    // begun on the second link, and not continued on the first
    assert.deepEqual(await answer(second.pathname, 9), [303])
    assert.match((await service.call('GET', first.pathname)).text, /Thank you/)
    assert.match((await service.call('GET', second.pathname)).text, /Why\?/)
    assert.deepEqual(await answer(second.pathname, 9, 'better'), [303, 303])
    assert.match((await service.call('GET', second.pathname)).text, /Thank you/)
    const stored = await responses(id)
    assert.deepEqual(
      stored.map(({ answers, schedule_id }: any) => [answers.nps, answers.why, schedule_id]),
      [
        [9, 'better', second.schedule_id],
        [3, 'slow', first.schedule_id],
      ],
    )
  })

  test('takes one answer of each address where the survey says so, whichever link it comes by', async () => {
    const id = await survey({ one_per_email: true })
    const email = 'eve@twice.test'
    const first = await mailed(id, email)
    assert.deepEqual(await answer(first.pathname, 3, 'slow'), [303, 303])
    const second = await mailed(id, email)
    assert.match((await service.call('GET', second.pathname)).text, /Thank you/)
    await answer(second.pathname, 9, 'better')
    const stored = await responses(id)
    assert.deepEqual(
      stored.map(({ answers }: any) => answers.nps),
      [3],
    )
  })

  test('keeps a link that no mailing has to its address', async () => {
    const id = await survey()
    const email = 'joe@twice.test'
    const link = async () =>
      new URL((await call('POST', `/api/surveys/${id}/link/`, { email })).url).pathname
    const [one, other] = [await link(), await link()]
    assert.deepEqual(await answer(one, 3, 'slow'), [303, 303])
    assert.match((await service.call('GET', other)).text, /Thank you/)
    const { pathname } = await mailed(id, email)
    assert.match((await service.call('GET', pathname)).text, /How likely\?/)
  })
})
