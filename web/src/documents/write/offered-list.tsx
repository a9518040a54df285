import { useId, useLayoutEffect, type RefObject } from 'react'
import popup from '../../ui/popup.module.css'
import type { Offered } from './own-editor.ts'
import styles from './write.module.css'
import { t } from '../../locales/text.ts'

/** What can be put in at the cursor; the focus stays in the text while the arrows go through it. */
export function OfferedList({
  offered: { items, command, at },
  active,
  onActive,
  text,
}: {
  offered: Offered
  active: number
  onActive: (index: number) => void
  text: RefObject<HTMLElement | null>
}) {
  const listId = useId()
  const activeId = items.length ? `${listId}-${active}` : undefined
  useLayoutEffect(() => {
    const box = text.current?.querySelector('[role=textbox]')
    if (activeId) box?.setAttribute('aria-activedescendant', activeId)
    box?.setAttribute('aria-controls', listId)
    document.getElementById(activeId ?? '')?.scrollIntoView({ block: 'nearest' })
    return () => {
      box?.removeAttribute('aria-activedescendant')
      box?.removeAttribute('aria-controls')
    }
  }, [activeId, listId, text])
  const isLow = (at?.bottom ?? 0) > innerHeight - 320
  const place = {
    left: Math.max(8, Math.min(at?.left ?? 0, innerWidth - 348)),
    ...(isLow ? { bottom: innerHeight - (at?.top ?? 0) + 4 } : { top: (at?.bottom ?? 0) + 4 }),
  }
  return (
    <div className={`${popup.popup} ${styles.offered}`} style={place}>
      <div className={popup.list} id={listId} role="listbox" aria-label={t('What can be put in')}>
        {items.map((item, index) => (
          <div
            key={item.key}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={popup.item}
            {...(index === active ? { 'data-highlighted': '' } : {})}
            onPointerMove={() => onActive(index)}
            onMouseDown={(event) => {
              event.preventDefault()
              command(item)
            }}
          >
            <span className={popup.words}>
              <span className={popup.label}>
                {item.group ? `${item.group}: ${item.label}` : item.label}
              </span>
            </span>
            {item.note === undefined ? null : <span className={styles.note}>{item.note}</span>}
          </div>
        ))}
      </div>
      {items.length ? null : <div className={popup.note}>{t('Nothing has this name')}</div>}
    </div>
  )
}
