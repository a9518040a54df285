import { cloneElement, type ReactElement } from 'react'
import css from './breadcrumbs.module.css'
import { Icon } from './icons.tsx'
import { t } from '../locales/text.ts'

/** Where a page is: links to what is above it, and its own name. `render` takes a router's link. */
export function Breadcrumbs({
  items,
}: {
  items: { label: string; href?: string; render?: ReactElement }[]
}) {
  return (
    <nav aria-label={t('Breadcrumbs')}>
      <ol className={css.list}>
        {items.map(({ label, href, render }, i) => {
          const props = { className: css.words, title: label, children: label }
          const isLast = i === items.length - 1
          return (
            // crumbs may have the same name at several levels
            <li key={i} className={css.crumb}>
              {i > 0 && <Icon name="chevron-right" size={12} />}
              {isLast || !(href || render) ? (
                <span {...props} aria-current={isLast ? 'page' : undefined} />
              ) : (
                (render && cloneElement(render, props)) || (
                  <a href={href} className={css.words} title={label}>
                    {label}
                  </a>
                )
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
