import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { atEnd } from '../../../test/support/finally.ts'
import { watchLoop } from '../../../test/support/loop.ts'
import { slowness } from '../../../test/support/speed.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

const stages = [
  { name: 'Discover', start_offset_days: 0, tasks: [{ title: 'Interview the team' }] },
]

describe('suggestions', () => {
  let service: TestService
  let org: TestOrganization
  let answer: () => { status?: number; content: string }
  let requests: { authorization: string | undefined; body: any }[] = []

  before(async () => {
    const model = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const { authorization } = request.headers
      requests.push({ authorization, body: JSON.parse(text) })
      assert.equal(request.url, '/v1/chat/completions')
      const { status = 200, content } = answer()
      const body = { choices: [{ message: { role: 'assistant', content } }] }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    model.listen(0, '127.0.0.1')
    await once(model, 'listening')
    atEnd(() => new Promise<void>((resolve) => model.close(() => resolve())))
    const aiBaseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`
    service = await startService({ aiBaseUrl, aiApiKey: 'sk-test', aiModel: 'small' })
    org = await makeOrganization(service)
  })

  const suggest = (what: string, prompt = '?prompt=A bank moves its data') =>
    service.call('GET', `/api/templates/template/${what}/${prompt}`, {
      token: org.users.admin.token,
    })

  test('come from the language model that is configured', async () => {
    requests = []
    answer = () => ({ content: JSON.stringify({ stages }) })
    const template = await suggest('ai-template')
    assert.equal(template.status, 200)
    assert.deepEqual(template.body.template_config, { stages })
    assert.equal(template.body.source, 'model')
    answer = () => ({ content: JSON.stringify({ milestones: stages }) })
    const milestones = await suggest('ai-milestone')
    assert.deepEqual(milestones.body.milestones, stages)
    const [{ authorization, body }] = requests as [(typeof requests)[0]]
    assert.equal(authorization, 'Bearer sk-test')
    assert.equal(body.model, 'small')
    assert.equal(body.messages.at(-1).content, 'A bank moves its data')
  })

  test('come from past work if the model has no valid answer, and without a prompt', async () => {
    for (const each of [
      { status: 500, content: '' },
      { content: 'no JSON' },
      { content: JSON.stringify({ stages: [{ title: 'no name' }] }) },
      { content: '{}' },
    ]) {
      answer = () => each
      const { status, body } = await suggest('ai-template')
      assert.equal(status, 200)
      assert.equal(body.source, 'history')
      assert.ok(body.template_config.stages.length)
    }
    requests = []
    assert.equal((await suggest('ai-template', '')).body.source, 'history')
    assert.deepEqual(requests, [])
  })

  test('without a model are the same each time', async () => {
    answer = () => ({ status: 503, content: '' })
    const [first, second] = [await suggest('ai-milestone'), await suggest('ai-milestone')]
    assert.deepEqual(first.body, second.body)
    assert.ok(first.body.milestones.length)
  })

  test('are found among large plans without holding the others up', async () => {
    const own = await makeOrganization(service)
    // each sign is eighteen once it is folded
    const tasks = Array(13).fill({ title: '\ufdfa'.repeat(150) })
    const template_config = { stages: Array(150).fill({ name: '\ufdfa'.repeat(80), tasks }) }
    for (let n = 0; n < 6; n++) {
      const body = { template_name: `Large ${n}`, template_type: 'project', template_config }
      const { token } = own.users.admin
      const reply = await service.call('POST', '/api/templates/template/', { token, body })
      assert.equal(reply.status, 201, reply.text)
    }
    for (const what of ['ai-template', 'ai-milestone']) {
      const loop = watchLoop()
      const { token } = own.users.admin
      const reply = await service.call('GET', `/api/templates/template/${what}/`, { token })
      assert.equal(reply.status, 200, reply.text)
      assert.ok(loop.longest().ms < 150 * slowness(), `${what}: ${loop.longest().ms}`)
      loop.stop()
    }
  })
})
