import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { before, describe, test } from 'node:test'
import { run } from '../src/commands/line.ts'
import { freshDatabase } from './support/database.ts'
import { freshFolder, runProgram, startProgram, startServer } from './support/program.ts'
import { type Receiver, startReceiver, verified } from './support/receiver.ts'
import { secretKey } from './support/service.ts'
import { until } from './support/until.ts'

describe('commands for developers, as processes', () => {
  let env: { [name: string]: string }
  let server: Awaited<ReturnType<typeof startServer>>
  let receiver: Receiver
  /** the options that connect as the app's user */
  let access: string[]

  before(async () => {
    const { url } = await freshDatabase()
    env = { DATABASE_URL: url, DATA_DIR: freshFolder(), SECRET_KEY: secretKey }
    server = await startServer({ ...env, WEBHOOK_RETRY_SCHEDULE: '1,1,1' })
    receiver = await startReceiver()
    const made = async (...args: string[]) => {
      const said = { out: '', err: '' }
      const status = await run([...args, '--json'], env, {
        out: (text) => (said.out += text),
        note: (text) => (said.err += text),
        hasColors: false,
      })
      assert.equal(status, 0, said.err)
      return JSON.parse(said.out)
    }
    await made('org', 'create', 'Acme')
    const user = await made('user', 'create', '--email', 'ada@acme.test', '--role', 'admin')
    const redirect = 'https://connector.example/callback'
    const issue = ['app', 'issue', '--name', 'Connector', '--scope', 'all']
    const app = await made(...issue, '--redirect-uri', redirect)
    const { client_id, client_secret, function_key } = app
    access = Object.entries({
      url: server.url,
      email: user.email,
      password: user.password,
      'client-id': client_id,
      'client-secret': client_secret,
      'function-key': function_key,
      'redirect-uri': redirect,
    }).map(([name, value]) => `--${name}=${value}`)
  })

  const api = async (...args: string[]) => {
    const ended = await runProgram(['api', ...access, ...args, '--json'], env)
    return { ...ended, body: ended.status === 0 ? JSON.parse(ended.out) : undefined }
  }

  /** Starts `listen` and waits until it is subscribed. */
  const listening = async (...args: string[]) => {
    const program = startProgram(['listen', ...access, ...args], env)
    await until(() => /Listening to/.test(program.err()))
    return program
  }
  const subscriptions = async () => (await api('list_subscriptions')).body.results as unknown[]

  test('api calls any operation with fields of path, query and body', async () => {
    const fields = ['--company_name', 'Okafor Foods', '--domain', 'okafor.example']
    const more = ['--tags', 'vip,food', '--custom_fields.seats', '12']
    const created = await api('create_company', ...fields, ...more)
    assert.equal(created.status, 0, created.err)
    const { company_id, tags, custom_fields } = created.body.data
    assert.equal(tags.length, 2)
    assert.deepEqual(custom_fields, { seats: 12 })

    const tier = ['--company-id', company_id, '--customer_segment', 'enterprise']
    const updated = await api('integration_update_company', ...tier)
    assert.equal(updated.body.data.customer_segment, 'enterprise')

    const listed = await api('get_company', '--domain', 'okafor.example', '--limit=1')
    assert.equal(listed.body.results[0].company_id, company_id)
  })

  test('sign says in one line that no server answers, or what it refuses', async () => {
    const sign = async (option: string) => {
      const [name] = option.split('=')
      const others = access.filter((each) => !each.startsWith(`${name}=`))
      const { status, out, err } = await runProgram(['sign', ...others, option], env)
      assert.deepEqual([status, out], [1, ''])
      return err
    }
    const nobody = 'perennial: No server answers at http://127.0.0.1:2 (ECONNREFUSED): start it'
    assert.ok((await sign('--url=http://127.0.0.1:2')).startsWith(nobody))
    assert.equal(
      await sign('--client-id=nobody'),
      'perennial: The server refused: Unknown client_id (401 invalid_client)\n',
    )
  })

  test('api says what the server refuses in one line, with status 1', async () => {
    const twice = await api(
      'create_company',
      '--company_name',
      'Again',
      '--domain',
      'again.example',
    )
    assert.equal(twice.status, 0, twice.err)
    const people = ['api', ...access, 'create_company', '--company_name', 'Again']
    const refused = await runProgram([...people, '--domain', 'again.example'], env)
    assert.equal(refused.status, 1)
    assert.equal(refused.out, '')
    assert.match(refused.err, /^perennial: .+ \(409 \w+\)\n$/)
    const wrong = await api('create_company', '--company_name', 'X', '--revenue', 'much')
    assert.match(JSON.parse(wrong.err).error, /revenue/)
  })

  test('api lists operations, and shows the fields of one', async () => {
    const listed = await runProgram(['api', ...access], env)
    assert.equal(listed.status, 0)
    assert.match(listed.out, /^  get_company +Read companies|^  get_company  /m)
    const help = await runProgram(['api', ...access, 'create_company', '--help'], env)
    assert.equal(help.status, 0, help.err)
    assert.match(help.out, /^perennial api integration_create_company: Create a company$/m)
    assert.match(help.out, /^  --company_name string/m)
    assert.match(help.out, /^POST \/automation\/company$/m)
  })

  test('a server that is not there is one line', async () => {
    const elsewhere = [...access, '--url=http://127.0.0.1:1']
    const ended = await runProgram(['api', ...elsewhere, 'test_connection'], env)
    assert.equal(ended.status, 1)
    assert.match(ended.err, /^perennial: .*127\.0\.0\.1:1.*\n$/)
  })

  test('listen passes deliveries on unchanged, and its end removes the subscription', async () => {
    const forward = `${receiver.url}/forwarded`
    const program = await listening('--forward', forward, '--event', 'company_created', '--body')
    assert.equal((await subscriptions()).length, 1)
    await api('create_company', '--company_name', 'Nakamura Steel')
    const [arrival] = await receiver.arrived(1, ({ path }) => path === '/forwarded')
    assert.equal(arrival!.json.data.company_name, 'Nakamura Steel')
    const delivery = String(arrival!.headers['webhook-id'])
    await program.said(new RegExp(`✔  \\d\\d:\\d\\d:\\d\\d  company_created  ${delivery}  200 in`))
    await program.said(/^\{"id":.*\}$/m)
    // what arrived is what the server signed: the same bytes, with the headers
    const [, text] = /^(\{"id":.*)$/m.exec(program.out()) ?? []
    assert.equal(arrival!.text, text)
    assert.equal(arrival!.headers['user-agent'], 'Perennial-Webhooks/1')

    // one that is being sent just now is not sent again
    await until(async () => {
      const { body } = await api('list_deliveries')
      return body.results.some(({ id, status }: any) => id === delivery && status === 'delivered')
    })
    program.child.stdin!.write(`r ${delivery}\n`)
    await receiver.arrived(2, ({ headers }) => headers['webhook-id'] === delivery)
    const again = await runProgram(['listen', ...access, '--resend', delivery], env)
    assert.deepEqual([again.status, again.out], [0, `${delivery} is sent again\n`], again.err)
    await receiver.arrived(3, ({ headers }) => headers['webhook-id'] === delivery)

    // with a byte more or less, nothing is forwarded
    const url = /at (http:\S+);/.exec(program.err())![1]!
    const headers = Object.fromEntries(
      Object.entries(arrival!.headers).filter(([name]) => name.startsWith('webhook-')),
    ) as { [name: string]: string }
    const forged = await fetch(url, { method: 'POST', headers, body: `${arrival!.text} ` })
    assert.equal(forged.status, 401)
    await program.said(/✘.*the signature is wrong/)

    program.child.kill('SIGINT')
    assert.equal(await program.ended, 0, program.err())
    assert.match(program.out(), /Received 4; the subscription is removed/)
    assert.deepEqual(await subscriptions(), [])
  })

  test('a failure behind listen is retried as in production', async (t) => {
    let answers = 0
    const failing = createServer((_request, response) =>
      response.writeHead(answers++ ? 200 : 500).end(),
    )
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve))
    t.after(() => failing.close())
    const { port } = failing.address() as { port: number }
    const forward = `http://127.0.0.1:${port}`
    const program = await listening('--forward', forward, '--event', 'contact_created', '--json')
    await api('create_contact', '--full_name', 'Ada Lovelace')
    await program.said(/"status":200/)
    const lines = program.out().trim().split('\n')
    const [first, second] = lines.map((line) => JSON.parse(line))
    assert.deepEqual([first.status, second.status], [500, 200])
    assert.equal(first.id, second.id)
    assert.equal(first.verified, true)
    program.child.kill('SIGTERM')
    assert.equal(await program.ended, 0)
  })

  test('what a killed listen left behind is removed by the next one', async () => {
    const killed = await listening('--event', 'deal_won')
    killed.child.kill('SIGKILL')
    await killed.ended
    assert.equal((await subscriptions()).length, 1)
    const next = await listening('--event', 'deal_lost')
    assert.equal((await subscriptions()).length, 1)
    next.child.kill('SIGINT')
    await next.ended
    assert.deepEqual(await subscriptions(), [])
  })

  test('events trigger delivers a test on the way of the event: signed, listed, retried', async () => {
    const none = await runProgram(['events', 'trigger', ...access, 'task_created'], env)
    assert.equal(none.status, 1)
    assert.match(none.err, /no active subscription of yours is to task_created: subscribe to it/)
    const url = `${receiver.url}/triggered`
    let refused = 0
    receiver.answer = ({ path }) => ({ status: path === '/triggered' && !refused++ ? 503 : 200 })
    const wanted = ['--events', 'company_created', '--url', url]
    const { body: subscription } = await api('subscribe', ...wanted)
    const args = ['events', 'trigger', ...access, 'company_created', '--json']
    const triggered = await runProgram(args, env)
    assert.equal(triggered.status, 0, triggered.err)
    const { deliveries } = JSON.parse(triggered.out)
    assert.equal(deliveries[0].subscriptionId, subscription.id)
    const arrivals = await receiver.arrived(2, ({ path }) => path === '/triggered')
    for (const arrival of arrivals) {
      const body = verified(subscription.secret, arrival)
      assert.equal(body.test, true)
      assert.equal(body.type, 'company_created')
      assert.equal(body.source, 'integration')
      assert.equal(body.subscription_id, subscription.id)
      assert.ok(body.data.company_name && body.data.version, 'a record of ours')
      assert.equal(arrival.headers['webhook-id'], deliveries[0].id)
    }
    assert.equal(arrivals[0]!.text, arrivals[1]!.text, 'the same bytes again')
    await until(async () => {
      const listed = await api('list_deliveries', '--subscriptionId', subscription.id)
      const [delivery] = listed.body.results
      return delivery.status === 'delivered' && delivery.attempts === 2
    })
  })
})
