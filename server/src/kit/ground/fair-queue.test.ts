import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './errors.ts'
import type { Bounds } from './fair-queue.ts'
import { FairQueue } from './fair-queue.ts'

const bounds: Bounds = { atOnce: 4, each: 2, waiting: 3, patience: 0 }
const make = (other: Partial<Bounds> = {}) =>
  new FairQueue({ ...bounds, ...other }, (ours) => new Failure(503, ours ? 'ours' : 'all', 'full'))

/** Enters for each name in turn, and records who has got in. */
function enterAll(queue: FairQueue, names: string[]) {
  const entered: string[] = []
  const outcomes = names.map(async (name) => {
    await queue.enter(name)
    entered.push(name)
  })
  return { entered, outcomes }
}

test('an organization takes no more than its share, and others do not wait behind it', async () => {
  const queue = make()
  const { entered } = enterAll(queue, ['a', 'a', 'a', 'a', 'b'])
  await sleep(0)
  assert.deepEqual(entered, ['a', 'a', 'b'])
  assert.equal(queue.waiting, 2)
  queue.leave('b')
  await sleep(0)
  assert.deepEqual(entered, ['a', 'a', 'b'], 'what b leaves is not for a, which has its share')
  queue.leave('a')
  await sleep(0)
  assert.deepEqual(entered, ['a', 'a', 'b', 'a'])
})

test('organizations get places in turn', async () => {
  const queue = make({ atOnce: 2 })
  const { entered } = enterAll(queue, ['a', 'a', 'a', 'a', 'b', 'b', 'c'])
  for (let i = 0; i < 7; i++) {
    await sleep(0)
    const [next] = entered.slice(i)
    assert.ok(next)
    queue.leave(next)
  }
  assert.deepEqual(entered, ['a', 'a', 'a', 'b', 'c', 'a', 'b'])
  assert.deepEqual([queue.busy, queue.waiting, queue.turns.size], [0, 0, 0])
})

test('too many that wait are refused, and the refusal says whose work is in the way', async () => {
  const queue = make()
  const { outcomes } = enterAll(queue, Array(6).fill('a'))
  await assert.rejects(outcomes[5]!, { code: 'ours' })
  const full = make({ waiting: 1 })
  const others = enterAll(full, ['a', 'a', 'b', 'b', 'c', 'c'])
  await assert.rejects(others.outcomes[5]!, { code: 'all' })
})

test('who waits too long is refused and leaves no trace', async () => {
  const queue = make({ patience: 10 })
  const { outcomes, entered } = enterAll(queue, ['a', 'a', 'a'])
  await assert.rejects(outcomes[2]!, { code: 'ours' })
  queue.leave('a')
  queue.leave('a')
  assert.deepEqual([queue.busy, queue.waiting, queue.turns.size, entered.length], [0, 0, 0, 2])
})

test('in an overload who has waited too long is refused when its turn comes, and the next has it', async () => {
  const queue = make({ atOnce: 1 })
  const { entered, outcomes } = enterAll(queue, ['a', 'a', 'b'])
  await sleep(20)
  queue.staleMs = 10
  outcomes.push(queue.enter('c')!)
  queue.leave('a')
  await assert.rejects(outcomes[1]!, { code: 'all' })
  await assert.rejects(outcomes[2]!, { code: 'all' })
  await outcomes[3]
  assert.deepEqual(entered, ['a'])
  assert.deepEqual([queue.busy, queue.waiting, queue.turns.size], [1, 0, 0])
})

test('without shares, first come is first served; without any bound nobody waits', async () => {
  const queue = make({ each: 0, atOnce: 2, waiting: 0 })
  const { entered } = enterAll(queue, ['a', 'a', 'a', 'a', 'a', 'a', 'b'])
  for (let i = 0; i < 7; i++) {
    await sleep(0)
    queue.leave(entered[i] ?? 'nobody')
  }
  assert.equal(entered[6], 'b')
  const open = make({ atOnce: 0, each: 0 })
  for (let i = 0; i < 1000; i++) assert.equal(open.enter('a'), undefined)
})

test('organizations without work are forgotten', () => {
  const queue = make()
  assert.equal(queue.enter('busy'), undefined)
  for (let i = 0; i < 25_000; i++) {
    assert.equal(queue.enter(`o${i}`), undefined)
    queue.leave(`o${i}`)
  }
  assert.ok(queue.shares.size <= 10_000 && queue.shares.has('busy'))
})

test('who has used more than its turn lets others pass, and nobody if none waits', async () => {
  const bounds = { atOnce: 1, each: 1, waiting: 0, patience: 0 }
  const queue = new FairQueue(bounds, () => new Failure(503, 'full', 'Full'))
  queue.charge('big', 2)
  const order: string[] = []
  const run = (name: string) => queue.run(name, async () => void order.push(name))
  await Promise.all(['big', 'big', 'big', 'small', 'small', 'small'].map(run))
  assert.deepEqual(order, ['big', 'small', 'small', 'big', 'small', 'big'])
  queue.charge('big', 5)
  await Promise.all([run('big'), run('big')])
  assert.equal(order.length, 8)
})
