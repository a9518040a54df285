import type { AnyRecord, FieldPlace } from '../../kit/record/record.ts'
import type { DescribedField } from './description.ts'

/** The facts that the rail of a page has at most. */
const longestRail = 8

/** A described field before it has its place. */
export type Unplaced = Omit<DescribedField, 'place' | 'place_position'>

/**
 * The fields, each with its place on a page: as the record declares it, with the organization's own fields in the rail
 * while there is room; what is for programs or about the record itself comes last.
 */
export function placed(
  { page, fields: declared }: AnyRecord,
  fields: Unplaced[],
): DescribedField[] {
  const names = new Set(fields.map(({ name }) => name))
  const strip = page.strip.filter((name) => names.has(name))
  const facts = page.rail.filter((name) => names.has(name))
  const own = fields.filter(({ is_custom }) => is_custom).toSorted(byPosition)
  const rail = [...facts, ...own.map(({ name }) => name)].slice(0, longestRail)
  const placeOf = ({ name, is_shown, is_custom }: Unplaced): FieldPlace => {
    if (strip.includes(name)) return 'strip'
    if (rail.includes(name)) return 'rail'
    const isSystem = !is_custom && (!is_shown || declared[name]?.isSystem)
    return isSystem ? 'system' : 'more'
  }
  return fields.map((field) => {
    const place = placeOf(field)
    const list = place === 'strip' ? strip : rail
    const isListed = place === 'strip' || place === 'rail'
    return {
      ...field,
      place,
      place_position: isListed ? list.indexOf(field.name) : field.position,
    }
  })
}

const byPosition = (one: Unplaced, other: Unplaced) => one.position - other.position
