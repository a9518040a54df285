import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { refreshHome } from './cached.ts'
import type { Values } from './change.ts'
import { changeRecord, notifyRefusal } from './change.ts'
import { perform } from './history.ts'
import { markRead } from './inbox.ts'
import { keys } from './keys.ts'
import { moduleQuery } from './modules.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import { changePreferences } from './session.ts'
import { t } from '../locales/text.ts'

/** What Home shows, in one answer. */
export type Home = AnswerOf<'/api/home/', 'get'>
export type HomeRow = Home['groups']['late']['rows'][number]
export type HomePart = Home['groups']['late']
export type HomeCard = Home['cards'][number]
export type GroupName = keyof Home['groups']
/** Whose work is shown. */
export type HomeAs = 'me' | 'team'

/** The acts on Home, which are undone in their order. */
export const homeHistory = 'home'

/** What a person has chosen to see on Home: another role than the one that is guessed, and cards in their order. */
export type Arrangement = { role?: Home['role']; cards?: HomeCard['card'][] }

/** Writes that are on their way, and how many there were. */
const writes = { running: new Set<Promise<unknown>>(), begun: 0 }

/** The day of the person, or of their team. */
export function homeQuery(as: HomeAs) {
  return queryOptions({
    queryKey: [...keys.home, as],
    queryFn: async ({ signal }) => {
      // an answer from before a write would put back for a moment what the write has taken away
      for (;;) {
        await Promise.allSettled(writes.running)
        const { begun } = writes
        const { data } = await api.get('/api/home/', { query: { as }, signal })
        if (begun === writes.begun) return data
      }
    },
  })
}

/** The part of the day that a task with this due day stands in; undefined where it is shown in none. */
function groupOf(
  due: string | null,
  { today }: Pick<Home, 'today'>,
): Exclude<GroupName, 'waiting'> | undefined {
  if (due === null) return undefined
  if (due < today) return 'late'
  if (due === today) return 'today'
  const last = new Date(`${today}T12:00:00Z`)
  last.setUTCDate(last.getUTCDate() + 7)
  return due <= last.toISOString().slice(0, 10) ? 'week' : undefined
}

/** The day without a row. */
function withoutRow(home: Home, id: string): Home {
  return withGroups(home, (part) => without(part, id))
}

/** The day with a row in a group, before the first one that is due later; meetings stay above. */
function withRow(home: Home, group: GroupName, row: HomeRow): Home {
  return withGroups(withoutRow(home, row.id), (part, name) => {
    if (name !== group) return part
    const at = part.rows.findIndex(
      ({ kind, due }) => kind !== 'meeting' && (due ?? '9999') > (row.due ?? '9999'),
    )
    const index = at < 0 ? part.rows.length : at
    return { ...part, rows: part.rows.toSpliced(index, 0, row), count: part.count + 1 }
  })
}

function withGroups(home: Home, change: (part: HomePart, name: GroupName) => HomePart): Home {
  const { late, today, week, waiting } = home.groups
  return {
    ...home,
    groups: {
      late: change(late, 'late'),
      today: change(today, 'today'),
      week: change(week, 'week'),
      waiting: change(waiting, 'waiting'),
    },
  }
}

/** The group in which a row of the day stands. */
export function placeOf({ groups }: Home, id: string): GroupName | undefined {
  return (Object.keys(groups) as GroupName[]).find((name) =>
    groups[name].rows.some((row) => row.id === id),
  )
}

type Change = {
  values: Values
  /** what takes it back */
  before: Values
  message: string
  /** the day as it is then */
  shown: (home: Home) => Home
  /** overwrite what was changed meanwhile */
  regardless?: boolean
}

/** Completes a task. */
export function finishTask(as: HomeAs, row: HomeRow): Promise<void> {
  return changeTask(as, row, {
    values: { is_completed: true },
    before: { is_completed: false },
    message: t('“{title}” is done', { title: row.title }),
    shown: (home) => withoutRow(home, row.id),
  })
}

/** Moves a task to another day, of which `words` say which it is. */
export function moveTask(as: HomeAs, row: HomeRow, day: string, words: string): Promise<void> {
  return changeTask(as, row, {
    values: { due_date: day },
    before: { due_date: row.due },
    message: t('“{title}” moved to {day}', { title: row.title, day: words }),
    shown: (home) => {
      const group = placeOf(home, row.id) === 'waiting' ? 'waiting' : groupOf(day, home)
      return group ? withRow(home, group, { ...row, due: day }) : withoutRow(home, row.id)
    },
  })
}

/** Opens a task again that was completed here a moment ago, and stood in this group. */
export function reopenTask(as: HomeAs, row: HomeRow, group: GroupName): Promise<void> {
  return changeTask(as, row, {
    values: { is_completed: false },
    before: { is_completed: true },
    message: t('“{title}” is open again', { title: row.title }),
    shown: (home) => withRow(home, group, row),
    regardless: true,
  })
}

/** Gives a task to somebody. */
export function giveTask(
  as: HomeAs,
  row: HomeRow,
  to: { id: string; name: string },
): Promise<void> {
  return changeTask(as, row, {
    values: { owner: to.id },
    before: { owner: row.owner },
    message: t('{person} has “{title}” now', { person: to.name, title: row.title }),
    shown: (home) => withoutRow(home, row.id),
  })
}

/** Changes a task as an act that can be undone; shown at once, and put back if it is refused. Throws the `Problem`. */
async function changeTask(as: HomeAs, row: HomeRow, change: Change): Promise<void> {
  const { queryKey } = homeQuery(as)
  const { values, before, message, shown, regardless = false } = change
  let { version } = row
  const show = (next: (home: Home) => Home) => showOnHome(as, next)
  const put = (sent: Values, options: { regardless?: boolean } = {}) =>
    write(async () => {
      const module = await queryClient.ensureQueryData(moduleQuery('tasks'))
      version = (await changeRecord(module, row.id, sent, { version, ...options })) ?? null
    })
  await perform(homeHistory, async () => {
    const home = queryClient.getQueryData(queryKey)
    const group = home && placeOf(home, row.id)
    const back = (each: Home) => (group ? withRow(each, group, row) : each)
    await show(shown)
    try {
      await put(values, { regardless })
    } catch (error) {
      await show(back)
      throw error
    }
    return {
      message,
      undo: async () => {
        await show(back)
        await put(before)
      },
    }
  })
}

/** Marks a mention as read: it leaves its card. Throws the `Problem`. */
export async function readMention(as: HomeAs, row: HomeRow): Promise<void> {
  const set = (isRead: boolean) => write(() => markRead(row.id, isRead)).finally(refreshHome)
  await perform(homeHistory, async () => {
    await showOnHome(as, (home) => ({
      ...home,
      cards: home.cards.map((card) => without(card, row.id)),
    }))
    await set(true)
    return { message: t('“{title}” is read', { title: row.title }), undo: () => set(false) }
  })
}

/** Arranges Home, or leaves it as usual; the notice takes it back. Throws the `Problem`. */
export async function arrangeHome(
  next: Arrangement | null,
  before: Arrangement | null,
  message: string,
): Promise<void> {
  const set = async (home: Arrangement | null) => {
    await write(() => changePreferences({ home }))
    await queryClient.invalidateQueries({ queryKey: keys.home })
  }
  await set(next)
  notify({ message, undo: () => set(before).catch(notifyRefusal) })
}

function without<Part extends HomePart>(part: Part, id: string): Part {
  const rows = part.rows.filter((row) => row.id !== id)
  return rows.length === part.rows.length ? part : { ...part, rows, count: part.count - 1 }
}

async function showOnHome(as: HomeAs, next: (home: Home) => Home): Promise<void> {
  const { queryKey } = homeQuery(as)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, (home) => home && next(home))
}

/** A write that reads wait for; without a network it waits for one. */
async function write(run: () => Promise<void>): Promise<void> {
  const running = online().then(run)
  writes.begun++
  writes.running.add(running)
  try {
    await running
  } finally {
    writes.running.delete(running)
  }
}

function online(): Promise<void> {
  if (navigator.onLine) return Promise.resolve()
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }))
}
