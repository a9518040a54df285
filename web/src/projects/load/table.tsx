import type { ComponentProps, DragEvent, KeyboardEvent } from 'react'
import { useRef, useState } from 'react'
import { notifyRefusal } from '../../data/change.ts'
import type { Load, LoadPerson, LoadTask } from '../../data/load.ts'
import type { Format } from '../../records/field/format.ts'
import { percent } from '../../records/field/format.ts'
import { later } from '../../records/later.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { classes } from '../../ui/classes.ts'
import { Popover } from '../../ui/popover.tsx'
import { LoadCell } from './cell.tsx'
import styles from './load.module.css'
import type { Added, Moved } from './moved.ts'
import { addedBy, daysAfter, placeOf } from './moved.ts'
import type { TaskAct } from './tasks.tsx'
import { LoadTasks } from './tasks.tsx'
import { cellName, movedWords, weekOf } from './words.ts'
import { t } from '../../locales/text.ts'

const MoveDialog = later(() => import('../move-dialog.tsx'))

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

type Place = { user: string; at: number }
type Open = Place & { anchor: HTMLElement; act: TaskAct | undefined }
type Moving = ComponentProps<typeof MoveDialog>

/**
 * People by weeks. Arrows move, Enter opens the tasks of a cell, `a` gives one of them to somebody else, and `m` moves one to
 * another week; a task is also dragged from there to a cell.
 */
export function LoadTable({ load, people, all, format }: Props) {
  const table = useRef<HTMLTableElement>(null)
  const [visited, setVisited] = useState<Place>()
  const [open, setOpen] = useState<Open>()
  const [preview, setPreview] = useState<Moved>()
  const [dragged, setDragged] = useState<LoadTask>()
  // what waits for the person to agree that more moves with it
  const [asked, setAsked] = useState<Pick<Moving, 'projectId' | 'moving'>>()
  const added: Added | undefined = preview && addedBy(load, preview)
  const found = people.findIndex(({ user }) => user.user_id === visited?.user)
  const active = { row: Math.max(found, 0), at: found < 0 ? 0 : (visited?.at ?? 0) }
  const opened = people.find(({ user }) => user.user_id === open?.user)
  const button = (row: number, at: number) =>
    table.current?.querySelector<HTMLElement>(
      `tbody tr:nth-child(${row + 1}) td:nth-of-type(${at + 1}) button`,
    )
  const openAt = (row: number, at: number, act?: TaskAct) => {
    const user = people[row]?.user.user_id
    const anchor = button(row, at)
    if (user && anchor) setOpen({ user, at, anchor, act })
  }
  const close = () => {
    setOpen(undefined)
    setPreview(undefined)
    setDragged(undefined)
  }
  const move = async (moved: Moved) => {
    const { task, from, to, weeks } = moved
    const week = load.weeks[(open?.at ?? 0) + weeks]?.week ?? load.today
    close()
    // what few visits do, with what it needs of plans
    const { moveWork } = await import('../../data/plan-work.ts')
    const { item_id: id, title, start_date, due_date } = task
    const more = await moveWork({
      task,
      days: daysAfter(load, task, weeks),
      owner: { from: from.user.user_id, to: to.user.user_id },
      message: movedWords(moved, week, format),
    })
    if (!more) return
    const { projectId, ...rest } = more
    setAsked({ projectId, moving: { id, title, start_date, due_date, ...rest } })
  }
  const moveOrSay = (moved: Moved) => void move(moved).catch(notifyRefusal)
  /** What is dragged, over the cell of an event; nothing where it is already. */
  const over = (event: DragEvent): Moved | undefined => {
    const td = event.target instanceof Element ? event.target.closest<HTMLElement>('td') : null
    const [user, at] = [td?.dataset.user, Number(td?.dataset.at)]
    const to = people.find((person) => person.user.user_id === user)
    if (!dragged || !open || !opened || !to || (user === open.user && at === open.at)) return
    return { task: dragged, from: opened, to, weeks: at - open.at }
  }
  const onDragOver = (event: DragEvent) => {
    const moved = over(event)
    if (moved) event.preventDefault()
    const isSame = moved?.to === preview?.to && moved?.weeks === preview?.weeks
    if (!isSame) setPreview(moved)
  }
  const onDrop = (event: DragEvent) => {
    const moved = over(event)
    if (!moved) return
    event.preventDefault()
    moveOrSay(moved)
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
      a: () => openAt(row, at, 'give'),
      m: () => openAt(row, at, 'move'),
    }
    const run = keys[event.key]
    if (!run || open || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  const thisWeek = load.weeks.findLast(({ week }) => week <= load.today)?.week
  return (
    <div className={styles.scroller}>
      <table
        ref={table}
        role={grid}
        aria-label={t('Load of people by week')}
        className={styles.table}
        onKeyDown={onKeyDown}
        onDragOver={onDragOver}
        onDragLeave={(event) => {
          const to = event.relatedTarget
          if (!(to instanceof Node && event.currentTarget.contains(to))) setPreview(undefined)
        }}
        onDrop={onDrop}
      >
        <thead>
          <tr>
            <th scope="col">{t('Person')}</th>
            {load.weeks.map(({ week, working_days: days }) => (
              <th key={week} scope="col" aria-current={week === thisWeek ? 'date' : undefined}>
                {weekOf(week, format)}
                {days < usualDays(load)
                  ? `, ${t('{count} day | {count} days', { count: days })}`
                  : ''}
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
                    place={{ user: user.user_id, at }}
                    name={cellName(person, week, format)}
                    week={week}
                    added={added?.get(placeOf(user.user_id, at))}
                    isActive={row === active.row && at === active.at}
                    isOpen={open?.user === user.user_id && open.at === at}
                    onFocus={() => setVisited({ user: user.user_id, at })}
                    onOpen={() => openAt(row, at)}
                  />
                ))}
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('All')}</th>
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
          label={t('Tasks of {person}', { person: opened.user.full_name })}
          className={classes(styles.popover, dragged && styles.dragging) ?? ''}
          onOpenChange={(isOpen) => {
            if (!isOpen) close()
          }}
        >
          <LoadTasks
            load={load}
            person={opened}
            at={open.at}
            act={open.act}
            format={format}
            onPreview={setPreview}
            onMove={moveOrSay}
            onDrag={(task) => {
              setDragged(task)
              setPreview(undefined)
            }}
          />
        </Popover>
      ) : null}
      {asked ? <MoveDialog {...asked} onClose={() => setAsked(undefined)} /> : null}
    </div>
  )
}

/** Working days of a week without holidays. */
function usualDays({ weeks }: Load): number {
  return Math.max(...weeks.map(({ working_days: days }) => days))
}
