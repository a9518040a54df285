/** An instant as the clock of a zone shows it, for the browser's own control: `YYYY-MM-DDTHH:MM`. */
export function localTime(instant: string, timezone: string): string {
  return clock(Date.parse(instant), timezone).slice(0, 16)
}

/**
 * The instant at which the clock of a zone shows a time (`YYYY-MM-DDTHH:MM`), in UTC. Of a time that is there
 * twice it is the first, and one that is left out, when clocks go forward, is as much later: as RFC 5545 has it.
 */
export function instantAt(local: string, timezone: string): string {
  const asUtc = Date.parse(`${local}Z`)
  const day = 86_400_000
  // clocks are changed at most once within two days: by how much they differ from UTC before and after
  const [before, after] = [asUtc - day, asUtc + day].map((time) => asUtc - offset(time, timezone))
  const found = [before, after].find(
    (time) => time !== undefined && Date.parse(`${clock(time, timezone)}Z`) === asUtc,
  )
  return new Date(found ?? before ?? asUtc).toISOString()
}

/** Milliseconds by which a zone's clock is ahead of UTC. */
function offset(time: number, timezone: string): number {
  const whole = Math.floor(time / 1000) * 1000
  return Date.parse(`${clock(whole, timezone)}Z`) - whole
}

/** What a zone's clock shows, as `YYYY-MM-DDTHH:MM:SS`. */
function clock(time: number, timezone: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
    .format(time)
    .replace(' ', 'T')
}
