import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Session } from '../../api/session.ts'
import type { Comment } from '../../data/comments.ts'
import { audiencesFor } from './audience.ts'

const session = (kind: string) => ({ role: { kind } }) as Session
const comment = (is_shared: boolean, is_private = false) => ({ is_shared, is_private }) as Comment

describe('for whom a comment may be meant', () => {
  test('is the team at first, and never more people than its thread', () => {
    assert.deepEqual(audiencesFor(session('member'), undefined), ['team', 'customer', 'private'])
    assert.deepEqual(audiencesFor(session('member'), comment(true)), ['customer', 'team'])
    assert.deepEqual(audiencesFor(session('member'), comment(false)), ['team'])
    assert.deepEqual(audiencesFor(session('member'), comment(false, true)), ['private'])
  })

  test('is everybody in the conversation for a customer', () => {
    assert.deepEqual(audiencesFor(session('customer'), undefined), ['customer'])
    assert.deepEqual(audiencesFor(session('partner'), comment(true)), ['customer'])
  })
})
