import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dueSignatures } from '../../src/jobs/signatures.ts'
import { depth, seedNumber } from '../support/depth.ts'
import { postForm } from '../support/integration.ts'
import { randomOf } from '../support/random.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'
import { allOrganizations } from '../../src/kit/ground/context.ts'

// Signatures are requested, given, declined, handed over, corrected, reminded of, withdrawn and run out in random orders;
// after every step states and mails are those of a small model.

type Person = {
  name: string
  email: string
  role: 'signer' | 'approver' | 'viewer' | 'cc'
  turn: number
  status: string
  link: string
  isDelegated: boolean
  isReminded: boolean
}
type Model = {
  state: 'none' | 'open' | 'signed' | 'declined' | 'voided' | 'expired'
  /** its time is over, and nobody has withdrawn it yet */
  isOver: boolean
  isSequential: boolean
  allows: boolean
  people: Person[]
  reminders: number
}
type Mail = 'asks' | 'reminds' | 'withdraws' | 'refuses'

const acts = ({ role }: Person) => role === 'signer' || role === 'approver'
const isDone = ({ status }: Person) => status === 'signed' || status === 'approved'
const isAsked = (person: Person) => acts(person) && ['sent', 'viewed'].includes(person.status)

describe('random orders of signing', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/documents/${path}`, { token: org.users.admin.token, body })

  /** The mails about signatures that were enqueued since the last call, with the paths of their links. */
  async function mails() {
    const enqueued = await service.runtime.database.transaction(allOrganizations, (queries) =>
      queries.all<{ name: string; data: { sealed?: string } }>(
        sql`delete from asked_jobs returning name, data`,
      ),
    )
    return enqueued.flatMap(({ name, data }) => {
      if (name !== 'send-mail' || !data.sealed) return []
      const mail = JSON.parse(
        service.runtime.secrets.decrypt(Buffer.from(data.sealed, 'base64')).toString(),
      ) as { kind: string; to: { address: string }; subject: string; text: string }
      if (mail.kind !== 'signature') return []
      const kind = kindOf(mail.subject)
      const link = /\/sign\/[\w-]+/.exec(mail.text)?.[0] ?? ''
      return [{ to: mail.to.address, kind, link }]
    })
  }

  function kindOf(subject: string): Mail {
    if (subject.startsWith('Reminder: ')) return 'reminds'
    if (subject.endsWith('no longer needs to be signed')) return 'withdraws'
    if (subject.endsWith('was declined')) return 'refuses'
    assert.match(subject, /asks you to (sign|approve|read) /)
    return 'asks'
  }

  const happened = new Set<string>()
  let addresses = 0
  const someName = () => ({ name: `P${++addresses}`, email: `p${addresses}@orders.test` })

  test('leave states and mails as a model has them', { timeout: 7_200_000 }, async () => {
    const orders = depth(60, 10_000)
    const document = { document_name: 'Agreement' }
    let id = ''
    for (let order = 0; order < orders; order++) {
      const random = randomOf(seedNumber + order)
      id = (await call('POST', '', document)).body.attach_id as string
      const steps: string[] = []
      const model: Model = { ...fresh, people: [] }
      for (let n = 0; n < 12; n++) {
        const expected = await step(model, id, random, steps)
        const message = `order ${order}: ${steps.join(', ')}`
        await compare(model, id, expected, message)
      }
      // what is left open would be swept with the next one: every other order runs out, so that all seeds have it
      if (model.state === 'open' && order % 2) {
        await runOut(model, id)
        await compare(model, id, await sweep(model), `order ${order} runs out`)
      }
      if (['open', 'declined'].includes(model.state))
        await call('POST', `${id}/signature/void/`, {})
      await mails()
    }
    // everything that can happen has happened
    const all = ['handed over', 'declined', 'signed', 'voided', 'expired', 'corrected', 'reminded']
    assert.deepEqual(
      all.filter((each) => !happened.has(each)),
      [],
    )
  })

  const fresh: Omit<Model, 'people'> = {
    state: 'none',
    isOver: false,
    isSequential: false,
    allows: false,
    reminders: 0,
  }
  const often = ['sign', 'sign', 'sign', 'request', 'view', 'delegate', 'correct']
  const seldom = ['decline', 'remind', 'remind-one', 'void', 'run-out', 'sweep', 'old-link']
  const actions = [...often, ...seldom]

  type Sent = [to: string, kind: Mail][]

  /** Takes one random step on both sides; returns the mails that it should send. */
  async function step(
    model: Model,
    id: string,
    random: (below: number) => number,
    steps: string[],
  ): Promise<Sent> {
    const isUsual = model.state === 'open' || !random(3)
    const drawn = isUsual ? (actions[random(actions.length)] ?? '') : 'request'
    // withdrawing and running out end most of an order
    const isEnd = ['decline', 'void', 'run-out'].includes(drawn)
    const name = isEnd && random(3) ? 'sign' : drawn
    const person = model.people[random(model.people.length || 1)]
    steps.push(person ? `${name} ${person.name}` : name)
    if (name === 'request') return request(model, id, random)
    if (name === 'void') return withdraw(model, id)
    if (name === 'remind') return remind(model, id)
    if (name === 'run-out') return runOut(model, id)
    if (name === 'sweep') return sweep(model)
    if (!person) return []
    if (name === 'correct') return correct(model, id, person)
    if (name === 'remind-one') return remindOne(model, id, person)
    if (!person.link) return []
    if (name === 'old-link') return oldLink(model, id, person)
    return byLink(model, person, name)
  }

  async function request(model: Model, id: string, random: (below: number) => number) {
    const count = 1 + random(4)
    const people = Array.from({ length: count }, (_, i) => ({
      ...someName(),
      role: i ? (['signer', 'signer', 'approver', 'viewer', 'cc'] as const)[random(5)] : 'signer',
      order: random(3),
    }))
    const body = {
      recipients: people,
      sequential: random(2) === 1,
      allow_delegation: random(3) > 0,
    }
    const reply = await call('POST', `${id}/signature/request/`, body)
    if (model.state === 'open' || model.state === 'signed' || model.state === 'declined') {
      assert.equal(reply.status, 409)
      return []
    }
    assert.equal(reply.status, 200, reply.text)
    Object.assign(model, {
      state: 'open',
      isOver: false,
      isSequential: body.sequential,
      allows: body.allow_delegation,
      people: people.map(({ order: turn, ...person }) => ({
        ...person,
        turn,
        status: 'waiting',
        link: '',
        isDelegated: false,
        isReminded: false,
      })),
    })
    return invite(model)
  }

  /** Whose turn has come: all at once, or those of the first turn in which somebody is missing; readers at once. */
  function invite(model: Model): Sent {
    const missing = model.people.filter((each) => acts(each) && !isDone(each))
    const turn = model.isSequential ? Math.min(...missing.map((each) => each.turn)) : Infinity
    const invited = model.people.filter(
      (each) =>
        each.status === 'waiting' && (each.role === 'viewer' || (acts(each) && each.turn <= turn)),
    )
    for (const each of invited) each.status = 'sent'
    return invited.map(({ email }) => [email, 'asks'])
  }

  /** What a link answers if there is nothing to do; undefined if there is. */
  function closed(model: Model, person: Person): number | undefined {
    if (model.state === 'voided' || model.state === 'expired') return 410
    if (model.state === 'declined') return person.status === 'declined' ? 200 : 410
    if (model.state === 'signed') return 200
    if (model.isOver) return 410
    if (isDone(person)) return 200
    if (!acts(person)) return undefined
    return person.status === 'waiting' ? 200 : undefined
  }

  async function byLink(model: Model, person: Person, name: string): Promise<Sent> {
    if (name === 'view') {
      assert.equal((await service.call('POST', `${person.link}/viewed`)).status, 204)
      if (closed(model, person) === undefined && person.status === 'sent') person.status = 'viewed'
      return []
    }
    const to = someName()
    const forms: { [name: string]: { [field: string]: string } } = {
      sign: { act: 'sign', name: person.name, agree: 'yes' },
      decline: { act: 'decline', reason: 'Too dear' },
      delegate: { act: 'delegate', delegate_name: to.name, delegate_email: to.email },
    }
    const reply = await postForm(service, person.link, forms[name] ?? {})
    const over = closed(model, person)
    if (over !== undefined) {
      assert.equal(reply.status, over, reply.text)
      return []
    }
    if (!acts(person)) {
      assert.equal(reply.status, 409)
      return []
    }
    if (name === 'delegate') {
      if (!model.allows || person.isDelegated) {
        assert.equal(reply.status, 409)
        return []
      }
      assert.equal(reply.status, 200)
      Object.assign(person, to, { status: 'sent', isDelegated: true, isReminded: false, link: '' })
      happened.add('handed over')
      return [[to.email, 'asks']]
    }
    assert.equal(reply.status, 303, reply.text)
    if (name === 'decline') {
      person.status = 'declined'
      model.state = 'declined'
      happened.add('declined')
      return model.people.filter(isDone).map(({ email }) => [email, 'refuses'])
    }
    person.status = person.role === 'approver' ? 'approved' : 'signed'
    if (model.people.filter(acts).every(isDone)) {
      model.state = 'signed'
      happened.add('signed')
      return []
    }
    return invite(model)
  }

  /** A link that has ended says nothing and does nothing. */
  async function oldLink(model: Model, id: string, person: Person): Promise<Sent> {
    const { link } = person
    const sent = await correct(model, id, person)
    if (!person.link || person.link !== link) {
      assert.equal((await service.call('GET', link)).status, 404)
      assert.equal(
        (await postForm(service, link, { act: 'sign', name: 'X', agree: 'yes' })).status,
        404,
      )
    }
    return sent
  }

  async function recipientId(id: string, { email }: Person): Promise<string> {
    const { signature_recipients } = (await call('GET', `${id}/`)).body
    const found = signature_recipients.find((each: { email: string }) => each.email === email)
    return found?.id ?? 'nobody'
  }

  async function correct(model: Model, id: string, person: Person): Promise<Sent> {
    const to = someName()
    const path = `${id}/signature/recipients/${await recipientId(id, person)}/`
    const reply = await call('PATCH', path, to)
    if (model.state !== 'open') {
      assert.ok([404, 409].includes(reply.status), reply.text)
      return []
    }
    if (isDone(person)) {
      assert.equal(reply.status, 409)
      return []
    }
    assert.equal(reply.status, 200, reply.text)
    happened.add('corrected')
    const isInvited = person.status !== 'waiting'
    Object.assign(person, to, {
      link: '',
      isReminded: false,
      status: isInvited ? 'sent' : 'waiting',
    })
    return isInvited ? [[to.email, 'asks']] : []
  }

  async function remind(model: Model, id: string): Promise<Sent> {
    if (model.reminders === 3) return []
    const reply = await call('POST', `${id}/signature/remind/`)
    if (model.state !== 'open') {
      assert.equal(reply.status, 409, reply.text)
      return []
    }
    assert.equal(reply.status, 200, reply.text)
    model.reminders++
    const asked = model.people.filter(isAsked)
    for (const each of asked) each.isReminded = true
    return asked.map(({ email }) => [email, 'reminds'])
  }

  async function remindOne(model: Model, id: string, person: Person): Promise<Sent> {
    if (model.reminders === 3) return []
    const path = `${id}/signature/recipients/${await recipientId(id, person)}/remind/`
    const reply = await call('POST', path)
    if (model.state !== 'open' || !isAsked(person) || person.isReminded) {
      assert.ok([404, 409].includes(reply.status), reply.text)
      return []
    }
    assert.equal(reply.status, 200, reply.text)
    model.reminders++
    person.isReminded = true
    happened.add('reminded')
    return [[person.email, 'reminds']]
  }

  async function withdraw(model: Model, id: string): Promise<Sent> {
    const reply = await call('POST', `${id}/signature/void/`, { reason: 'Changed' })
    if (model.state !== 'open' && model.state !== 'declined') {
      assert.equal(reply.status, 409)
      return []
    }
    assert.equal(reply.status, 200, reply.text)
    return end(model, 'voided')
  }

  function end(model: Model, state: 'voided' | 'expired'): Sent {
    model.state = state
    happened.add(state)
    return model.people
      .filter((each) => isDone(each) || ['sent', 'viewed'].includes(each.status))
      .map(({ email }) => [email, 'withdraws'])
  }

  async function runOut(model: Model, id: string): Promise<Sent> {
    if (model.state !== 'open') return []
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update signature_requests set expires_at = now() - interval '1 second'
        where document_id = ${id} and status = 'open'`),
    )
    model.isOver = true
    return []
  }

  async function sweep(model: Model): Promise<Sent> {
    await dueSignatures(service.runtime)
    return model.state === 'open' && model.isOver ? end(model, 'expired') : []
  }

  async function compare(model: Model, id: string, expected: Sent, message: string) {
    const sent = await mails()
    const words = ({ to, kind }: { to: string; kind: string }) => `${to} ${kind}`
    assert.deepEqual(
      sent.map(words).toSorted(),
      expected.map(([to, kind]) => words({ to, kind })).toSorted(),
      message,
    )
    for (const { to, kind, link } of sent) {
      const person = model.people.find(({ email }) => email === to)
      if (person && kind === 'asks') person.link = link
      if (person && kind === 'reminds') assert.equal(link, person.link, message)
    }
    const [row] = await rows(
      service,
      sql`select d.signature_status, d.signatures_completed, coalesce((select
          json_agg(r.email || ' ' || r.status order by r.position) from signature_recipients r
          where r.request_id = d.signature_request), '[]') as people
        from documents d where d.id = ${id}`,
    )
    const done = model.people.filter(isDone).length
    const isGone = ['none', 'voided', 'expired'].includes(model.state)
    const open = done ? 'partial' : 'pending'
    const status = isGone ? 'none' : model.state === 'open' ? open : model.state
    assert.deepEqual(
      row,
      {
        signature_status: status,
        signatures_completed: isGone ? 0 : done,
        people: isGone ? [] : model.people.map((each) => `${each.email} ${each.status}`),
      },
      message,
    )
  }
})
