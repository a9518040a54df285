import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Home as Data, HomeAs } from '../data/home.ts'
import { homeQuery } from '../data/home.ts'
import { moduleQuery } from '../data/modules.ts'
import { useMay, useSession } from '../data/session.ts'
import { today as todayIn } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { later } from '../records/later.tsx'
import { usePeek } from '../records/list/use-peek.ts'
import { usePageTitle } from '../records/page-title.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { useScreensOf } from '../records/screens.ts'
import { useShortcuts } from '../shortcuts/keys.ts'
import { useOnline } from '../shell/online.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { Cards } from './cards.tsx'
import { Day } from './day.tsx'
import { FirstDay } from './first-day.tsx'
import styles from './home.module.css'
import { NextMeeting } from './next-meeting.tsx'
import { keyOf } from './shown.ts'
import { focusRow } from './focus.ts'
import { useActs } from './use-acts.tsx'
import { headingOf, groupTitles } from './words.ts'
import { t } from '../locales/text.ts'

const Panel = later(() => import('../records/panel/panel.tsx'))
const Arrange = later(() => import('./arrange.tsx'), 'shown')
const NewRecord = later(() => import('../records/form/new-record.tsx'))

/** What is to be done now: the person's day, or their team's, and at the right what their role looks after. */
export default function Home() {
  const { as, peek } = useSearch({ from: '/' })
  const whose: HomeAs = as === 'team' ? 'team' : 'me'
  return <HomeOf key={whose} as={whose} peek={peek} />
}

function HomeOf({ as, peek }: { as: HomeAs; peek: string | undefined }) {
  const read = useQuery(homeQuery(as))
  const { data: home } = read
  const format = useFormat()
  const isNarrow = useNarrow()
  const setPeek = usePeek()
  const navigate = useNavigate()
  const [isNew, setNew] = useState(false)
  const [isArranging, setArranging] = useState(false)
  const mayCreate = useMay('tasks', 'create')
  const opened = peek?.split('/')
  const close = () => {
    setPeek(undefined)
    focusRow(page.active)
  }
  const page = useActs({
    as,
    home,
    openId: opened?.[1],
    onOpen: (module, id) => setPeek(`${module}/${id}`),
  })
  const toTeam = (next: HomeAs) =>
    void navigate({ to: '/', search: next === 'team' ? { as: 'team' } : {}, replace: true })
  usePageTitle(t('Home'))
  useShortcuts([
    ...(mayCreate
      ? [{ keys: 'c', label: t('New task'), group: t('Home'), run: () => setNew(true) }]
      : []),
    ...(home?.leads
      ? [
          {
            keys: 'Shift+m',
            label: as === 'me' ? t('Show my team') : t('Show my own'),
            group: t('Home'),
            run: () => toTeam(as === 'me' ? 'team' : 'me'),
          },
        ]
      : []),
    { keys: 'Escape', label: t('Close the panel'), group: t('Home'), run: () => peek && close() },
  ])
  const day = home?.today ?? todayIn(format.timezone)
  return (
    <div className={styles.page}>
      <PageHeader
        title={headingOf(day, format, isNarrow ? 'short' : 'long')}
        note={<Note home={home} at={read.dataUpdatedAt} isOld={read.isError} />}
        actions={
          <>
            {home?.leads ? (
              <SegmentedControl
                label={t('Whose work')}
                value={as}
                onChange={toTeam}
                options={[
                  { value: 'me', label: t('Me') },
                  { value: 'team', label: t('My team') },
                ]}
              />
            ) : null}
            {mayCreate ? (
              <span className={styles.new}>
                <Button
                  variant="primary"
                  icon="plus"
                  aria-keyshortcuts="c"
                  onClick={() => setNew(true)}
                >
                  {t('New task')}
                </Button>
              </span>
            ) : null}
            {home?.available.length ? (
              <IconButton
                label={t('Arrange Home')}
                icon="sliders"
                onClick={() => setArranging(true)}
              />
            ) : null}
          </>
        }
      />
      <div className={styles.body}>
        {home ? (
          <Content
            home={home}
            as={as}
            page={page}
            isNarrow={isNarrow}
            onRetry={() => void read.refetch()}
          />
        ) : read.error ? (
          <ReadFault
            title={t('Home could not be read')}
            error={read.error}
            onRetry={read.refetch}
          />
        ) : (
          <Loading isNarrow={isNarrow} />
        )}
        {opened?.[0] && opened[1] ? (
          <div className={styles.beside}>
            <Beside
              key={peek}
              module={opened[0]}
              id={opened[1]}
              isWriting={page.writing === opened[1]}
              onClose={close}
            />
          </div>
        ) : null}
      </div>
      {isArranging && home ? <Arrange home={home} onClose={() => setArranging(false)} /> : null}
      {isNew ? <NewTask onClose={() => setNew(false)} /> : null}
      {page.above}
    </div>
  )
}

type ContentProps = {
  home: Data
  as: HomeAs
  page: ReturnType<typeof useActs>
  isNarrow: boolean
  onRetry: () => void
}

function Content({ home, as, page, isNarrow, onRetry }: ContentProps) {
  const [showsCards, setShowsCards] = useState(false)
  const { ghosts, entered, active, hasFocus, openId: open, acts } = page
  const meeting = isNarrow
    ? home.groups.today.rows.find(({ kind }) => kind === 'meeting')
    : undefined
  const shared = { home, active, hasFocus, open, acts, onRetry }
  return (
    <>
      <div className={styles.day} {...page.handlers}>
        {meeting ? <NextMeeting row={meeting} home={home} acts={acts} /> : null}
        {isBare(home) && home.lacks ? (
          <FirstDay lacks={home.lacks} />
        ) : (
          <Day
            {...shared}
            as={as}
            ghosts={ghosts}
            entered={entered}
            without={meeting && keyOf(meeting)}
          />
        )}
        {isNarrow && home.cards.length ? (
          <Button
            wide
            aria-expanded={showsCards}
            iconAfter={showsCards ? 'chevron-up' : 'chevron-down'}
            onClick={() => setShowsCards(!showsCards)}
          >
            {t('More')}
          </Button>
        ) : null}
      </div>
      {(!isNarrow || showsCards) && home.cards.length ? (
        <div className={styles.cards} {...page.handlers}>
          <Cards {...shared} />
        </div>
      ) : null}
    </>
  )
}

/** Whether the day has nothing at all, now or later. */
function isBare({ groups, next }: Data): boolean {
  return !next && Object.values(groups).every(({ count, is_failed }) => !count && !is_failed)
}

/** How much there is, or when it was read, if it could not be read again. */
function Note({ home, at, isOld }: { home: Data | undefined; at: number; isOld: boolean }) {
  const isOnline = useOnline()
  const { locale, timezone: timeZone } = useFormat()
  if (!home) return null
  const { late, today } = home.groups
  const counts = [
    late.count ? t('{count} late', { count: late.count }) : '',
    today.count ? t('{count} today', { count: today.count }) : '',
  ].filter(Boolean)
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(at)
  const asOf = isOnline && !isOld ? [] : [t('as of {time}', { time })]
  return <span className={styles.note}>{[...counts, ...asOf].join(', ')}</span>
}

/** The shape of what comes: on a phone without the cards, which are shown when one asks for them. */
function Loading({ isNarrow }: { isNarrow: boolean }) {
  return (
    <>
      <div className={styles.day}>
        {[groupTitles.late, groupTitles.today].map((title) => (
          <section key={title} className={styles.group}>
            <h2>{title}</h2>
            <SkeletonRows count={5} />
          </section>
        ))}
      </div>
      {isNarrow ? null : (
        <div className={styles.cards}>
          {[0, 1].map((at) => (
            <section key={at} className={styles.card}>
              <SkeletonRows count={3} />
            </section>
          ))}
        </div>
      )}
    </>
  )
}

type BesideProps = { module: string; id: string; isWriting: boolean; onClose: () => void }

/** The record of a row, beside the page. */
function Beside({ module: name, id, isWriting, onClose }: BesideProps) {
  const screens = useScreensOf(name)
  const { data: module } = useQuery({ ...moduleQuery(name), enabled: screens !== undefined })
  if (!screens || !module) return null
  return <Panel {...{ module, screens, id, isWriting, onClose }} />
}

/** The form of a task of one's own. */
function NewTask({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const screens = useScreensOf('tasks')
  const { data: module } = useQuery(moduleQuery('tasks'))
  if (!screens || !module) return null
  return (
    <NewRecord
      module={module}
      screens={screens}
      initial={{ owner: user.user_id }}
      initialShown={{ owner: { user_id: user.user_id, full_name: user.full_name } }}
      onClose={onClose}
      onCreated={onClose}
    />
  )
}
