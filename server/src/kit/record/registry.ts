import type { AnyRecord } from './record.ts'
import { wordOf } from './record.ts'

let registry: readonly AnyRecord[] = []

/**
 * Registers the records of the service; `model/all.ts` calls it once, when it is loaded. A record's
 * own file cannot import that list, so it looks up here what it needs about other records. Throws if
 * two of them use the same word, number or event.
 */
export function register(records: readonly AnyRecord[]): readonly AnyRecord[] {
  unique(records.map(({ word }) => [word, word]))
  unique(
    records.flatMap(({ events, word }) => Object.keys(events.kinds).map((name) => [name, word])),
  )
  // parts of a record, such as a survey's automations, go by its word and number
  unique(
    records.flatMap((each) => (each.number ? [[`${each.number}`, wordOf(each)]] : [])),
    true,
  )
  return (registry = records)
}

/** Every record of the service, in the order of `model/all.ts`. Throws before that is loaded. */
export function registered(): readonly AnyRecord[] {
  if (!registry.length) throw new Error('model/all.ts is not loaded')
  return registry
}

/** The events of records that belong to projects: a subscription may be limited to those of one. */
export function eventsOfProjects(): string[] {
  const those = registered().filter(({ events }) => events.ofProjects)
  return those.flatMap(({ events }) => Object.keys(events.kinds))
}

function unique(claims: [name: string, by: string][], mayShare = false) {
  const known = new Map<string, string>()
  for (const [name, by] of claims) {
    const other = known.get(name)
    if (other !== undefined && !(mayShare && other === by))
      throw new Error(`${name} is declared by ${other} and by ${by}`)
    known.set(name, by)
  }
}
