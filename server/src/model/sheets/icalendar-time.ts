import { Temporal } from 'temporal-polyfill'
import { timeZoneNamed } from '../../kit/ground/time.ts'
import type { Component, Property } from './content-lines.ts'
import { textOf } from './content-lines.ts'
import { knownZones, windowsZone } from './windows-zones.ts'

/** The time zones of a file. */
export type Zones = {
  /** the IANA zone of a time; undefined for one in UTC, and for one that every clock shows */
  of(time: Property): string | undefined
  /** the zone of times that name none */
  usual: string
  /** the names that are no zones */
  unknown: Set<string>
}

/** The zones that a file names, by its own rules where their names say nothing. */
export function zonesOf(rules: Map<string, Component>, usual: string): Zones {
  const found = new Map<string, string | undefined>()
  const unknown = new Set<string>()
  return {
    usual,
    unknown,
    of({ params, value }) {
      const [name] = params.TZID ?? []
      if (name === undefined || /Z$/i.test(value.trim())) return undefined
      if (!found.has(name)) found.set(name, zoneOf(name, rules.get(name), usual))
      const zone = found.get(name)
      if (!zone) unknown.add(name)
      return zone ?? usual
    },
  }
}

/** A time as an instant; undefined for what is none. */
export function instantOf(time: Property, zones: Zones): Temporal.Instant | undefined {
  const value = textOf(time).toUpperCase()
  try {
    if (value.endsWith('Z')) return Temporal.Instant.from(value)
    const zone = zones.of(time) ?? zones.usual
    return Temporal.PlainDateTime.from(value).toZonedDateTime(zone).toInstant()
  } catch {
    return undefined
  }
}

/** A time as the cell of an import: a day alone, or an instant; what is neither stays and is reported. */
export function timeOf(time: Property, zones: Zones): string {
  const value = textOf(time)
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(value) ?? []
  if (day) return `${year}-${month}-${day}`
  return instantOf(time, zones)?.toString({ smallestUnit: 'second' }) ?? value
}

function zoneOf(name: string, rules: Component | undefined, usual: string): string | undefined {
  const location = rules?.properties.find((each) => each.name === 'X-LIC-LOCATION')
  const parts = name.split('/').filter(Boolean)
  // some programs write the name of a zone behind their own: `/mozilla.org/20050126_1/Europe/Berlin`
  const names = [
    name,
    location ? textOf(location) : '',
    parts.slice(-2).join('/'),
    parts.slice(-3).join('/'),
  ]
  for (const each of names.filter(Boolean)) {
    const zone = timeZoneNamed(each) ?? windowsZone(each)
    if (zone) return zone
  }
  return rules && zoneByOffsets(rules, usual)
}

/** A zone with these offsets in January and July, that of the organization first. */
function zoneByOffsets({ inside }: Component, usual: string): string | undefined {
  const offset = (kind: string) =>
    inside
      .findLast(({ name }) => name === kind)
      ?.properties.find(({ name }) => name === 'TZOFFSETTO')
      ?.value.trim()
      .replace(/^([+-]\d\d)(\d\d).*$/, '$1:$2')
  const standard = offset('STANDARD')
  const summer = offset('DAYLIGHT') ?? standard
  if (!standard || !summer) return undefined
  const begins = inside
    .findLast(({ name }) => name === 'DAYLIGHT')
    ?.properties.find(({ name }) => name === 'RRULE')
  const month = Number(/BYMONTH=(\d+)/.exec(begins?.value ?? '')?.[1] ?? 3)
  const [january, july] = month < 7 ? [standard, summer] : [summer, standard]
  const at = (zone: string, day: string) =>
    Temporal.PlainDate.from(day).toZonedDateTime(zone).offset
  return [usual, ...knownZones].find(
    (zone) => at(zone, '2026-01-15') === january && at(zone, '2026-07-15') === july,
  )
}
