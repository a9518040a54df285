import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  busyFor,
  crash,
  fail,
  fill,
  grow,
  module,
  refuse,
  visible,
} from '../../test/support/computations.ts'
import { watchLoop } from '../../test/support/loop.ts'
import { until } from '../../test/support/until.ts'
import { FairQueue } from '../kit/ground/fair-queue.ts'
import { computation } from '../kit/ground/computation.ts'
import { Failure } from '../kit/ground/errors.ts'
import { ComputingProcess } from './child-process.ts'
import { ComputationPool } from './pool.ts'

const busy = computation(module, busyFor)
const pools: ComputationPool[] = []
after(async () => void (await Promise.all(pools.map((pool) => pool.close()))))

function poolOf(
  limits: Partial<ConstructorParameters<typeof ComputationPool>[0]> = {},
  waiting = 100,
) {
  const { processes = 2, seconds = 10, megabytes = 64 } = limits
  const bounds = { atOnce: processes, each: Math.max(1, processes - 1), waiting, patience: 0 }
  const full = () => new Failure(503, 'workers_busy', 'full')
  const pool = new ComputationPool({ processes, seconds, megabytes }, new FairQueue(bounds, full))
  pools.push(pool)
  return pool
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('processes that compute', () => {
  test('leave the event loop free, and start when they are needed', async () => {
    const pool = poolOf()
    assert.equal(pool.size, 0)
    await pool.run('one', busy, 1)
    assert.equal(pool.size, 1)
    const loop = watchLoop()
    assert.equal(await pool.run('one', busy, 300), 'busy for 300')
    assert.ok(loop.longest().ms < 100, `${loop.longest().ms}`)
    loop.stop()
    assert.equal(pool.size, 1, 'the process is used again')
  })

  test('let another organization pass one that has much to do', async () => {
    const pool = poolOf()
    // both processes are there: one that starts late leaves its place to the other
    await Promise.all(['one', 'two'].map((organization) => pool.run(organization, busy, 1)))
    const order: string[] = []
    const run = async (organization: string, ms: number) => {
      await pool.run(organization, busy, ms)
      order.push(organization)
    }
    const noisy = Array.from({ length: 6 }, () => run('noisy', 200))
    await Promise.all([...noisy, run('quiet', 1)])
    assert.ok(order.indexOf('quiet') < 3, order.join(' '))
  })

  test('refuse what an organization would wait for too long', async () => {
    const pool = poolOf({}, 2)
    const all = Array.from({ length: 5 }, () => pool.run('noisy', busy, 100))
    const settled = await Promise.allSettled(all)
    const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert.deepEqual(
      refused.map(({ status, code }) => [status, code]),
      [
        [503, 'workers_busy'],
        [503, 'workers_busy'],
      ],
    )
  })

  test('end what takes too long or too much, and nothing else', async () => {
    const pool = poolOf({ seconds: 1, megabytes: 24 })
    const expensive = { status: 400, code: 'too_expensive' }
    await assert.rejects(pool.run('one', busy, 60_000), expensive)
    await assert.rejects(pool.run('one', computation(module, fill), undefined), expensive)
    // for which V8 ends the process of a thread
    await assert.rejects(pool.run('one', computation(module, grow), undefined), expensive)
    assert.equal(pool.size, 0)
    assert.equal(await pool.run('one', busy, 1), 'busy for 1')
  })

  test('carry refusals and errors over', async () => {
    const pool = poolOf()
    const refused = pool.run('one', computation(module, refuse), 'name')
    await assert.rejects(refused, (failure: Failure) => {
      assert.ok(failure instanceof Failure)
      assert.deepEqual(failure.errors, [{ field: 'name', message: 'must be right' }])
      return true
    })
    await assert.rejects(pool.run('one', computation(module, fail), undefined), /unforeseen/)
    assert.equal(pool.size, 1)
  })

  test('report an error that ends their thread, and are replaced', async () => {
    const pool = poolOf()
    await assert.rejects(pool.run('one', computation(module, crash), undefined), /out of nowhere/)
    assert.equal(await pool.run('one', busy, 1), 'busy for 1')
    assert.equal(pool.size, 1)
  })

  test('do not get the environment of the service', async () => {
    process.env.A_SECRET = 'of the service'
    try {
      const names = await poolOf().run('one', computation(module, visible), undefined)
      assert.deepEqual(
        names.filter((name) => /SECRET|PASSWORD|URL|TOKEN/.test(name)),
        [],
      )
    } finally {
      delete process.env.A_SECRET
    }
  })

  test('end with a service that is killed, whatever they compute', async () => {
    const holder = fork(fileURLToPath(new URL('../../test/support/computing.ts', import.meta.url)))
    const [pid] = (await once(holder, 'message')) as [number]
    assert.ok(isRunning(pid))
    holder.kill('SIGKILL')
    await until(() => !isRunning(pid))
  })

  test('end with the pool, and what they work on is refused', async () => {
    const pool = poolOf()
    const working = pool.run('one', busy, 10_000)
    const refused = assert.rejects(working, { status: 503 })
    await until(() => pool.size === 1)
    await pool.close()
    await refused
    assert.equal(pool.size, 0)
    await assert.rejects(pool.run('one', busy, 1), { status: 503 })
  })

  test('refuse work once they have ended', async () => {
    const computing = new ComputingProcess({ seconds: 10, megabytes: 64 })
    assert.equal(await computing.compute(busy, 1), 'busy for 1')
    await computing.end()
    await assert.rejects(computing.compute(busy, 1), { status: 503 })
  })

  test('are not used if there are none', async () => {
    const pool = poolOf({ processes: 0 })
    assert.equal(await pool.run('one', busy, 1), 'busy for 1')
    assert.equal(pool.size, 0)
  })
})
