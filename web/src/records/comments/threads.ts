import type { Comment } from '../../data/comments.ts'

export type Thread = { first: Comment; replies: Comment[] }

/** The pages of a conversation as threads: pinned ones first, then newest first; replies oldest first. */
export function threadsOf(pages: { threads: Comment[]; replies: Comment[] }[]): Thread[] {
  const roots = new Map<string, string>()
  const threads = new Map<string, Thread>()
  for (const page of pages) {
    for (const first of page.threads) {
      threads.set(first.interaction_id, { first, replies: [] })
      roots.set(first.interaction_id, first.interaction_id)
    }
    for (const reply of page.replies) {
      // a reply comes after the comment that it answers
      const root = roots.get(reply.parent_interaction_id ?? '')
      if (!root) continue
      roots.set(reply.interaction_id, root)
      threads.get(root)?.replies.push(reply)
    }
  }
  const all = [...threads.values()]
  return [
    ...all.filter(({ first }) => first.is_pinned),
    ...all.filter(({ first }) => !first.is_pinned),
  ]
}
