import { useSyncExternalStore } from 'react'
import type { Problem } from '../api/problem.ts'
import { asProblem } from '../api/problem.ts'

/** Values by the names of their fields. */
type Values = { [field: string]: unknown }

/** What a stage needs of a record before it goes on to it, and who waits for the answer. */
export type Asked = {
  module: string
  id: string
  problem: Problem
  /** the values, or nothing if the person does not want to go on */
  answer: (values: Values | undefined) => void
}

let asked: Asked | undefined
const listeners = new Set<() => void>()
/** Refusals that the person has chosen, which need no notice. */
const declined = new WeakSet<Problem>()

/** Whether a person was asked for what was missing, and did not go on. */
export function isDeclined(problem: Problem): boolean {
  return declined.has(problem)
}

/**
 * Sends a write; if it is refused because a stage needs fields, asks for exactly these and sends it again with them.
 */
export async function withRequired<T>(
  module: string,
  id: string,
  send: (required: Values) => Promise<T>,
  required: Values = {},
): Promise<T> {
  try {
    return await send(required)
  } catch (error) {
    const problem = asProblem(error)
    if (problem.code !== 'stage_requires') throw error
    const { promise, resolve } = Promise.withResolvers<Values | undefined>()
    ask({ module, id, problem, answer: resolve })
    const values = await promise
    if (!values) {
      declined.add(problem)
      throw problem
    }
    return withRequired(module, id, send, { ...required, ...values })
  }
}

function ask(next: Asked): void {
  asked?.answer(undefined)
  const answer = (values: Values | undefined) => {
    asked = undefined
    for (const listener of listeners) listener()
    next.answer(values)
  }
  asked = { ...next, answer }
  for (const listener of listeners) listener()
}

/** What is asked for now. */
export function useAsked(): Asked | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
}
