/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions --
   a chart is one tab stop whose marks are read by arrows, and a wide table is scrolled by keys */
import { useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { announce } from '../announce.tsx'
import { classes } from '../classes.ts'
import css from './chart.module.css'
import { t } from '../../locales/text.ts'

/** What a mark of a chart says, and where it leads. */
export type Said = { text: string; to?: string | undefined }

/** A place in a chart: how far along, and in which series. */
export type At = readonly [along: number, series: number]

export type Table = { columns: string[]; rows: string[][] }

/** What all kinds of charts take. */
export type Look = {
  /** what is drawn, as the heading above says it */
  label: string
  /** what it shows, in a sentence */
  finding: string
  /** whether the numbers are shown as a table instead */
  isTable?: boolean
  /** asks for the other of both, by the key `t` */
  onTable?: (() => void) | undefined
  /** opens an address within the screens */
  onOpen?: ((to: string) => void) | undefined
  height?: number
  /** gets the numbers as a table, for files and the clipboard */
  tableRef?: { current: Table | null } | undefined
}

type Props = Look & {
  /** how many marks there are along, and series across */
  size: At
  say: (at: At) => Said | undefined
  table: Table
  className?: string | undefined
  /** the drawing, within so many pixels; it puts `marked(at)` on the marks */
  children: (width: number, active: At | null) => ReactNode
}

/**
 * A drawing of numbers that is read by pointer, keys and readers alike: one tab stop, arrows go from mark to mark and
 * say it, Enter opens what is behind it, `t` shows the table.
 */
export function Frame({ label, finding, isTable, className, table, tableRef, ...props }: Props) {
  useLayoutEffect(() => {
    if (tableRef) tableRef.current = table
  })
  return (
    <figure className={classes(css.chart, className)}>
      <figcaption>{finding}</figcaption>
      {isTable ? <Numbers label={label} table={table} /> : <Drawing {...props} label={label} />}
    </figure>
  )
}

function Drawing({
  label,
  size: [across, down],
  say,
  onTable,
  onOpen,
  height,
  children,
}: Omit<Props, 'finding' | 'isTable' | 'className' | 'table' | 'tableRef'>) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [active, setActive] = useState<At | null>(null)
  const [isByKey, setByKey] = useState(false)
  const said = active ? say(active) : undefined
  const go = (at: At) => {
    const next = [clamp(at[0], across), clamp(at[1], down)] as const
    setActive(next)
    setByKey(true)
    const { text = '', to } = say(next) ?? {}
    announce(to ? t('{text}. Enter opens it', { text }) : text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const [along, series] = active && isByKey ? active : [-1, 0]
    const from = Math.max(0, along)
    const moves: { [key: string]: At } = {
      ArrowRight: [along + 1, series],
      ArrowLeft: [from - 1, series],
      ArrowDown: down > 1 ? [from, series + 1] : [along + 1, 0],
      ArrowUp: down > 1 ? [from, series - 1] : [from - 1, 0],
      Home: [0, series],
      End: [across - 1, series],
    }
    const move = moves[event.key]
    if (move) go(move)
    else if (event.key === 'Enter' && said?.to) onOpen?.(said.to)
    else if (event.key === 't' && onTable) onTable()
    else if (event.key === 'Escape' && active) setActive(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onPointer = (event: MouseEvent) => {
    const at = atOf(event.target)
    setByKey(false)
    if (at?.join() !== active?.join()) setActive(at)
  }
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-mark]')
    if (!link || !onOpen || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
    event.preventDefault()
    onOpen(link.getAttribute('href') ?? '')
  }
  return (
    <div
      ref={frame}
      className={css.frame}
      style={height ? { height } : {}}
      tabIndex={0}
      role="group"
      aria-roledescription={t('chart')}
      aria-label={
        onTable
          ? t('{label}. Arrow keys read the values. T shows the table.', { label })
          : t('{label}. Arrow keys read the values.', { label })
      }
      onKeyDown={onKeyDown}
      onBlur={() => setActive(null)}
      onMouseMove={onPointer}
      onMouseLeave={() => setActive(null)}
      onClick={onClick}
    >
      {width ? children(width, active) : null}
      {active && said ? (
        <Tip key={active.join()} at={active} text={said.text} frame={frame} />
      ) : null}
    </div>
  )
}

/** The attributes of a mark's element: where the tooltip stands, and what the pointer is over. */
export function marked(at: At, active: At | null) {
  return {
    'data-mark': at.join(),
    'data-active': at.join() === active?.join() || undefined,
  }
}

type SpotProps = {
  at: At
  active: At | null
  to: string | undefined
  style: { left: number; top: number; width: number; height: number }
}

/** The place of a mark above a drawing: a link for the pointer if it leads somewhere. */
export function Spot({ at, active, to, style }: SpotProps) {
  const props = { className: css.spot, style, ...marked(at, active) }
  return to ? <a {...props} href={to} tabIndex={-1} aria-hidden /> : <span {...props} aria-hidden />
}

type TipProps = { at: At; text: string; frame: React.RefObject<HTMLDivElement | null> }

/** What a mark says, above it. */
function Tip({ at, text, frame }: TipProps) {
  const ref = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const whole = frame.current
    const mark = whole?.querySelector(`[data-mark="${at.join()}"]`)
    if (!whole || !mark || !ref.current) return
    const [outer, inner] = [whole.getBoundingClientRect(), mark.getBoundingClientRect()]
    const half = ref.current.offsetWidth / 2
    const middle = inner.left + inner.width / 2 - outer.left
    const left = Math.max(half, Math.min(outer.width - half, middle))
    ref.current.style.left = `${left}px`
    ref.current.style.top = `${inner.top - outer.top}px`
  })
  return (
    <span ref={ref} className={css.tip} aria-hidden>
      {text}
    </span>
  )
}

function Numbers({ label, table: { columns, rows } }: { label: string; table: Table }) {
  return (
    // many columns scroll sideways, by keys too
    <div
      className={css.numbers}
      tabIndex={0}
      role="region"
      aria-label={t('{label}, as a table', { label })}
    >
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells], at) => (
            <tr key={at}>
              <th scope="row">{first}</th>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The width of an element in pixels, kept up to date; 0 until it is known. */
function useWidth(ref: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}

function atOf(target: EventTarget): At | null {
  const mark = (target as Element).closest('[data-mark]')?.getAttribute('data-mark')
  if (!mark) return null
  const [along = 0, series = 0] = mark.split(',').map(Number)
  return [along, series]
}

function clamp(at: number, count: number): number {
  return Math.max(0, Math.min(count - 1, at))
}
