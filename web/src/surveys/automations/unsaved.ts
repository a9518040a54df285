import type { Rule } from './rule.ts'

/** What is edited and not stored: it stands there again when one comes back from another tab of the survey. */
type Unsaved = { begun: Rule; rule: Rule; version: number | undefined }

const all = new Map<string, Unsaved>()

/** The key of an automation, or of the new one of a survey. */
export function keyOf(survey: string, automation_id: string | undefined): string {
  return automation_id ?? `new ${survey}`
}

export const unsaved = {
  of: (key: string) => all.get(key),
  set: (key: string, edited: Unsaved) => void all.set(key, edited),
  clear: (key: string) => void all.delete(key),
}
