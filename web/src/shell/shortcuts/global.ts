import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../../data/session.ts'
import { openPalette } from '../palette/open.ts'
import { places } from '../../screens.ts'
import { setSingleKeys, useShortcuts } from '../../shortcuts/keys.ts'
import { everywhere, openShortcutHelp } from './open.ts'
import { t } from '../../locales/text.ts'

/** The keys that work on every page. */
export function useGlobalShortcuts(): void {
  const navigate = useNavigate()
  const { single_keys: singleKeys } = useSession().preferences as { single_keys?: boolean }
  useEffect(() => setSingleKeys(singleKeys !== false), [singleKeys])
  useShortcuts([
    {
      keys: 'Mod+K',
      label: t('Search and commands'),
      group: everywhere,
      run: () => openPalette(),
    },
    { keys: '?', label: t('Show all keys'), group: everywhere, run: openShortcutHelp },
    ...places.map(({ to, label, key }) => ({
      keys: `g ${key}`,
      label: t('Go to {label}', { label }),
      group: everywhere,
      run: () => void navigate({ to }),
    })),
  ])
}
