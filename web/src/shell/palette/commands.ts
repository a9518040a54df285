import { useContext } from 'react'
import { useQuery } from '@tanstack/react-query'
import { notifyRefusal } from '../../data/change.ts'
import { modulesQuery } from '../../data/modules.ts'
import { isConfined, changePreferences, levelOf, useSession } from '../../data/session.ts'
import { AllScreens } from '../../records/screens.ts'
import type { PaletteItem } from '../../ui/palette.tsx'
import { toast } from '../../ui/toast.tsx'
import { openShortcutHelp } from '../shortcuts/open.ts'
import { places } from '../../screens.ts'
import { signOutHere } from '../sign-out.ts'

/** Something to do: at an address, or by a function. */
export type Command = PaletteItem & { words?: string } & ({ to: string } | { run: () => void })

/** The commands that the person may use from anywhere. */
export function useCommands(): Command[] {
  const session = useSession()
  const all = useContext(AllScreens)
  const { data: modules = [] } = useQuery(modulesQuery)
  const mayRead = (module?: string) => !module || levelOf(session, module, 'read') !== 'none'
  const creating = all.flatMap((screens): Command[] => {
    const module = modules.find((each) => each.module === screens.module)
    if (!module || screens.isMadeElsewhere) return []
    if (levelOf(session, screens.module, 'create') === 'none') return []
    const label = `New ${module.word.one}`
    return [
      {
        id: `new-${screens.module}`,
        label,
        words: 'create add',
        icon: 'plus',
        to: `${screens.address}?new=true`,
      },
    ]
  })
  const going = places
    .filter(({ module, isForTeam }) => mayRead(module) && !(isForTeam && isConfined(session)))
    .map(({ to, label, icon, key }): Command => {
      return { id: `go-${to}`, label: `Go to ${label}`, icon, keys: `g ${key}`, to }
    })
  const theme = (value: string) => () =>
    void changePreferences({ theme: value }).catch(notifyRefusal)
  return [
    ...creating,
    ...going,
    ...(mayRead('tags')
      ? [{ id: 'go-tags', label: 'Go to Tags', icon: 'tags', to: '/tags' } as const]
      : []),
    ...(levelOf(session, 'contacts', 'create') === 'none'
      ? []
      : [
          {
            id: 'import',
            label: 'Import from a file',
            words: 'csv upload',
            icon: 'upload',
            to: '/import',
          } as const,
        ]),
    ...(levelOf(session, 'users', 'create') === 'none'
      ? []
      : [
          {
            id: 'invite',
            label: 'Invite a colleague',
            words: 'people user member',
            icon: 'user-plus',
            to: '/settings/people',
          } as const,
        ]),
    { id: 'settings', label: 'Open settings', icon: 'settings', to: '/settings' },
    ...(levelOf(session, 'apps', 'read') === 'none'
      ? []
      : [
          {
            id: 'developers',
            label: 'Open developers',
            words: 'api apps webhooks events',
            icon: 'code',
            to: '/developers',
          } as const,
        ]),
    {
      id: 'copy-address',
      label: 'Copy the address of this page',
      words: 'link url share',
      icon: 'link',
      run: () =>
        void navigator.clipboard
          .writeText(location.href)
          .then(() => toast({ message: 'Address copied' })),
    },
    { id: 'theme-dark', label: 'Dark theme', words: 'night', icon: 'moon', run: theme('dark') },
    { id: 'theme-light', label: 'Light theme', words: 'day', icon: 'sun', run: theme('light') },
    {
      id: 'theme-system',
      label: 'Theme like the system',
      icon: 'monitor',
      run: theme('system'),
    },
    {
      id: 'keys',
      label: 'Keyboard shortcuts',
      words: 'help keys',
      icon: 'keyboard',
      keys: '?',
      run: openShortcutHelp,
    },
    {
      id: 'sign-out',
      label: 'Sign out',
      words: 'log out leave',
      icon: 'sign-out',
      run: () => signOutHere(session.user.user_id),
    },
  ]
}
