import { useNavigate } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { answerMeeting } from '../data/calendar.ts'
import { notifyRefusal } from '../data/change.ts'
import { notify } from '../data/notices.ts'
import { useMay, useSession } from '../data/session.ts'
import { useFormat } from '../records/field/use-format.ts'
import { later as lazily } from '../records/later.tsx'
import { useUndoKeys } from '../records/use-undo-keys.ts'
import { announce } from '../ui/announce.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import type { Entry } from './entries.ts'
import { zoneOf } from './entries.ts'
import type { Scope } from './moves.ts'
import { calendarHistory, moveMeeting, needsCopy, orTold } from './moves.ts'
import { daysMoved, ruleMoved } from './series.ts'
import type { Times } from './shift.ts'
import { later, longer } from './shift.ts'
import { timeWords } from './words.ts'
import { t } from '../locales/text.ts'

const SeriesQuestion = lazily(() => import('./series-question.tsx'), 'shown')
const MoveDialog = lazily(() => import('./move-dialog.tsx'), 'shown')
const CancelDialog = lazily(() => import('./cancel-dialog.tsx'), 'shown')

type Asking = { entry: Entry; times: Times; scopes: Scope[] }

const steps: { [key: string]: { days?: number; minutes?: number } } = {
  ArrowUp: { minutes: -15 },
  ArrowDown: { minutes: 15 },
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
}
const answers = { y: 'accepted', p: 'tentative', n: 'declined' } as const

/** Moving, lengthening, answering and cancelling meetings, by pointer, keys and fields. */
export function useMoves(entries: Entry[]) {
  const { organization } = useSession()
  const mayChange = useMay('calendar', 'update')
  const mayCreate = useMay('calendar', 'create')
  const format = useFormat()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<Asking>()
  const [moving, setMoving] = useState<Entry>()
  const [cancelling, setCancelling] = useState<Entry>()
  const focused = useRef<string>(undefined)
  useUndoKeys(calendarHistory)
  useEffect(() => {
    // a meeting at another time is another button
    const button =
      focused.current && document.querySelector<HTMLElement>(`[data-entry="${focused.current}"]`)
    if (!button) return
    focused.current = undefined
    button.focus()
  }, [entries])
  const mayMove = ({ meeting }: Entry) =>
    mayChange && meeting.can?.update !== false && !meeting.is_meeting_cancelled
  const run = (entry: Entry, times: Times, scope: Scope) => {
    const { meeting } = entry
    const when = timeWords({ ...times, all_day: meeting.all_day }, entry.zone, format)
    announce(`${meeting.title}, ${when}`)
    focused.current = `${meeting.calendar_id} ${times.start}`
    const zone = zoneOf(meeting) ?? organization.timezone
    return moveMeeting({
      meeting,
      times,
      scope,
      zone,
      message: t('“{title}” moved to {when}', { title: meeting.title, when }),
    })
  }
  const propose = (entry: Entry, times: Times) => {
    const { meeting } = entry
    const isSame = times.start === meeting.start && times.end === meeting.end
    if (isSame || !mayMove(entry)) return
    if (!meeting.series_start) return void run(entry, times, 'all').catch(notifyRefusal)
    const zone = zoneOf(meeting) ?? organization.timezone
    const days = daysMoved(meeting.start, times.start, zone)
    const isWhole = ruleMoved(meeting.repeat?.rrule ?? '', days) !== undefined
    const scopes = (isWhole ? (['one', 'later', 'all'] as const) : (['one'] as const)).filter(
      (scope) => mayCreate || !needsCopy(meeting, scope),
    )
    if (scopes.length) return setAsking({ entry, times, scopes })
    notify({
      message: t('“{title}” was not moved', { title: meeting.title }),
      detail: t('Its rule names its days, and apart from it you may not schedule a meeting.'),
    })
  }
  const pressed = (
    entry: Entry,
    { key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent,
  ): boolean => {
    if (ctrlKey || metaKey) return false
    const step = steps[key]
    if (altKey) {
      if (!step || !mayMove(entry)) return false
      if (shiftKey && !step.minutes) return false
      const times = shiftKey ? longer(entry, step.minutes ?? 0) : later(entry, step)
      propose(entry, times)
      return true
    }
    if (shiftKey) return false
    const answer = answers[key as keyof typeof answers]
    if (answer && entry.response && !entry.meeting.is_meeting_cancelled) {
      void answerMeeting(entry.meeting, answer, entry.response)
      return true
    }
    if (key !== 'e') return false
    open(entry)
    return true
  }
  const open = ({ meeting }: Entry) =>
    void navigate({ to: '/meetings/$id/{-$tab}', params: { id: meeting.calendar_id } })
  /** All that can be done with a meeting, with the keys that do the same. */
  const menuOf = (entry: Entry): MenuItem[] => [
    { label: t('Open'), icon: 'external-link', shortcut: 'e', onSelect: () => open(entry) },
    ...(mayMove(entry)
      ? ([
          {
            label: t('Move…'),
            icon: 'move',
            shortcut: 'Alt+ArrowDown',
            onSelect: () => setMoving(entry),
          },
          { kind: 'separator' },
          {
            label: t('Cancel meeting…'),
            icon: 'x',
            danger: true,
            onSelect: () => setCancelling(entry),
          },
        ] as MenuItem[])
      : []),
  ]
  const dialogs = (
    <>
      {asking ? (
        <SeriesQuestion
          title={asking.entry.meeting.title}
          scopes={asking.scopes}
          run={(scope) => orTold(run(asking.entry, asking.times, scope))}
          onClose={() => setAsking(undefined)}
        />
      ) : null}
      {moving ? (
        <MoveDialog
          entry={moving}
          onMove={(times) => {
            setMoving(undefined)
            propose(moving, times)
          }}
          onClose={() => setMoving(undefined)}
        />
      ) : null}
      {cancelling ? (
        <CancelDialog entry={cancelling} onClose={() => setCancelling(undefined)} />
      ) : null}
    </>
  )
  return { propose, pressed, menuOf, mayMove, dialogs }
}
