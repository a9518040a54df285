import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../test/support/service.ts'
import { pause, until } from '../../test/support/until.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import type { Job } from '../kit/ground/job.ts'
import { insert } from '../kit/write/write.ts'
import { Tag } from '../model/tags/tag.ts'
import { loadActor } from '../records/users/actor.ts'
import { inTransaction } from '../runtime.ts'
import { startQueue } from './queue.ts'

describe('jobs', () => {
  let service: TestService
  let org: TestOrganization
  const ran = new EventEmitter()
  let failures = 0

  const note: Job<{ text: string }> = {
    name: 'test-note',
    retries: 2,
    async run(work, { text }) {
      if (text === 'fails once' && failures++ === 0) throw new Error('as asked')
      const id = await work.write(async (ctx) => (await insert(ctx, Tag, { tag_name: text })).id)
      ran.emit(text, { id, actor: work.reads.actor.full_name, request: work.id })
    },
  }

  /** runs until the test lets it end */
  let release = (_error?: Error) => {}
  const held: Job<object> = {
    name: 'test-held',
    retries: 0,
    run: () =>
      new Promise<void>((ended, failed) => {
        release = (error) => (error ? failed(error) : ended())
        ran.emit('held')
      }),
  }

  const running = { now: 0, most: 0 }
  const short: Job<{ n: number }> = {
    name: 'test-short',
    atOnce: 4,
    async run(_, { n }) {
      running.most = Math.max(running.most, ++running.now)
      await pause(5)
      running.now--
      ran.emit('short', n)
    },
  }

  before(async () => {
    service = await startService({}, undefined, [note as Job, short as Job, held as Job])
    org = await makeOrganization(service)
  })

  /** Asks for the job in a write that perhaps fails. */
  async function ask(text: string, as: 'caller' | 'service' = 'service', fails = false) {
    const { user_id } = org.users.member
    const { database } = service.runtime
    const loaded = await loadActor(database.reads(org.id), org.id, user_id)
    const { organization, actor } = loaded!
    const caller = { organization, actor, source: 'application', request_id: 'r' }
    return inTransaction(service.runtime, caller, async (ctx) => {
      ctx.enqueue(note, { text }, { as })
      if (fails) throw new Error('rolled back')
    })
  }

  test('a job enqueued in a write runs once it is committed, as whoever was named', async () => {
    for (const as of ['caller', 'service'] as const) {
      const done = once(ran, `as ${as}`)
      await ask(`as ${as}`, as)
      const [{ actor, id }] = await done
      assert.equal(actor, as === 'caller' ? `member of ${org.name}` : 'Perennial')
      const path = `/api/tags/info/${id}/`
      const tag = await service.call('GET', path, { token: org.users.admin.token })
      assert.equal(tag.body.tag_name, `as ${as}`)
    }
    assert.deepEqual(await rows(service, sql`select id from asked_jobs`), [])
  })

  test('a job runs at once where the clock of its machine is ahead of the database', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
    const done = once(ran, 'an hour ahead', { signal: AbortSignal.timeout(15_000) })
    await ask('an hour ahead')
    await done
  })

  test('a job enqueued in a write that is rolled back never runs', async () => {
    await assert.rejects(ask('never', 'service', true), /rolled back/)
    const after = once(ran, 'after')
    await ask('after')
    await after
    const tags = await rows(service, sql`select tag_name from tags where tag_name = 'never'`)
    assert.deepEqual(tags, [])
  })

  test('a job that fails is run again', async () => {
    const done = once(ran, 'fails once')
    await ask('fails once')
    await done
    assert.equal(failures, 2)
  })

  test('many jobs of one organization follow each other at once, two at a time', async (t) => {
    const done = new Set<number>()
    ran.on('short', (n: number) => done.add(n))
    const { organization, actor } = (await loadActor(
      service.runtime.database.reads(org.id),
      org.id,
      org.users.member.user_id,
    ))!
    const begun = performance.now()
    const caller = { organization, actor, source: 'application', request_id: 'r' }
    await inTransaction(service.runtime, caller, async (ctx) => {
      for (let n = 0; n < 40; n++) ctx.enqueue(short, { n })
    })
    await until(() => done.size === 40, 60)
    const seconds = (performance.now() - begun) / 1000
    t.diagnostic(`40 jobs in ${seconds.toFixed(1)} s`)
    assert.ok(seconds < 10, `${seconds} s`)
    assert.ok(running.most <= 2, `${running.most} at a time`)
  })

  test('a job that only another version knows waits, and no other waits for it', async () => {
    const { organization, actor } = (await loadActor(
      service.runtime.database.reads(org.id),
      org.id,
      org.users.member.user_id,
    ))!
    const caller = { organization, actor, source: 'application', request_id: 'r' }
    const unknown = { name: 'of-a-newer-version' }
    await inTransaction(service.runtime, caller, async (ctx) => ctx.enqueue(unknown, {}))
    const done = once(ran, 'behind it', { signal: AbortSignal.timeout(15_000) })
    await ask('behind it')
    await done
    const waiting = sql`select name from asked_jobs where name = ${unknown.name}`
    assert.equal((await rows(service, waiting)).length, 1)
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`delete from asked_jobs t
        where t.organization_id = ${org.id} and t.name = ${unknown.name}`),
    )
  })

  test('long queues of some organizations do not delay the jobs of another', async () => {
    const other = await makeOrganization(service)
    const second = await makeOrganization(service)
    const enqueue = async ({ id, users }: TestOrganization, texts: string[]) => {
      const { organization, actor } = (await loadActor(
        service.runtime.database.reads(id),
        id,
        users.member.user_id,
      ))!
      const caller = { organization, actor, source: 'application', request_id: 'r' }
      await inTransaction(service.runtime, caller, async (ctx) => {
        for (const text of texts) ctx.enqueue(note, { text })
      })
    }
    const busy = Array.from({ length: 150 }, (_, n) => `busy ${n}`)
    let isBusy = true
    const last = once(ran, busy.at(-1)!).then(() => (isBusy = false))
    const begun = once(ran, busy[0]!)
    await enqueue(org, busy)
    await enqueue(
      second,
      busy.map((text) => `second ${text}`),
    )
    await begun
    const waited = once(ran, 'of the other')
    await enqueue(other, ['of the other'])
    await waited
    assert.ok(isBusy, 'it waited for the others')
    await last
  })

  test('jobs that a process enqueued and did not hand over, another one runs', async () => {
    service.runtime.wakeJobs = () => {}
    await ask('left behind')
    const done = once(ran, 'left behind')
    const other = await startQueue(service.runtime, [note as Job])
    await done
    await other.close()
    const tags = await rows(service, sql`select tag_name from tags where tag_name = 'left behind'`)
    assert.equal(tags.length, 1)
  })

  test('are counted on the metrics page: due, for later, running and failed', async () => {
    let age = NaN
    const counts = async () => {
      const { text } = await service.call('GET', '/metrics')
      const found = text.matchAll(/^jobs_(\w+)\{queue="test-held"\} ([\d.]+)$/gm)
      const { oldest_seconds, ...numbers } = Object.fromEntries(
        [...found].map(([, kind, n]) => [kind, Number(n)]),
      )
      age = oldest_seconds!
      return numbers
    }
    const are = async (waiting: number, deferred: number, held: number, failed: number) => {
      const expected = { waiting, deferred, running: held, failed }
      let found = {}
      const holds = async () => isDeepStrictEqual((found = await counts()), expected)
      await until(holds).catch(() => assert.deepEqual(found, expected))
    }
    const { organization, actor } = (await loadActor(
      service.runtime.database.reads(org.id),
      org.id,
      org.users.member.user_id,
    ))!
    const caller = { organization, actor, source: 'application', request_id: 'r' }
    await are(0, 0, 0, 0)
    const begun = once(ran, 'held')
    await inTransaction(service.runtime, caller, async (ctx) => {
      ctx.enqueue(held, {})
      ctx.enqueue(held, {})
      ctx.enqueue(held, {}, { at: new Date(Date.now() + 3_600_000) })
    })
    await begun
    await are(1, 1, 1, 0)
    assert.ok(age > 0 && age < 60, `due for ${age} s`)
    const next = once(ran, 'held')
    release(new Error('as asked'))
    await next
    await are(0, 1, 1, 1)
    release()
    await are(0, 1, 0, 1)
    assert.equal(age, 0)
  })

  test('a queue that another version made gets the settings of this one', async () => {
    const settings = () =>
      rows(
        service,
        sql`select retry_limit, heartbeat_seconds from perennial_jobs.queue where name = ${note.name}`,
      )
    const own = [{ retry_limit: 2, heartbeat_seconds: 10 }]
    assert.deepEqual(await settings(), own)
    await service.runtime.database.transaction(allOrganizations, (queries) =>
      queries.run(sql`update perennial_jobs.queue set retry_limit = 9, heartbeat_seconds = 60
        where name = ${note.name}`),
    )
    const queue = await startQueue(service.runtime, [note as Job])
    await queue.close()
    assert.deepEqual(await settings(), own)
  })
})
