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
import { t } from '../../locales/text.ts'

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
    { keys: '+', label: t('Larger'), group: t('Pages'), run: () => step(1) },
    { keys: '-', label: t('Smaller'), group: t('Pages'), run: () => step(-1) },
    { keys: '0', label: t('As wide as the window'), group: t('Pages'), run: () => onZoom('width') },
  ])
  return (
    <div className={styles.bar} role="group" aria-label={t('View')}>
      <IconButton label={t('Smaller')} icon="minus" shortcut="-" onClick={() => step(-1)} />
      <output className={styles.zoom}>{percent(Math.round(zoomAt(scale) * 100), format)}</output>
      <IconButton label={t('Larger')} icon="plus" shortcut="+" onClick={() => step(1)} />
      <Button variant="quiet" aria-pressed={zoom === 'width'} onClick={() => onZoom('width')}>
        {t('Fit width')}
      </Button>
      <Button
        variant="quiet"
        className={styles.wide}
        aria-pressed={zoom === 'page'}
        onClick={() => onZoom('page')}
      >
        {t('Fit page')}
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
        label={t('Previous page')}
        icon="chevron-up"
        disabled={page <= 1}
        onClick={() => go(page - 1)}
      />
      <label>
        <Hidden>{t('Page, of {pages}', { pages })}</Hidden>
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
      <span aria-hidden="true">{t('of {pages}', { pages })}</span>
      <IconButton
        label={t('Next page')}
        icon="chevron-down"
        disabled={page >= pages}
        onClick={() => go(page + 1)}
      />
    </span>
  )
}
