import type { Problem } from '../api/problem.ts'
import { asProblem } from '../api/problem.ts'

/** What became of the last change. */
export type Saving = 'saved' | 'waiting' | 'saving' | 'offline' | 'refused'

/** What is edited: how it is read, stored, and merged with what others have made of it. */
export type Kind<Stored extends { version: number }, Draft> = {
  draftOf: (stored: Stored) => Draft
  /** what I made of a draft that somebody else has changed, too */
  merged: (base: Draft, mine: Draft, theirs: Draft) => Draft
  /** stores a draft in place of what is stored, also while the page is left; 412 where somebody else has stored one since */
  store: (draft: Draft, stored: Stored, keepalive: boolean) => Promise<Stored>
  /** reads what is stored now */
  read: () => Promise<Stored>
  /** somebody else has changed it, too: both are kept */
  onBoth: () => void
  /** the last change was refused when nobody was there any more to correct it */
  onLost: (problem: Problem) => void
}

type Step<Draft> = { before: Draft; after: Draft; at: number; label: string | undefined }

/** A draft as it is here, what is stored of it, and its steps. */
export type State<Stored, Draft> = {
  stored: Stored
  /** what is stored, as it is edited */
  base: Draft
  draft: Draft
  past: Step<Draft>[]
  future: Step<Draft>[]
  problem: Problem | undefined
  /** what is on its way */
  sent: Draft | undefined
  savedAt: number | undefined
}

/** How many steps can be taken back, and for how long what is typed is one of them. */
const deepest = 200
const typingMs = 1000

/** How long a change waits for the next one, and how long one that did not arrive. */
const pauseMs = 400
const againMs = 3000

/** How many bytes are sent after the page is gone: browsers send 64 kB in all. */
const mostAfterwards = 50_000

/**
 * A draft that stores itself: changes are shown at once and sent a moment later, one write after the other; what others
 * store meanwhile is merged; each step can be taken back. What is not sent yet goes when the page is left.
 */
export function storedDraft<Stored extends { version: number }, Draft>(kind: Kind<Stored, Draft>) {
  type Whole = State<Stored, Draft>
  let state: Whole | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<void> | undefined
  /** read while something was on its way */
  let waiting: Stored | undefined
  let isShown = true
  let isOver = false
  const listeners = new Set<() => void>()

  const isDirty = () => state !== undefined && !isOver && state.draft !== state.base
  const isHeld = () => state?.problem !== undefined && state.problem.status !== 0

  function set(next: Partial<Whole>): void {
    if (!state) return
    state = { ...state, ...next }
    plan()
    for (const listener of listeners) listener()
  }

  function plan(): void {
    clearTimeout(timer)
    if (!isDirty() || sending || isHeld()) return
    timer = setTimeout(() => void send(), state?.problem ? againMs : pauseMs)
  }

  async function send(keepalive = false): Promise<void> {
    if (!state) return
    clearTimeout(timer)
    sending = store(state, keepalive)
    set({ sent: state.draft })
    await sending
  }

  async function store({ draft, stored }: Whole, keepalive: boolean): Promise<void> {
    let outcome: Partial<Whole>
    try {
      const saved = await kind.store(draft, stored, keepalive)
      outcome = { stored: saved, base: draft, problem: undefined, savedAt: Date.now() }
    } catch (error) {
      const problem = asProblem(error)
      outcome = problem.status === 412 ? await both(stored.version, problem) : { problem }
    }
    sending = undefined
    set({ ...outcome, sent: undefined })
    if (waiting) take(waiting)
    if (!isShown && state?.problem && isHeld()) kind.onLost(state.problem)
  }

  /** Reads what somebody else has stored since a version. */
  async function both(version: number, problem: Problem): Promise<Partial<Whole>> {
    try {
      waiting = await kind.read()
      if (waiting.version <= version) return { problem }
      if (isShown) kind.onBoth()
      return {}
    } catch (error) {
      return { problem: asProblem(error) }
    }
  }

  /** Takes what is stored now, however it was read; what is not stored yet stays as it is here. */
  function take(stored: Stored): void {
    if (sending) {
      waiting = stored
      return
    }
    waiting = undefined
    const base = kind.draftOf(stored)
    if (!state) {
      const none = { problem: undefined, sent: undefined, savedAt: undefined }
      state = { stored, base, draft: base, past: [], future: [], ...none }
      set({})
    } else if (stored.version > state.stored.version) {
      const own = isDirty() ? kind.merged(state.base, state.draft, base) : base
      set({ stored, base, draft: isSame(own, base) ? base : own })
    }
  }

  function edit(next: Partial<Whole>): void {
    // what was refused may be right now
    set({ ...next, problem: isHeld() ? undefined : state?.problem })
  }

  /** Changes the draft, shown at once; changes of one label that follow each other closely are one step. */
  function change(next: (before: Draft) => Draft, label?: string): void {
    if (!state) return
    const { draft, past } = state
    const after = next(draft)
    if (after === draft || isSame(after, draft)) return
    const at = Date.now()
    const last = past.at(-1)
    const isJoined = label !== undefined && last?.label === label && at - last.at < typingMs
    const step = { before: isJoined ? last.before : draft, after, at, label }
    const steps = [...(isJoined ? past.slice(0, -1) : past), step].slice(-deepest)
    edit({ draft: after, past: steps, future: [] })
  }

  /** Takes a step back, or again, without what others have changed since. */
  function step(from: 'past' | 'future'): void {
    const last = state?.[from].at(-1)
    if (!state || !last) return
    const [was, to] = from === 'past' ? [last.after, last.before] : [last.before, last.after]
    const { draft } = state
    const other = from === 'past' ? 'future' : 'past'
    edit({
      draft: draft === was ? to : kind.merged(was, to, draft),
      [from]: state[from].slice(0, -1),
      [other]: [...state[other], last],
    })
  }

  /** Sends what is not stored yet; resolves once it is, or with the problem for which it cannot be now. */
  async function flush(): Promise<Problem | undefined> {
    while (sending || (isDirty() && !state?.problem)) await (sending ?? send())
    return isDirty() ? state?.problem : undefined
  }

  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    take,
    change,
    undo: () => step('past'),
    redo: () => step('future'),
    flush,
    /** tries again what was refused */
    retry: () => set({ problem: undefined }),
    /** tries again what did not arrive: there is a connection */
    online() {
      if (isDirty() && !sending && state?.problem?.status === 0) void send()
    },
    /** forgets the steps, once the draft is published or discarded */
    forget: () => set({ past: [], future: [] }),
    /** stores nothing any more: it has become something else */
    end() {
      isOver = true
      set({})
    },
    /** it is on screen, or not any more: then nothing waits */
    show(next: boolean) {
      isShown = next
      if (!next) void flush()
    },
    /** the page is left for good, and a write that is on its way may be cut off */
    leave() {
      if (!state || !isDirty() || isHeld()) return
      if (!sending) void send(true)
      else void kind.store(state.draft, state.stored, true).catch(() => {})
    },
    /** whether something would be lost if the page were left now */
    mustAsk: () =>
      state !== undefined &&
      isDirty() &&
      (state.problem !== undefined ||
        (state.sent !== undefined && state.sent !== state.draft) ||
        new TextEncoder().encode(JSON.stringify(state.draft)).length > mostAfterwards),
    saving(): Saving {
      if (!isDirty()) return 'saved'
      if (isHeld()) return 'refused'
      if (state?.problem) return 'offline'
      return state?.sent === undefined ? 'waiting' : 'saving'
    },
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
