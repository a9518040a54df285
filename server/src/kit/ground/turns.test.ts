import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { briefTurns } from './turns.ts'

/** Keeps the event loop busy for longer than a turn. */
function work() {
  const begun = performance.now()
  while (performance.now() - begun < 2);
}

const alone = { restMs: () => 0, isBusy: () => false }

describe('brief turns', () => {
  test('let others have theirs after a millisecond of work', async () => {
    const turn = briefTurns(alone)
    work()
    const order: string[] = []
    setImmediate(() => order.push('another'))
    await turn()
    order.push('work')
    assert.deepEqual(order, ['another', 'work'])
  })

  test('wait while there are requests, and continue however many come', async () => {
    let looks = 0
    const turn = briefTurns({ ...alone, isBusy: () => ++looks > 0 })
    for (let step = 1; step <= 3; step++) {
      const before = looks
      work()
      const begun = performance.now()
      await turn()
      assert.ok(looks > before)
      assert.ok(performance.now() - begun >= 4)
    }
  })

  test('of several callers come one after another, with a rest in between once the work takes long', async () => {
    const began = performance.now()
    const rests: number[] = []
    const restMs = () => {
      rests.push(performance.now())
      return 5
    }
    const turn = briefTurns({ ...alone, restMs })
    const steps: number[] = []
    const worker = async () => {
      while (rests.length < 5) {
        await turn()
        steps.push(performance.now())
        work()
      }
    }
    await Promise.all([worker(), worker(), worker()])
    for (const at of rests) {
      assert.ok(at - began > 40, 'a rest before the work takes long')
      // timers are early by less than a millisecond
      const during = steps.filter((step) => step > at && step < at + 4)
      assert.deepEqual(during, [], 'a step during a rest')
    }
  })
})
