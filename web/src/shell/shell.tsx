import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { startLive, stopLive } from '../api/live.ts'
import type { Session } from '../api/session.ts'
import { onOtherTabs } from '../api/session.ts'
import { signedIn } from '../api/signed-in.ts'
import { viewAs } from '../api/view-as.ts'
import { notifyRefusal } from '../data/change.ts'
import { followChanges } from '../data/follow.ts'
import { useAsked } from '../data/required.ts'
import { seeAs, sessionQuery, useSession } from '../data/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { UiProvider } from '../ui/provider.tsx'
import { Palette } from './palette/palette.tsx'
import { Notices } from './notices.tsx'
import { Sidebar } from './sidebar.tsx'
import { SignIn } from './sign-in.tsx'
import { useGlobalShortcuts } from './shortcuts/global.ts'
import { onOpenShortcutHelp } from './shortcuts/open.ts'
import styles from './shell.module.css'
import { useOnline } from './online.ts'
import { useTheme } from './theme.ts'
import { t } from '../locales/text.ts'

// dialogs are not needed at first
const SignInAgain = lazy(() => import('./sign-in-again.tsx'))
const ShortcutHelp = lazy(() => import('./shortcuts/help.tsx'))
const RequiredFields = lazy(() => import('../records/form/required-fields.tsx'))
const OwnSettings = lazy(() => import('./own-settings.tsx'))

/** The frame of every page: the sidebar, the page, and dialogs above it. */
export function Shell() {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false })
  return (
    <UiProvider locale={session?.user.locale}>
      <Notices />
      {session ? isOutsider(session) ? <Outside /> : <Workspace /> : <SignIn />}
    </UiProvider>
  )
}

/** Whether a customer or partner is signed in, rather than looked at by an administrator. */
function isOutsider({ role }: Session): boolean {
  return ['customer', 'partner'].includes(role.kind) && !viewAs.current()
}

function Outside() {
  return (
    <Suspense>
      <OwnSettings />
    </Suspense>
  )
}

function Workspace() {
  useTheme()
  useGlobalShortcuts()
  const isOnline = useOnline()
  const { live_position } = useSession()
  const [isOpen, setOpen] = useState(false)
  const start = useEffectEvent(() => startLive(live_position))
  useEffect(() => {
    start()
    const stopFollowing = followChanges()
    return () => {
      stopFollowing()
      stopLive()
    }
  }, [])
  useEffect(
    () =>
      onOtherTabs(({ type }) => {
        // another tab may have signed in as somebody else, who must not see this tab's data
        if (type === 'signed out') location.assign('/')
        else if (!signedIn.hasEnded()) location.reload()
      }),
    [],
  )
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        {t('Skip to content')}
      </a>
      <Sidebar isOpen={isOpen} onOpenChange={setOpen} />
      <div className={styles.page}>
        <Seeing />
        {isOnline ? null : (
          <Banner kind="warn">
            {t('You are offline. What you type stays here until you are back.')}
          </Banner>
        )}
        <main id="main" tabIndex={-1} className={styles.main}>
          <FocusOnNewPage />
          <Outlet />
        </main>
      </div>
      <Palette />
      <Dialogs />
    </div>
  )
}

/** Shows that somebody views as another person, and ends it. */
function Seeing() {
  const viewed = useSyncExternalStore(viewAs.subscribe, viewAs.current)
  const navigate = useNavigate()
  if (!viewed) return null
  const stop = () =>
    seeAs()
      .then(() => navigate({ to: '/settings/$section', params: { section: 'people' } }))
      .catch(notifyRefusal)
  return (
    <Banner
      icon="eye"
      actions={
        <Button size="small" onClick={() => void stop()}>
          {t('Stop')}
        </Button>
      }
    >
      {t('You see what {full_name} sees. Nothing can be changed.', { full_name: viewed.full_name })}
    </Banner>
  )
}

/** Dialogs above any page: the list of all keys, what a stage needs of a record, and the sign-in after a session has ended. */
function Dialogs() {
  const isEnded = useSyncExternalStore(signedIn.subscribe, signedIn.hasEnded)
  const asked = useAsked()
  const [showsKeys, setShowsKeys] = useState(false)
  useEffect(() => onOpenShortcutHelp(() => setShowsKeys(true)), [])
  return (
    <Suspense>
      {showsKeys ? <ShortcutHelp onClose={() => setShowsKeys(false)} /> : null}
      {asked ? <RequiredFields asked={asked} onClose={() => asked.answer(undefined)} /> : null}
      {isEnded ? <SignInAgain /> : null}
    </Suspense>
  )
}

/** Moves the focus to the heading of a new page, so that screen readers and keys begin there. */
function FocusOnNewPage() {
  // another tab of a record is the same page: the focus stays at the tab
  const path = useRouterState({
    select: ({ matches }) => {
      const { pathname = '', params = {} } = matches.at(-1) ?? {}
      return 'tab' in params ? pathname.slice(0, -String(params.tab).length - 1) : pathname
    },
  })
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return undefined
    }
    const goTo = (heading: HTMLElement) => {
      heading.setAttribute('tabindex', '-1')
      heading.focus({ preventScroll: true })
    }
    const find = () => document.querySelector<HTMLElement>('main h1')
    const heading = find()
    if (heading) goTo(heading)
    // the heading may be replaced by that of the page once its record is loaded
    const observer = new MutationObserver(() => {
      const found = find()
      if (found && document.activeElement === document.body) goTo(found)
    })
    const main = document.querySelector('main')
    if (main) observer.observe(main, { childList: true, subtree: true })
    const stop = () => observer.disconnect()
    addEventListener('pointerdown', stop, { once: true })
    const timer = setTimeout(stop, 10_000)
    return () => {
      stop()
      clearTimeout(timer)
      removeEventListener('pointerdown', stop)
    }
  }, [path])
  return null
}
