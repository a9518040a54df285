import type { Terminal } from '../command.ts'

/** What one check found: its state, what was seen, and what to do where something is wrong. */
export type Finding = {
  check: string
  state: 'ok' | 'warn' | 'fail'
  seen: string
  advice?: string
}

/** A line for each finding, and one for what to do where something is wrong. */
export function shown(findings: Finding[], { hasColors }: Terminal): string[] {
  const colors = hasColors ? { ok: 32, warn: 33, fail: 31 } : undefined
  return findings.map(({ check, state, seen, advice }) => {
    const word = state.padEnd(6)
    const colored = colors ? `\u001B[${colors[state]}m${word}\u001B[0m` : word
    return `${colored}${check.padEnd(16)}${seen}${advice ? `\n${' '.repeat(22)}→ ${advice}` : ''}`
  })
}
