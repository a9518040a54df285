import { Link } from '@tanstack/react-router'
import type { ComponentType, LazyExoticComponent } from 'react'
import { Suspense, useSyncExternalStore } from 'react'
import { Empty } from '../../ui/empty.tsx'
import type { IconName } from '../../ui/icons.tsx'
import { Icon } from '../../ui/icons.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import styles from './sections.module.css'
import { inSentence, t } from '../../locales/text.ts'

/** A page of an area with its own navigation; its code is loaded when it is opened or hovered. */
export type SectionPlace = {
  id: string
  label: string
  icon: IconName
  load: () => Promise<unknown>
  page: LazyExoticComponent<ComponentType>
}

type Props = {
  title: string
  /** the address before the section's id */
  base: string
  groups: { title?: string; sections: SectionPlace[] }[]
  /** the section in the address; the first without one */
  current: string | undefined
}

/** Sections with a navigation beside them; on a phone the navigation is a page of its own. */
export function Sections({ title, base, groups, current }: Props) {
  const isPhone = useIsPhone()
  const all = groups.flatMap(({ sections }) => sections)
  const section = current === undefined ? all[0] : all.find(({ id }) => id === current)
  const isIndex = isPhone && current === undefined
  return (
    <div className={styles.frame}>
      {isPhone && !isIndex ? null : (
        <nav aria-label={title} className={styles.nav}>
          {isIndex ? <h1>{title}</h1> : <p>{title}</p>}
          {groups.map(({ title: group, sections }) =>
            sections.length ? (
              <section key={group ?? ''}>
                {group ? <h2>{group}</h2> : null}
                <ul>
                  {sections.map(({ id, label, icon, load }) => (
                    <li key={id}>
                      <Link
                        to={`${base}/${id}` as string}
                        className={styles.link}
                        aria-current={!isIndex && id === section?.id ? 'page' : undefined}
                        onPointerEnter={() => void load()}
                        onFocus={() => void load()}
                      >
                        <Icon name={icon} />
                        {label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            ) : null,
          )}
        </nav>
      )}
      {isIndex ? null : (
        <div className={styles.body}>
          {isPhone ? (
            <Link to={base} className={styles.link} activeOptions={{ exact: true }}>
              <Icon name="chevron-left" />
              {title}
            </Link>
          ) : null}
          {section ? (
            <Suspense
              key={section.id}
              fallback={
                <div className={styles.content}>
                  <SkeletonRows />
                </div>
              }
            >
              <section.page />
            </Suspense>
          ) : (
            <Empty
              as="h1"
              icon="search"
              title={t('There is no such page')}
              action={<Link to={base}>{t('Back to {title}', { title: inSentence(title) })}</Link>}
            >
              {t('It may have moved, or your role may not open it.')}
            </Empty>
          )}
        </div>
      )}
    </div>
  )
}

const phone = matchMedia('(width < 760px)')

function useIsPhone(): boolean {
  return useSyncExternalStore(
    (changed) => {
      phone.addEventListener('change', changed)
      return () => phone.removeEventListener('change', changed)
    },
    () => phone.matches,
  )
}
