import { useNavigate } from '@tanstack/react-router'
import type { FocusEvent } from 'react'
import { useState } from 'react'
import { notifyRefusal } from '../data/change.ts'
import { undo } from '../data/history.ts'
import type { Home, HomeAs, HomeRow } from '../data/home.ts'
import {
  finishTask,
  giveTask,
  homeHistory,
  moveTask,
  placeOf,
  readMention,
  reopenTask,
} from '../data/home.ts'
import { today as todayIn } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { later } from '../records/later.tsx'
import { Menu } from '../records/later-controls.ts'
import { useAddressOf } from '../records/screens.ts'
import { useUndoKeys } from '../records/use-undo-keys.ts'
import { useShortcuts } from '../shortcuts/keys.ts'
import { capital } from '../ui/capital.ts'
import type { Choosing } from './choosers.tsx'
import { focusAfter, focusLater, focusRow, rowAfter, rowBeside, rowKeyOf } from './focus.ts'
import type { RowActs } from './row.tsx'
import { menuOf } from './row-menu.ts'
import { keyOf, rowsOf } from './shown.ts'
import { useShown } from './use-shown.ts'
import { dayWords, longWeekday, nextOn } from './words.ts'
import { t } from '../locales/text.ts'

const Chooser = later(() => import('./choosers.tsx'), 'shown')

/** The module of the API that a row is a record of. */
const moduleOf: { [kind in HomeRow['kind']]?: string } = {
  task: 'tasks',
  meeting: 'calendar',
  project: 'projects',
  deal: 'deals',
  account: 'accounts',
}

type Props = {
  as: HomeAs
  home: Home | undefined
  /** the record that is open beside the page */
  openId: string | undefined
  onOpen: (module: string, id: string) => void
}

/** What is done with the rows of Home, by keys, buttons and menus, and which row has the focus. */
export function useActs({ as, home, openId, onOpen }: Props) {
  const format = useFormat()
  const navigate = useNavigate()
  const addressOf = useAddressOf()
  const [active, setActive] = useState<string>()
  const [hasFocus, setFocus] = useState(false)
  const [choosing, setChoosing] = useState<Choosing>()
  const [menu, setMenu] = useState<{ row: HomeRow; anchor: HTMLElement }>()
  const [writing, setWriting] = useState<string>()
  const { ghosts, entered, act, drop } = useShown(home, hasFocus ? active : undefined)
  const today = home?.today ?? todayIn(format.timezone)
  const workday = home?.workday ?? ''
  const nextDay = workday && capital(dayWords(workday, today, format))

  const move = (row: HomeRow, day: string) => {
    leave(row)
    act(row)
    moveTask(as, row, day, dayWords(day, today, format)).catch(notifyRefusal)
  }
  /** Gives the focus to the next row; once it is closed where something above the page has it. */
  const leave = (row: HomeRow) => {
    const next = rowAfter(keyOf(row))
    if (menu || choosing) focusLater(next)
    else focusRow(next)
  }
  const tick = (row: HomeRow) => {
    const ghost = ghosts.find((each) => each.row.id === row.id && each.state === 'done')
    if (ghost) {
      drop([row.id])
      reopenTask(as, row, ghost.group).catch(notifyRefusal)
      return
    }
    const group = home && placeOf(home, row.id)
    if (!group) return
    const index = rowsOf(home, group, ghosts).findIndex((each) => each.row.id === row.id)
    leave(row)
    act(row, { group, index })
    finishTask(as, row).catch((error: unknown) => {
      drop([row.id])
      notifyRefusal(error)
    })
  }
  const open = (row: HomeRow) => {
    const module = moduleOf[row.kind]
    setWriting(undefined)
    if (module) onOpen(module, row.id)
    else void navigate({ to: '/inbox', search: { open: row.id } })
  }
  const comment = (row: HomeRow) => {
    const module = moduleOf[row.kind]
    if (!module) return
    setWriting(row.id)
    onOpen(module, row.id)
  }
  const acts: RowActs = {
    tick,
    next: (row) => move(row, workday),
    nextDay,
    give: (row) => setChoosing({ what: 'person', row }),
    read: (row) => {
      leave(row)
      readMention(as, row).catch(notifyRefusal)
    },
    menu: (row, anchor) => setMenu({ row, anchor }),
    open,
    openRecord: (module, id) => {
      setWriting(undefined)
      onOpen(module, id)
    },
    addressOf: (row) => {
      if (row.kind === 'mention') return { to: '/inbox', search: { open: row.id } }
      if (row.kind === 'person') {
        const f = [
          { field: 'owner', operator: 'eq', value: row.id },
          { field: 'is_completed', operator: 'eq', value: false },
        ]
        return { to: '/tasks', search: { f, sort: 'due_date' } }
      }
      return { to: addressOf(moduleOf[row.kind] ?? '', row.id) ?? '/' }
    },
    focused: (row) => {
      setActive(keyOf(row))
      setFocus(true)
    },
    gone: ({ id }) => drop([id]),
  }

  const rows = home
    ? [...Object.values(home.groups), ...home.cards].flatMap((part) => part.rows)
    : []
  /** The row that the focus is on, if it has the act. */
  const current = (name?: HomeRow['acts'][number]) => {
    const key = rowKeyOf(document.activeElement)
    const row = rows.find((each) => keyOf(each) === key)
    return row && (!name || row.acts.includes(name)) ? row : undefined
  }
  const on = (name: HomeRow['acts'][number] | undefined, run: (row: HomeRow) => void) => () => {
    const row = current(name)
    if (row) run(row)
  }
  const step = (by: number) => () => {
    const key = rowBeside(active, by)
    focusRow(key)
    const row = rows.find((each) => keyOf(each) === key)
    if (openId && row && moduleOf[row.kind]) open(row)
  }
  const choose = (what: Choosing['what']) => (row: HomeRow) => setChoosing({ what, row })
  const key = (keys: string, label: string, run?: () => void) => ({
    keys,
    label,
    group: t('Home'),
    ...(run ? { run } : {}),
  })
  useUndoKeys(homeHistory)
  useShortcuts([
    key('j', t('Next row'), step(1)),
    key('k', t('Previous row'), step(-1)),
    key('Enter', t('Open in the panel')),
    key('Space', t('Done')),
    key('n', t('Move to the next working day'), on('move', acts.next)),
    ...[1, 2, 3, 4, 5].map((weekday) => {
      const day = nextOn(weekday, today)
      return key(
        String(weekday),
        t('Move to {day}', { day: longWeekday(day, format) }),
        on('move', (row) => move(row, day)),
      )
    }),
    key('z', t('Move to a day'), on('move', choose('day'))),
    key('a', t('Give to somebody'), on('give', acts.give)),
    key('r', t('Comment'), on('comment', comment)),
    key('m', t('Menu of the row'), () => {
      const row = current()
      const anchor = document.activeElement?.closest('[data-row]')
      if (row?.acts.length && anchor instanceof HTMLElement) setMenu({ row, anchor })
    }),
    key('u', t('Undo'), () => void undo(homeHistory)),
  ])
  const above = (
    <>
      {menu ? (
        <Menu
          open
          align="end"
          label={menu.row.title}
          anchor={menu.anchor}
          finalFocus={() => focusAfter(keyOf(menu.row))}
          items={menuOf(menu.row, { acts, today, format, move, comment, choose })}
          onOpenChange={(isOpen) => {
            if (!isOpen) setMenu(undefined)
          }}
        />
      ) : null}
      {choosing ? (
        <Chooser
          choosing={choosing}
          today={today}
          workday={workday}
          format={format}
          finalFocus={() => focusAfter(keyOf(choosing.row))}
          onDay={move}
          onPerson={(row, person) => {
            leave(row)
            act(row)
            giveTask(as, row, person).catch(notifyRefusal)
          }}
          onClose={() => setChoosing(undefined)}
        />
      ) : null}
    </>
  )
  return {
    ghosts,
    entered,
    acts,
    active,
    hasFocus,
    openId,
    writing,
    above,
    handlers: {
      onBlur: ({ relatedTarget }: FocusEvent) => {
        // menus and choosers stand outside of the page, and are about the row
        if (
          relatedTarget instanceof Element &&
          relatedTarget.closest('main') &&
          !rowKeyOf(relatedTarget)
        )
          setFocus(false)
      },
    },
  }
}
