import { Dialog } from '@base-ui/react/dialog'
import { Fragment, useEffect, useId, useRef, type MouseEvent, type ReactNode } from 'react'
import { Avatar } from './avatar.tsx'
import dialog from './dialog.module.css'
import { EarlyEscape } from './early-escape.tsx'
import { IconButton } from './icon-button.tsx'
import { Icon, type IconName } from './icons.tsx'
import { Kbd } from './kbd.tsx'
import css from './palette.module.css'
import popup from './popup.module.css'
import { useStateFor } from './use-state-for.ts'
import { t } from '../locales/text.ts'

/** A line of the palette: a record to open or a command to run. */
export type PaletteItem = {
  id: string
  label: string
  /** its context, to the right of its label */
  detail?: string | null
  icon?: IconName
  /** shows the initials of the label instead of an icon */
  avatar?: 'round' | 'square'
  /** the shortcut that does the same */
  keys?: string
}

export type PaletteGroup = { label: string; items: PaletteItem[] }

/**
 * A field above the page with its results in groups below: arrows move, Enter chooses, Ctrl+Enter
 * opens in a new tab. `busy` means that more results are loading; Enter then waits for them.
 */
export function PaletteDialog({
  open,
  onOpenChange,
  label,
  placeholder,
  query,
  onQuery,
  groups,
  busy = false,
  empty,
  hints = null,
  finalFocus,
  onChoose,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  label: string
  placeholder: string
  query: string
  onQuery: (query: string) => void
  groups: PaletteGroup[]
  busy?: boolean
  /** shown if nothing was found */
  empty: ReactNode
  /** further keys, in the foot */
  hints?: ReactNode
  /** what has the focus afterwards, if not what had it before */
  finalFocus?: () => HTMLElement | null
  onChoose: (item: PaletteItem, inNewTab: boolean) => void
}) {
  const actions = useRef<Dialog.Root.Actions>(null)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const items = groups.flatMap((group) => group.items)
  // the first is active again for every new text
  const [active, setActive] = useStateFor<string | undefined>(undefined, query)
  const isWaiting = useRef<{ inNewTab: boolean }>(undefined)
  const current = items.find((item) => item.id === active) ?? items[0]
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.id])
  useEffect(() => {
    const waiting = isWaiting.current
    if (busy || !waiting) return
    isWaiting.current = undefined
    if (current) onChoose(current, waiting.inNewTab)
  })
  const move = (by: number) => {
    const at = items.findIndex((item) => item.id === current?.id)
    setActive(items[(at + by + items.length) % items.length]?.id)
  }
  const choose = (item: PaletteItem | undefined, inNewTab: boolean) => {
    // results for an earlier, shorter text are not the ones to choose from
    if (busy && active === undefined) isWaiting.current = { inNewTab }
    else if (item) onChoose(item, inNewTab)
  }
  const byKey = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const steps: { [key: string]: number } = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }
    const step = steps[event.key]
    if (step !== undefined && items.length)
      move(Math.max(-items.length, Math.min(items.length, step)))
    else if (event.key === 'Enter') choose(current, event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
  }
  return (
    <Dialog.Root actionsRef={actions} open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} />
        <Dialog.Popup
          className={css.palette}
          initialFocus={input}
          finalFocus={finalFocus}
          aria-label={label}
        >
          <EarlyEscape actions={actions} />
          <div className={css.field}>
            <Icon name="search" />
            <input
              ref={input}
              role="combobox"
              aria-label={label}
              aria-expanded={items.length > 0}
              aria-controls={`${id}-list`}
              aria-autocomplete="list"
              aria-activedescendant={current ? `${id}-${current.id}` : undefined}
              placeholder={placeholder}
              value={query}
              autoComplete="off"
              autoCorrect="off"
              spellCheck={false}
              enterKeyHint="go"
              onChange={(event) => onQuery(event.target.value)}
              onKeyDown={byKey}
            />
            {busy ? <span className={css.busy} aria-hidden="true" /> : null}
            <Dialog.Close
              render={<IconButton className={css.close} label={t('Close')} icon="x" size="small" />}
            />
          </div>
          <div
            ref={list}
            id={`${id}-list`}
            role="listbox"
            aria-label={t('Results')}
            className={css.list}
          >
            {groups.map((group, at) =>
              group.items.length ? (
                <div key={group.label} role="group" aria-labelledby={`${id}-group-${at}`}>
                  <div id={`${id}-group-${at}`} className={popup.group}>
                    {group.label}
                  </div>
                  {group.items.map((item) => (
                    <Line
                      key={item.id}
                      id={`${id}-${item.id}`}
                      item={item}
                      query={query}
                      isActive={item.id === current?.id}
                      onPoint={() => setActive(item.id)}
                      onChoose={(inNewTab) => onChoose(item, inNewTab)}
                    />
                  ))}
                </div>
              ) : null,
            )}
          </div>
          {items.length || busy ? null : (
            <div className={css.empty} role="status">
              {empty}
            </div>
          )}
          <div className={css.foot} aria-hidden="true">
            <span>
              <Kbd keys="↑ ↓" /> {t('move')}
            </span>
            <span>
              <Kbd keys="Enter" /> {t('choose')}
            </span>
            {hints}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Line({
  id,
  item,
  query,
  isActive,
  onPoint,
  onChoose,
}: {
  id: string
  item: PaletteItem
  query: string
  isActive: boolean
  onPoint: () => void
  onChoose: (inNewTab: boolean) => void
}) {
  const { label, detail, icon, avatar, keys } = item
  return (
    // the field, which has the focus, handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={css.line}
      onPointerMove={isActive ? undefined : onPoint}
      onClick={(event: MouseEvent) => onChoose(event.ctrlKey || event.metaKey)}
      onAuxClick={(event: MouseEvent) => {
        if (event.button === 1) onChoose(true)
      }}
      onKeyDown={() => {}}
      onMouseDown={(event: MouseEvent) => event.preventDefault()}
    >
      <span className={css.sign}>
        {avatar ? (
          <Avatar name={label} square={avatar === 'square'} size={20} />
        ) : icon ? (
          <Icon name={icon} />
        ) : null}
      </span>
      <span className={css.label}>
        <Marked text={label} words={query} />
      </span>
      {detail ? <span className={css.detail}>{detail}</span> : null}
      {keys ? <Kbd keys={keys} /> : null}
    </div>
  )
}

/** A text with the typed beginnings of words highlighted. */
function Marked({ text, words }: { text: string; words: string }) {
  const parts = words.replace(/^[@>]/, '').trim().split(/\s+/).filter(Boolean)
  if (!parts.length) return text
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const pieces = text.split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${escaped.join('|')}))`, 'iu'))
  // the pieces of a text never change their order
  return pieces.map((piece, at) =>
    at % 2 ? <mark key={at}>{piece}</mark> : <Fragment key={at}>{piece}</Fragment>,
  )
}
