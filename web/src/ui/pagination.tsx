import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { useLocale } from './locale.ts'
import { Menu } from './menu.tsx'
import css from './pagination.module.css'
import { t } from '../locales/text.ts'

/** The footer of a list: the range and total of rows, the page size, previous and next. */
export function Pagination({
  page,
  size,
  total,
  onPage,
  onSize,
  sizes = [25, 50, 100, 200],
}: {
  /** From 1. */
  page: number
  size: number
  /** Null if it is not known yet. */
  total: number | null
  onPage: (page: number) => void
  onSize?: (size: number) => void
  sizes?: number[]
}) {
  const locale = useLocale()
  const first = (page - 1) * size + 1
  const last = total === null ? page * size : Math.min(page * size, total)
  const format = (number: number) => number.toLocaleString(locale)
  return (
    <nav className={css.pagination} aria-label={t('Pages')}>
      <span className={css.range}>
        {total === 0
          ? t('No rows')
          : total === null
            ? `${format(first)}–${format(last)}`
            : t('{first}–{last} of {total}', {
                first: format(first),
                last: format(last),
                total: format(total),
              })}
      </span>
      {onSize && (
        <Menu
          align="end"
          side="top"
          trigger={
            <Button iconAfter="chevron-down" aria-label={t('{size} rows on a page', { size })}>
              {t('{size} rows', { size })}
            </Button>
          }
          items={[
            {
              kind: 'radio',
              label: t('Rows on a page'),
              value: String(size),
              options: sizes.map((each) => ({ value: String(each), label: String(each) })),
              onChange: (next) => onSize(Number(next)),
            },
          ]}
        />
      )}
      <IconButton
        label={t('Previous page')}
        icon="chevron-left"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        label={t('Next page')}
        icon="chevron-right"
        disabled={total !== null && last >= total}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}
