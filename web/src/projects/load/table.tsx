import type { KeyboardEvent } from 'react'
import { useRef, useState } from 'react'
import type { Load, LoadPerson } from '../../data/load.ts'
import type { Format } from '../../records/field/format.ts'
import { percent, shortDay } from '../../records/field/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { counted } from '../../ui/counted.ts'
import { Popover } from '../../ui/popover.tsx'
import { LoadCell } from './cell.tsx'
import styles from './load.module.css'
import { LoadTasks } from './tasks.tsx'
import { cellName } from './words.ts'

/** A table whose cells arrows go through. */
const grid = 'grid'

type Props = {
  load: Load
  /** those that are shown */
  people: LoadPerson[]
  /** those that are chosen, for the totals */
  all: LoadPerson[]
  format: Format
}

/** Minutes that would leave a person's week and come to another's. */
type Preview = { from: string; to: string; at: number; minutes: number }
type Place = { user: string; at: number }

/** People by weeks. Arrows move, Enter opens the tasks of a cell, and `a` gives one of them to somebody else. */
export function LoadTable({ load, people, all, format }: Props) {
  const table = useRef<HTMLTableElement>(null)
  const [visited, setVisited] = useState<Place>()
  const [open, setOpen] = useState<Place & { anchor: HTMLElement; isGiving: boolean }>()
  const [preview, setPreview] = useState<Preview>()
  const found = people.findIndex(({ user }) => user.user_id === visited?.user)
  const active = { row: Math.max(found, 0), at: found < 0 ? 0 : (visited?.at ?? 0) }
  const opened = people.find(({ user }) => user.user_id === open?.user)
  const button = (row: number, at: number) =>
    table.current?.querySelector<HTMLElement>(
      `tbody tr:nth-child(${row + 1}) td:nth-of-type(${at + 1}) button`,
    )
  const openAt = (row: number, at: number, isGiving: boolean) => {
    const user = people[row]?.user.user_id
    const anchor = button(row, at)
    if (user && anchor) setOpen({ user, at, anchor, isGiving })
  }
  const close = () => {
    setOpen(undefined)
    setPreview(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { row, at } = active
    const last = { row: people.length - 1, at: load.weeks.length - 1 }
    const to = (nextRow: number, nextAt: number) => () => button(nextRow, nextAt)?.focus()
    const keys: { [key: string]: () => void } = {
      ArrowDown: to(Math.min(row + 1, last.row), at),
      ArrowUp: to(Math.max(row - 1, 0), at),
      ArrowRight: to(row, Math.min(at + 1, last.at)),
      ArrowLeft: to(row, Math.max(at - 1, 0)),
      Home: to(row, 0),
      End: to(row, last.at),
      a: () => openAt(row, at, true),
    }
    const run = keys[event.key]
    if (!run || open || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  const addedTo = (user: string, at: number) => {
    if (!preview || preview.at !== at) return undefined
    return user === preview.from
      ? -preview.minutes
      : user === preview.to
        ? preview.minutes
        : undefined
  }
  const thisWeek = load.weeks.findLast(({ week }) => week <= load.today)?.week
  return (
    <div className={styles.scroller}>
      <table
        ref={table}
        role={grid}
        aria-label="Load of people by week"
        className={styles.table}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            <th scope="col">Person</th>
            {load.weeks.map(({ week, working_days: days }) => (
              <th key={week} scope="col" aria-current={week === thisWeek ? 'date' : undefined}>
                {shortDay(week, format)}
                {days < usualDays(load) ? `, ${counted(days, 'day')}` : ''}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map((person, row) => {
            const { user } = person
            return (
              <tr key={user.user_id}>
                <th scope="row">
                  <span className={styles.person}>
                    <Avatar name={user.full_name} size={24} />
                    <span>
                      <b>{user.full_name}</b>
                      <small>{user.designation}</small>
                    </span>
                  </span>
                </th>
                {person.weeks.map((week, at) => (
                  <LoadCell
                    key={week.week}
                    name={cellName(person, week, format)}
                    week={week}
                    added={addedTo(user.user_id, at)}
                    isActive={row === active.row && at === active.at}
                    isOpen={open?.user === user.user_id && open.at === at}
                    onFocus={() => setVisited({ user: user.user_id, at })}
                    onOpen={() => openAt(row, at, false)}
                  />
                ))}
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            {load.weeks.map(({ week }, at) => {
              const sum = (of: 'planned' | 'capacity') =>
                all.reduce((total, { weeks }) => total + (weeks[at]?.[of] ?? 0), 0)
              const capacity = sum('capacity')
              return (
                <td key={week}>
                  {capacity ? percent(Math.round((100 * sum('planned')) / capacity), format) : '–'}
                </td>
              )
            })}
          </tr>
        </tfoot>
      </table>
      {open && opened ? (
        <Popover
          open
          anchor={open.anchor}
          label={`Tasks of ${opened.user.full_name}`}
          className={styles.popover ?? ''}
          onOpenChange={(isOpen) => {
            if (!isOpen) close()
          }}
        >
          <LoadTasks
            people={load.people}
            person={opened}
            at={open.at}
            isGiving={open.isGiving}
            format={format}
            onPreview={(to, minutes) =>
              setPreview(to ? { from: open.user, to, at: open.at, minutes } : undefined)
            }
            onClose={close}
          />
        </Popover>
      ) : null}
    </div>
  )
}

/** Working days of a week without holidays. */
function usualDays({ weeks }: Load): number {
  return Math.max(...weeks.map(({ working_days: days }) => days))
}
