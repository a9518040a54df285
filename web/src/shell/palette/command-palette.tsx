import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useContext, useMemo } from 'react'
import type { Hit } from '../../data/search.ts'
import { searchQuery } from '../../data/search.ts'
import { useSession } from '../../data/session.ts'
import type { Screens } from '../../records/definition.ts'
import { AllScreens, screensNamed } from '../../records/screens.ts'
import type { PaletteGroup, PaletteItem } from '../../ui/palette.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { PaletteDialog } from '../../ui/palette.tsx'
import { usePaused } from '../../ui/use-paused.ts'
import type { Command } from './commands.ts'
import { useCommands } from './commands.ts'
import { matches } from './match.ts'
import { readRecent } from './recent.ts'
import { moduleWords } from '../../data/module-words.ts'
import { capital } from '../../ui/capital.ts'
import { t } from '../../locales/text.ts'

export type CommandPaletteProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  text: string
  onText: (text: string) => void
}

/** How long typing must pause before a search, in milliseconds. */
const pause = 90
/** The maximum number of hits per module, and of commands besides records. */
const most = 6

/** Finds records and commands by the typed text: `@` only people, `>` only commands. */
export function CommandPalette({ isOpen, onOpenChange, text, onText }: CommandPaletteProps) {
  const router = useRouter()
  const commands = useCommands()
  const { user } = useSession()
  const recent = useMemo(() => (isOpen ? readRecent(user.user_id) : []), [isOpen, user.user_id])
  const screens = useContext(AllScreens)
  const isPeople = text.startsWith('@')
  const isCommands = text.startsWith('>')
  const typed = text.replace(/^[@>]/, '').trim()
  const asked = usePaused(typed, pause)
  const searched = isPeople ? ['users', 'contacts'] : searchedWords
  const found = useQuery({
    ...searchQuery(asked, searched),
    enabled: isOpen && asked !== '' && !isCommands,
  })
  const isSearching = typed !== '' && !isCommands
  const busy = isSearching && (asked !== typed || found.isFetching)
  const entries = new Map<string, Command>()
  const group = (label: string, all: Command[]): PaletteGroup => {
    const items = all.filter(({ id }) => !entries.has(id))
    for (const item of items) entries.set(item.id, item)
    return { label, items }
  }
  const looked = recent.flatMap(({ module, id, title }): Command[] => {
    const its = screens.find((each) => each.module === module)
    if (!its || (typed && !matches(title, typed))) return []
    return [{ id: `${module}-${id}`, label: title, ...signOf(its), to: `${its.address}/${id}` }]
  })
  const fitting = commands.filter(({ label, words = '' }) => matches(`${label} ${words}`, typed))
  const hits = (isSearching && found.data) || []
  const groups: PaletteGroup[] = isCommands
    ? [group(t('Commands'), fitting)]
    : typed === ''
      ? isPeople
        ? []
        : [group(t('Recent'), looked.slice(0, most)), group(t('Commands'), fitting)]
      : [
          ...(isPeople ? [] : [group(t('Recent'), looked.slice(0, 3))]),
          ...[...Map.groupBy(hits, ({ module }) => module)].map(([module, all]) =>
            group(
              capital(moduleWords(module)),
              all.flatMap((hit) => itemOf(hit, screens) ?? []).slice(0, isPeople ? 12 : most),
            ),
          ),
          ...(isPeople ? [] : [group(t('Commands'), fitting.slice(0, most))]),
        ]
  const choose = ({ id }: PaletteItem, inNewTab: boolean) => {
    const entry = entries.get(id)
    if (!entry) return
    onOpenChange(false)
    if ('run' in entry) entry.run()
    else if (inNewTab) window.open(entry.to, '_blank', 'noopener')
    else router.history.push(entry.to)
  }
  return (
    <PaletteDialog
      open={isOpen}
      onOpenChange={onOpenChange}
      label={t('Search and commands')}
      placeholder={isPeople ? t('Find people') : t('Search or type a command')}
      query={text}
      onQuery={onText}
      groups={groups}
      busy={busy}
      empty={
        found.error && isSearching
          ? t('The search could not be reached. Type on to try again.')
          : isPeople && typed === ''
            ? t('Type the name of a colleague or contact')
            : t('Nothing matches “{typed}”', { typed })
      }
      hints={
        <>
          <span>
            <Kbd keys="Mod+Enter" /> {t('new tab')}
          </span>
          <span>
            <Kbd keys="@" /> {t('people')} <Kbd keys=">" /> {t('commands')}
          </span>
        </>
      }
      onChoose={choose}
    />
  )
}

/** What is searched, in the words of the search; it leaves out what the person may not read. */
const searchedWords = [
  'contacts',
  'companies',
  'accounts',
  'deals',
  'projects',
  'tasks',
  'documents',
  'meetings',
  'surveys',
  'milestones',
  'interactions',
]

/** A hit as a line; undefined if no page shows it. */
function itemOf(hit: Hit, screens: readonly Screens[]): Command | undefined {
  const { module, id, title, subtitle, parent } = hit
  const line = { id: `${module}-${id}`, label: plain(title), detail: parent?.title ?? subtitle }
  const addressOf = (word: string, of: string) => {
    const its = screensNamed(screens, word)
    return its && `${its.address}/${encodeURIComponent(of)}`
  }
  if (module === 'users') {
    const filter = JSON.stringify([{ field: 'owner', operator: 'eq', value: id }])
    return { ...line, avatar: 'round', to: `/tasks?f=${encodeURIComponent(filter)}` }
  }
  const own = screensNamed(screens, module)
  if (own) return { ...line, ...signOf(own), to: `${own.address}/${encodeURIComponent(id)}` }
  const above = parent && addressOf(parent.module, parent.id)
  if (!above) return undefined
  return module === 'interactions'
    ? { ...line, icon: 'message-square', to: `${above}/comments#comment-${id}` }
    : { ...line, icon: 'milestone', to: above }
}

function signOf({ module, icon }: Screens): Pick<PaletteItem, 'icon' | 'avatar'> {
  if (module === 'contacts') return { avatar: 'round' }
  return module === 'companies' || module === 'accounts' ? { avatar: 'square' } : { icon }
}

/** The text of a comment, which may contain tags. */
function plain(title: string): string {
  return (
    title
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim() || title
  )
}
