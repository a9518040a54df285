import { useState } from 'react'
import type { Comment as Data } from '../../data/comments.ts'
import { changeComment, deleteComment, react } from '../../data/comments.ts'
import { notifyRefusal } from '../../data/change.ts'
import type { Subject } from '../../data/documents.ts'
import { fileAddress } from '../../data/documents.ts'
import { levelOf, useSession } from '../../data/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { instant, relative } from '../field/format.ts'
import { useFormat } from '../field/use-format.ts'
import { Html } from '../html.tsx'
import { audienceOf, audiences, isOutside } from './audience.ts'
import styles from './comment.module.css'
import { Composer } from './composer.tsx'
import { Reactions } from './reactions.tsx'
import { t } from '../../locales/text.ts'

type Props = {
  subject: Subject
  comment: Data
  isNew: boolean
  onReply: () => void
}

/** One comment: its author, text, audience and actions. */
export function Comment({ subject, comment, isNew, onReply }: Props) {
  const session = useSession()
  const format = useFormat()
  const [isEditing, setEditing] = useState(false)
  const { interaction_id: id, creation_time: at } = comment
  const author = authorOf(comment)
  if (comment.is_deleted) {
    return (
      <article className={styles.comment} id={`comment-${id}`}>
        <p className={styles.gone}>{t('This comment was deleted')}</p>
      </article>
    )
  }
  const isOwn = author.user_id === session.user.user_id
  const level = levelOf(session, 'interactions', 'update')
  const isRoot = comment.parent_interaction_id === null
  const mayChange = !comment.isSending && level !== 'none'
  const mayMark = mayChange && isRoot && (isOwn || level !== 'own')
  const mayDelete =
    !comment.isSending &&
    (isOwn
      ? levelOf(session, 'interactions', 'delete') !== 'none'
      : levelOf(session, 'interactions', 'delete') === 'all')
  const audience = audienceOf(comment)
  const set = (values: Parameters<typeof changeComment>[2], message: string) => () =>
    void changeComment(subject, comment, values, message).catch(notifyRefusal)
  const items: MenuItem[] = [
    ...(mayMark
      ? [
          comment.is_pinned
            ? {
                label: t('Unpin'),
                icon: 'pin' as const,
                onSelect: set({ is_pinned: false }, t('Comment unpinned')),
              }
            : {
                label: t('Pin to the top'),
                icon: 'pin' as const,
                onSelect: set({ is_pinned: true }, t('Comment pinned')),
              },
        ]
      : []),
    ...(mayChange && isOwn
      ? [{ label: t('Edit'), icon: 'pencil', onSelect: () => setEditing(true) } as const]
      : []),
    {
      label: t('Copy link'),
      icon: 'link',
      onSelect: () =>
        void navigator.clipboard
          .writeText(`${location.origin}/${subject.module}/${subject.id}/comments#comment-${id}`)
          .then(() => toast({ message: t('Link copied') })),
    },
    ...(mayDelete
      ? [
          { kind: 'separator' } as const,
          {
            label: t('Delete'),
            icon: 'trash',
            danger: true,
            onSelect: () => deleteComment(subject, comment),
          } as const,
        ]
      : []),
  ]
  return (
    <article
      id={`comment-${id}`}
      className={styles.comment}
      aria-label={`${author.full_name}, ${relative(at, format)}`}
      aria-busy={comment.isSending || undefined}
      data-new={isNew || undefined}
    >
      <Avatar name={author.full_name} image={author.profile_image} size={24} />
      <div className={styles.words}>
        <header className={styles.head}>
          <strong>{author.full_name}</strong>
          <time dateTime={at} title={instant(at, format)}>
            {comment.isSending ? t('Sending…') : relative(at, format)}
          </time>
          {isNew ? <span className={styles.new}>{t('New')}</span> : null}
          {comment.is_pinned ? (
            <span className={styles.mark}>
              <Icon name="pin" size={12} /> {t('Pinned')}
            </span>
          ) : null}
          {comment.is_resolved ? (
            <span className={styles.mark}>
              <Icon name="circle-check" size={12} /> {t('Resolved')}
            </span>
          ) : null}
          {isOutside(session) ? null : (
            <span className={styles.mark} data-audience={audience}>
              <Icon name={audiences[audience].icon} size={12} /> {audiences[audience].label}
            </span>
          )}
        </header>
        {isEditing ? (
          <Composer
            focus
            subject={subject}
            edited={comment}
            placeholder={t('Edit your comment')}
            verb={t('Save')}
            onCancel={() => setEditing(false)}
            onSend={async ({ content, mentions }) => {
              await changeComment(subject, comment, { content, mentions }, t('Comment changed'))
              setEditing(false)
            }}
          />
        ) : (
          <Html
            html={comment.content}
            mentions={comment.mentions.map(({ full_name: name }) => name)}
          />
        )}
        {comment.attachment_files.length ? (
          <ul className={styles.files} aria-label={t('Attached files')}>
            {comment.attachment_files.map((file) => (
              <li key={file.attach_id}>
                <a href={fileAddress(file.attach_id, false)} target="_blank" rel="noreferrer">
                  <Icon name="paperclip" size={14} />
                  <span>{file.document_name}</span>
                </a>
              </li>
            ))}
          </ul>
        ) : null}
        {comment.isSending || isEditing ? null : (
          <div className={styles.foot}>
            <Reactions
              comment={comment}
              me={session.user}
              onReact={(reaction) => void react(subject, comment, reaction, session.user)}
            />
            <span className={styles.actions}>
              {levelOf(session, 'interactions', 'create') === 'none' ? null : (
                <IconButton size="small" label={t('Reply')} icon="reply" onClick={onReply} />
              )}
              {mayMark ? (
                <IconButton
                  size="small"
                  label={comment.is_resolved ? t('Reopen') : t('Resolve')}
                  icon={comment.is_resolved ? 'rotate-ccw' : 'check'}
                  onClick={
                    comment.is_resolved
                      ? set({ is_resolved: false }, t('Comment reopened'))
                      : set({ is_resolved: true }, t('Comment resolved'))
                  }
                />
              ) : null}
              <Menu
                align="end"
                items={items}
                trigger={
                  <IconButton size="small" label={t('More about this comment')} icon="more" />
                }
              />
            </span>
          </div>
        )}
      </div>
    </article>
  )
}

/** The author of a comment; somebody who has left may have no name. */
export function authorOf({ user_details }: Data) {
  return user_details ?? { user_id: '', full_name: t('Somebody who left'), profile_image: null }
}
