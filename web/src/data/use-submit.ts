import { useRef, useState } from 'react'
import type { Problem } from '../api/problem.ts'
import { asProblem } from '../api/problem.ts'

/**
 * What a form's button does, once at a time: `isBusy` while it runs, and the `problem` that it was refused
 * with, until the next try.
 */
export function useSubmit(run: () => Promise<unknown>): {
  submit: () => void
  isBusy: boolean
  problem: Problem | undefined
} {
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  // state alone would let a second press of Enter through before the next render
  const running = useRef(false)
  const submit = async () => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      await run()
    } catch (error) {
      setProblem(asProblem(error))
    }
    running.current = false
    setBusy(false)
  }
  return { submit: () => void submit(), isBusy, problem }
}
