import type { InfiniteData } from '@tanstack/react-query'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { notifyRefusal, rememberOwnChange } from './change.ts'
import type { Subject } from './documents.ts'
import { keys } from './keys.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import { t } from '../locales/text.ts'

/** A comment on a record; `isSending` until the server has answered. */
export type Comment = components['schemas']['Interaction'] & { isSending?: boolean }

/** Some threads, newest first, with all replies to them, oldest first. */
type Page = { threads: Comment[]; replies: Comment[]; next: string | null }
type Pages = InfiniteData<Page, string | undefined>

/** Comments that are about to be deleted, unless that is undone. */
const leaving = new Set<string>()

/** The input of a comment. */
export type Draft = {
  content: string
  mentions: { user_id: string; full_name: string }[]
  attachments: { attach_id: string; document_name: string }[]
  is_shared: boolean
  is_private: boolean
}

/** The conversation about a record. */
export function commentsQuery(subject: Subject) {
  return infiniteQueryOptions({
    queryKey: keyOf(subject),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readPage(subject, pageParam, signal),
    getNextPageParam: (page) => page.next ?? undefined,
  })
}

function keyOf({ module, id }: Subject) {
  return keys.list('interactions', { of: module, id })
}

async function readPage({ module, id }: Subject, cursor: string | undefined, signal: AbortSignal) {
  const about = { module_name: module, reference_id: id }
  const path = '/api/interactions/info/' as const
  const query = { ...about, limit: 30, ...(cursor ? { cursor } : {}) }
  const { data } = await api.get(path, { query, signal })
  const ids = data.results.flatMap((each) => (each.reply_count ? [each.interaction_id] : []))
  const replies = ids.length
    ? (
        await api.get(path, {
          query: { ...about, thread_ids: ids.join(), limit: 500, sort: 'asc' },
          signal,
        })
      ).data.results
    : []
  const stays = (comment: Comment) => !leaving.has(comment.interaction_id)
  return {
    threads: data.results.filter(stays),
    replies: replies.filter(stays),
    next: data.next_cursor,
  }
}

/** Writes a comment: shown at once; if it is refused, removed again and thrown. */
export async function addComment(
  subject: Subject,
  me: { user_id: string; full_name: string; profile_image: string | null },
  draft: Draft,
  parent: Comment | undefined,
): Promise<void> {
  const idempotencyKey = crypto.randomUUID()
  await queryClient.cancelQueries({ queryKey: keyOf(subject) })
  const shown = shownAs(draft, me, parent, idempotencyKey)
  change(subject, (page, at) =>
    parent
      ? page.threads.some((each) => each.interaction_id === rootOf(page, parent))
        ? { ...page, replies: [...page.replies, shown] }
        : page
      : at === 0
        ? { ...page, threads: [shown, ...page.threads] }
        : page,
  )
  const put = (next: Comment | undefined) =>
    change(subject, (page) => ({
      ...page,
      threads: replaced(page.threads, idempotencyKey, next),
      replies: replaced(page.replies, idempotencyKey, next),
    }))
  try {
    const { data } = await api.post('/api/interactions/info/', {
      body: {
        module_name: subject.module,
        reference_id: subject.id,
        content: draft.content,
        mentions: draft.mentions.map(({ user_id }) => user_id),
        is_shared: draft.is_shared,
        is_private: draft.is_private,
        ...(draft.is_private
          ? { visible_to_users: draft.mentions.map(({ user_id }) => user_id) }
          : {}),
        ...(draft.attachments.length
          ? { attachment_ids: draft.attachments.map(({ attach_id }) => attach_id) }
          : {}),
        ...(parent ? { parent_interaction_id: parent.interaction_id } : {}),
      },
      idempotencyKey,
    })
    rememberOwnChange('interactions', data.interaction_id, data.version)
    put(data)
    void queryClient.invalidateQueries({ queryKey: ['timeline'] })
  } catch (error) {
    put(undefined)
    throw error
  }
}

/** Changes a comment: shown at once, reverted if it is refused; the notice can undo it. */
export async function changeComment(
  subject: Subject,
  comment: Comment,
  values: {
    content?: string
    is_pinned?: boolean
    is_resolved?: boolean
    mentions?: Draft['mentions']
  },
  message?: string,
): Promise<void> {
  const { interaction_id: id } = comment
  const { mentions, ...plain } = values
  const shown = {
    ...plain,
    ...(mentions ? { mentions: mentions.map((each) => ({ ...each, profile_image: null })) } : {}),
  }
  await queryClient.cancelQueries({ queryKey: keyOf(subject) })
  changeOne(subject, id, (each) => ({ ...each, ...shown }))
  try {
    const { data } = await api.put('/api/interactions/info/{id}/', {
      path: { id },
      body: {
        ...plain,
        ...(mentions ? { mentions: mentions.map(({ user_id }) => user_id) } : {}),
      },
    })
    rememberOwnChange('interactions', id, data.version)
    changeOne(subject, id, () => data)
    if (message) {
      const was = Object.fromEntries(
        Object.keys(values).map((name) => [name, comment[name as keyof Comment]]),
      )
      notify({ message, undo: () => changeComment(subject, comment, was).catch(notifyRefusal) })
    }
  } catch (error) {
    changeOne(subject, id, () => comment)
    throw error
  }
}

/** How long a deletion can be undone, in milliseconds. */
const grace = 6000

/**
 * Deletes a comment: hidden at once, deleted on the server when the time for its undo has passed, because a deleted comment
 * with replies cannot be restored. Leaving the page deletes it at once.
 */
export function deleteComment(subject: Subject, comment: Comment): void {
  const { interaction_id: id } = comment
  leaving.add(id)
  const before = queryClient.getQueryData<Pages>(keyOf(subject))
  change(subject, (page) => ({
    ...page,
    threads: replaced(page.threads, id, undefined),
    replies: replaced(page.replies, id, undefined),
  }))
  const leave = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', leave)
    api
      .delete('/api/interactions/info/{id}/', { path: { id }, keepalive: true })
      .catch(notifyRefusal)
      .finally(() => {
        leaving.delete(id)
        void queryClient.invalidateQueries({ queryKey: keyOf(subject) })
      })
  }
  const timer = setTimeout(leave, grace)
  addEventListener('pagehide', leave)
  notify({
    message: t('Comment deleted'),
    undo: () => {
      if (!leaving.delete(id)) return
      clearTimeout(timer)
      removeEventListener('pagehide', leave)
      queryClient.setQueryData(keyOf(subject), before)
    },
  })
}

/** Adds the person's reaction, or removes it. */
export async function react(
  subject: Subject,
  comment: Comment,
  reaction: string,
  me: { user_id: string; full_name: string },
): Promise<void> {
  const { interaction_id: id } = comment
  const isMine = (each: Comment['reactions'][number]) =>
    each.reaction === reaction && each.user_id === me.user_id
  changeOne(subject, id, (each) => ({
    ...each,
    reactions: each.reactions.some(isMine)
      ? each.reactions.filter((one) => !isMine(one))
      : [...each.reactions, { reaction, user_id: me.user_id, full_name: me.full_name }],
  }))
  try {
    const { data } = await api.post('/api/interactions/info/add-reaction/', {
      body: { interaction_id: id, reaction },
    })
    changeOne(subject, id, () => data)
  } catch (error) {
    changeOne(subject, id, () => comment)
    notifyRefusal(error)
  }
}

/** Marks the shown comments of a record as read by the person. */
export async function markRead({ module, id }: Subject): Promise<void> {
  await api.post('/api/interactions/info/mark-read/', {
    body: { module_name: module, reference_id: id },
  })
}

function change({ module, id }: Subject, how: (page: Page, at: number) => Page) {
  queryClient.setQueryData<Pages>(keyOf({ module, id }), (all) =>
    all ? { ...all, pages: all.pages.map(how) } : all,
  )
}

function changeOne(subject: Subject, id: string, how: (comment: Comment) => Comment) {
  const each = (comment: Comment) => (comment.interaction_id === id ? how(comment) : comment)
  change(subject, (page) => ({
    ...page,
    threads: page.threads.map(each),
    replies: page.replies.map(each),
  }))
}

function replaced(all: Comment[], id: string, next: Comment | undefined): Comment[] {
  return all.flatMap((each) => (each.interaction_id === id ? (next ?? []) : each))
}

/** The first comment of a thread. */
function rootOf(page: Page, { interaction_id, parent_interaction_id }: Comment): string {
  const above = page.replies.find((each) => each.interaction_id === parent_interaction_id)
  return above ? rootOf(page, above) : (parent_interaction_id ?? interaction_id)
}

/** A comment as shown before the server has answered. */
function shownAs(
  draft: Draft,
  me: { user_id: string; full_name: string; profile_image: string | null },
  parent: Comment | undefined,
  id: string,
): Comment {
  const now = new Date().toISOString()
  return {
    interaction_id: id,
    content: draft.content,
    rating: null,
    happened_at: null,
    interaction_type: 'interaction',
    module_id: 0,
    module_name: '',
    reference_id: '',
    is_pinned: false,
    is_resolved: false,
    is_private: draft.is_private,
    is_shared: draft.is_shared,
    visible_to_users: [],
    reply_count: 0,
    mentions: draft.mentions.map((each) => ({ ...each, profile_image: null })),
    reactions: [],
    reactions_summary: {},
    formatted_creation_time: '',
    user_details: { ...me, email: null, role: null },
    is_read: true,
    attachment_files: draft.attachments.map((each) => ({
      ...each,
      file_name: each.document_name,
      file_type: null,
      file_size: null,
      file_icon: null,
    })),
    reply_interactions: [],
    thread_level: parent ? parent.thread_level + 1 : 0,
    parent_interaction_id: parent?.interaction_id ?? null,
    is_system_generated: false,
    is_deleted: false,
    creation_time: now,
    last_update_time: now,
    version: 0,
    isSending: true,
  }
}
