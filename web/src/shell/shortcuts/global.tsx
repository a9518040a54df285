import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../data/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { openPalette } from '../palette/open.ts'
import { places } from '../sidebar.tsx'
import styles from './help.module.css'
import type { Shortcut } from '../../shortcuts/keys.ts'
import { activeShortcuts, setSingleKeys, useShortcuts } from '../../shortcuts/keys.ts'
import { onOpenShortcutHelp, openShortcutHelp } from './open.ts'

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

/** All keys of the page that is open. */
export function ShortcutHelp() {
  const [shown, setShown] = useState<Shortcut[]>([])
  const [isOpen, setOpen] = useState(false)
  useEffect(
    () =>
      onOpenShortcutHelp(() => {
        setShown(activeShortcuts())
        setOpen(true)
      }),
    [],
  )
  const groups = Object.entries(Object.groupBy(shown, ({ group }) => group))
  return (
    <Dialog open={isOpen} onOpenChange={setOpen} title="Keyboard shortcuts" size="large">
      <div className={styles.groups}>
        {groups.map(([group, all = []]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {all.map(({ keys, label }) => (
                <div key={keys}>
                  <dt>{label}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
