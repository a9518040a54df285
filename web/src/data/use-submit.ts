import { useRef, useState } from 'react'
import type { Problem } from '../api/problem.ts'
import { asProblem } from '../api/problem.ts'

/**
 * What a form's button does, once at a time: `isBusy` while it runs, and the `problem` that it was refused
 * with, until the next try.
 */
export function useSubmit<Input extends unknown[] = []>(
  run: (...input: Input) => Promise<unknown>,
): {
  submit: (...input: Input) => void
  isBusy: boolean
  problem: Problem | undefined
  /** takes the problem away, where a form begins anew */
  reset: () => void
} {
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  // state alone would let a second press of Enter through before the next render
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
