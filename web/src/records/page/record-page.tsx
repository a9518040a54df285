import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { moduleQuery } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { recordQuery, titleOf } from '../../data/record.ts'
import { isConfined, levelOf, useMay, useSession } from '../../data/session.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { capital } from '../../ui/capital.ts'
import { Hidden } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Comments } from '../comments/comments.tsx'
import type { Screens, Tab } from '../definition.ts'
import { addressIn } from '../definition.ts'
import { DropFiles } from '../files/drop-files.tsx'
import { Files } from '../files/files.tsx'
import { usePageTitle } from '../page-title.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { useScreens } from '../use-list.ts'
import { FactsOf } from './facts-of.tsx'
import { GoneNote } from './gone-note.tsx'
import { Own } from './own.tsx'
import { RecordHead } from './record-head.tsx'
import { RecordMenu } from './record-menu.tsx'
import { Related } from './related.tsx'
import styles from './record-page.module.css'

/** A record with everything about it: facts at the left, its tabs in the middle. */
export default function RecordPage() {
  const screens = useScreens()
  const { id = '', tab: open } = useParams({ strict: false }) as { id?: string; tab?: string }
  const { data: module } = useSuspenseQuery(moduleQuery(screens.module))
  const { data: record, error } = useSuspenseQuery(recordQuery(module, id))
  const navigate = useNavigate()
  const title = titleOf(module, record)
  usePageTitle(title)
  const session = useSession()
  // records of a module that the person may not read have no tab
  const tabs = screens.tabs.filter((each) =>
    each.kind === 'related'
      ? levelOf(session, each.module, 'read') !== 'none'
      : each.kind !== 'own' || !each.isForTeam || !isConfined(session),
  )
  const names = tabs.map(nameOf)
  // mails link to a comment of the record, whichever tab it is in
  const isComment = useRouterState({
    select: ({ location }) => location.hash.startsWith('comment-') && names.includes('comments'),
  })
  const first = isComment ? 'comments' : names[0]
  const current = open && names.includes(open) ? open : first
  const go = (name: string | undefined) =>
    void navigate({
      to: addressIn(screens, id, name === names[0] ? undefined : name),
      replace: true,
    })
  const [isWriting, setWriting] = useState(false)
  const [showsFacts, setShowsFacts] = useState(false)
  const isWide = tabs.some((tab) => tab.kind === 'own' && tab.isWide && tab.name === current)
  const hasFacts = !isWide || showsFacts
  const mayComment = useMay('interactions', 'create') && names.includes('comments')
  useShortcuts([
    ...(isWide
      ? [{ keys: 'i', label: 'Facts', group: 'Page', run: () => setShowsFacts(!showsFacts) }]
      : []),
    ...names.map((name, at) => ({
      keys: String(at + 1),
      label: `Open ${name}`,
      group: 'Page',
      run: () => {
        setWriting(false)
        go(name)
      },
    })),
    // the comments themselves have it once they are open
    ...(mayComment && current !== 'comments'
      ? [
          {
            keys: 'r',
            label: 'Write a comment',
            group: 'Conversation',
            run: () => {
              setWriting(true)
              go('comments')
            },
          },
        ]
      : []),
  ])
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <nav aria-label="Breadcrumb">
          <Link to={screens.address}>{capital(module.word.many)}</Link>
          <span aria-hidden="true">/</span>
          {hasFacts ? <span>{title}</span> : <h1>{title}</h1>}
        </nav>
        {isWide ? (
          <IconButton
            label="Facts"
            icon="panel-left"
            shortcut="i"
            aria-pressed={showsFacts}
            onClick={() => setShowsFacts(!showsFacts)}
          />
        ) : null}
        <RecordMenu
          module={module}
          record={record}
          screens={screens}
          onDeleted={() => void navigate({ to: screens.address })}
        />
      </header>
      <GoneNote module={module} record={record} error={error} />
      {names.includes('files') ? (
        <DropFiles module={module} id={id} onDrop={() => go('files')} />
      ) : null}
      {screens.head ? (
        <div className={styles.band}>
          <Own load={screens.head} module={module} record={record} screens={screens} />
        </div>
      ) : null}
      <div
        className={styles.columns}
        data-wide={isWide || undefined}
        data-alone={!hasFacts || undefined}
      >
        {hasFacts ? (
          <div className={styles.side}>
            <RecordHead as="h1" module={module} record={record} />
            <h2>
              <Hidden>Facts</Hidden>
            </h2>
            <FactsOf module={module} record={record} />
          </div>
        ) : null}
        {current ? (
          <div className={styles.middle}>
            <Tabs
              label={`About ${title}`}
              value={current}
              onChange={(name) => {
                setWriting(false)
                go(name)
              }}
              tabs={tabs.map((tab) => ({
                value: nameOf(tab),
                label: labelOf(tab),
                content: (
                  <div className={styles.content}>
                    <h2>
                      <Hidden>{labelOf(tab)}</Hidden>
                    </h2>
                    {/* the page, and the focus on its tabs, stay while a tab is loading */}
                    <Suspense fallback={<SkeletonRows />}>
                      <Content {...{ tab, screens, id, record, isWriting }} />
                    </Suspense>
                  </div>
                ),
              }))}
            />
          </div>
        ) : null}
      </div>
    </div>
  )
}

type ContentProps = {
  tab: Tab
  screens: Screens
  id: string
  record: AnyRecord
  /** whether the comments open with the field to write one */
  isWriting: boolean
}

function Content({ tab, screens, id, record, isWriting }: ContentProps) {
  const { data: module } = useSuspenseQuery(moduleQuery(screens.module))
  switch (tab.kind) {
    case 'timeline':
      return <Timeline module={screens.module} id={id} />
    case 'comments':
      return <Comments module={module} id={id} isWriting={isWriting} />
    case 'files':
      return <Files module={module} id={id} />
    case 'related':
      return <Related module={tab.module} by={tab.by} id={id} of={{ module, record }} />
    case 'own':
      return <Own load={tab.load} module={module} record={record} screens={screens} />
  }
}

function nameOf(tab: Tab): string {
  if (tab.kind === 'timeline') return 'activity'
  return tab.kind === 'related' ? tab.module : tab.kind === 'own' ? tab.name : tab.kind
}

function labelOf(tab: Tab): string {
  const labels = { timeline: 'Activity', comments: 'Comments', files: 'Files' }
  if (tab.kind === 'own') return tab.label
  return tab.kind === 'related' ? capital(tab.module) : labels[tab.kind]
}
