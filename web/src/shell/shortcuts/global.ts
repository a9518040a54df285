import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../../data/session.ts'
import { openPalette } from '../palette/open.ts'
import { places } from '../../screens.ts'
import { setSingleKeys, useShortcuts } from '../../shortcuts/keys.ts'
import { openShortcutHelp } from './open.ts'

/** The keys that work on every page. */
export function useGlobalShortcuts(): void {
  const navigate = useNavigate()
  const { single_keys: singleKeys } = useSession().preferences as { single_keys?: boolean }
  useEffect(() => setSingleKeys(singleKeys !== false), [singleKeys])
  useShortcuts([
    { keys: 'Mod+K', label: 'Search and commands', group: 'Everywhere', run: () => openPalette() },
    { keys: '?', label: 'Show all keys', group: 'Everywhere', run: openShortcutHelp },
    ...places.map(({ to, label, key }) => ({
      keys: `g ${key}`,
      label: `Go to ${label}`,
      group: 'Everywhere',
      run: () => void navigate({ to }),
    })),
  ])
}
