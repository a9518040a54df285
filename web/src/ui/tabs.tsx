import { Tabs as Base } from '@base-ui/react/tabs'
import { cloneElement, type ReactElement, type ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'
import css from './tabs.module.css'

type Words = { label: string; icon?: IconName; count?: number | null }

/** Tabs over their panels. Only the panel of the chosen tab is in the page. */
export function Tabs({
  value,
  onChange,
  tabs,
  label,
}: {
  value: string
  onChange: (value: string) => void
  tabs: (Words & { value: string; content: ReactNode })[]
  label: string
}) {
  return (
    <Base.Root value={value} onValueChange={(next: unknown) => onChange(String(next))}>
      <Base.List className={css.list} aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={css.tab}>
            <Inside {...tab} />
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className={css.panel}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}

/** Links that look like tabs, for views and pages with addresses. `render` takes a router's link. */
export function TabLinks({
  links,
  label,
  children,
}: {
  links: (Words & { href: string; current: boolean; render?: ReactElement })[]
  label: string
  /** Content after the links, for example a button for a new view. */
  children?: ReactNode
}) {
  return (
    <nav className={css.list} aria-label={label}>
      {links.map(({ href, current, render, ...words }) => {
        const props = {
          className: css.tab,
          'aria-current': current ? ('page' as const) : undefined,
        }
        const inside = <Inside {...words} />
        return render ? (
          cloneElement(render, { key: href, ...props }, inside)
        ) : (
          <a key={href} href={href} {...props}>
            {inside}
          </a>
        )
      })}
      {children}
    </nav>
  )
}

function Inside({ label, icon, count }: Words) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {label}
      {count !== undefined && count !== null && <span className={css.count}>{count}</span>}
    </>
  )
}
