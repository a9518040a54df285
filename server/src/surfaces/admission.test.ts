import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from '../../test/support/finally.ts'
import { until } from '../../test/support/until.ts'
import { Tally } from './tally.ts'
import { Admission } from './admission.ts'

describe('the admission of requests', () => {
  let staleMs = Infinity
  const backlog = { writers: { waiting: 0 }, readers: { inFlight: 0, waiting: 0 } }
  const counted = (counts: { [address: string]: number }) => {
    const tally = new Tally()
    for (const [address, count] of Object.entries(counts)) tally.add(address, count)
    return tally
  }
  const one = counted({ a: 900 })
  const ten = counted(Object.fromEntries('abcdefghij'.split('').map((name) => [name, 10])))
  const inFlight = { all: 0 }
  const admits = (admission: Admission, all: number, addresses: Tally, address: string) => {
    inFlight.all = all
    const hasRoom = admission.hasRoom(addresses, address)
    if (hasRoom) admission.admit(address)
    else admission.refuse(address)
    return hasRoom
  }
  let admission: Admission | undefined
  const open = (always: number) => {
    // that of the test before looks at the same database
    admission?.close()
    admission = new Admission(
      { state: () => backlog, shed: (ms) => (staleMs = ms) },
      inFlight,
      always,
      () => 0,
    )
    return admission
  }
  atEnd(async () => admission?.close())

  test('lets everything in while there is room', async () => {
    backlog.readers.inFlight = 0
    const admission = open(4)
    assert.ok(admits(admission, 900, one, 'a'))
    await sleep(100)
    assert.ok(admits(admission, 900, one, 'a'))
    assert.equal(admission.most, Infinity)
  })

  test('admits only quick requests while the database is overloaded, and then all again', async () => {
    const admission = open(4)
    // 200 a second, of 20 ms each when there is room
    const load = setInterval(() => admission.done(20), 5)
    atEnd(async () => clearInterval(load))
    await sleep(1000)
    backlog.readers.inFlight = 500
    inFlight.all = 900
    await until(() => admission.most < 40)
    assert.ok(!admits(admission, 100, ten, 'a'))
    assert.ok(admits(admission, 3, counted({ a: 3 }), 'a'))
    assert.ok(admission.refused > 0)
    // a request may take twice what it takes without load, here 20 ms, and what waits twice that
    assert.ok(staleMs <= 100, String(staleMs))
    backlog.readers.inFlight = 0
    await until(() => admits(admission, 100, ten, 'a'))
    await until(() => admission.most === Infinity)
    assert.equal(staleMs, Infinity)
  })

  test('lets in after a moment while few are at work, however busy the service is', async () => {
    const admission = open(4)
    backlog.readers.inFlight = 100
    inFlight.all = 100
    for (let nth = 0; nth < 5; nth++) {
      assert.ok(!admission.hasRoom(ten, 'a'))
      await new Promise<void>((enter, refuse) => admission.hold(enter, () => refuse(new Error())))
    }
    assert.equal(admission.most, Infinity)
    backlog.readers.inFlight = 0
  })

  test('lets in those who wait as soon as the database can begin, the last first', () => {
    const admission = open(4)
    const entered: number[] = []
    backlog.writers.waiting = 10
    inFlight.all = 50
    for (const nth of [1, 2, 3]) {
      admission.hold(
        () => entered.push(nth),
        () => assert.fail(),
      )
    }
    admission.done(1)
    assert.deepEqual(entered, [])
    backlog.writers.waiting = 0
    admission.done(1)
    assert.deepEqual(entered, [3, 2, 1])
  })

  test('refuses those who wait once they are more than a burst', () => {
    const admission = open(4)
    backlog.writers.waiting = 10
    inFlight.all = 50
    let refused = 0
    const hold = () =>
      admission.hold(
        () => assert.fail(),
        () => refused++,
      )
    for (let nth = 0; nth < 150; nth++) hold()
    assert.equal(refused, 0)
    hold()
    assert.equal(refused, 151)
    assert.ok(admission.most < 50)
    hold()
    assert.equal(refused, 152)
    backlog.writers.waiting = 0
  })

  test('follows what requests really take while there is no room', async () => {
    const admission = open(4)
    backlog.writers.waiting = 100
    let ms = 20
    const load = setInterval(() => admission.done(ms), 5)
    atEnd(async () => clearInterval(load))
    inFlight.all = 900
    await until(() => admission.most < 40)
    const before = admission.most
    await until(() => admission.most > before * 1.2)
    ms = 500
    await until(() => admission.most === 4)
    backlog.writers.waiting = 0
  })

  test('refuses an address that has more than its share, and not one that has less', async () => {
    const admission = open(20)
    backlog.writers.waiting = 100
    inFlight.all = 401
    await until(() => admission.most < 30)
    const heavy = counted({ heavy: 400, light: 1 })
    assert.ok(!admits(admission, 401, heavy, 'heavy'))
    assert.ok(admits(admission, 401, heavy, 'light'))
    assert.ok(admits(admission, 401, heavy, 'new'))
    const many = counted(Object.fromEntries(Array.from({ length: 40 }, (_, nth) => [nth, 1])))
    assert.ok(!admits(admission, 40, many, 'new'))
    backlog.writers.waiting = 0
  })
})
