import { notifyRefusal } from './change.ts'
import { notify } from './notices.ts'
import { t } from '../locales/text.ts'

/**
 * What an act has come to: its words, and what takes it back, false where that could not be. Without words nothing is
 * said of it.
 */
export type Done = { message?: string; undo: () => Promise<boolean | void> }
/** Does something, again for a redo; nothing where there was nothing to do. Throws the `Problem`. */
export type Act = () => Promise<Done | undefined>

type Entry = { act: Act; done: Done }

/** How many acts can be undone. */
const most = 100

type History = { done: Entry[]; undone: Act[]; last: Promise<unknown>; pending: number }

const listeners = new Set<() => void>()

/** The acts of this tab, by what they belong to, such as a project. */
const histories = new Map<string, History>()

function historyOf(scope: string): History {
  const found = histories.get(scope) ?? {
    done: [],
    undone: [],
    last: Promise.resolve(),
    pending: 0,
  }
  histories.set(scope, found)
  return found
}

/** Does something that can be undone and redone; its notice can undo it, too. Throws the `Problem`. */
export async function perform(scope: string, act: Act): Promise<void> {
  const history = historyOf(scope)
  const running = act()
  wait(history, running)
  const done = await running
  if (!done) return
  history.undone = []
  remember(scope, { act, done })
}

function remember(scope: string, entry: Entry): void {
  const history = historyOf(scope)
  history.done = [...history.done, entry].slice(-most)
  const { message } = entry.done
  if (message === undefined) return
  notify({
    message,
    undo: () => inOrder(scope, () => takeBack(scope, entry)),
    // there may be later acts without a notice yet
    undoByKey: () => undo(scope),
  })
}

/** An undo waits for what is on its way. */
function wait(history: History, running: Promise<unknown>): void {
  const before = history.last
  count(history, 1)
  history.last = Promise.allSettled([before, running]).finally(() => count(history, -1))
}

function count(history: History, by: 1 | -1): void {
  history.pending += by
  for (const listener of listeners) listener()
}

async function takeBack(scope: string, entry: Entry): Promise<void> {
  const history = historyOf(scope)
  if (!history.done.includes(entry)) return
  history.done = history.done.filter((each) => each !== entry)
  try {
    if ((await entry.done.undo()) === false) return
    history.undone.push(entry.act)
    const { message } = entry.done
    if (message !== undefined) {
      notify({
        message: t('Undone: {message}', { message }),
        action: { label: t('Redo'), run: () => redo(scope) },
      })
    }
  } catch (error) {
    notifyRefusal(error)
  }
}

/** Takes back the last act; it can be done again. */
export function undo(scope: string): Promise<void> {
  return inOrder(scope, async ({ done }) => {
    const entry = done.at(-1)
    if (entry) await takeBack(scope, entry)
  })
}

/** Does again what was undone last. */
export function redo(scope: string): Promise<void> {
  return inOrder(scope, async (history) => {
    const act = history.undone.pop()
    if (!act) return
    try {
      const done = await act()
      if (done) remember(scope, { act, done })
    } catch (error) {
      notifyRefusal(error)
    }
  })
}

function inOrder(scope: string, run: (history: History) => Promise<void>): Promise<void> {
  const history = historyOf(scope)
  const running = history.last.then(() => run(history))
  wait(history, running)
  return running
}

/** How many acts of a scope are on their way. */
export function pendingActs(scope: string): number {
  return historyOf(scope).pending
}

/** Calls the listener whenever an act begins or ends. */
export function onActs(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
