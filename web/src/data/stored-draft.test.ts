import assert from 'node:assert/strict'
import { beforeEach, describe, mock, test } from 'node:test'
import { Problem } from '../api/problem.ts'
import { storedDraft } from './stored-draft.ts'

type Stored = { version: number; words: string[] }
type Sent = { words: string[]; version: number; keepalive: boolean }

const offline = new Problem(0, 'offline', 'No connection')
const refused = new Problem(400, 'invalid', 'Too long')

/** A service that stores words, and what was sent to it. */
function service() {
  let stored: Stored = { version: 1, words: ['a'] }
  const faults: Problem[] = []
  const sent: Sent[] = []
  const said: string[] = []
  const draft = storedDraft<Stored, string[]>({
    draftOf: ({ words }) => words,
    merged: (base, mine, theirs) => [
      ...theirs.filter((word) => mine.includes(word) || !base.includes(word)),
      ...mine.filter((word) => !base.includes(word) && !theirs.includes(word)),
    ],
    store: async (words, { version }, keepalive) => {
      sent.push({ words, version, keepalive })
      await Promise.resolve()
      const fault = faults.shift()
      if (fault) throw fault
      if (version !== stored.version) throw new Problem(412, 'changed', 'Changed')
      stored = { version: version + 1, words }
      return stored
    },
    read: () => Promise.resolve(stored),
    onBoth: () => said.push('both'),
    onLost: ({ message }) => said.push(message),
  })
  draft.take(stored)
  const add = (word: string) => draft.change((now) => [...now, word])
  const byOther = (...words: string[]) => {
    stored = { version: stored.version + 1, words }
    return stored
  }
  return { draft, sent, said, faults, add, byOther, words: () => stored.words.join('') }
}

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
const after = async (ms: number) => {
  mock.timers.tick(ms)
  await settle()
}

describe('a draft that stores itself', () => {
  beforeEach(() => {
    mock.timers.reset()
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  })

  test('sends a moment after the last change, one write after the other', async () => {
    const { draft, sent, add, words } = service()
    add('b')
    await after(300)
    add('c')
    await after(300)
    assert.deepEqual([sent.length, draft.saving()], [0, 'waiting'])
    mock.timers.tick(100)
    assert.equal(draft.saving(), 'saving')
    add('d')
    await settle()
    assert.deepEqual([words(), draft.saving()], ['abc', 'waiting'])
    await after(400)
    assert.deepEqual([words(), draft.saving()], ['abcd', 'saved'])
    assert.deepEqual(
      sent.map(({ version }) => version),
      [1, 2],
    )
  })

  test('loses nothing when it is left, whatever was on its way', async () => {
    const { draft, add, words } = service()
    add('b')
    mock.timers.tick(400)
    add('c')
    draft.show(false)
    await settle()
    assert.deepEqual([words(), draft.saving()], ['abc', 'saved'])
  })

  test('goes with the page, and asks only where that may not be enough', async () => {
    const { draft, sent, faults, add, words } = service()
    draft.leave()
    assert.deepEqual([sent.length, draft.mustAsk()], [0, false])
    add('b')
    assert.equal(draft.mustAsk(), false)
    draft.leave()
    assert.equal(sent.at(-1)?.keepalive, true)
    assert.equal(draft.mustAsk(), false)
    add('c')
    assert.equal(draft.mustAsk(), true)
    await settle()
    assert.equal(words(), 'ab')
    faults.push(offline)
    await after(400)
    assert.deepEqual([draft.saving(), draft.mustAsk()], ['offline', true])
    draft.online()
    await settle()
    assert.deepEqual([words(), draft.mustAsk()], ['abc', false])
    add('x'.repeat(60_000))
    assert.equal(draft.mustAsk(), true)
  })

  test('keeps what others store, before it is sent and when it is refused for that', async () => {
    const { draft, said, add, byOther, words } = service()
    add('b')
    draft.take(byOther('a', 'x'))
    assert.deepEqual(draft.state()?.draft, ['a', 'x', 'b'])
    byOther('a', 'x', 'y')
    await draft.flush()
    assert.deepEqual([words(), said.join()], ['axyb', 'both'])
    // what is read while something is on its way comes after it
    add('c')
    mock.timers.tick(400)
    draft.take({ version: 9, words: ['z'] })
    await settle()
    assert.deepEqual(draft.state()?.draft, ['z'])
  })

  test('waits for a change after a refusal, and says so where nobody is there', async () => {
    const { draft, said, sent, faults, add, words } = service()
    faults.push(refused)
    add('b')
    await after(400)
    await after(10_000)
    assert.deepEqual([sent.length, draft.saving()], [1, 'refused'])
    await draft.flush()
    add('c')
    await after(400)
    assert.equal(words(), 'abc')
    faults.push(refused)
    add('d')
    draft.show(false)
    await settle()
    assert.deepEqual(said, ['Too long'])
  })

  test('is taken back and done again, without what others have done', async () => {
    const { draft, add, byOther } = service()
    const shown = () => draft.state()?.draft.join('')
    draft.change((now) => [...now, 'b'], 'typing')
    draft.change((now) => [...now, 'c'], 'typing')
    add('d')
    await draft.flush()
    draft.take(byOther('a', 'b', 'c', 'd', 'x'))
    draft.undo()
    assert.equal(shown(), 'abcx')
    draft.undo()
    assert.equal(shown(), 'ax')
    draft.redo()
    assert.equal(shown(), 'axbc')
    draft.change((now) => [...now])
    assert.equal(draft.state()?.future.length, 1)
    draft.forget()
    assert.deepEqual([draft.state()?.past, draft.state()?.future], [[], []])
  })

  test('is not stored any more once it has ended', async () => {
    const { draft, sent, add } = service()
    add('b')
    draft.end()
    await after(1000)
    draft.show(false)
    await settle()
    assert.deepEqual([sent.length, draft.saving()], [0, 'saved'])
  })
})
