import { Link, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { modulesQuery } from '../data/modules.ts'
import { unreadQuery } from '../data/notifications.ts'
import { isConfined, levelOf, useSession } from '../data/session.ts'
import { sections } from '../screens.ts'
import { Icon } from '../ui/icons.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { Logo } from './logo.tsx'
import { openPalette } from './palette/open.ts'
import styles from './sidebar.module.css'
import { t } from '../locales/text.ts'

// menus are not needed at first
const AccountMenu = lazy(() => import('./account-menu.tsx'))

type Props = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

/** The navigation: at the side, and on a phone behind a button. */
export function Sidebar({ isOpen, onOpenChange }: Props) {
  const session = useSession()
  const { data: unread = session.unread_notifications } = useQuery(unreadQuery)
  useQuery(modulesQuery)
  const path = useRouterState({ select: (state) => state.location.pathname })
  useEffect(() => onOpenChange(false), [path, onOpenChange])
  const mayRead = (module?: string) => !module || levelOf(session, module, 'read') !== 'none'
  return (
    <header className={styles.bar} data-open={isOpen}>
      <div className={styles.head}>
        <Logo src={session.organization.logo_url} />
        <span className={styles.name} title={session.organization.name}>
          {session.organization.name}
        </span>
        <span className={styles.opener}>
          <IconButton
            label={isOpen ? t('Close the menu') : t('Open the menu')}
            icon={isOpen ? 'x' : 'menu'}
            aria-expanded={isOpen}
            onClick={() => onOpenChange(!isOpen)}
          />
        </span>
      </div>
      <div className={styles.body}>
        <button type="button" className={styles.search} onClick={() => openPalette()}>
          <Icon name="search" />
          <span>{t('Search')}</span>
          <Kbd keys="Mod+K" />
        </button>
        <nav aria-label={t('Workspace')} className={styles.nav}>
          {sections.map(({ title, places: all }) => {
            const shown = all.filter(
              ({ module, isForTeam }) => mayRead(module) && !(isForTeam && isConfined(session)),
            )
            return shown.length ? (
              <section key={title ?? ''}>
                {title ? <h2>{title}</h2> : null}
                <ul>
                  {shown.map(({ to, label, icon }) => (
                    <li key={to}>
                      <Link to={to} activeOptions={{ exact: to === '/' }} className={styles.link}>
                        <Icon name={icon} />
                        <span>{label}</span>
                        {to === '/inbox' && unread > 0 ? (
                          <span
                            className={styles.unread}
                            aria-label={t('{unread} unread', { unread })}
                          >
                            {unread > 99 ? '99+' : unread}
                          </span>
                        ) : null}
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            ) : null
          })}
        </nav>
        <Suspense fallback={<div className={styles.account} />}>
          <AccountMenu />
        </Suspense>
      </div>
    </header>
  )
}
