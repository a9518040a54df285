import { useRef } from 'react'
import { addComment } from '../../data/comments.ts'
import { useSession } from '../../data/session.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import type { ComposerHandle } from './composer.tsx'
import { Composer } from './composer.tsx'
import { t } from '../../locales/text.ts'

type Props = { subject: { module: string; id: string }; focus?: boolean }

/** The box in which one writes a comment on a record, which `r` goes to. */
export function WriteComment({ subject, focus = false }: Props) {
  const { user } = useSession()
  const composer = useRef<ComposerHandle>(null)
  useShortcuts([
    {
      keys: 'r',
      label: t('Write a comment'),
      group: t('Conversation'),
      run: () => composer.current?.focus(),
    },
  ])
  return (
    <Composer
      ref={composer}
      subject={subject}
      placeholder={t('Write a comment')}
      verb={t('Comment')}
      focus={focus}
      onSend={(draft) => addComment(subject, user, draft, undefined)}
    />
  )
}
