import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { test } from 'node:test'
import { freshFolder } from '../../test/support/program.ts'
import { Failure } from '../kit/ground/errors.ts'
import { translate } from './errors.ts'

test('a database that cannot be reached is 503, over the network or a socket file', async () => {
  const missing = await new Promise((resolve) =>
    connect(`${freshFolder()}/none.sock`).once('error', resolve),
  )
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
  for (const error of [missing, refused, new Error('Connection terminated unexpectedly')]) {
    const failure = translate(error)
    assert.ok(failure instanceof Failure && failure.status === 503, String(error))
  }
})

test('a file that cannot be used in a transaction is no fault of the database', async () => {
  const error: unknown = await readFile(`${freshFolder()}/none`).catch((reason: unknown) => reason)
  assert.equal(translate(error), error)
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' })
  assert.equal(translate(full), full)
})
