import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from '../../test/support/finally.ts'
import { until } from '../../test/support/until.ts'
import { Admission } from './admission.ts'

describe('the admission of requests', () => {
  const backlog = { writers: { waiting: 0 }, readers: { inFlight: 0, waiting: 0 } }
  const open = (always: number) => {
    const admission = new Admission(() => backlog, always)
    atEnd(async () => admission.close())
    return admission
  }

  test('lets everything in while there is room, and a burst too', async () => {
    backlog.readers.inFlight = 0
    const admission = open(4)
    assert.ok(admission.admits(900, 900, 1))
    backlog.readers.inFlight = 500
    await sleep(80)
    assert.ok(admission.admits(900, 900, 1))
    backlog.readers.inFlight = 0
    await sleep(100)
    assert.equal(admission.most, Infinity)
  })

  test('lets in what is soon done while the database has too much, and opens again', async () => {
    const admission = open(4)
    // 200 a second, of 20 ms each when there is room
    const load = setInterval(() => admission.done(20), 5)
    atEnd(async () => clearInterval(load))
    await sleep(1000)
    backlog.readers.inFlight = 500
    await until(() => admission.most < 40)
    assert.ok(!admission.admits(100, 10, 10))
    assert.ok(admission.admits(3, 3, 1))
    assert.ok(admission.refused > 0)
    backlog.readers.inFlight = 0
    await until(() => admission.admits(100, 10, 10))
    await until(() => admission.most === Infinity)
  })

  test('refuses an address that has more than its share, and not one that has less', async () => {
    const admission = open(20)
    backlog.writers.waiting = 100
    await until(() => admission.most < 30)
    assert.ok(!admission.admits(30, 29, 2))
    assert.ok(admission.admits(30, 1, 2))
    assert.ok(!admission.admits(41, 1, 2))
    backlog.writers.waiting = 0
  })
})
