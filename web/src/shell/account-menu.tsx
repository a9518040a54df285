import { useNavigate } from '@tanstack/react-router'
import { notifyRefusal } from '../data/change.ts'
import { changePreferences, levelOf, useSession } from '../data/session.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import styles from './account-menu.module.css'
import { openShortcutHelp } from './shortcuts/open.ts'
import { signOutHere } from './sign-out.ts'
import { t } from '../locales/text.ts'

const themes = [
  { value: 'system', label: t('Like the system'), icon: 'monitor' },
  { value: 'light', label: t('Light'), icon: 'sun' },
  { value: 'dark', label: t('Dark'), icon: 'moon' },
] as const

/** Who is signed in, with their settings and the way out. */
export default function AccountMenu() {
  const session = useSession()
  const navigate = useNavigate()
  const { theme = 'system' } = session.preferences as { theme?: string }
  const go = (to: string) => () => void navigate({ to })
  const items: MenuItem[] = [
    { label: t('Settings'), icon: 'settings', onSelect: go('/settings') },
    ...(levelOf(session, 'apps', 'read') === 'none'
      ? []
      : [{ label: t('Developers'), icon: 'code', onSelect: go('/developers') } as const]),
    { label: t('Keyboard shortcuts'), icon: 'keyboard', shortcut: '?', onSelect: openShortcutHelp },
    {
      kind: 'submenu',
      label: t('Theme'),
      icon: 'sun',
      items: [
        {
          kind: 'radio',
          value: theme,
          options: [...themes],
          onChange: (value) => void changePreferences({ theme: value }).catch(notifyRefusal),
        },
      ],
    },
    { kind: 'separator' },
    {
      label: t('Sign out'),
      icon: 'sign-out',
      onSelect: () => signOutHere(session.user.user_id),
    },
  ]
  const { full_name, profile_image } = session.user
  return (
    <Menu
      items={items}
      trigger={
        <button type="button" className={styles.account}>
          <Avatar name={full_name} image={profile_image} size={22} />
          <span>{full_name}</span>
        </button>
      }
    />
  )
}
