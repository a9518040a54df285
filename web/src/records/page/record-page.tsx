import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { notifyRefusal } from '../../data/change.ts'
import { placeInList } from '../../data/list-place.ts'
import type { Module } from '../../data/modules.ts'
import { fieldThatLooks, moduleQuery } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { recordQuery, titleOf } from '../../data/record.ts'
import { changePreferences, isConfined, levelOf, useMay, useSession } from '../../data/session.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { capital } from '../../ui/capital.ts'
import { Hidden } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useNarrow, useWithoutRail } from '../../ui/use-narrow.ts'
import { Comments } from '../comments/comments.tsx'
import { WriteComment } from '../comments/write.tsx'
import type { Screens, Tab } from '../definition.ts'
import { addressIn, hasTab } from '../definition.ts'
import { FieldValue } from '../field/show.tsx'
import { DropFiles } from '../files/drop-files.tsx'
import { Files } from '../files/files.tsx'
import { neededQuery } from '../needed.ts'
import { usePageTitle } from '../page-title.ts'
import { hasPicture, pictureOf } from '../table/table.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { useScreens } from '../use-list.ts'
import { Details, useAllFields } from './details.tsx'
import { GoneNote } from './gone-note.tsx'
import { Own } from './own.tsx'
import { RecordMenu } from './record-menu.tsx'
import { Related } from './related.tsx'
import { Strip } from './strip.tsx'
import styles from './record-page.module.css'
import { moduleWords } from '../../data/module-words.ts'
import { t } from '../../locales/text.ts'

/** The tab that has the details where there is no room beside the work. */
type Shown = Tab | { kind: 'details' }

/** A record with everything about it: its figures above, the work in its tabs, and the details at the right. */
export default function RecordPage() {
  const screens = useScreens()
  const { id = '', tab: open } = useParams({ strict: false }) as { id?: string; tab?: string }
  const { data: module } = useSuspenseQuery(moduleQuery(screens.module))
  const { data: record, error } = useSuspenseQuery(recordQuery(module, id))
  useSuspenseQuery(neededQuery(screens, id))
  const navigate = useNavigate()
  const title = titleOf(module, record)
  usePageTitle(title)
  const session = useSession()
  const isWithoutRail = useWithoutRail()
  // records of a module that the person may not read have no tab
  const own = screens.tabs.filter((each) =>
    each.kind === 'related'
      ? levelOf(session, each.module, 'read') !== 'none'
      : hasTab(each, record, isConfined(session)),
  )
  const tabs: Shown[] = isWithoutRail && own.length ? [...own, { kind: 'details' }] : own
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
  const goTo = (other: string) =>
    void navigate({
      to: addressIn(screens, other, current === names[0] ? undefined : current),
      replace: true,
    })
  const [isWriting, setWriting] = useState(false)
  const isWide = own.some((tab) => tab.kind === 'own' && tab.isWide && tab.name === current)
  const rail = useRail(module.module, !own.some((tab) => tab.kind === 'own' && tab.isWide))
  const hasRail = rail.isOpen && !isWithoutRail && own.length > 0
  const showDetails = () => (isWithoutRail ? go('details') : rail.toggle())
  const allFields = useAllFields({ module, record })
  const mayComment = useMay('interactions', 'create') && names.includes('comments')
  useShortcuts([
    ...(own.length ? [{ keys: 'i', label: t('Details'), group: t('Page'), run: showDetails }] : []),
    ...names.map((name, at) => ({
      keys: String(at + 1),
      label: t('Open {name}', { name }),
      group: t('Page'),
      run: () => {
        setWriting(false)
        go(name)
      },
    })),
    // the tabs with a box to write in have it themselves once they are open
    ...(mayComment && current !== 'comments' && current !== 'activity'
      ? [
          {
            keys: 'r',
            label: t('Write a comment'),
            group: t('Conversation'),
            run: () => {
              setWriting(true)
              go(names.includes('activity') ? 'activity' : 'comments')
            },
          },
        ]
      : []),
  ])
  const details = (
    <>
      <Details key={id} module={module} record={record} onAll={allFields.open} />
      {screens.beside ? (
        <Own load={screens.beside} module={module} record={record} screens={screens} />
      ) : null}
    </>
  )
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Heading module={module} record={record} screens={screens} />
        <Neighbours module={module} id={id} onGo={goTo} hasKeys={!isWide} />
        {own.length && !isWithoutRail ? (
          <IconButton
            label={t('Details')}
            icon="panel-right"
            shortcut="i"
            aria-pressed={hasRail}
            onClick={rail.toggle}
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
      <div className={styles.body}>
        <div className={styles.band}>
          {screens.head ? (
            <Own load={screens.head} module={module} record={record} screens={screens} />
          ) : (
            <Strip module={module} record={record} />
          )}
        </div>
        <div
          className={styles.columns}
          data-wide={isWide || undefined}
          data-rail={hasRail || undefined}
        >
          <div className={styles.main}>
            {screens.now ? (
              <div className={styles.now}>
                <Own load={screens.now} module={module} record={record} screens={screens} />
              </div>
            ) : null}
            {current ? (
              <Tabs
                label={t('About {title}', { title })}
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
                        {tab.kind === 'details' ? (
                          details
                        ) : (
                          <Content {...{ tab, screens, id, record, isWriting, mayComment }} />
                        )}
                      </Suspense>
                    </div>
                  ),
                }))}
              />
            ) : (
              <div className={styles.alone}>
                <h2>{t('Details')}</h2>
                {details}
              </div>
            )}
          </div>
          {hasRail ? (
            <aside className={styles.rail} aria-label={t('Details')}>
              <h2>{t('Details')}</h2>
              {details}
            </aside>
          ) : null}
        </div>
      </div>
      {allFields.drawer}
    </div>
  )
}

type NeighboursProps = {
  module: Module
  id: string
  onGo: (id: string) => void
  /** not where the tab itself has these keys */
  hasKeys: boolean
}

/** The place of the record in the list that one came from, and the ways to those beside it. */
function Neighbours({ module, id, onGo, hasKeys }: NeighboursProps) {
  const place = placeInList(module, id)
  const ways = [
    {
      to: place?.previous,
      keys: 'k',
      label: t('Previous {one}', { one: module.word.one }),
      icon: 'chevron-up',
    },
    {
      to: place?.next,
      keys: 'j',
      label: t('Next {one}', { one: module.word.one }),
      icon: 'chevron-down',
    },
  ] as const
  useShortcuts(
    ways.flatMap(({ to, keys, label }) =>
      to && hasKeys ? { keys, label, group: t('Page'), run: () => onGo(to) } : [],
    ),
  )
  if (!place) return null
  return (
    <div className={styles.neighbours}>
      <span>{t('{at} of {total}', { at: place.at, total: place.total })}</span>
      {ways.map(({ to, keys, label, icon }) => (
        <IconButton
          key={keys}
          {...{ label, icon }}
          shortcut={keys}
          aria-disabled={!to}
          onClick={() => {
            if (to) onGo(to)
          }}
        />
      ))}
    </div>
  )
}

type HeadingProps = { module: Module; record: AnyRecord; screens: Screens }

/** Where the page is: its list, and the name of the record with its state, unless the figures have it. */
function Heading({ module, record, screens }: HeadingProps) {
  const isNarrow = useNarrow()
  const title = titleOf(module, record)
  const many = capital(module.word.many)
  const status = fieldThatLooks(module, 'status')
  return (
    <nav aria-label={t('Breadcrumb')}>
      <Link to={screens.address}>
        {isNarrow ? (
          <>
            <Icon name="arrow-left" />
            <Hidden>{many}</Hidden>
          </>
        ) : (
          many
        )}
      </Link>
      <span className={styles.slash} aria-hidden="true">
        /
      </span>
      {hasPicture(module) ? (
        <Avatar
          name={title}
          image={pictureOf(record)}
          square={module.module !== 'contacts'}
          size={28}
        />
      ) : null}
      <h1 title={title}>{title}</h1>
      {status?.place === 'rail' ? (
        <span className={styles.state}>
          <FieldValue field={status} record={record} line />
        </span>
      ) : null}
    </nav>
  )
}

/** Whether the details stand beside the work, which is stored for the module. */
function useRail(module: string, isOpenFirst: boolean) {
  const { preferences } = useSession()
  const name = `rail.${module}`
  const isOpen = typeof preferences[name] === 'boolean' ? preferences[name] : isOpenFirst
  const toggle = () => void changePreferences({ [name]: !isOpen }).catch(notifyRefusal)
  return { isOpen, toggle }
}

type ContentProps = {
  tab: Tab
  screens: Screens
  id: string
  record: AnyRecord
  /** whether the tab opens with the focus where a comment is written */
  isWriting: boolean
  mayComment: boolean
}

function Content({ tab, screens, id, record, isWriting, mayComment }: ContentProps) {
  const { data: module } = useSuspenseQuery(moduleQuery(screens.module))
  switch (tab.kind) {
    case 'timeline':
      return (
        <>
          {mayComment ? (
            <div className={styles.write}>
              <WriteComment key={id} subject={{ module: screens.module, id }} focus={isWriting} />
            </div>
          ) : null}
          <Timeline module={screens.module} id={id} />
        </>
      )
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

function nameOf(tab: Shown): string {
  if (tab.kind === 'timeline') return 'activity'
  return tab.kind === 'related' ? tab.module : tab.kind === 'own' ? tab.name : tab.kind
}

function labelOf(tab: Shown): string {
  const labels = {
    timeline: t('Activity'),
    comments: t('Comments'),
    files: t('Files'),
    details: t('Details'),
  }
  if (tab.kind === 'own') return tab.label
  return tab.kind === 'related' ? capital(moduleWords(tab.module)) : labels[tab.kind]
}
