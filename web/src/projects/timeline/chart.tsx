import type { CSSProperties, KeyboardEvent, RefObject } from 'react'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { WorkDays, dayNumber } from '../../../../server/src/schedule/workdays.ts'
import type { Format } from '../../records/field/format.ts'
import { shortDay } from '../../records/field/format.ts'
import { useChangedRows } from '../../records/table/changed-rows.ts'
import type { PlanRow } from '../tree.ts'
import type { Work } from '../use-work.ts'
import type { Box } from './arrows.ts'
import { arrowsOf } from './arrows.ts'
import { ArrowLines, Calendar, Head } from './backdrop.tsx'
import type { Bar, Dates } from './bars.ts'
import { barOf, daysBetween, isOther } from './bars.ts'
import { nameOfBar } from './bar-name.ts'
import { enginePlan } from '../engine-plan.ts'
import { brokenLinks } from './engine.ts'
import type { Range, Scale } from './scale.ts'
import { pixels } from './scale.ts'
import type { Place, RowActs } from './timeline-row.tsx'
import { TimelineRow } from './timeline-row.tsx'
import styles from './timeline.module.css'
import type { useDrag } from './use-drag.ts'
import type { View } from './use-view.ts'
import { t } from '../../locales/text.ts'

export type ChartProps = {
  work: Work
  format: Format
  scroller: RefObject<HTMLDivElement | null>
  view: View
  scale: Scale
  range: Range
  showsCritical: boolean
  color: 'status' | 'owner' | 'side'
  isNarrow: boolean
  /** the dates of rows in the baseline that is chosen */
  baseline: ReadonlyMap<string, { start: string | null; due: string | null } | null> | undefined
  /** where rows would go, by their id, and the one that is held */
  ghosts: ReadonlyMap<string, Dates>
  heldId: string | undefined
  drag: ReturnType<typeof useDrag>
  active: string | undefined
  opened: string | undefined
  mayMove: (row: PlanRow) => boolean
  acts: Omit<RowActs, 'onHover'>
  onKeyDown: (event: KeyboardEvent) => void
}

/** A table whose rows have levels and can be closed. */
const treegrid = 'treegrid'

const rowHeight = { wide: 28, narrow: 48 }
/** rows above and below what is seen that are drawn, too */
const spare = 8

/** The drawing of a plan: its rows with their bars, the calendar behind them, and arrows between them. */
export function Chart(props: ChartProps) {
  const { work, format, scroller, view, scale, range, isNarrow, ghosts, drag, onKeyDown } = props
  const { plan, rows, spans } = work
  const px = pixels[scale]
  const height = isNarrow ? rowHeight.narrow : rowHeight.wide
  const left = isNarrow ? 0 : 300
  const [hovered, setHovered] = useState<string>()
  const changed = useChangedRows('tasks', 'milestones')
  const workdays = useMemo(
    () => new WorkDays(plan.calendar, dayNumber(plan.today)),
    [plan.calendar, plan.today],
  )
  const bars = useMemo(
    () => new Map(rows.map((row) => [row.id, barOf(row, spans.get(row.id))])),
    [rows, spans],
  )
  const broken = useMemo(() => brokenLinks(enginePlan(plan)), [plan])
  const xOf = (day: number) => (day - range.from) * px
  const placeOf = ({ start, due }: Dates): Place => {
    const x = xOf(dayNumber(start))
    return { x, width: Math.max(xOf(dayNumber(due) + 1) - x, 3) }
  }
  const datesOf = (id: string, bar: Bar | undefined): Dates | undefined => ghosts.get(id) ?? bar
  const first = Math.max(0, Math.floor(view.top / height) - spare)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + spare)
  const indexes = new Map(rows.map(({ id }, at) => [id, at]))
  const boxOf = (id: string): Box | undefined => {
    const at = indexes.get(id)
    const dates = datesOf(id, bars.get(id))
    if (at === undefined || !dates) return undefined
    const { x, width } = placeOf(dates)
    return { x, end: x + width, y: (at + 0.5) * height + (isNarrow ? 9 : 0) }
  }
  const critical = new Set(plan.tasks.flatMap((task) => (task.is_critical ? task.item_id : [])))
  const isSeen = (id: string) => {
    const at = indexes.get(id)
    return at !== undefined && at >= first && at < last
  }
  const arrows = arrowsOf(
    plan.dependencies.filter(
      ({ task_id, predecessor_id }) => isSeen(task_id) || isSeen(predecessor_id),
    ),
    boxOf,
    ({ task_id, predecessor_id }) =>
      [task_id, predecessor_id].includes(hovered ?? props.active ?? '')
        ? 'near'
        : broken.has(`${task_id} ${predecessor_id}`) && !ghosts.size
          ? 'broken'
          : props.showsCritical && critical.has(task_id) && critical.has(predecessor_id)
            ? 'critical'
            : 'plain',
  )
  const width = (range.to - range.from + 1) * px
  const acts = useSteadyActs({ ...props.acts, onHover: setHovered })
  const numbers = new Map(work.actions.all.map(({ id, number }) => [id, number]))
  const linksOf = Map.groupBy(plan.dependencies, ({ task_id }) => task_id)
  /** of a task that is too early for what it waits for: by how much, and for what */
  const brokenOf = (id: string) => {
    for (const { predecessor_id: of, type } of linksOf.get(id) ?? []) {
      const days = broken.get(`${id} ${of}`)
      const task = numbers.get(of) ?? t('another task')
      if (days)
        return type === 'FS'
          ? t('starts a day before {task} ends | starts {count} days before {task} ends', {
              count: days,
              task,
            })
          : t('a day too early for {task} | {count} days too early for {task}', {
              count: days,
              task,
            })
    }
    return undefined
  }
  const shown = rows.slice(first, last).map((row, n) => {
    const bar = bars.get(row.id)
    const ghost = ghosts.get(row.id)
    const isHeld = props.heldId === row.id
    const place = bar && placeOf(isHeld && ghost ? ghost : bar)
    const signed = (from: string, to: string) => {
      const by = daysBetween(from, to, workdays)
      return by ? t('{days} d', { days: `${by > 0 ? '+' : '−'}${Math.abs(by)}` }) : ''
    }
    const difference = bar && ghost ? signed(bar.due, ghost.due) : ''
    const before = baseOf(props.baseline?.get(row.id))
    const sinceBaseline = bar && before ? signed(before.due, bar.due) : ''
    const gap = row.kind === 'task' && !ghosts.size ? brokenOf(row.id) : undefined
    const after = (linksOf.get(row.id) ?? []).flatMap(
      ({ predecessor_id }) => numbers.get(predecessor_id) ?? [],
    )
    return (
      <TimelineRow
        key={row.id}
        {...{ row, bar, format, acts, isNarrow, place }}
        at={first + n}
        ghost={
          bar && ghost && !isHeld && isOther(bar, ghost)
            ? { ...placeOf(ghost), label: difference }
            : undefined
        }
        held={
          isHeld && ghost
            ? { ...ghost, label: `${lengthOf(ghost, workdays)} ${difference}` }
            : undefined
        }
        latePlace={bar && latePlace(bar, plan.today, xOf)}
        slackPlace={bar && px >= 5 ? slackPlace(bar, workdays, xOf) : undefined}
        basePlace={bar && before ? placeOf(before) : undefined}
        baseWords={px >= pixels.week ? sinceBaseline : ''}
        broken={bar && !ghost ? gap : undefined}
        label={bar ? nameOfBar(bar, { after, workdays, format, baseline: sinceBaseline }) : ''}
        color={props.color}
        showsCritical={props.showsCritical}
        isActive={props.active === row.id}
        isOpened={props.opened === row.id}
        isChanged={changed.has(row.id)}
        isTarget={drag.drag?.kind === 'link' && drag.drag.over?.id === row.id}
        mayMove={props.mayMove(row)}
        goLive={goLiveOf(row, plan, ghost, format)}
        outside={
          place && place.x + place.width < view.left
            ? 'left'
            : place && place.x > view.left + view.width - left
              ? 'right'
              : undefined
        }
      />
    )
  })
  return (
    <div
      ref={scroller}
      className={styles.chart}
      data-link={drag.drag?.kind === 'link' || undefined}
      {...drag.handlers}
    >
      <div
        role={treegrid}
        aria-label={t('Timeline')}
        aria-rowcount={rows.length + 1}
        className={styles.canvas}
        style={{ '--width': width, '--rows': rows.length } as CSSProperties}
        onKeyDown={onKeyDown}
      >
        <Head {...{ scale, range, format, view, left }} today={plan.today} />
        <div className={styles.side} aria-hidden="true" />
        <Calendar
          {...{ range, scale, view, workdays, xOf }}
          names={plan.holiday_names}
          today={plan.today}
        />
        <ArrowLines arrows={arrows} drag={drag.drag} boxOf={boxOf} />
        {shown}
      </div>
    </div>
  )
}

/** The same functions while the drawing stands, so that only rows that change are drawn again. */
function useSteadyActs(latest: RowActs): RowActs {
  const current = useRef(latest)
  useLayoutEffect(() => {
    current.current = latest
  })
  const [steady] = useState<RowActs>(() => ({
    onToggle: (id) => current.current.onToggle(id),
    onOpen: (id) => current.current.onOpen(id),
    onActive: (id) => current.current.onActive(id),
    onDates: (id) => current.current.onDates(id),
    onShow: (id) => current.current.onShow(id),
    onHover: (id) => current.current.onHover(id),
    onSchedule: (id) => current.current.onSchedule(id),
    onRepair: (id) => current.current.onRepair(id),
  }))
  return steady
}

/** The days of a baseline, of which one may be missing. */
function baseOf(of: { start: string | null; due: string | null } | null | undefined) {
  const [start, due] = [of?.start ?? of?.due, of?.due ?? of?.start]
  return start && due ? { start, due } : undefined
}

function lengthOf({ start, due }: Dates, workdays: WorkDays): string {
  const days = workdays.length(dayNumber(start), dayNumber(due))
  return t('{count} day | {count} days', { count: days })
}

function latePlace(bar: Bar, today: string, xOf: (day: number) => number): Place | undefined {
  if (!bar.late) return undefined
  const x = xOf(dayNumber(bar.due) + 1)
  return { x, width: Math.max(xOf(dayNumber(today) + 0.5) - x, 2) }
}

function slackPlace(bar: Bar, workdays: WorkDays, xOf: (day: number) => number) {
  const days = bar.slack?.milestone ?? 0
  if (days <= 0 || bar.late || bar.state === 'done') return undefined
  const due = dayNumber(bar.due)
  const x = xOf(due + 1)
  return { x, width: xOf(workdays.day(workdays.until(due) + days) + 1) - x, days }
}

function goLiveOf(row: PlanRow, plan: Work['plan'], ghost: Dates | undefined, format: Format) {
  if (row.kind !== 'milestone' || row.milestone.kind !== 'go_live') return undefined
  const { agreed, forecast } = plan.go_live
  const day = ghost?.due ?? forecast ?? row.milestone.due_date
  if (!day) return undefined
  return { text: shortDay(day, format), isLater: agreed !== null && day > agreed }
}
