import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { moduleQuery } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { recordQuery, titleOf } from '../../data/record.ts'
import { useMayOf } from '../../data/session.ts'
import { addressIn } from '../../records/definition.ts'
import { clock } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { usePageTitle } from '../../records/page-title.ts'
import { later } from '../../records/later.tsx'
import { ReadFault } from '../../records/read-fault.tsx'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { Draft } from './draft.ts'
import { differencesOf, questionsOf, rowsOf } from './draft.ts'
import { Preview } from './preview.tsx'
import { PublishDialog } from './publish.tsx'
import { QuestionList } from './question-list.tsx'
import { Settings } from './settings.tsx'
import type { Edited } from './use-draft.ts'
import { draftFrom, useDraft } from './use-draft.ts'
import { useActs } from './use-acts.ts'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

const surveys = { address: '/surveys' }

// a table of all texts, which few open
const LanguagesDialog = later(() => import('./languages.tsx'))

/** A survey while it is built: its questions, the page that people will see, and the settings of what is selected. */
export default function SurveyBuilder() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { data: module } = useSuspenseQuery(moduleQuery('surveys'))
  const { data } = useSuspenseQuery(recordQuery(module, id))
  const record: AnyRecord = data
  const title = titleOf(module, record)
  usePageTitle(t('Edit {title}', { title }))
  if (!useMayOf('surveys', record, 'update')) {
    return (
      <Empty
        as="h1"
        icon="pencil"
        title={t('You cannot change this survey')}
        action={
          <ButtonLink render={<Link to={addressIn(surveys, id, 'questions')} />}>
            {t('Read its questions')}
          </ButtonLink>
        }
      >
        {t('You can read it.')}
      </Empty>
    )
  }
  return <Loaded key={id} id={id} record={record} />
}

function Loaded({ id, record }: { id: string; record: AnyRecord }) {
  const edited = useDraft(id)
  if (edited.error && !edited.draft) {
    return (
      <ReadFault
        title={t('The survey could not be read')}
        error={edited.error}
        onRetry={edited.refetch}
      />
    )
  }
  if (!edited.draft) return <SkeletonRows count={10} />
  return <Builder id={id} record={record} edited={edited} draft={edited.draft} />
}

type Props = { id: string; record: AnyRecord; edited: Edited; draft: Draft }

function Builder({ id, record, edited, draft }: Props) {
  const [selected, select] = useSelected(draft)
  const [isPublishing, setPublishing] = useState(false)
  const [isTranslating, setTranslating] = useState(false)
  const status = String(record.status)
  const before = draftFrom(record)
  const published = status === 'draft' ? undefined : before
  const acts = useActs(edited, draft, published, { selected, select })
  const changes = differencesOf(before, draft).length
  useShortcuts([
    { keys: 'Mod+Z', label: t('Undo'), group: t('Survey'), run: edited.undo },
    { keys: 'Mod+Shift+Z', label: t('Redo'), group: t('Survey'), run: edited.redo },
  ])
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <nav aria-label={t('Breadcrumb')}>
          <Link to={addressIn(surveys, id)} aria-label={t('Back to the survey')}>
            ←
          </Link>
          <h1>{draft.texts.name || t('Without a name')}</h1>
          <small>{statusWords[status] ?? ''}</small>
          <Saved edited={edited} isNamed={draft.texts.name.trim() !== ''} />
        </nav>
        <div className={styles.acts}>
          <IconButton
            label={t('Undo')}
            icon="undo"
            shortcut="Mod+Z"
            disabled={!edited.mayUndo}
            onClick={edited.undo}
          />
          <IconButton
            label={t('Redo')}
            icon="redo"
            shortcut="Mod+Shift+Z"
            disabled={!edited.mayRedo}
            onClick={edited.redo}
          />
          <Button icon="globe" onClick={() => setTranslating(true)}>
            {t('Languages')}
          </Button>
          <Button
            variant="primary"
            disabled={edited.saving !== 'saved' || (status === 'published' && !changes)}
            onClick={() => setPublishing(true)}
          >
            {status === 'published' && changes
              ? t('Publish {count} change | Publish {count} changes', { count: changes })
              : t('Publish')}
          </Button>
        </div>
      </header>
      <div className={styles.panes}>
        <QuestionList acts={acts} draft={draft} published={published} />
        <Preview id={id} edited={edited} draft={draft} selected={selected} onSelect={select} />
        <Settings acts={acts} draft={draft} />
      </div>
      {isTranslating ? (
        <LanguagesDialog {...{ id, draft, edited }} onClose={() => setTranslating(false)} />
      ) : null}
      {isPublishing ? (
        <PublishDialog
          {...{ id, record, draft, edited }}
          onClose={() => setPublishing(false)}
          onShow={(at) => {
            setPublishing(false)
            if (at) select(at)
          }}
        />
      ) : null}
    </div>
  )
}

const statusWords: { [status: string]: string } = {
  draft: t('Draft'),
  published: t('Published'),
  closed: t('Closed'),
}

/** The row that is selected; where it is gone, what stands in its place. */
function useSelected(draft: Draft): [string, (id: string) => void] {
  const rows = [...rowsOf(draft), 'survey']
  const [chosen, choose] = useState(() => ({ id: questionsOf(draft)[0]?.id ?? 'survey', at: 0 }))
  // one that was just added is among them in a moment
  const at = rows.indexOf(chosen.id)
  if (at >= 0 && at !== chosen.at) choose({ ...chosen, at })
  const selected = at >= 0 ? chosen.id : (rows[chosen.at] ?? 'survey')
  return [selected, (id) => choose({ ...chosen, id })]
}

/** Whether the draft is saved, and why it is not. */
function Saved({ edited, isNamed }: { edited: Edited; isNamed: boolean }) {
  const { saving, savedAt, problem, retry } = edited
  const format = useFormat()
  // an empty name is the only thing that is not stored
  const kept = savedAt ? t('Saved {clock}', { clock: clock(savedAt, format) }) : ''
  const words = {
    saved: isNamed ? kept : t('Not saved: the name is empty'),
    waiting: t('Saving'),
    saving: t('Saving'),
    offline: t('Not saved, offline'),
    refused: t('Not saved: {message}', { message: problem?.message ?? '' }),
  }[saving]
  return (
    <span
      className={styles.saved}
      data-kind={saving === 'saved' && !isNamed ? 'refused' : saving}
      role="status"
    >
      {words}
      {saving === 'refused' ? (
        <Button size="small" onClick={retry}>
          {t('Try again')}
        </Button>
      ) : null}
    </span>
  )
}
