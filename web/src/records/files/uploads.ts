import { useCallback, useEffect, useRef, useState } from 'react'
import type { Problem } from '../../api/problem.ts'
import { asProblem } from '../../api/problem.ts'
import type { DocumentRow, Subject } from '../../data/documents.ts'
import { uploadDocument } from '../../data/documents.ts'

/** A file on its way: how far it is, or why it was refused. */
export type Sending = {
  key: string
  file: File
  share: number
  problem?: Problem
  cancel: () => void
  retry: () => void
}

type Options = { isShared?: boolean }

/** Sends files to a record, three at a time; each resolves to its document, or null where it has none. */
export function useUploads({ module, id }: Subject) {
  const [all, setAll] = useState<Sending[]>([])
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])
  const change = useCallback((key: string, how: (each: Sending) => Sending | undefined) => {
    if (!isHere.current) return
    setAll((before) => before.flatMap((each) => (each.key === key ? (how(each) ?? []) : each)))
  }, [])
  const add = useCallback(
    (files: File[], options: Options = {}): Promise<DocumentRow | null>[] =>
      files.map((file) => {
        const key = crypto.randomUUID()
        const { promise, resolve } = Promise.withResolvers<DocumentRow | null>()
        let leaving = new AbortController()
        const cancel = () => {
          leaving.abort()
          change(key, () => undefined)
          resolve(null)
        }
        const start = async () => {
          leaving = new AbortController()
          const { signal } = leaving
          try {
            await turn(signal, async () => {
              const document = await uploadDocument({ module, id }, file, {
                signal,
                ...options,
                onProgress: (share) => change(key, (each) => ({ ...each, share })),
              })
              change(key, () => undefined)
              resolve(document)
            })
          } catch (error) {
            if (signal.aborted) return
            change(key, (each) => ({ ...each, problem: asProblem(error) }))
          }
        }
        const retry = () => {
          change(key, ({ file: same }) => ({ key, file: same, share: 0, cancel, retry }))
          void start()
        }
        setAll((before) => [...before, { key, file, share: 0, cancel, retry }])
        void start()
        return promise
      }),
    [module, id, change],
  )
  return { all, add }
}

/** So many files are sent at once. */
const most = 3
let running = 0
const waiting: (() => void)[] = []

async function turn(signal: AbortSignal, send: () => Promise<void>): Promise<void> {
  if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    if (!signal.aborted) await send()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}
