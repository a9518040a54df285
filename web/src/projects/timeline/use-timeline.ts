import { useQuery } from '@tanstack/react-query'
import type { KeyboardEvent, RefObject } from 'react'
import { useMemo, useRef, useState } from 'react'
import { holds, piecesOf } from '../../../../server/src/kit/ground/fold.ts'
import { WorkDays, dayNumber } from '../../../../server/src/schedule/workdays.ts'
import { notifyRefusal } from '../../data/change.ts'
import type { PlanOp } from '../../data/plan-moves.ts'
import { moveAlone } from '../../data/plan-moves.ts'
import { baselineQuery } from '../../data/project-plan.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { useOnline } from '../../shell/online.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { wordOf } from '../after.ts'
import { readDay } from '../day-words.ts'
import type { PlanRow, RealRow, TaskRow } from '../tree.ts'
import { isReal } from '../tree.ts'
import type { Work } from '../use-work.ts'
import type { BarActs } from './bar-keys.ts'
import { onBarKey } from './bar-keys.ts'
import type { Dates, Edge } from './bars.ts'
import { barOf, draggedDates, isOther, steppedDates } from './bars.ts'
import { enginePlan } from '../engine-plan.ts'
import { movedHere } from './engine.ts'
import { movedBy, ownOf, setOf, stored } from './moving.ts'
import { menuOf } from './timeline-menu.ts'
import type { Color } from './tools.tsx'
import type { Drag } from './use-drag.ts'
import { useDrag } from './use-drag.ts'
import { usePreview } from './use-preview.ts'
import { leftWidth, useScale } from './use-scale.ts'
import { useView } from './use-view.ts'
import { t } from '../../locales/text.ts'

type Props = {
  work: Work
  open: (id: string | undefined) => void
  page: RefObject<HTMLElement | null>
  onDates: (id: string) => void
  onLink: (row: TaskRow) => void
  onMenu: (row: RealRow, anchor: Element) => void
  /** a name is asked for under which the dates are kept */
  onBaseline: () => void
}

const none: ReadonlyMap<string, Dates> = new Map()

/** What a timeline shows, and what the pointer and keys do to it. */
export function useTimeline(props: Props) {
  const { work, open, page, onDates, onLink, onMenu, onBaseline } = props
  const { plan, rows, spans, moving, ask } = work
  const format = useFormat()
  const isNarrow = useNarrow()
  const isOnline = useOnline()
  const [showsCritical, setCritical] = useState(true)
  const [color, setColor] = useState<Color>('status')
  const [visited, setVisited] = useState<string>()
  const [baseline, setBaseline] = useState<string>()
  const compared = plan.baselines.find(({ baseline_id: id }) => id === baseline)
  const { data: baselineDates } = useQuery({
    ...baselineQuery(work.projectId, baseline ?? ''),
    enabled: compared !== undefined,
  })
  const active = rows.some(({ id }) => id === visited) ? visited : rows[0]?.id
  const scroller = useRef<HTMLDivElement>(null)
  const view = useView(scroller)
  const left = isNarrow ? 0 : leftWidth
  const workdays = useMemo(
    () => new WorkDays(plan.calendar, dayNumber(plan.today)),
    [plan.calendar, plan.today],
  )
  const engine = useMemo(() => enginePlan(plan), [plan])
  const pending = moving && {
    id: moving.id,
    title: moving.title,
    ops: moving.ops ?? [setOf(moving.id, moving)],
  }
  const cancel = () => ask(undefined)
  const preview = usePreview(work.projectId, pending, () => {
    ask(undefined)
    focus(pending?.id)
  })
  const barIn = (row: PlanRow) => barOf(row, spans.get(row.id))
  const mayMove = (row: PlanRow) =>
    isOnline && !isNarrow && isReal(row) && work.may(row).change && barIn(row)?.state !== 'done'

  const { scale, setScale, px, range, zoom, showDay } = useScale({
    plan,
    spans,
    scroller,
    view,
    left,
    until: moving?.due_date,
  })

  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const element = scroller.current
    const { left: x = 0, top: y = 0 } = element?.getBoundingClientRect() ?? {}
    return {
      x: clientX - x - left + (element?.scrollLeft ?? 0),
      y: clientY - y + (element?.scrollTop ?? 0),
    }
  }
  const drag = useDrag({
    px,
    isOff: !isOnline || isNarrow,
    placeOf,
    onEdge: ({ clientX, clientY }) => {
      const box = scroller.current?.getBoundingClientRect()
      if (!box) return
      const across = clientX > box.right - 32 ? 12 : clientX < box.left + left + 16 ? -12 : 0
      const down = clientY > box.bottom - 24 ? 8 : clientY < box.top + 60 ? -8 : 0
      if (across || down) scroller.current?.scrollBy(across, down)
    },
    onDrop: drop,
  })

  const dragged = dragOf(drag.drag)
  const ghosts = ghostsOf()

  /** Where rows would go: computed here at once, and by the service as soon as it has answered. */
  function ghostsOf(): ReadonlyMap<string, Dates> {
    if (dragged) {
      const { id, dates } = dragged
      return new Map([...movedHere(engine, [setOf(id, stored(dates))], 'use_gaps'), [id, dates]])
    }
    if (!pending) return none
    const found =
      preview.isCurrent && preview.data
        ? movedBy(preview.data.moved)
        : movedHere(engine, pending.ops, preview.follow)
    return moving?.ops ? found : new Map([...found, ...ownOf(moving)])
  }

  function dragOf(of: Drag | undefined): { id: string; dates: Dates } | undefined {
    if (!of || of.kind === 'link' || !of.days) return undefined
    const row = rows.find(({ id }) => id === of.id)
    const bar = row && barIn(row)
    if (!bar) return undefined
    return { id: of.id, dates: draggedDates(bar, of.days, of.kind, workdays) }
  }

  function drop(of: Drag) {
    const row = rows.find(({ id }) => id === of.id)
    if (!row || !isReal(row)) return
    if (of.kind === 'link') {
      if (of.over)
        link(row, of.over.id, of.end === 'start' || of.over.side === 'start' ? 'SS' : 'FS')
      return
    }
    const found = dragOf(of)
    const bar = barIn(row)
    if (!found || !bar || !isOther(found.dates, bar)) return
    const { dates } = found
    const others = movedHere(engine, [setOf(row.id, stored(dates))], 'use_gaps')
    const reaches = [...others.keys()].some(
      (id) => id !== row.id && plan.tasks.some(({ item_id }) => item_id === id),
    )
    if (reaches) ask({ title: row.title, id: row.id, ...stored(dates) })
    else work.actions.quietly(work.actions.setDates(row, stored(dates)))
  }

  function link(from: RealRow, id: string, type: 'FS' | 'SS') {
    const row = rows.find((each) => each.id === id)
    if (row?.kind !== 'task' || from.kind !== 'task') return
    const ops: PlanOp[] = [{ op: 'link', id, predecessor_id: from.id, type }]
    const { start_date, due_date } = row.task
    moveAlone(work.projectId, new Set([id]), ops)
      .then((found) => found && ask({ title: row.title, id, start_date, due_date, ops }))
      .catch(notifyRefusal)
  }

  function step(row: PlanRow, by: number, edge: Edge) {
    const bar = barIn(row)
    if (!bar) return onDates(row.id)
    const now = moving?.id === row.id && !moving.ops ? (ownOf(moving).get(row.id) ?? bar) : bar
    const dates = steppedDates(now, by, edge, workdays)
    if (isOther(dates, bar)) ask({ title: row.title, id: row.id, ...stored(dates) })
    else ask(undefined)
    show(row.id, dates)
  }

  function pin(row: PlanRow) {
    if (row.kind !== 'task') return
    const is_pinned = !row.task.is_pinned
    const message = is_pinned
      ? t('{title} fixed', { title: row.title })
      : t('{title} free', { title: row.title })
    work.actions.quietly(work.actions.change(row, { is_pinned }, message))
  }

  function focus(id: string | undefined) {
    // the row may be drawn anew first
    requestAnimationFrame(() => {
      if (id === undefined) return
      page.current?.querySelector<HTMLElement>(`[data-bar="${CSS.escape(id)}"]`)?.focus()
    })
  }

  /** Brings a row and its bar into sight. */
  function show(id: string, dates?: Dates) {
    const element = scroller.current
    const at = rows.findIndex((row) => row.id === id)
    const row = rows[at]
    const bar = dates ?? (row && barIn(row))
    if (!element || !row) return
    const height = isNarrow ? 48 : 28
    const top = at * height
    const seen = element.clientHeight - 44 - (moving ? 110 : 0) - height
    if (top < element.scrollTop) element.scrollTop = top
    else if (top > element.scrollTop + seen) element.scrollTop = top - seen
    if (!bar) return
    const x = (dayNumber(bar.start) - range.from) * px
    const end = (dayNumber(bar.due) + 1 - range.from) * px
    const width = element.clientWidth - left
    if (end > element.scrollLeft + width - 40)
      element.scrollLeft = Math.min(end - width + 160, x - 40)
    else if (x < element.scrollLeft) element.scrollLeft = x - 40
  }

  function go(id: string) {
    setVisited(id)
    show(id)
    focus(id)
  }

  /** a day, or the row whose title holds what is typed; says where there is neither */
  function find(text: string): string | undefined {
    const { today, calendar } = plan
    const typed = readDay(text, { today, calendar, locale: format.locale })
    if (typed) {
      const number = dayNumber(typed)
      if (number < range.from || number > range.to) return t('The plan has nothing near that day')
      showDay(typed)
      return undefined
    }
    const pieces = piecesOf(text)
    const found = work.actions.all.find(({ title }) => holds(title, pieces))
    if (!found) return t('No such day or task')
    if (!rows.some(({ id }) => id === found.id)) work.collapse(undefined)
    go(found.id)
    return undefined
  }

  const mayPlan = work.rights.mayPlan && isOnline
  const askWith = (title: string, ops: PlanOp[], id = '') =>
    ask({ title, id, start_date: null, due_date: null, ops })
  const isUndated = (row: PlanRow) => row.kind === 'task' && !row.children && !barIn(row)
  /** a task without dates gets them from its estimate and dependencies */
  const schedule = (id: string) => {
    const row = rows.find((each) => each.id === id)
    if (!row || !isUndated(row) || !mayMove(row)) return false
    askWith(row.title, [{ op: 'schedule', id }], id)
    return true
  }
  /** a task that is too early for what it waits for moves behind it */
  const repair = (id: string) => {
    const row = rows.find((each) => each.id === id)
    const ops = plan.dependencies
      .filter((each) => each.task_id === id)
      .map(({ predecessor_id, type, lag_days }): PlanOp => {
        return { op: 'link', id, predecessor_id, type, lag_days }
      })
    if (row) askWith(row.title, ops, id)
  }
  const acts: BarActs = {
    go,
    step,
    toggle: work.toggle,
    open: (id) => isTask(rows, id) && open(id),
    link: (row) => row.kind === 'task' && work.may(row).change && onLink(row),
    pin: (row) => mayMove(row) && pin(row),
    tick: (row) =>
      isReal(row) && work.may(row).change && work.actions.quietly(work.actions.tick(row)),
    schedule: (row) => schedule(row.id),
    menu: (row) => {
      const anchor = page.current?.querySelector(`[data-bar="${CSS.escape(row.id)}"]`)
      if (isReal(row) && anchor) onMenu(row, anchor)
    },
    apply: () => {
      if (!pending) return false
      void preview.apply()
      return true
    },
    cancel: () => {
      if (pending) cancel()
      return pending !== undefined
    },
    mayMove,
  }
  const mayChange = rows.some((row) => isReal(row) && work.may(row).change)
  const more = menuOf({
    work,
    ask: askWith,
    mayAct: mayChange && isOnline,
    mayPlan,
    hasUndated: rows.some(isUndated),
    compared,
    format,
    onBaseline,
  })
  return {
    preview,
    cancel: () => {
      cancel()
      focus(pending?.id)
    },
    focus,
    showToday: () => showDay(plan.today),
    zoom,
    compare: setBaseline,
    /** the agreed go-live becomes what the move makes of it */
    agree: mayPlan
      ? (due_date: string) => {
          if (!moving || !pending) return
          ask({ ...moving, ops: [...pending.ops, { op: 'agree', due_date }] })
        }
      : undefined,
    /** a fixed task that is in the way may move, too */
    free: (id: string) => {
      if (!moving || !pending) return
      ask({ ...moving, ops: [...pending.ops, { op: 'set', id, set: { is_pinned: false } }] })
    },
    afterOf: (id: string) => {
      const numbers = new Map(work.actions.all.map((row) => [row.id, row.number]))
      return plan.dependencies
        .filter(({ task_id }) => task_id === id)
        .flatMap((each) => {
          const number = numbers.get(each.predecessor_id)
          return number === undefined ? [] : wordOf(each, number)
        })
        .join(', ')
    },
    acts: {
      onActive: setVisited,
      onShow: (id: string) => show(id),
      onSchedule: (id: string) => void schedule(id),
      onRepair: repair,
    },
    tools: {
      scale,
      onScale: setScale,
      onToday: () => showDay(plan.today),
      onFind: find,
      showsCritical,
      onCritical: setCritical,
      color,
      onColor: setColor,
      baseline: compared?.baseline_id,
      baselines: plan.baselines,
      onBaseline: setBaseline,
      more,
      isNarrow,
      note: isOnline
        ? mayChange
          ? undefined
          : t('You can read this plan.')
        : t('Offline · reading only'),
    },
    chart: {
      work,
      format,
      scroller,
      view,
      scale,
      range,
      showsCritical,
      color,
      isNarrow,
      baseline: compared ? baselineDates : undefined,
      ghosts,
      heldId: dragged?.id ?? (moving?.ops ? undefined : pending?.id),
      drag,
      active,
      mayMove,
      onKeyDown: (event: KeyboardEvent) => onBarKey(event, rows, acts),
    },
  }
}

function isTask(rows: PlanRow[], id: string): boolean {
  return rows.some((row) => row.id === id && row.kind === 'task')
}
