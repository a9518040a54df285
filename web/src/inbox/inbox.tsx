import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { InboxFilter, Notification } from '../data/inbox.ts'
import { inboxQuery, setAllRead, setRead, titlesQuery } from '../data/inbox.ts'
import type { ModuleSummary } from '../data/modules.ts'
import { moduleQuery, modulesQuery } from '../data/modules.ts'
import { unreadQuery } from '../data/notifications.ts'
import { useFormat } from '../records/field/use-format.ts'
import { usePageTitle } from '../records/page-title.ts'
import { later } from '../records/later.tsx'
import { useScreensOf } from '../records/screens.ts'
import { useShortcuts } from '../shortcuts/keys.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { ReadFault } from '../records/read-fault.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Toolbar, ToolbarSpace } from '../ui/toolbar.tsx'
import type { Day } from './groups.ts'
import { aboutOf, daysOf } from './groups.ts'
import styles from './inbox.module.css'
import { Line } from './line.tsx'
import { t } from '../locales/text.ts'

// the panel opens records of every type, with their comments
const Panel = later(() => import('../records/panel/panel.tsx'))
const Preferences = later(() => import('./preferences.tsx'))

type Search = { show?: InboxFilter; open?: string }

/** What happened that concerns the person, by day and record; a record opens beside it. */
export default function Inbox() {
  const search = useSearch({ from: '/inbox' })
  const filter = search.show === 'unread' || search.show === 'mentions' ? search.show : 'all'
  const navigate = useNavigate()
  const format = useFormat()
  const { data: unread = 0 } = useQuery(unreadQuery)
  const { data: modules = [] } = useQuery(modulesQuery)
  const query = useInfiniteQuery(inboxQuery(filter))
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const all = useMemo(() => data?.pages.flat() ?? [], [data])
  const days = useMemo(() => daysOf(all, format), [all, format])
  const ordered = days.flatMap(({ bundles }) => bundles.flatMap((each) => each.notifications))
  const [active, setActive] = useState<string>()
  const [isChoosing, setChoosing] = useState(false)
  usePageTitle(t('Inbox'))
  const opened = ordered.find(({ notification_id: id }) => id === search.open)
  const current = ordered.find(({ notification_id: id }) => id === active) ?? opened ?? ordered[0]
  const go = (next: Search, comment?: string | null) =>
    void navigate({
      to: '/inbox',
      search: { ...(filter === 'all' ? {} : { show: filter }), ...next },
      ...(comment ? { hash: `comment-${comment}` } : {}),
      replace: true,
    })
  const open = (notification: Notification) => {
    setActive(notification.notification_id)
    if (!notification.read) void setRead(notification.notification_id, true)
    if (aboutOf(notification)) {
      go({ open: notification.notification_id }, aboutOf(notification)?.comment)
    }
  }
  const move = (by: number) => {
    const at = ordered.findIndex((each) => each === current)
    const next = active === undefined && !opened ? ordered[0] : ordered[at + by]
    if (!next) return
    const { notification_id: id } = next
    setActive(id)
    document.querySelector<HTMLElement>(`[data-notification="${id}"]`)?.focus()
    if (opened) open(next)
  }
  const mark = (read: boolean) => {
    if (current && current.read !== read) void setRead(current.notification_id, read)
  }
  const keys = (key: string, label: string, run: () => void) => ({
    keys: key,
    label,
    group: t('Inbox'),
    run,
  })
  useShortcuts([
    keys('j', t('Next'), () => move(1)),
    keys('k', t('Previous'), () => move(-1)),
    keys('e', t('Mark as read'), () => mark(true)),
    keys('u', t('Mark as unread'), () => mark(false)),
    keys('Shift+e', t('Mark all as read'), () => void setAllRead()),
    keys('Escape', t('Close the panel'), () => go({})),
  ])
  const titles = useTitles(all, modules)
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('Inbox')}
        count={unread || null}
        actions={
          <>
            <Button
              icon="check"
              aria-disabled={unread === 0}
              aria-keyshortcuts="Shift+E"
              onClick={() => void setAllRead()}
            >
              {t('Mark all as read')}
            </Button>
            <IconButton
              label={t('Choose notifications')}
              icon="settings"
              onClick={() => setChoosing(true)}
            />
          </>
        }
      />
      <Toolbar label={t('Filter the inbox')}>
        <SegmentedControl
          label={t('Show')}
          value={filter}
          onChange={(show) =>
            void navigate({
              to: '/inbox',
              search: show === 'all' ? {} : { show },
            })
          }
          options={[
            { value: 'all', label: t('All') },
            { value: 'unread', label: t('Unread') },
            { value: 'mentions', label: t('Mentions') },
          ]}
        />
        <ToolbarSpace />
      </Toolbar>
      <div className={styles.body}>
        <div className={styles.content}>
          {error && !data ? (
            <ReadFault title={t('The inbox could not be read')} error={error} onRetry={refetch} />
          ) : isPending ? (
            <SkeletonRows count={8} />
          ) : days.length ? (
            <Days
              days={days}
              titleOf={titles}
              active={current?.notification_id}
              opened={opened?.notification_id}
              onOpen={open}
            />
          ) : (
            <Nothing filter={filter} onAll={() => void navigate({ to: '/inbox' })} />
          )}
          {hasNextPage ? (
            <Button
              variant="quiet"
              size="small"
              busy={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              {t('Show earlier')}
            </Button>
          ) : null}
        </div>
        {opened ? <Beside notification={opened} modules={modules} onClose={() => go({})} /> : null}
      </div>
      {isChoosing ? <Preferences onClose={() => setChoosing(false)} /> : null}
    </div>
  )
}

type DaysProps = {
  days: Day[]
  titleOf: (number: number, id: string) => string | undefined
  active: string | undefined
  opened: string | undefined
  onOpen: (notification: Notification) => void
}

function Days({ days, titleOf, active, opened, onOpen }: DaysProps) {
  return days.map(({ day, label, bundles }) => (
    <section key={day} className={styles.day} aria-label={label}>
      <h2>{label}</h2>
      {bundles.map(({ key, about, notifications }) => {
        const title = about && titleOf(about.number, about.id)
        return (
          <div key={key} className={styles.bundle}>
            {title ? <h3>{title}</h3> : null}
            <ul>
              {notifications.map((notification) => {
                const { notification_id: id } = notification
                return (
                  <Line
                    key={id}
                    notification={notification}
                    isActive={id === active}
                    isOpen={id === opened}
                    onOpen={() => onOpen(notification)}
                  />
                )
              })}
            </ul>
          </div>
        )
      })}
    </section>
  ))
}

type BesideProps = {
  notification: Notification
  modules: { module: string; module_id: number | null }[]
  onClose: () => void
}

/** The record that a notification is about, if it has screens. */
function Beside({ notification, modules, onClose }: BesideProps) {
  const about = aboutOf(notification)
  const name = modules.find(({ module_id: number }) => number === about?.number)?.module ?? ''
  const screens = useScreensOf(name)
  const { data: module } = useQuery({ ...moduleQuery(name), enabled: screens !== undefined })
  if (!about || !screens || !module) return null
  return <Panel key={about.id} module={module} screens={screens} id={about.id} onClose={onClose} />
}

/** The names of the records that notifications are about: one request per module. */
function useTitles(all: Notification[], modules: ModuleSummary[]) {
  const abouts = all.flatMap((each) => aboutOf(each) ?? [])
  const groups = [...Map.groupBy(abouts, ({ number }) => number)].flatMap(([number, its]) => {
    const module = modules.find((each) => each.module_id === number)
    const ids = [...new Set(its.map(({ id }) => id))].toSorted().slice(0, 100)
    return module?.path ? [{ number, module, ids }] : []
  })
  const found = useQueries({
    queries: groups.map(({ module, ids }) => titlesQuery(module, ids)),
  })
  return (number: number, id: string) =>
    found[groups.findIndex((each) => each.number === number)]?.data?.[id]
}

function Nothing({ filter, onAll }: { filter: InboxFilter; onAll: () => void }) {
  if (filter === 'all') {
    return (
      <Empty icon="inbox" title={t('Nothing for you yet')}>
        {t('Mentions, replies, tasks that are assigned to you and due work appear here.')}
      </Empty>
    )
  }
  return (
    <Empty
      icon={filter === 'unread' ? 'circle-check' : 'at-sign'}
      title={
        filter === 'unread' ? t('You have read everything') : t('Nobody has mentioned you yet')
      }
      action={<Button onClick={onAll}>{t('Show all')}</Button>}
    />
  )
}
