import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from '../../test/support/finally.ts'
import { until } from '../../test/support/until.ts'
import { Tally } from '../kit/ground/tally.ts'
import { Admission } from './admission.ts'

describe('the admission of requests', () => {
  const backlog = { writers: { waiting: 0 }, readers: { inFlight: 0, waiting: 0 } }
  const counted = (counts: { [address: string]: number }) => {
    const tally = new Tally()
    for (const [address, count] of Object.entries(counts)) tally.add(address, count)
    return tally
  }
  const one = counted({ a: 900 })
  const ten = counted(Object.fromEntries('abcdefghij'.split('').map((name) => [name, 10])))
  const open = (always: number) => {
    const admission = new Admission(() => backlog, always)
    atEnd(async () => admission.close())
    return admission
  }

  test('lets everything in while there is room, and a burst too', async () => {
    backlog.readers.inFlight = 0
    const admission = open(4)
    assert.ok(admission.admits(900, one, 'a'))
    backlog.readers.inFlight = 500
    await sleep(80)
    assert.ok(admission.admits(900, one, 'a'))
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
    assert.ok(!admission.admits(100, ten, 'a'))
    assert.ok(admission.admits(3, counted({ a: 3 }), 'a'))
    assert.ok(admission.refused > 0)
    backlog.readers.inFlight = 0
    await until(() => admission.admits(100, ten, 'a'))
    await until(() => admission.most === Infinity)
  })

  test('refuses an address that has more than its share, and not one that has less', async () => {
    const admission = open(20)
    backlog.writers.waiting = 100
    await until(() => admission.most < 30)
    const heavy = counted({ heavy: 400, light: 1 })
    assert.ok(!admission.admits(401, heavy, 'heavy'))
    assert.ok(admission.admits(401, heavy, 'light'))
    assert.ok(admission.admits(401, heavy, 'new'))
    const many = counted(Object.fromEntries(Array.from({ length: 40 }, (_, nth) => [nth, 1])))
    assert.ok(!admission.admits(40, many, 'new'))
    backlog.writers.waiting = 0
  })
})
