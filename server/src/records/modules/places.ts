import type { AnyRecord, FieldPlace } from '../../kit/record/record.ts'
import type { DescribedField } from './description.ts'
import type { Layout } from './layout-shape.ts'

/** The facts that the rail of a page has at most. */
const longestRail = 8

/** A described field before it has its place. */
export type Unplaced = Omit<DescribedField, 'place' | 'place_position'>

/**
 * The fields, each with its place on a page: as the organization has chosen, else as the record declares it, with the
 * organization's own fields in the rail while there is room; what is for programs or about the record itself comes last.
 */
export function placed(
  { page, fields: declared }: AnyRecord,
  fields: Unplaced[],
  layout?: Layout,
): DescribedField[] {
  const names = new Set(fields.map(({ name }) => name))
  const own = fields.filter(({ is_custom }) => is_custom).toSorted(byPosition)
  const isThere = (name: string) => names.has(name)
  // what was placed elsewhere is not where it was declared
  const elsewhere = (...others: (string[] | null | undefined)[]) => {
    const placedThere = new Set(others.flatMap((each) => each ?? []))
    return (name: string) => !placedThere.has(name)
  }
  const { strip: head, rail: beside, hidden } = layout ?? {}
  const strip = (head ?? page.strip.filter(elsewhere(beside, hidden))).filter(isThere)
  const facts = [...page.rail, ...own.map(({ name }) => name)].filter(elsewhere(head, hidden))
  const rail = (beside ?? facts).filter(isThere).slice(0, longestRail)
  const listed = new Map([...placesOf('rail', rail), ...placesOf('strip', strip)])
  return fields.map((field) => {
    const { name, is_shown, is_custom, position } = field
    const isSystem = !is_custom && (!is_shown || declared[name]?.isSystem)
    const rest: Place = { place: isSystem ? 'system' : 'more', place_position: position }
    return { ...field, ...(listed.get(name) ?? rest) }
  })
}

type Place = Pick<DescribedField, 'place' | 'place_position'>

function placesOf(place: FieldPlace, names: string[]): [name: string, Place][] {
  return names.map((name, at) => [name, { place, place_position: at }])
}

const byPosition = (one: Unplaced, other: Unplaced) => one.position - other.position
