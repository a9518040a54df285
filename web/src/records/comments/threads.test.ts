import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Comment } from '../../data/comments.ts'
import { threadsOf } from './threads.ts'

const comment = (
  interaction_id: string,
  parent_interaction_id: string | null = null,
  is_pinned = false,
) => ({ interaction_id, parent_interaction_id, is_pinned }) as Comment

describe('the threads of a conversation', () => {
  test('have pinned ones first and all their replies, however deep', () => {
    const threads = threadsOf([
      {
        threads: [comment('c'), comment('b', null, true)],
        replies: [comment('b1', 'b'), comment('c1', 'c'), comment('b2', 'b1')],
      },
      { threads: [comment('a')], replies: [comment('x', 'deleted')] },
    ])
    assert.deepEqual(
      threads.map(({ first, replies }) => [first, ...replies].map((each) => each.interaction_id)),
      [['b', 'b1', 'b2'], ['c', 'c1'], ['a']],
    )
  })
})
