/** The working hours of a day in which people say how long something takes. */
const dayHours = 8

/**
 * How long something took or takes, in seconds, as people write it: `2h 30m`, `2:30`, `90m`, `1.5`, `1,5 h`, `2d` (of
 * eight hours); a bare number is hours. Null for anything else.
 */
export function spentIn(text: string): number | null {
  const typed = text.trim().toLowerCase().replaceAll(',', '.')
  const [, clockHours, clockMinutes] = /^(\d{1,3}):([0-5]\d)$/.exec(typed) ?? []
  if (clockHours !== undefined) return 3600 * Number(clockHours) + 60 * Number(clockMinutes)
  if (/^\d+(\.\d+)?$/.test(typed)) return Math.round(3600 * Number(typed))
  const parts = [...typed.matchAll(/(\d+(?:\.\d+)?)\s*(days?|d|hours?|hrs?|h|minutes?|min|m)\s*/g)]
  if (!parts.length || parts.map(([part]) => part).join('') !== typed) return null
  return Math.round(parts.reduce((sum, [, count, unit]) => sum + Number(count) * lengthOf(unit), 0))
}

/** Seconds as a field holds them: `2h 30m`. */
export function spentText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [...(hours ? [`${hours}h`] : []), ...(rest || !hours ? [`${rest}m`] : [])].join(' ')
}

function lengthOf(unit = 'h'): number {
  return unit.startsWith('d') ? dayHours * 3600 : unit.startsWith('h') ? 3600 : 60
}
