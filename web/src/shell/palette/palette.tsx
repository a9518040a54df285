import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState, type ComponentType } from 'react'
import { modulesQuery } from '../../data/modules.ts'
import { notify } from '../../data/notices.ts'
import { recordQuery, titleOf } from '../../data/record.ts'
import { useSession } from '../../data/session.ts'
import type { CommandPaletteProps } from './command-palette.tsx'
import { onOpenPalette } from './open.ts'
import { rememberRecent } from './recent.ts'
import { t } from '../../locales/text.ts'

/** Search and commands, by Ctrl+K; its code arrives when it is first opened. */
export function Palette() {
  useRecentRecords()
  const [Loaded, setLoaded] = useState<ComponentType<CommandPaletteProps>>()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  useEffect(
    () =>
      onOpenPalette((first) => {
        setText(first)
        setOpen((before) => !before)
        import('./command-palette.tsx')
          .then(({ CommandPalette }) => setLoaded(() => CommandPalette))
          .catch(() => {
            setOpen(false)
            notify({ message: t('Search could not be loaded. Check your connection.') })
          })
      }),
    [],
  )
  useEffect(() => {
    if (!isOpen) return undefined
    // keys typed before the field has the focus are put into it
    const early = (event: KeyboardEvent) => {
      const { key, target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || isInDialog(target)) return
      if (key === 'Escape') setOpen(false)
      else if (key === 'Backspace') setText((before) => before.slice(0, -1))
      else if (key.length === 1) setText((before) => before + key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', early, { capture: true })
    return () => removeEventListener('keydown', early, { capture: true })
  }, [isOpen])
  if (!Loaded) return null
  return <Loaded isOpen={isOpen} onOpenChange={setOpen} text={text} onText={setText} />
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('[role=dialog] *')
}

/** Remembers each record whose page or panel is opened, once its name is known. */
function useRecentRecords() {
  const { user } = useSession()
  const { data: modules } = useQuery(modulesQuery)
  const place = useRouterState({
    select: ({ location, matches }) => {
      const { peek } = location.search as { peek?: string }
      const { module } = matches.at(-1)?.staticData.screens ?? {}
      const id = peek ?? (matches.at(-1)?.params as { id?: string } | undefined)?.id
      return module && id ? `${module} ${id}` : null
    },
  })
  const [name = '', id = ''] = place?.split(' ') ?? []
  const module = modules?.find((each) => each.module === name)
  const { data: record } = useQuery({
    ...recordQuery({ module: name, path: module?.path ?? '' }, id),
    enabled: false,
  })
  const title = module && record ? titleOf({ title_field: module.title_field ?? '' }, record) : null
  useEffect(() => {
    if (title && name && id) rememberRecent(user.user_id, { module: name, id, title })
  }, [title, name, id, user.user_id])
}
