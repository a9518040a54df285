import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { atEnd } from '../../test/support/finally.ts'
import { freshDatabase, silent } from '../../test/support/database.ts'
import { until } from '../../test/support/until.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Lanes } from '../kit/ground/limits.ts'
import { usualLanes } from '../kit/ground/limits.ts'
import type { Database } from './connect.ts'
import { connect } from './connect.ts'

const [noisy, quiet] = ['noisy', 'quiet']

describe('connections shared between organizations and kinds of work', () => {
  let url: string

  before(async () => {
    url = (await freshDatabase()).url
  })

  function open(lanes: Partial<Lanes> = {}, resultBytes?: number): Database {
    const database = connect({
      url,
      log: silent,
      role: null,
      lanes: { ...usualLanes, ...lanes },
      resultBytes,
    })
    atEnd(() => database.close())
    return database
  }

  const sleepFor = (seconds: number) => sql`select pg_sleep(${seconds})`

  /** The place among them that something has which is begun after them. */
  async function placeAmong(others: Promise<unknown>[], work: () => Promise<unknown>) {
    let done = 0
    for (const other of others) void other.then(() => done++)
    await work()
    const place = done
    await Promise.all(others)
    return place
  }

  test('long writes of one organization leave connections to the others', async () => {
    const database = open({ writes: { connections: 4, each: 2, waiting: 10 } })
    const write = (organization: string, seconds: number) =>
      database.transaction(organization, (queries) => queries.all(sleepFor(seconds)))
    await write(quiet, 0)
    const begun = performance.now()
    const long = Array.from({ length: 8 }, () => write(noisy, 0.3))
    assert.ok((await placeAmong(long, () => write(quiet, 0))) <= 2)
    assert.ok(performance.now() - begun > 1150, 'two at a time')
  })

  test('too many writes that wait are 503, which says that they are the own ones', async () => {
    const database = open({ writes: { connections: 2, each: 1, waiting: 2 } })
    const write = () => database.transaction(noisy, (queries) => queries.all(sleepFor(0.2)))
    const outcomes = await Promise.allSettled([write(), write(), write(), write()])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
    )
    await assert.rejects(Promise.reject((outcomes[3] as PromiseRejectedResult).reason as Error), {
      status: 503,
      code: 'organization_busy',
      retryAfter: 2,
      message: /^Your organization has too many writes at once/,
    })
  })

  test('who waits for a held row leaves the connections to others, and has it when it is free', async () => {
    const database = open()
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    atEnd(() => holder.end())
    const row = sql`select pg_advisory_xact_lock(4242)`
    const write = (organization: string, query = sql`select 1`) =>
      database.transaction(organization, (queries) => queries.all(query))
    const median = async (organization: string) => {
      const times: number[] = []
      for (let i = 0; i < 40; i++) {
        const begun = performance.now()
        await write(organization)
        times.push(performance.now() - begun)
      }
      return times.sort((a, b) => a - b)[20]!
    }
    await Promise.all(Array.from({ length: 12 }, () => write(quiet)))
    const [ours, theirs] = [await median(noisy), await median(quiet)]
    await holder.query('begin; select pg_advisory_xact_lock(4242)')
    const callers = Array.from({ length: 20 }, () => write(noisy, row))
    // each of them has met the lock once
    await sleep(1500)
    const [oursThen, theirsThen] = [await median(noisy), await median(quiet)]
    await holder.query('commit')
    await Promise.all(callers)
    // twice, and not 1.5 times: other tests share the machine
    assert.ok(oursThen < 2 * ours + 5, `${ours} ms, with a held row ${oursThen} ms`)
    assert.ok(theirsThen < 2 * theirs + 5, `${theirs} ms, with a held row ${theirsThen} ms`)

    await holder.query('begin; select pg_advisory_xact_lock(4242)')
    const begun = performance.now()
    await assert.rejects(write(noisy, row), {
      status: 503,
      code: 'record_locked',
      retryAfter: 2,
    })
    const took = performance.now() - begun
    assert.ok(took > 4500 && took < 8000, `${took} ms`)
  })

  test('sign-ins and jobs continue while all connections for writes are busy', async () => {
    const database = open({ writes: { connections: 2, each: 0, waiting: 0 } })
    const long = Array.from({ length: 6 }, () =>
      database.transaction(noisy, (queries) => queries.all(sleepFor(0.5))),
    )
    const place = await placeAmong(long, async () => {
      for (const lane of ['sign_in', 'jobs'] as const) {
        const own = database.lane(lane)
        await own.transaction(noisy, (queries) => queries.all(sql`select 1`))
        await own.reads(noisy).all(sql`select 1`)
      }
    })
    assert.ok(place <= 4, `after ${place}`)
  })

  test('expensive reads wait behind their own, and short ones behind none of them', async () => {
    const database = open({
      heavyReads: { connections: 2, each: 1, waiting: 2, timeout: 5 },
    })
    const heavy = (organization: string, seconds: number) =>
      database.reads(organization, 'heavy').all(sleepFor(seconds))
    await Promise.all([heavy(quiet, 0), database.reads(quiet).all(sql`select 1`)])
    const begun = performance.now()
    const long = [1, 2, 3].map(() => heavy(noisy, 0.3))
    await assert.rejects(heavy(noisy, 0), {
      status: 503,
      code: 'organization_busy',
      message: /too many expensive reads/,
    })
    const place = await placeAmong(long, async () => {
      await heavy(quiet, 0)
      await database.reads(noisy).all(sql`select 1`)
    })
    assert.ok(place <= 1, `after ${place}`)
    assert.ok(performance.now() - begun > 850, 'one at a time')
  })

  test('a read that takes too long is stopped with 503', async () => {
    const heavyReads = { connections: 1, each: 1, waiting: 10, timeout: 1 }
    const database = open({ heavyReads })
    for (const cost of ['light', 'heavy'] as const) {
      await assert.rejects(database.reads(quiet, cost).all(sleepFor(3)), {
        status: 503,
        code: 'query_timeout',
      })
    }
    // a transaction, and a job, may take longer
    await database.transaction(quiet, (queries) => queries.all(sleepFor(1.2)))
    await database.lane('jobs').reads(quiet).all(sleepFor(1.2))
  })

  test('short reads of one organization are bounded, and those of another go ahead', async () => {
    const database = open({ reads: { each: 4, waiting: 40 } })
    await database.reads(quiet).all(sql`select 1`)
    const many = Array.from({ length: 30 }, () => database.reads(noisy).all(sleepFor(0.05)))
    const { readers } = database.state()
    assert.deepEqual(readers, { inFlight: 4, waiting: 26 })
    const place = await placeAmong(many, () => database.reads(quiet).all(sql`select 1`))
    assert.ok(place <= 16, `after ${place}`)
    assert.deepEqual(database.state().readers, { inFlight: 0, waiting: 0 })
  })

  test('what turns out slow goes with the expensive reads, in its organization alone', async () => {
    const database = open()
    const list = (organization: string, seconds: number) =>
      database.reads(organization, 'unknown', 'contacts').all(sleepFor(seconds))
    const lanes = () => {
      const { readers, heavyReaders } = database.state()
      return [readers.inFlight, heavyReaders.inFlight]
    }
    await database.reads(quiet).all(sql`select 1`)
    // once and again, or by itself: what the event loop was late to read does not count
    await until(async () => {
      await list(noisy, 1.1)
      const next = list(noisy, 0.01)
      const [, isHeavy] = lanes()
      await next
      return isHeavy === 1
    })
    const again = [list(noisy, 0.05), list(quiet, 0.05)]
    assert.deepEqual(lanes(), [1, 1])
    await Promise.all(again)
    const other = database.reads(noisy, 'unknown', 'tasks').all(sleepFor(0.05))
    assert.deepEqual(lanes(), [1, 0])
    await other
  })

  test('a list that is slow twice in a row goes with the expensive reads, and lists that were slow at the same moment do not', async () => {
    const database = open()
    await database.reads(noisy).all(sql`select 1`)
    const list = (seconds: number) =>
      database.reads(noisy, 'unknown', 'contacts').all(sleepFor(seconds))
    const isHeavy = async () => {
      const next = list(0.01)
      const { heavyReaders } = database.state()
      await next
      return heavyReaders.inFlight === 1
    }
    await Promise.all([list(0.15), list(0.15), list(0.15)])
    assert.equal(await isHeavy(), false)
    await until(async () => {
      await list(0.15)
      return isHeavy()
    })
  })

  test('what the event loop was late to read has not turned out slow', async () => {
    const database = open()
    await database.reads(noisy).all(sql`select 1`)
    const list = (seconds: number) =>
      database.reads(noisy, 'unknown', 'contacts').all(sleepFor(seconds))
    const first = list(0.01)
    await nextTurn()
    const begun = performance.now()
    while (performance.now() - begun < 300);
    await first
    const next = list(0.01)
    const { readers, heavyReaders } = database.state()
    assert.deepEqual([readers.inFlight, heavyReaders.inFlight], [1, 0])
    await next
  })

  test('who has had a large answer has the next one among the expensive reads', async () => {
    const database = open()
    const list = (bytes: number) =>
      database
        .reads(noisy, 'unknown', 'documents')
        .page(sql`select repeat('x', ${bytes}::int), pg_sleep(0.05)`, 0)
    await database.reads(noisy).all(sql`select 1`)
    const first = list(2_000_000)
    assert.equal(database.state().heavyReaders.inFlight, 0)
    await first
    const begun = performance.now()
    const next = list(2_000_000)
    assert.equal(database.state().heavyReaders.inFlight, 1)
    await next
    // its place rests, for as long as 16 MiB a second take
    await Promise.all(Array.from({ length: 4 * usualLanes.heavyReads.each }, () => list(10)))
    assert.ok(performance.now() - begun > 50 + 2000 / 16.8 + 4 * 50 - 20)
  })

  test('an answer that is too large is refused, and a page of it cut', async () => {
    const database = open({}, 50_000)
    const rows = (n: number) => sql`select repeat('x', 10_000) from generate_series(1, ${n}::int)`
    const queries = database.reads(quiet)
    assert.equal((await queries.all(rows(4))).length, 4)
    const refused = { status: 400, code: 'result_too_large' }
    await assert.rejects(queries.all(rows(100)), refused)
    await assert.rejects(
      database.transaction(quiet, (own) => own.all(rows(100))),
      refused,
    )
    const cut = await queries.page(rows(100), 25_000)
    assert.deepEqual([cut.rows.length, cut.isCut], [2, true])
    const one = await queries.page(rows(3), 5000)
    assert.deepEqual([one.rows.length, one.isCut], [1, true])
    const whole = await queries.page(rows(2), 25_000)
    assert.deepEqual([whole.rows.length, whole.isCut], [2, false])
    // the connection is as good as before
    assert.equal((await queries.all(rows(1))).length, 1)
    assert.equal((await open({}, 0).reads(quiet).all(rows(100))).length, 100)
  })
})
