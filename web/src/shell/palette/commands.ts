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
import { t } from '../../locales/text.ts'

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
    const label = t('New {one}', { one: module.word.one })
    return [
      {
        id: `new-${screens.module}`,
        label,
        words: t('create add'),
        icon: 'plus',
        to: `${screens.address}?new=true`,
      },
    ]
  })
  const going = places
    .filter(({ module, isForTeam }) => mayRead(module) && !(isForTeam && isConfined(session)))
    .map(({ to, label, icon, key }): Command => {
      return { id: `go-${to}`, label: t('Go to {label}', { label }), icon, keys: `g ${key}`, to }
    })
  const theme = (value: string) => () =>
    void changePreferences({ theme: value }).catch(notifyRefusal)
  return [
    ...creating,
    ...going,
    ...(mayRead('tags')
      ? [{ id: 'go-tags', label: t('Go to Tags'), icon: 'tags', to: '/tags' } as const]
      : []),
    ...(levelOf(session, 'contacts', 'create') === 'none'
      ? []
      : [
          {
            id: 'import',
            label: t('Import from a file'),
            words: t('csv upload'),
            icon: 'upload',
            to: '/import',
          } as const,
        ]),
    ...(levelOf(session, 'users', 'create') === 'none'
      ? []
      : [
          {
            id: 'invite',
            label: t('Invite a colleague'),
            words: t('people user member'),
            icon: 'user-plus',
            to: '/settings/people',
          } as const,
        ]),
    { id: 'settings', label: t('Open settings'), icon: 'settings', to: '/settings' },
    ...(levelOf(session, 'apps', 'read') === 'none'
      ? []
      : [
          {
            id: 'developers',
            label: t('Open developers'),
            words: t('api apps webhooks events'),
            icon: 'code',
            to: '/developers',
          } as const,
        ]),
    {
      id: 'copy-address',
      label: t('Copy the address of this page'),
      words: t('link url share'),
      icon: 'link',
      run: () =>
        void navigator.clipboard
          .writeText(location.href)
          .then(() => toast({ message: t('Address copied') })),
    },
    {
      id: 'theme-dark',
      label: t('Dark theme'),
      words: t('night'),
      icon: 'moon',
      run: theme('dark'),
    },
    {
      id: 'theme-light',
      label: t('Light theme'),
      words: t('day'),
      icon: 'sun',
      run: theme('light'),
    },
    {
      id: 'theme-system',
      label: t('Theme like the system'),
      icon: 'monitor',
      run: theme('system'),
    },
    {
      id: 'keys',
      label: t('Keyboard shortcuts'),
      words: t('help keys'),
      icon: 'keyboard',
      keys: '?',
      run: openShortcutHelp,
    },
    {
      id: 'sign-out',
      label: t('Sign out'),
      words: t('log out leave'),
      icon: 'sign-out',
      run: () => signOutHere(session.user.user_id),
    },
  ]
}
