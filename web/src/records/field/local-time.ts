/** An instant as local time in a zone, for the browser's own control: `YYYY-MM-DDTHH:MM`. */
export function localTime(instant: string, timezone: string): string {
  return clock(Date.parse(instant), timezone).slice(0, 16)
}

/**
 * The instant of a local time in a zone (`YYYY-MM-DDTHH:MM`), in UTC. If a time occurs
 * twice it is the first, and one that is skipped, when clocks go forward, is moved later by the gap, as in RFC 5545.
 */
export function instantAt(local: string, timezone: string): string {
  const asUtc = Date.parse(`${local}Z`)
  const day = 86_400_000
  // clocks change at most once within two days: the offsets from UTC before and after
  const [before, after] = [asUtc - day, asUtc + day].map((time) => asUtc - offset(time, timezone))
  const found = [before, after].find(
    (time) => time !== undefined && Date.parse(`${clock(time, timezone)}Z`) === asUtc,
  )
  return new Date(found ?? before ?? asUtc).toISOString()
}

/** The offset of a zone from UTC in milliseconds. */
function offset(time: number, timezone: string): number {
  const whole = Math.floor(time / 1000) * 1000
  return Date.parse(`${clock(whole, timezone)}Z`) - whole
}

/** Cached, because formatters cost more to create than to use. */
const clocks = new Map<string, Intl.DateTimeFormat>()

/** The local time in a zone, as `YYYY-MM-DDTHH:MM:SS`. */
function clock(time: number, timezone: string): string {
  let found = clocks.get(timezone)
  if (!found) {
    found = new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    clocks.set(timezone, found)
  }
  return found.format(time).replace(' ', 'T')
}
