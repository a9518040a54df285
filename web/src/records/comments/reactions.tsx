import { useState } from 'react'
import type { Comment } from '../../data/comments.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { tip } from '../../ui/tooltip.tsx'
import styles from './reactions.module.css'
import { t } from '../../locales/text.ts'

/** The possible reactions and their names. */
const choices = [
  ['👍', t('Thumbs up')],
  ['❤️', t('Heart')],
  ['🎉', t('Celebrate')],
  ['😄', t('Laugh')],
  ['👀', t('Looking')],
  ['🙏', t('Thank you')],
  ['✅', t('Done')],
  ['🤔', t('Thinking')],
] as const

type Props = {
  comment: Comment
  me: { user_id: string }
  onReact: (reaction: string) => void
}

/** The reactions to a comment with their counts, and a small picker for more. */
export function Reactions({ comment, me, onReact }: Props) {
  const [isOpen, setOpen] = useState(false)
  const groups = [...Map.groupBy(comment.reactions, ({ reaction }) => reaction)]
  return (
    <span className={styles.reactions}>
      {groups.map(([reaction, all]) => {
        const names = all.map(({ full_name: name }) => name).join(', ')
        return (
          <button
            key={reaction}
            type="button"
            className={styles.reaction}
            aria-pressed={all.some(({ user_id }) => user_id === me.user_id)}
            aria-label={`${nameOf(reaction)}, ${all.length}: ${names}`}
            {...tip(names)}
            onClick={() => onReact(reaction)}
          >
            <span aria-hidden="true">{reaction}</span> {all.length}
          </button>
        )
      })}
      <Popover
        label={t('React [verb]')}
        open={isOpen}
        onOpenChange={setOpen}
        trigger={<IconButton size="small" label={t('React [verb]')} icon="smile" />}
      >
        <div className={styles.choices}>
          {choices.map(([reaction, name]) => (
            <button
              key={reaction}
              type="button"
              aria-label={name}
              {...tip(name)}
              onClick={() => {
                setOpen(false)
                onReact(reaction)
              }}
            >
              {reaction}
            </button>
          ))}
        </div>
      </Popover>
    </span>
  )
}

function nameOf(reaction: string): string {
  return choices.find(([each]) => each === reaction)?.[1] ?? reaction
}
