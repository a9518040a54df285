import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Comment as Data, Draft } from '../../data/comments.ts'
import { addComment, commentsQuery, markRead } from '../../data/comments.ts'
import type { Module } from '../../data/modules.ts'
import { useMay, useSession } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ReadFault } from '../read-fault.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { authorOf, Comment } from './comment.tsx'
import styles from './comments.module.css'
import { Composer } from './composer.tsx'
import { isBlank, readDraft } from './drafts.ts'
import { threadsOf } from './threads.ts'
import { WriteComment } from './write.tsx'
import { t } from '../../locales/text.ts'

/** The conversation about a record; `isWriting` opens it with the focus where a comment is written. */
export function Comments({
  module,
  id,
  isWriting = false,
}: {
  module: Module
  id: string
  isWriting?: boolean
}) {
  const subject = { module: module.module, id }
  const { user } = useSession()
  const mayWrite = useMay('interactions', 'create')
  const mayRead = useMay('interactions', 'read')
  const query = useInfiniteQuery({ ...commentsQuery(subject), enabled: mayRead })
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const threads = threadsOf(data?.pages ?? [])
  const comments = threads.flatMap(({ first, replies }) => [first, ...replies])
  const unread = useUnread(subject, comments)
  useJump(comments, hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined)
  const add = (parent?: Data) => (draft: Draft) => addComment(subject, user, draft, parent)
  if (!mayRead) return null
  if (error && !data) {
    return (
      <ReadFault
        small
        title={t('The conversation could not be read')}
        error={error}
        onRetry={refetch}
      />
    )
  }
  return (
    <div className={styles.comments}>
      {mayWrite ? <WriteComment subject={subject} focus={isWriting} /> : null}
      {isPending ? (
        <SkeletonRows count={3} />
      ) : threads.length ? (
        <ol className={styles.threads}>
          {threads.map(({ first, replies }) => (
            <Thread
              key={first.interaction_id}
              {...{ subject, first, replies, unread }}
              onReply={add}
            />
          ))}
        </ol>
      ) : (
        <Empty small icon="message-square" title={t('Nobody has written yet')}>
          {t('Ask, answer and decide here, beside what it is about. Mention people with @.')}
        </Empty>
      )}
      {hasNextPage ? (
        <Button
          variant="quiet"
          size="small"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('Show earlier comments')}
        </Button>
      ) : null}
    </div>
  )
}

type ThreadProps = {
  subject: { module: string; id: string }
  first: Data
  replies: Data[]
  unread: ReadonlySet<string>
  onReply: (parent: Data) => (draft: Draft) => Promise<void>
}

/** A first comment with its replies; a resolved thread is collapsed until somebody opens it. */
function Thread({ subject, first, replies, unread, onReply }: ThreadProps) {
  const { user } = useSession()
  const [answered, setAnswered] = useState<Data | undefined>(() =>
    [first, ...replies].find(
      ({ interaction_id: id }) =>
        !isBlank(readDraft(`draft ${user.user_id} ${subject.module} ${subject.id} ${id}`)),
    ),
  )
  const [isOpen, setOpen] = useState(false)
  const isFolded = first.is_resolved && !isOpen && replies.length > 0 && !replies.some(isIn(unread))
  return (
    <li className={styles.thread} data-resolved={first.is_resolved || undefined}>
      <Comment
        subject={subject}
        comment={first}
        isNew={unread.has(first.interaction_id)}
        onReply={() => setAnswered(first)}
      />
      {isFolded ? (
        <Button
          className={styles.unfold}
          variant="quiet"
          size="small"
          icon="chevron-down"
          onClick={() => setOpen(true)}
        >
          {t('Show {count} reply | Show {count} replies', { count: replies.length })}
        </Button>
      ) : replies.length ? (
        <ol className={styles.replies}>
          {replies.map((reply) => (
            <li key={reply.interaction_id}>
              <Comment
                subject={subject}
                comment={reply}
                isNew={unread.has(reply.interaction_id)}
                onReply={() => setAnswered(reply)}
              />
            </li>
          ))}
        </ol>
      ) : null}
      {answered ? (
        <div className={styles.replies}>
          <Composer
            key={answered.interaction_id}
            focus
            subject={subject}
            parent={answered}
            placeholder={t('Reply to {full_name}', { full_name: authorOf(answered).full_name })}
            verb={t('Reply')}
            onCancel={() => setAnswered(undefined)}
            onSend={async (draft) => {
              await onReply(answered)(draft)
              setAnswered(undefined)
            }}
          />
        </div>
      ) : null}
    </li>
  )
}

const isIn = (ids: ReadonlySet<string>) => (comment: Data) => ids.has(comment.interaction_id)

/** Marks what is shown as read after a moment; here it is shown as new until the record is left. */
function useUnread(subject: { module: string; id: string }, comments: Data[]): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const fresh = comments.filter((each) => !each.is_read && !each.is_deleted && !each.isSending)
  const added = fresh.flatMap(({ interaction_id: id }) => (seen.has(id) ? [] : id))
  if (added.length) setSeen(new Set([...seen, ...added]))
  const { module, id } = subject
  const count = seen.size
  useEffect(() => {
    if (!count) return undefined
    const timer = setTimeout(() => void markRead({ module, id }).catch(() => {}), 1500)
    return () => clearTimeout(timer)
  }, [module, id, count])
  return seen
}

/** Scrolls to the comment in the address, loading more until it is there. */
function useJump(comments: Data[], readOn: (() => void) | undefined) {
  const hash = useRouterState({ select: (state) => state.location.hash })
  const done = useRef('')
  const isThere = comments.some(({ interaction_id: id }) => `comment-${id}` === hash)
  const pages = useRef(0)
  useEffect(() => {
    if (!hash.startsWith('comment-') || done.current === hash) return
    if (!isThere) {
      if (comments.length && readOn && pages.current < 10) {
        pages.current += 1
        readOn()
      }
      return
    }
    done.current = hash
    const place = document.getElementById(hash)
    place?.scrollIntoView({ block: 'center' })
    place?.setAttribute('data-shown', '')
    setTimeout(() => place?.removeAttribute('data-shown'), 4000)
  })
}
