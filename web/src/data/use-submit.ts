import { useRef, useState } from 'react'
import type { Problem } from '../api/problem.ts'
import { asProblem } from '../api/problem.ts'

/**
 * The submit action of a form, once at a time: `isBusy` while it runs, and the `problem` of a
 * refusal, until the next attempt.
 */
export function useSubmit<Input extends unknown[] = []>(
  run: (...input: Input) => Promise<unknown>,
): {
  submit: (...input: Input) => void
  isBusy: boolean
  problem: Problem | undefined
  /** clears the problem, for a new form */
  reset: () => void
} {
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  // with state alone, a second press of Enter before the next render would submit again
  const running = useRef(false)
  const submit = async (...input: Input) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      await run(...input)
    } catch (error) {
      setProblem(asProblem(error))
    }
    running.current = false
    setBusy(false)
  }
  return {
    submit: (...input) => void submit(...input),
    isBusy,
    problem,
    reset: () => setProblem(undefined),
  }
}
