/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions --
   a card is one tab stop, whose keys move and size it as the pointer does */
import type { KeyboardEvent, PointerEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { DashboardWidget, WidgetAnswer } from '../../data/dashboards.ts'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icons.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import type { Cells } from '../grid.ts'
import { columns, layOut, placed, stepped } from '../grid.ts'
import { useWidgetName, WidgetBody } from '../widget-card.tsx'
import css from './edit.module.css'
import { t } from '../../locales/text.ts'

type Widgets = DashboardWidget[]

type Props = {
  widgets: Widgets
  answers: Map<string, WidgetAnswer> | undefined
  onChange: (next: Widgets) => void
  onSettings: (id: string) => void
  onCopy: (id: string) => void
  onRemove: (id: string) => void
}

/** A widget that is being moved by keys, or by the pointer: what the board was, and would be. */
type Moving = { id: string; by: 'keys' | 'pointer'; widgets: Widgets }

type Grab = { kind: 'move' | 'e' | 's' | 'se'; x: number; y: number; cells: Cells }

/** Pixels of a row with the gap below it, as the style sheet has them. */
const row = 80
const gap = 12

/** The widgets of a dashboard on their grid, to be moved and sized by pointer and keys. */
export function Board({ widgets, answers, onChange, ...acts }: Props) {
  const [moving, setMoving] = useState<Moving | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const grab = useRef<Grab | null>(null)
  const shown = moving?.widgets ?? widgets
  const cellsOf = new Map(layOut(shown).map(({ widget, cells }) => [widget.widget_id, cells]))
  const keep = () => {
    if (moving) onChange(moving.widgets)
    setMoving(null)
  }
  const step = (id: string, by: Partial<Cells>) => {
    const next = stepped(shown, id, by)
    setMoving({ id, by: 'keys', widgets: next })
    const cells = layOut(next).find(({ widget }) => widget.widget_id === id)?.cells
    if (cells) announce(cellWords(cells))
  }
  const start = (id: string, kind: Grab['kind'], event: PointerEvent) => {
    const cells = cellsOf.get(id)
    if (event.button || !cells) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    grab.current = { kind, x: event.clientX, y: event.clientY + scrolled(grid.current), cells }
    setMoving({ id, by: 'pointer', widgets })
  }
  const drag = (event: PointerEvent) => {
    const { current } = grab
    const element = grid.current
    if (!current || !element || !moving) return
    followEdge(element, event.clientY)
    const column = (element.clientWidth + gap) / columns
    const dx = Math.round((event.clientX - current.x) / column)
    const dy = Math.round((event.clientY + scrolled(element) - current.y) / row)
    const { x, y, w, h } = current.cells
    const to =
      current.kind === 'move'
        ? { x: x + dx, y: y + dy, w, h }
        : {
            x,
            y,
            w: current.kind === 's' ? w : Math.min(w + dx, columns - x),
            h: current.kind === 'e' ? h : h + dy,
          }
    setMoving({ ...moving, widgets: placed(widgets, moving.id, to) })
  }
  const drop = () => {
    if (!grab.current) return
    grab.current = null
    keep()
  }
  const isDragging = moving?.by === 'pointer'
  useEffect(() => {
    if (!isDragging) return
    const stopping = new AbortController()
    const cancel = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      grab.current = null
      setMoving(null)
    }
    addEventListener('keydown', cancel, { signal: stopping.signal, capture: true })
    return () => stopping.abort()
  }, [isDragging])
  return (
    <div ref={grid} className={css.grid}>
      {shown.map((widget) => {
        const { widget_id: id } = widget
        const cells = cellsOf.get(id)
        return cells ? (
          <EditCard
            key={id}
            {...{ widget, cells }}
            answer={answers?.get(id)}
            moving={moving?.id === id ? moving.by : undefined}
            onGrab={(kind, event) => start(id, kind, event)}
            onDrag={drag}
            onDrop={drop}
            onStep={(by) => step(id, by)}
            onBegin={() => setMoving({ id, by: 'keys', widgets })}
            onKeep={keep}
            onPutBack={() => setMoving(null)}
            onSettings={() => acts.onSettings(id)}
            onCopy={() => acts.onCopy(id)}
            onRemove={() => acts.onRemove(id)}
          />
        ) : null
      })}
    </div>
  )
}

function cellWords({ x, y, w, h }: Cells): string {
  return t('column {x}, row {y}, {w} × {h}', { x: x + 1, y: y + 1, w, h })
}

/** How far what holds the grid is scrolled. */
function scrolled(grid: HTMLElement | null): number {
  return grid?.parentElement?.scrollTop ?? 0
}

/** Scrolls what holds the grid while the pointer is at its upper or lower edge. */
function followEdge({ parentElement }: HTMLElement, y: number): void {
  const { top = 0, bottom = 0 } = parentElement?.getBoundingClientRect() ?? {}
  if (y < top + 32) parentElement?.scrollBy({ top: -16 })
  else if (y > bottom - 32) parentElement?.scrollBy({ top: 16 })
}

type CardProps = {
  widget: DashboardWidget
  cells: Cells
  answer: WidgetAnswer | undefined
  moving: Moving['by'] | undefined
  onGrab: (kind: Grab['kind'], event: PointerEvent) => void
  onDrag: (event: PointerEvent) => void
  onDrop: () => void
  onStep: (by: Partial<Cells>) => void
  onBegin: () => void
  onKeep: () => void
  onPutBack: () => void
  onSettings: () => void
  onCopy: () => void
  onRemove: () => void
}

function EditCard({ widget, cells, answer, moving, ...on }: CardProps) {
  const name = useWidgetName(widget)
  const isMoving = moving === 'keys'
  const { x, y, w, h } = cells
  const onKeyDown = (event: KeyboardEvent) => {
    // keys of the buttons and of the numbers in it are theirs
    if (event.target !== event.currentTarget && !isMoving) return
    const arrow = arrows[event.key]
    const isControl = event.ctrlKey || event.metaKey
    if (isMoving && arrow && !isControl) {
      on.onStep(event.shiftKey ? { w: arrow.x ?? 0, h: arrow.y ?? 0 } : arrow)
    } else if (isMoving && event.key === 'Escape') on.onPutBack()
    else if (isMoving && event.key === 'Enter' && event.target === event.currentTarget) on.onKeep()
    else if (!isMoving && event.key === 'Enter') on.onBegin()
    else if (!isMoving && event.key === 'Delete') on.onRemove()
    else if (!isMoving && isControl && event.key.toLowerCase() === 'd') on.onCopy()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const pointer = (kind: Grab['kind']) => ({
    onPointerDown: (event: PointerEvent) => on.onGrab(kind, event),
    onPointerMove: on.onDrag,
    onPointerUp: on.onDrop,
    onPointerCancel: on.onDrop,
  })
  return (
    <div
      role="group"
      tabIndex={0}
      data-widget={widget.widget_id}
      data-moving={moving}
      className={css.cell}
      aria-label={t('{name}, {cells}', { name, cells: cellWords(cells) })}
      aria-keyshortcuts="Enter Delete Control+D"
      style={{
        gridColumn: `${x + 1} / span ${w}`,
        gridRow: `${y + 1} / span ${h}`,
        // of a phone, where they stand below each other
        order: y * columns + x,
      }}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (isMoving && !event.currentTarget.contains(event.relatedTarget)) on.onKeep()
      }}
    >
      <Card
        className={css.card}
        title={
          <span className={css.grip} {...pointer('move')}>
            <Icon name="grip" size={14} />
            {name}
            {widget.is_visible ? null : <small> {t('hidden')}</small>}
          </span>
        }
        actions={
          <>
            <IconButton
              size="small"
              icon="move"
              label={t('{name}: move and size', { name })}
              aria-expanded={isMoving}
              onClick={(event) => {
                event.currentTarget.closest<HTMLElement>('[data-widget]')?.focus()
                on.onBegin()
              }}
            />
            <IconButton
              size="small"
              icon="settings"
              label={t('{name}: settings', { name })}
              onClick={on.onSettings}
            />
            <IconButton
              size="small"
              icon="copy"
              label={t('{name}: duplicate', { name })}
              onClick={on.onCopy}
            />
            <IconButton
              size="small"
              icon="trash"
              label={t('{name}: remove', { name })}
              onClick={on.onRemove}
            />
          </>
        }
      >
        <WidgetBody {...{ widget, answer, name }} filters={{}} isTable={false} onTable={() => {}} />
      </Card>
      {isMoving ? <MovePanel cells={cells} {...on} /> : null}
      {(['e', 's', 'se'] as const).map((kind) => (
        <span key={kind} className={css.edge} data-edge={kind} aria-hidden {...pointer(kind)} />
      ))}
    </div>
  )
}

const arrows: { [key: string]: { x?: number; y?: number } } = {
  ArrowLeft: { x: -1 },
  ArrowRight: { x: 1 },
  ArrowUp: { y: -1 },
  ArrowDown: { y: 1 },
}

type PanelProps = { cells: Cells } & Pick<CardProps, 'onStep' | 'onKeep' | 'onPutBack'>

/** How a widget is moved and sized without dragging: by keys, or by buttons. */
function MovePanel({ cells, onStep, onKeep, onPutBack }: PanelProps) {
  const step = (label: string, icon: Icons, by: Partial<Cells>) => (
    <IconButton size="small" icon={icon} label={label} onClick={() => onStep(by)} />
  )
  return (
    <div className={css.panel}>
      <p>
        <b>{t('Move and size')}</b> <span>{cellWords(cells)}</span>
      </p>
      <p>
        <span>{t('Move [arrange]')}</span>
        {step(t('To the left'), 'arrow-left', { x: -1 })}
        {step(t('Up'), 'arrow-up', { y: -1 })}
        {step(t('Down'), 'arrow-down', { y: 1 })}
        {step(t('To the right'), 'arrow-right', { x: 1 })}
      </p>
      <p>
        <span>
          {t('Size')} <Kbd keys="Shift" />
        </span>
        {step(t('Narrower'), 'arrow-left', { w: -1 })}
        {step(t('Less tall'), 'arrow-up', { h: -1 })}
        {step(t('Taller'), 'arrow-down', { h: 1 })}
        {step(t('Wider'), 'arrow-right', { w: 1 })}
      </p>
      <p>
        <Button size="small" variant="primary" onClick={onKeep}>
          {t('Keep')} <Kbd keys="Enter" plain />
        </Button>
        <Button size="small" onClick={onPutBack}>
          {t('Put back')} <Kbd keys="Escape" plain />
        </Button>
      </p>
    </div>
  )
}

type Icons = 'arrow-left' | 'arrow-right' | 'arrow-up' | 'arrow-down'
