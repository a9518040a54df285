import { t } from '../locales/text.ts'

const programs: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** A program in the words of its user: "Firefox on Windows"; the name it gives itself where unknown. */
export function browserOf(userAgent: string | null): string {
  if (!userAgent) return t('Unknown program')
  const program = programs.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (!program) return userAgent.slice(0, 60)
  const system = systemOf(userAgent)
  return system ? t('{program} on {system}', { program, system }) : program
}

/** The system of a program, where it says one that people work with. */
export function systemOf(userAgent: string | null): string | undefined {
  return systems.find(([pattern]) => userAgent !== null && pattern.test(userAgent))?.[1]
}
