/** What one check found: its state, what was seen, and what to do where something is wrong. */
export type Finding = {
  check: string
  state: 'ok' | 'warn' | 'fail'
  seen: string
  advice?: string
}
