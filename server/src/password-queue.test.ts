import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { readConfig } from './config.ts'
import type { Failure } from './kit/ground/errors.ts'
import { passwordQueue } from './password-queue.ts'
import { hashPassword } from './secrets.ts'

const { bounds } = readConfig({})
const from = (address: string, account = 'a') => ({ address, account })
const hash = await hashPassword('right')

/** How each came out, in the order of coming out. */
async function outcomes(attempts: [name: string, promise: Promise<boolean>][]) {
  const order: string[] = []
  await Promise.all(
    attempts.map(([name, promise]) =>
      promise.then(
        () => order.push(name),
        (failure: Failure) => order.push(`${name} ${failure.status} ${failure.code}`),
      ),
    ),
  )
  return order
}

describe('Hashing passwords', () => {
  test('is right', async () => {
    const queue = passwordQueue(bounds)
    assert.equal(await queue.verify('right', hash, from('x')), true)
    assert.equal(await queue.verify('wrong', hash, from('x')), false)
    assert.equal(await queue.verify('right', null, from('x')), false)
    assert.equal(await queue.verify('new', await queue.hash('new', from('x')), from('x')), true)
  })

  test('takes turns: a storm at one account lets others in between', async () => {
    const queue = passwordQueue({ ...bounds, hashesWaitingOfAccount: 0 })
    const storm = Array.from({ length: 30 }, (_, i) => {
      return [`storm ${i}`, queue.verify('right', hash, from('x', 'noisy'))] as const
    })
    const others = ['x', 'y'].map((address) => {
      return [`other ${address}`, queue.verify('right', hash, from(address, 'quiet'))] as const
    })
    const order = await outcomes([...storm, ...others].map(([name, promise]) => [name, promise]))
    // two run at once, and which of them ends first is up to the machine
    for (const [name] of others) assert.ok(order.indexOf(name) < 8, `${order.indexOf(name)}`)
  })

  test('is refused where too many of an account, or of an address, wait', async () => {
    const queue = passwordQueue({ ...bounds, hashesWaitingOfAccount: 3, hashesWaitingOfAddress: 5 })
    const attempt = (account: string) => queue.verify('right', hash, from('x', account))
    const order = await outcomes([
      ...Array.from({ length: 5 }, (_, i) => [`a${i}`, attempt('a')] as [string, Promise<boolean>]),
      ...['b', 'c', 'd', 'e'].map((name) => [name, attempt(name)] as [string, Promise<boolean>]),
    ])
    // one runs and three wait of a; b runs, c and d wait
    assert.deepEqual(order.slice(0, 2), ['a4 429 too_many_sign_ins', 'e 429 too_many_sign_ins'])
    assert.equal(order.length, 9)
    assert.equal(order.filter((each) => each.includes('429')).length, 2)
  })

  test('when all is full, the address with most gives way to others', async () => {
    const queue = passwordQueue({ ...bounds, hashesWaiting: 4 })
    const order = await outcomes([
      ...Array.from({ length: 6 }, (_, i) => {
        const attempt = queue.verify('right', hash, from('x', `a${i}`))
        return [`x${i}`, attempt] as [string, Promise<boolean>]
      }),
      ['x6', queue.verify('right', hash, from('x', 'a6'))],
      ['y', queue.verify('right', hash, from('y'))],
    ])
    const refused = order.filter((each) => each.includes('503'))
    assert.equal(refused.length, 2)
    for (const each of refused) assert.match(each, /^x\d 503 sign_in_busy$/)
    assert.ok(order.includes('y'))
  })

  test('leaves threads to files', async () => {
    const queue = passwordQueue({ ...bounds, hashesWaiting: 0, hashesWaitingOfAddress: 0 })
    const storm = Array.from({ length: 40 }, (_, i) =>
      queue.verify('right', hash, from(`${i}`, 'noisy')),
    )
    let done = 0
    for (const each of storm) void each.then(() => done++)
    await readFile(import.meta.filename)
    assert.ok(done < 30, `${done} hashes came first`)
    await Promise.all(storm)
  })
})
