import type { RefObject } from 'react'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { dayNumber } from '../../../../server/src/schedule/workdays.ts'
import type { ProjectPlan } from '../../data/project-plan.ts'
import type { Work } from '../use-work.ts'
import type { Scale } from './scale.ts'
import { pixels, rangeOf, scaleBeside } from './scale.ts'
import { usePinch } from './use-pinch.ts'
import type { View } from './use-view.ts'

/** The width of the titles beside the days, in pixels. */
export const leftWidth = 300

type Props = {
  plan: ProjectPlan
  spans: Work['spans']
  scroller: RefObject<HTMLDivElement | null>
  view: View
  /** how much of it the titles take */
  left: number
  /** a day that is about to be in the plan */
  until: string | null | undefined
}

/** How much of time a timeline shows, and which days are in sight: by buttons, keys and two fingers. */
export function useScale({ plan, spans, scroller, view, left, until }: Props) {
  const [scale, setScale] = useState<Scale>('week')
  // what two fingers hold stays where it is
  const held = useRef<{ day: number; x: number }>(undefined)
  const px = pixels[scale]
  const range = useMemo(
    () =>
      rangeOf(
        [
          ...[...spans.values()].flatMap(({ start, due }) => [start, due]),
          plan.go_live.agreed,
          plan.go_live.forecast,
          until,
        ],
        plan.today,
        (view.width - left) / px,
      ),
    [spans, plan, until, view.width, left, px],
  )
  const show = (day: string) => {
    const element = scroller.current
    const x = (dayNumber(day) - range.from) * px
    element?.scrollTo({ left: Math.max(0, x - (element.clientWidth - left) / 3) })
  }
  const onScale = useEffectEvent(() => {
    const { day, x } = held.current ?? {}
    held.current = undefined
    if (day !== undefined && x !== undefined) {
      scroller.current?.scrollTo({ left: Math.max(0, (day - range.from) * px - x) })
      return
    }
    const ends = [...spans.values()].flatMap(({ due, start }) => due ?? start ?? [])
    const last = ends.reduce((most, each) => (each > most ? each : most), '')
    // of a project that has ended, its end
    show(last && last < plan.today ? last : plan.today)
  })
  // at first, and whenever the scale is another
  useEffect(() => onScale(), [scale])
  const zoom = (by: 1 | -1) => setScale(scaleBeside(scale, by))
  usePinch(scroller, (by, clientX) => {
    const element = scroller.current
    if (!element || scaleBeside(scale, by) === scale) return
    const x = clientX - element.getBoundingClientRect().left - left
    held.current = { day: range.from + (element.scrollLeft + x) / px, x }
    zoom(by)
  })
  return { scale, setScale, px, range, zoom, showDay: show }
}
