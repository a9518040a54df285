import { Temporal } from 'temporal-polyfill'

/** PostgreSQL's text of a timestamptz in UTC → ISO 8601 with milliseconds and `Z`. */
export function isoFromPostgres(text: string): string {
  const dot = text.indexOf('.', 19)
  const zone = text.lastIndexOf('+')
  const fraction =
    dot < 0
      ? '000'
      : text
          .slice(dot + 1, zone)
          .padEnd(3, '0')
          .slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

/**
 * Names that `Intl` takes, and that another part of the service refuses or reads differently: PostgreSQL has no
 * summer in CET, and neither it nor Temporal knows what only ICU calls a zone. Offsets and whole times, which
 * begin with no letter, are zones to Temporal too, and PostgreSQL turns the sign of an offset round.
 */
const misread = /^([^a-z].*|SystemV\/.*|US\/Pacific-New|CET|EET|MET|WET)$/i

/** Whether the name is an IANA time zone by which the whole service can tell the time. */
export function isTimeZone(name: string): boolean {
  return timeZoneNamed(name) !== undefined
}

/**
 * The IANA time zone of that name in any case, written as in the database of zones. An alias stays
 * itself: Asia/Kolkata does not become Asia/Calcutta. Undefined for what is no zone.
 */
export function timeZoneNamed(name: string): string | undefined {
  if (misread.test(name)) return undefined
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined
  }
}

/** Whether a text is a language tag by which dates and numbers can be written (BCP 47). */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
