import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useId, useMemo, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { refreshRecord } from '../../data/cached.ts'
import { pdfAddress } from '../../data/documents.ts'
import { moduleQuery } from '../../data/modules.ts'
import { isAllowed, useMay, useSession } from '../../data/session.ts'
import { addressIn } from '../../records/definition.ts'
import { clock } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { usePageTitle } from '../../records/page-title.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fault } from '../../ui/fault.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Status } from '../../ui/status.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useWithoutRail } from '../../ui/use-narrow.ts'
import { Opening } from '../view/viewer.tsx'
import { useMayPrepare } from '../signatures/prepare-link.tsx'
import { forget, keep, keptOf, type Kept } from './kept.ts'
import { LinkDialog } from './link-dialog.tsx'
import { OfferedList } from './offered-list.tsx'
import { blockOffers, found, valueOffers } from './offers.ts'
import { PublishDialog } from './publish-dialog.tsx'
import { Tools } from './tools.tsx'
import { useEditor } from './use-editor.ts'
import { mergedText, textOf, useWritten } from './use-written.ts'
import { useValues } from './values.ts'
import { ValuesPane } from './values-pane.tsx'
import { VersionsPane } from './versions-pane.tsx'
import styles from './write.module.css'
import written from '../../records/written.module.css'
import { t } from '../../locales/text.ts'

const documents = { address: '/documents' }

/** Where a document is written. It goes on here when it becomes another version, which has an id of its own. */
export default function WritePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const [own, setOwn] = useState(() => ({ first: id, ids: new Set([id]) }))
  if (!own.ids.has(id)) setOwn({ first: id, ids: new Set([id]) })
  const navigate = useNavigate()
  const move = (next: string) => {
    own.ids.add(next)
    void navigate({ to: '/documents/$id/edit', params: { id: next }, replace: true })
  }
  return <Writing key={own.first} first={own.first} onMoved={move} />
}

function Writing({ first, onMoved }: { first: string; onMoved: (id: string) => void }) {
  useSuspenseQuery(moduleQuery('documents'))
  const { user, organization: _ } = useSession()
  const mayUpdate = useMay('documents', 'update')
  const me = user.full_name
  const work = useWritten(first, me, onMoved)
  const { draft, stored } = work
  const record = stored?.record
  usePageTitle(t('Write {title}', { title: draft?.name ?? '' }))
  if (work.error && !draft) {
    const problem = asProblem(work.error)
    return (
      <Fault
        title={t('The document could not be read')}
        message={problem.message}
        onRetry={() => void work.refetch()}
      />
    )
  }
  if (!draft || !record) return <Opening />
  const isAwaited = ['pending', 'partial'].includes(record.signature_status)
  const mayWrite =
    mayUpdate &&
    isAllowed(record, 'update') &&
    !isAwaited &&
    record.latest_version !== false &&
    !record.file_path
  if (!mayWrite) {
    return (
      <Empty
        as="h1"
        icon="pencil"
        title={
          isAwaited
            ? t('Signatures were requested already')
            : record.file_path
              ? t('This document is a file')
              : record.latest_version === false
                ? t('This is an older version')
                : t('You can read this document.')
        }
        action={
          <ButtonLink render={<Link to={addressIn(documents, work.current())} />}>
            {t('Open the document')}
          </ButtonLink>
        }
      >
        {isAwaited ? t('Withdraw the request to change the text.') : null}
      </Empty>
    )
  }
  return <Open work={work} me={me} />
}

type Work = ReturnType<typeof useWritten>

function Open({ work, me }: { work: Work; me: string }) {
  const { draft, stored, saving } = work
  const id = work.current()
  const record = stored?.record
  const chain = record?.original_attach_id ?? id
  const [isFilled, setFilled] = useState(true)
  const [tab, setTab] = useState('values')
  const hasNoRoom = useWithoutRail()
  const [showsSide, setShowsSide] = useState(!hasNoRoom)
  const [isPublishing, setPublishing] = useState(false)
  const [asked, setAsked] = useState<'link' | 'place'>()
  const [inText, setInText] = useState<string[]>([])
  const { all, values } = useValues(id, inText, isFilled)
  const pictureId = useId()
  const choosePicture = () => document.getElementById(pictureId)?.click()
  const blocks = blockOffers({
    picture: choosePicture,
    place: () => setAsked('place'),
  })
  const {
    editor,
    seen,
    acts,
    box,
    offered: list,
    active,
    setActive,
  } = useEditor({
    work,
    me,
    label: t('Text of the document'),
    className: `${styles.text} ${written.written}`,
    isEditable: true,
    current: work.current,
    offers: (char, query) =>
      char === '/' ? found(blocks, query) : valueOffers(all, values, query),
    onPublish: () => setPublishing(true),
  })
  if (seen.values.join('\n') !== inText.join('\n')) setInText(seen.values)
  const offered = useKept(chain, work)
  const isPublished = record?.document_status === 'published'
  const mayPrepare = useMayPrepare(record ?? {})
  useShortcuts([
    {
      keys: 'Mod+Enter',
      label: t('Publish'),
      group: t('Document'),
      run: () => setPublishing(true),
    },
  ])
  const navigate = useNavigate()
  const prepare = async () => {
    acts.push()
    await work.flush()
    await navigate({ to: '/documents/$id/signatures/prepare', params: { id: work.current() } })
  }
  if (!draft || !record) return <Opening />
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <nav aria-label={t('Breadcrumb')} className={styles.path}>
          <Link
            to={addressIn(documents, id)}
            aria-label={t('Back to {title}', { title: draft.name })}
          >
            ←
          </Link>
          <Link to="/documents">{t('Documents')}</Link>
          <span aria-hidden="true">/</span>
          <h1 className={styles.title}>{draft.name}</h1>
          <Status tone={isPublished ? 'good' : 'warn'}>
            {isPublished ? t('Published') : t('Draft')}
          </Status>
          <Saved work={work} />
        </nav>
        <div className={styles.acts}>
          <IconButton
            label={t('Values and versions')}
            icon="history"
            aria-expanded={showsSide}
            onClick={() => setShowsSide(!showsSide)}
          />
          <ButtonLink icon="download" href={pdfAddress(id, false)} target="_blank" rel="noopener">
            {t('As PDF')}
          </ButtonLink>
          <Button onClick={() => setPublishing(true)} disabled={isPublished && saving === 'saved'}>
            {t('Publish')}
          </Button>
          {mayPrepare ? (
            <Button variant="primary" icon="pencil" onClick={() => void prepare()}>
              {t('Prepare for signature')}
            </Button>
          ) : null}
        </div>
      </header>
      {offered.kept ? (
        <Banner
          kind="warn"
          actions={
            <>
              <Button size="small" onClick={offered.take}>
                {t('Save them')}
              </Button>
              <Button size="small" variant="quiet" onClick={offered.discard}>
                {t('Discard')}
              </Button>
            </>
          }
        >
          <KeptWords kept={offered.kept} />
        </Banner>
      ) : null}
      {editor ? (
        <Tools
          editor={editor}
          isFilled={isFilled}
          onFilled={setFilled}
          hasValues={seen.values.length > 0}
          onLink={() => setAsked('link')}
          onPicture={choosePicture}
        />
      ) : null}
      <input
        id={pictureId}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg"
        aria-label={t('Picture')}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length) acts.putPictures(files)
        }}
      />
      <div className={styles.body} data-side={showsSide ? '' : undefined}>
        <nav className={styles.contents} aria-label={t('Contents')}>
          <h2>{t('Contents')}</h2>
          {seen.headings.length ? (
            <ul>
              {seen.headings.map(({ text, level, at }) => (
                <li key={at} data-level={level}>
                  <button
                    type="button"
                    onClick={() =>
                      editor
                        ?.chain()
                        .setTextSelection(at + 1)
                        .scrollIntoView()
                        .focus()
                        .run()
                    }
                  >
                    {text || t('Untitled')}
                  </button>
                </li>
              ))}
            </ul>
          ) : (
            <p>{t('Headings of the text stand here.')}</p>
          )}
        </nav>
        <div className={styles.ground} tabIndex={-1}>
          <div className={styles.sheet}>
            <input
              className={styles.name}
              aria-label={t('Name of the document')}
              value={draft.name}
              maxLength={255}
              onChange={({ target }) =>
                work.change((before) => ({ ...before, name: target.value }), 'name')
              }
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                editor?.commands.focus('start')
              }}
            />
            <div ref={box} className={styles.box} />
          </div>
        </div>
        {showsSide ? (
          <aside className={styles.side} aria-label={t('Values and versions')}>
            <Tabs
              label={t('Values and versions')}
              value={tab}
              onChange={setTab}
              tabs={[
                {
                  value: 'values',
                  label: t('Values'),
                  content: <ValuesPane record={record} inText={seen.values} values={values} />,
                },
                {
                  value: 'versions',
                  label: t('Versions'),
                  content: (
                    <VersionsPane
                      id={id}
                      now={draft.blocks}
                      onKeep={async () => {
                        acts.push()
                        await work.flush()
                        return work.current()
                      }}
                      onKept={(next) => {
                        work.moveTo(next)
                        void work.refetch()
                      }}
                      onRestore={(version) => {
                        const old = textOf({ id: '', version: 0, record: version }).blocks
                        work.change((before) => ({ ...before, blocks: old }))
                      }}
                    />
                  ),
                },
              ]}
            />
          </aside>
        ) : null}
      </div>
      {list ? <OfferedList offered={list} active={active} onActive={setActive} text={box} /> : null}
      {asked && editor ? (
        <LinkDialog kind={asked} editor={editor} onClose={() => setAsked(undefined)} />
      ) : null}
      {isPublishing ? (
        <PublishDialog
          id={work.current}
          record={record}
          seen={seen}
          values={values}
          beforehand={async () => {
            acts.push()
            await work.flush()
          }}
          onDone={async () => {
            setPublishing(false)
            await Promise.all([work.refetch(), refreshRecord('documents', work.current())])
          }}
          onClose={() => setPublishing(false)}
        />
      ) : null}
    </div>
  )
}

/** Whether the text is stored, and why it is not. */
function Saved({ work: { saving, savedAt, problem, retry } }: { work: Work }) {
  const format = useFormat()
  const words = {
    saved: savedAt ? t('Saved {time}', { time: clock(savedAt, format) }) : '',
    waiting: t('Saving…'),
    saving: t('Saving…'),
    offline: t('Offline · your changes wait'),
    refused: t('Not saved: {message}', { message: problem?.message ?? '' }),
  }[saving]
  return (
    <span className={styles.saved} data-kind={saving}>
      <span role="status">{words}</span>
      {saving === 'refused' ? (
        <Button size="small" variant="quiet" onClick={retry}>
          {t('Try again')}
        </Button>
      ) : null}
    </span>
  )
}

function KeptWords({ kept }: { kept: Kept }) {
  const format = useFormat()
  return t('Changes from {time} on this device were not saved.', { time: clock(kept.at, format) })
}

/** Keeps on this device what is not stored yet, and offers what was left there the last time. */
function useKept(chain: string, work: Work) {
  const { draft, stored, saving } = work
  const [kept, setKept] = useState(() => {
    const found = keptOf(chain)
    const isNew =
      found &&
      draft &&
      JSON.stringify([found.name, found.blocks]) !== JSON.stringify([draft.name, draft.blocks])
    return isNew ? found : undefined
  })
  const base = useMemo(() => (stored ? textOf(stored).blocks : []), [stored])
  useEffect(() => {
    // what is offered stays until somebody has chosen
    if (kept || !draft) return
    if (saving === 'saved') forget(chain)
    else keep(chain, { ...draft, base, at: Date.now() })
  }, [chain, draft, saving, kept, base])
  return {
    kept,
    take: () => {
      if (!kept) return
      const was = { name: kept.name, blocks: kept.base }
      work.change((now) => mergedText({ ...was, name: now.name }, kept, now, ''))
      setKept(undefined)
    },
    discard: () => {
      forget(chain)
      setKept(undefined)
    },
  }
}
