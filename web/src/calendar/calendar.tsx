import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { levelOf, useMay, useSession } from '../data/session.ts'
import { useFormat } from '../records/field/use-format.ts'
import { later } from '../records/later.tsx'
import { usePageTitle } from '../records/page-title.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Toolbar, ToolbarSpace } from '../ui/toolbar.tsx'
import { useWithoutRail } from '../ui/use-narrow.ts'
import { Agenda, WeekStrip } from './agenda.tsx'
import styles from './calendar.module.css'
import { rangeWords } from './words.ts'
import type { View } from './days.ts'
import { weekNumber } from './days.ts'
import type { Entry } from './entries.ts'
import type { EntryActs } from './entry-button.tsx'
import { MonthGrid } from './month-grid.tsx'
import { Rail } from './rail.tsx'
import { SlotButton, nextSlot, useSlotKeys } from './slot.tsx'
import type { Slot } from './hours.ts'
import { shownSlot } from './hours.ts'
import { TimeGrid } from './time-grid.tsx'
import { useCalendarKeys } from './use-calendar-keys.ts'
import type { Dragged } from './use-drag.ts'
import { useDrag } from './use-drag.ts'
import { useDraw } from './use-draw.ts'
import { useMoves } from './use-moves.tsx'
import { useEntries } from './use-entries.ts'
import { useHours } from './use-hours.ts'
import type { Place } from './use-place.ts'
import { usePlace } from './use-place.ts'
import { t } from '../locales/text.ts'

const QuickLook = later(() => import('./quick-look.tsx'))
const QuickCreate = later(() => import('./quick-create.tsx'))

const views: { value: View; label: string }[] = [
  { value: 'month', label: t('Month') },
  { value: 'week', label: t('Week') },
  { value: 'day', label: t('Day') },
  { value: 'list', label: t('List') },
]

/** The calendar: meetings by month, week, day or as a list, with tasks on the days on which they are due. */
export default function Calendar() {
  usePageTitle(t('Calendar'))
  const session = useSession()
  if (levelOf(session, 'calendar', 'read') === 'none') {
    return (
      <div className={styles.page}>
        <PageHeader title={t('Calendar')} />
        <Empty icon="calendar" title={t('You may not see meetings')}>
          {t('Ask somebody who may change roles here.')}
        </Empty>
      </div>
    )
  }
  return <Shown />
}

function Shown() {
  const place = usePlace()
  const format = useFormat()
  const read = useEntries(place)
  const mayCreate = useMay('calendar', 'create')
  const [looked, setLooked] = useState<{ key: string; anchor: HTMLElement }>()
  const [menu, setMenu] = useState<{ key: string; anchor: HTMLElement }>()
  const moves = useMoves(read.entries)
  const { dragged, grab } = useDrag(moves.propose)
  const [slot, setSlot] = useState<Slot>(() => nextSlot(place.day, place.now, format.timezone))
  const marked = shownSlot(slot, place)
  const [isMaking, setMaking] = useState(place.isNew && mayCreate)
  const make = (next: Slot) => {
    setSlot(next)
    if (mayCreate) setMaking(true)
  }
  const stop = () => {
    setMaking(false)
    if (place.isNew) place.change({ new: '' })
  }
  const acts: EntryActs = {
    open: ({ key }, anchor) => setLooked({ key, anchor }),
    menu: ({ key }, anchor) => {
      setLooked(undefined)
      setMenu({ key, anchor })
    },
    pressed: moves.pressed,
    grab: (entry, event, what) => {
      if (moves.mayMove(entry)) grab(entry, event, what)
    },
    projects: place.projects,
  }
  useCalendarKeys({ place, make: () => make(marked) })
  const found = looked && read.entries.find(({ key }) => key === looked.key)
  const chosen = menu && read.entries.find(({ key }) => key === menu.key)
  return (
    <div className={styles.page}>
      <Head place={place} onNew={mayCreate ? () => make(marked) : undefined} />
      <div className={styles.body}>
        {place.isNarrow ? null : <Rail place={place} />}
        <div className={styles.content} data-stale={read.isStale}>
          {read.error ? (
            <ReadFault
              title={t('The calendar could not be read')}
              error={read.error}
              onRetry={read.refetch}
            />
          ) : read.isLoading ? (
            <Skeleton height={480} />
          ) : (
            <Layout {...{ place, acts, make, dragged, setSlot }} {...read} slot={marked} />
          )}
        </div>
      </div>
      {looked && found ? (
        <QuickLook
          key={found.key}
          entry={found}
          zone2={place.zone2}
          onMore={() => acts.menu(found, looked.anchor)}
          onClose={() => setLooked(undefined)}
        />
      ) : null}
      {menu && chosen ? (
        <Menu
          open
          anchor={menu.anchor}
          label={chosen.meeting.title}
          items={moves.menuOf(chosen)}
          finalFocus={() => menu.anchor}
          onOpenChange={(open) => !open && setMenu(undefined)}
        />
      ) : null}
      {moves.dialogs}
      {isMaking ? <QuickCreate slot={slot} onChange={setSlot} onClose={stop} /> : null}
    </div>
  )
}

function Head({ place, onNew }: { place: Place; onNew: (() => void) | undefined }) {
  const { view, days, day, isNarrow } = place
  const format = useFormat()
  const isSmall = useWithoutRail()
  const isDay = view === 'day' && !isNarrow
  const shown = view === 'month' ? [day] : days
  const isCounted = view === 'week' && !isNarrow
  return (
    <>
      <PageHeader
        title={t('Calendar')}
        note={
          <span aria-live="polite">
            <b>{rangeWords(shown, isDay, format)}</b>
            {isCounted ? ` ${t('Week {number}', { number: weekNumber(shown[3] ?? day) })}` : null}
          </span>
        }
        actions={
          <>
            {isSmall ? null : <Ways place={place} />}
            {onNew ? (
              <Button variant="primary" icon="plus" onClick={onNew}>
                {isNarrow ? t('New') : t('New meeting')}
              </Button>
            ) : null}
          </>
        }
      />
      {isSmall ? (
        <Toolbar label={t('What is shown')}>
          <Ways place={place} />
        </Toolbar>
      ) : null}
    </>
  )
}

/** The ways to other days, and to other views. */
function Ways({ place: { view, now, isNarrow, show, step, goTo } }: { place: Place }) {
  return (
    <>
      <IconButton icon="chevron-left" label={t('Earlier')} shortcut="[" onClick={() => step(-1)} />
      <Button onClick={() => goTo(now)}>{t('Today')}</Button>
      <IconButton icon="chevron-right" label={t('Later')} shortcut="]" onClick={() => step(1)} />
      <ToolbarSpace />
      <SegmentedControl
        label={t('View')}
        value={isNarrow && view !== 'list' ? 'day' : view}
        options={views.filter(({ value }) => !isNarrow || value === 'day' || value === 'list')}
        onChange={(next) => show(next)}
      />
    </>
  )
}

type LayoutProps = {
  place: Place
  acts: EntryActs
  slot: Slot
  setSlot: (slot: Slot) => void
  make: (slot: Slot) => void
  dragged: Dragged | undefined
  entries: Entry[]
  work: ReturnType<typeof useEntries>['work']
  milestones: ReturnType<typeof useEntries>['milestones']
}

function Layout({
  place,
  acts,
  slot,
  setSlot,
  make,
  dragged,
  entries,
  work,
  milestones,
}: LayoutProps) {
  const { view, days, day, now, isNarrow, zone2, goTo, step, show } = place
  const mayCreate = useMay('calendar', 'create')
  const { drawn, press } = useDraw(make)
  const focusRef = useRef(false)
  const keys = useSlotKeys({ slot, setSlot, make, place })
  const hoursOf = useHours(days, !isNarrow && (view === 'week' || view === 'day'))
  const shared = { now, entries, work, milestones, acts }
  if (isNarrow && view !== 'list') {
    return (
      <>
        <WeekStrip {...{ days, day, now, entries, goTo, step }} />
        <Agenda days={[day]} {...shared} />
      </>
    )
  }
  if (view === 'list') {
    return (
      <>
        <Agenda days={days} {...shared} />
        <p className={styles.foot}>
          <ButtonLink
            variant="quiet"
            icon="table"
            render={<Link to="/meetings" search={{ as: 'table' }} />}
          >
            {t('All meetings as a table')}
          </ButtonLink>
        </p>
      </>
    )
  }
  const showDay = (next: string) => show('day', next)
  if (view === 'month') {
    return (
      <MonthGrid
        {...{ days, day, goTo, showDay }}
        {...shared}
        target={dragged?.day}
        create={(next) => make({ ...slot, day: next })}
      />
    )
  }
  return (
    <TimeGrid
      days={place.shown}
      {...{ zone2, slot, showDay, hoursOf }}
      {...shared}
      slotButton={
        mayCreate ? (
          <SlotButton {...{ slot, entries, focusRef }} onKeyDown={keys} onOpen={make} />
        ) : null
      }
      ghost={
        drawn
          ? { ...drawn, title: t('New meeting') }
          : dragged?.slot && { ...dragged.slot, title: dragged.entry.meeting.title }
      }
      press={mayCreate ? press : () => undefined}
      create={make}
    />
  )
}
