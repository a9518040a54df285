import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react'
import { useRef } from 'react'
import type { Size } from '../view/pdf.ts'
import styles from './prepare.module.css'
import type { changedBy, Placed, Signer } from './preparation.ts'
import { inside, kinds, nameOf, snapped, toMm } from './preparation.ts'
import { t } from '../../locales/text.ts'

type Props = {
  field: Placed
  /** the others of its page, whose edges it keeps to */
  others: Placed[]
  signer: { person: Signer | undefined; at: number; hue: string }
  size: Size
  isChosen: boolean
  onChoose: (isMore: boolean) => void
  /** shows a change that has not ended, and ends it */
  onDrag: (field: Placed | null) => void
  onChange: (field: Placed) => void
  onKey: (event: KeyboardEvent<HTMLButtonElement>) => void
}

/** A field on its page: moved by dragging and by keys, made larger at its corner and with Alt. */
export function FieldBox({
  field,
  others,
  signer,
  size,
  isChosen,
  onChoose,
  onDrag,
  onChange,
  onKey,
}: Props) {
  const { label } = kinds[field.kind]
  const who = signer.person ? nameOf(signer.person, signer.at) : t('nobody')
  const drag = useDrag({ field, others, onDrag, onChange })
  const at = t('{left} mm from the left, {top} from the top', {
    left: toMm(field.x, size.width),
    top: toMm(field.y, size.height),
  })
  return (
    <button
      type="button"
      className={styles.field}
      style={
        {
          left: `${field.x * 100}%`,
          top: `${field.y * 100}%`,
          width: `${field.width * 100}%`,
          height: `${field.height * 100}%`,
          '--hue': signer.hue,
        } as CSSProperties
      }
      data-field={field.key}
      aria-pressed={isChosen}
      aria-label={t('{label}, {who}, page {page}, {at}', {
        label: field.label || label,
        who,
        page: field.page,
        at,
      })}
      onFocus={() => {
        if (!isChosen) onChoose(false)
      }}
      onClick={(event) => {
        event.stopPropagation()
        onChoose(event.shiftKey)
      }}
      onKeyDown={onKey}
      {...drag('move')}
    >
      {/* the name of the button says all of it */}
      <span
        className={styles.whose}
        data-words={`${field.label || label} · ${signer.at + 1}${field.show_if ? ` · ${t('if …')}` : ''}`}
      />
      <span
        className={styles.sample}
        data-words={sampleOf(field, who, signer.person?.email ?? '')}
      />
      <span className={styles.corner} aria-hidden="true" {...drag('size')} />
    </button>
  )
}

function sampleOf(field: Placed, who: string, email: string): string {
  const { kind, label, options, prefill } = field
  if (prefill && kind !== 'checkbox') return prefill
  if (kind === 'date') return new Date().toISOString().slice(0, 10)
  if (kind === 'checkbox') return '✓'
  if (kind === 'choice') return options?.[0] || t('Choice')
  if (kind === 'number') return '42'
  if (kind === 'email') return email
  if (kind === 'text' || kind === 'company' || kind === 'attachment')
    return label || kinds[kind].label
  if (kind === 'signature' || kind === 'name') return who
  return who
    .split(/\s+/)
    .map((word) => word.slice(0, 1))
    .join('')
    .toUpperCase()
}

/** How far a pointer goes before it drags, in pixels. */
const still = 4
/** How near to another field's edge it keeps to it, in pixels. */
const near = 5

function useDrag({
  field,
  others,
  onDrag,
  onChange,
}: Pick<Props, 'field' | 'others' | 'onDrag' | 'onChange'>) {
  const begun = useRef<{
    x: number
    y: number
    page: DOMRect
    what: 'move' | 'size'
    /** as it was, while the page shows where it is dragged to */
    field: Placed
    now: Placed | null
  }>(null)
  const moved = (event: PointerEvent): Placed | null => {
    const start = begun.current
    if (!start) return null
    const [across, down] = [event.clientX - start.x, event.clientY - start.y]
    if (!start.now && Math.hypot(across, down) < still) return null
    const [dx, dy] = [across / start.page.width, down / start.page.height]
    const { field } = start
    if (start.what === 'size') {
      const width = Math.max(0.02, Math.min(1 - field.x, field.width + dx))
      const height = Math.max(0.01, Math.min(1 - field.y, field.height + dy))
      return inside({ ...field, width, height })
    }
    const free = inside({ ...field, x: field.x + dx, y: field.y + dy })
    if (event.ctrlKey) return free
    return snapped(free, others, { x: near / start.page.width, y: near / start.page.height })
  }
  const end = (isDropped: boolean) => {
    const { now = null } = begun.current ?? {}
    begun.current = null
    onDrag(null)
    if (now && isDropped) onChange(now)
  }
  return (what: 'move' | 'size') => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || begun.current) return
      const page = event.currentTarget.closest('[data-page]')?.getBoundingClientRect()
      if (!page) return
      if (what === 'size') event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      begun.current = { x: event.clientX, y: event.clientY, page, what, field, now: null }
    },
    onPointerMove: (event: PointerEvent) => {
      if (begun.current?.what !== what) return
      const next = moved(event)
      if (!next || !begun.current) return
      begun.current.now = next
      onDrag(next)
    },
    onPointerUp: () => {
      if (begun.current?.what === what) end(true)
    },
    onPointerCancel: () => {
      if (begun.current?.what === what) end(false)
    },
  })
}

/** What an arrow key does to fields: a millimetre, with Shift ten, with Alt in size. */
export function byArrow({
  key,
  shiftKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey'>):
  | Parameters<typeof changedBy>[1]
  | undefined {
  const step = shiftKey ? 10 : 1
  const [x, y] = altKey ? (['width', 'height'] as const) : (['x', 'y'] as const)
  switch (key) {
    case 'ArrowLeft':
      return { [x]: -step }
    case 'ArrowRight':
      return { [x]: step }
    case 'ArrowUp':
      return { [y]: -step }
    case 'ArrowDown':
      return { [y]: step }
    default:
      return undefined
  }
}
