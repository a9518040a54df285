import type { Command, Terminal } from '../command.ts'

/** The result of one check: its state, what was found, and what to do if something is wrong. */
export type Finding = {
  check: string
  state: 'ok' | 'warn' | 'fail'
  seen: string
  advice?: string
}

/** The result of a command that checks: its findings, a verdict by the number of failures, status 1 if any failed. */
export function resultOf(
  findings: Finding[],
  terminal: Terminal,
  { verdict, json }: { verdict(failed: number): string; json?: object },
): Awaited<ReturnType<Command['run']>> {
  const failed = findings.filter(({ state }) => state === 'fail').length
  const warned = findings.filter(({ state }) => state === 'warn').length
  const last = verdict(failed) + (warned ? `, ${warned} to look at` : '')
  return {
    json: { ok: failed === 0, ...json, findings },
    text: [...shown(findings, terminal), '', last].join('\n'),
    status: failed ? 1 : 0,
  }
}

/** A line for each finding, and one for what to do if something is wrong. */
function shown(findings: Finding[], { hasColors }: Terminal): string[] {
  const colors = hasColors ? { ok: 32, warn: 33, fail: 31 } : undefined
  return findings.map(({ check, state, seen, advice }) => {
    const word = state.padEnd(6)
    const colored = colors ? `\u001B[${colors[state]}m${word}\u001B[0m` : word
    return `${colored}${check.padEnd(16)}${seen}${advice ? `\n${' '.repeat(22)}→ ${advice}` : ''}`
  })
}
