import { useSyncExternalStore } from 'react'
import type { Problem } from '../../api/problem.ts'
import { asProblem } from '../../api/problem.ts'
import type { DocumentRow, Subject } from '../../data/documents.ts'
import { uploadDocument } from '../../data/documents.ts'

/** A file being uploaded: its progress, or why it was refused. */
export type Sending = {
  key: string
  file: File
  share: number
  problem?: Problem
  cancel: () => void
  retry: () => void
}

type Options = Pick<Parameters<typeof uploadDocument>[2], 'isShared' | 'place'>

/** Uploads in progress, by where they are shown; they continue while another page is open. */
const shown = new Map<string, readonly Sending[]>()
const listeners = new Set<() => void>()
const none: readonly Sending[] = []

/** The uploads to a record, or to the documents of none, from its list or from one box (`place`). */
export function useUploads(subject: Subject | null, place = 'files') {
  const name = nameOf(subject, place)
  const all = useSyncExternalStore(subscribe, () => shown.get(name) ?? none)
  return { all, add: (files: File[], options?: Options) => add(subject, files, place, options) }
}

/**
 * Uploads files to a record, three at a time; each resolves to its document, or to null if it was
 * cancelled.
 */
export function add(
  subject: Subject | null,
  files: File[],
  place = 'files',
  options: Options = {},
): Promise<DocumentRow | null>[] {
  const name = nameOf(subject, place)
  return files.map((file) => {
    const key = crypto.randomUUID()
    const { promise, resolve } = Promise.withResolvers<DocumentRow | null>()
    let leaving = new AbortController()
    const cancel = () => {
      leaving.abort()
      change(name, key, () => undefined)
      resolve(null)
    }
    const start = async () => {
      leaving = new AbortController()
      const { signal } = leaving
      try {
        await inTurn(signal, async () => {
          const document = await uploadDocument(subject, file, {
            signal,
            ...options,
            onProgress: (share) => change(name, key, (each) => ({ ...each, share })),
          })
          change(name, key, () => undefined)
          resolve(document)
        })
      } catch (error) {
        if (!signal.aborted) change(name, key, (each) => ({ ...each, problem: asProblem(error) }))
      }
    }
    const fresh: Sending = { key, file, share: 0, cancel, retry: () => void again() }
    const again = () => {
      change(name, key, () => fresh)
      return start()
    }
    show(name, [...(shown.get(name) ?? none), fresh])
    void start()
    return promise
  })
}

function nameOf(subject: Subject | null, place: string): string {
  return subject ? `${subject.module} ${subject.id} ${place}` : place
}

function change(name: string, key: string, how: (each: Sending) => Sending | undefined) {
  const before = shown.get(name) ?? none
  show(
    name,
    before.flatMap((each) => (each.key === key ? (how(each) ?? []) : each)),
  )
}

function show(name: string, all: readonly Sending[]) {
  if (all.length) shown.set(name, all)
  else shown.delete(name)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The number of simultaneous uploads. */
const most = 3
let running = 0
const waiting: (() => void)[] = []

async function inTurn(signal: AbortSignal, send: () => Promise<void>): Promise<void> {
  if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    if (!signal.aborted) await send()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}
