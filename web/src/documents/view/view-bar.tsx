import type { ReactNode } from 'react'
import { useState } from 'react'
import { percent } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './view.module.css'
import type { Zoom } from './zoom.ts'
import { nextZoom, zoomAt } from './zoom.ts'

type Props = {
  page: number
  pages: number
  scale: number
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
  /** goes to a page; pictures and texts have none */
  onPage?: (page: number) => void
  children?: ReactNode
}

/** The bar of what is shown: the zoom, and the page where there are several. */
export function ViewBar({ page, pages, scale, zoom, onZoom, onPage, children }: Props) {
  const format = useFormat()
  const step = (by: 1 | -1) => onZoom(nextZoom(scale, by))
  useShortcuts([
    { keys: '+', label: 'Larger', group: 'Pages', run: () => step(1) },
    { keys: '-', label: 'Smaller', group: 'Pages', run: () => step(-1) },
    { keys: '0', label: 'As wide as the window', group: 'Pages', run: () => onZoom('width') },
  ])
  return (
    <div className={styles.bar} role="group" aria-label="View">
      <IconButton label="Smaller" icon="minus" shortcut="-" onClick={() => step(-1)} />
      <output className={styles.zoom}>{percent(Math.round(zoomAt(scale) * 100), format)}</output>
      <IconButton label="Larger" icon="plus" shortcut="+" onClick={() => step(1)} />
      <Button variant="quiet" aria-pressed={zoom === 'width'} onClick={() => onZoom('width')}>
        Fit width
      </Button>
      <Button
        variant="quiet"
        className={styles.wide}
        aria-pressed={zoom === 'page'}
        onClick={() => onZoom('page')}
      >
        Fit page
      </Button>
      {children}
      {onPage ? <PageField page={page} pages={pages} onPage={onPage} /> : null}
    </div>
  )
}

function PageField({ page, pages, onPage }: Required<Pick<Props, 'page' | 'pages' | 'onPage'>>) {
  const [typed, setTyped] = useState<string>()
  const go = (to: number) => onPage(Math.min(pages, Math.max(1, to)))
  const settle = () => {
    const number = Number(typed)
    if (typed?.trim() && Number.isInteger(number)) go(number)
    setTyped(undefined)
  }
  return (
    <span className={styles.pageField}>
      <IconButton
        label="Previous page"
        icon="chevron-up"
        disabled={page <= 1}
        onClick={() => go(page - 1)}
      />
      <label>
        <Hidden>Page, of {pages}</Hidden>
        <input
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? String(page)}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={settle}
          onKeyDown={(event) => {
            if (event.key === 'Enter') settle()
          }}
        />
      </label>
      <span aria-hidden="true">of {pages}</span>
      <IconButton
        label="Next page"
        icon="chevron-down"
        disabled={page >= pages}
        onClick={() => go(page + 1)}
      />
    </span>
  )
}
