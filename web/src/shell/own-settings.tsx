import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Icon } from '../ui/icons.tsx'
import { Logo } from './logo.tsx'
import styles from './shell.module.css'
import { useTheme } from './theme.ts'
import { useSession } from '../data/session.ts'

/** The one screen of customers and partners, their own settings; everything else of theirs is in the portal. */
export default function OwnSettings() {
  useTheme()
  const { organization } = useSession()
  const isHere = useRouterState({
    select: ({ location }) => /^\/settings(\/|$)/.test(location.pathname),
  })
  useEffect(() => {
    if (!isHere) location.replace('/portal')
  }, [isHere])
  if (!isHere) return null
  return (
    <div className={styles.alone}>
      <header className={styles.back}>
        {/* the portal is written by the server */}
        <a href="/portal">
          <Icon name="chevron-left" />
          <Logo src={organization.logo_url} />
          <span>{organization.name}</span>
        </a>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
    </div>
  )
}
