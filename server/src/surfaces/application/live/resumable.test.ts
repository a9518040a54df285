import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resumable } from './resumable.ts'

const ignored = { info() {}, error() {} }

async function* failing(pieces: string[], error: Error) {
  yield* pieces
  throw error
}

async function read(pieces: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

test('a live stream that fails on its way ends whole, and the operator reads why', async () => {
  const error = new Error('the database is busy')
  const logged: unknown[] = []
  const log = { ...ignored, warn: ({ err }: { err?: unknown }) => logged.push(err) }
  const all = await read(resumable(failing(['retry: 3000\n\n', 'id: a\n\n'], error), log))
  assert.deepEqual(all, ['retry: 3000\n\n', 'id: a\n\n'])
  assert.deepEqual(logged, [error])
})

test('one that fails before it begins is refused', async () => {
  const log = { ...ignored, warn: () => assert.fail('it is logged where it is answered') }
  const error = new Error('the database is gone')
  await assert.rejects(read(resumable(failing([], error), log)), error)
})

test('a reader that leaves ends what it read', async () => {
  let hasEnded = false
  async function* pieces() {
    try {
      for (;;) yield 'id: a\n\n'
    } finally {
      hasEnded = true
    }
  }
  const log = { ...ignored, warn: () => assert.fail('leaving is no failure') }
  for await (const piece of resumable(pieces(), log)) {
    assert.equal(piece, 'id: a\n\n')
    break
  }
  assert.ok(hasEnded)
})
