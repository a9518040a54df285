import type { Failure } from '../../../kit/ground/errors.ts'
import { badField, renamed } from '../../../kit/ground/errors.ts'
import { mostBelow, tooDeep } from '../../tasks/place.ts'
import type { NewLine } from './input.ts'

/** A line in its place; `depth` is how far it is below the first task of those that it is a part of. */
export type Placed = {
  at: number
  line: NewLine
  parent: Placed | undefined
  depth: number
  /** its record, once there is one */
  id: string
}

/** Lines with what they are below. 400 for what is below no earlier line or too deep, or has what milestones have not. */
export function placed(lines: NewLine[]): Placed[] {
  const list: Placed[] = []
  for (const [at, line] of lines.entries()) {
    const { below } = line
    const parent = below === undefined ? undefined : list[below]
    if (below !== undefined && !parent) {
      throw badField(`lines.${at}.below`, 'must be the place of an earlier line, from 0')
    }
    const depth = parent && !isMilestone(parent) ? parent.depth + 1 : 0
    if (depth > mostBelow) throw badField(`lines.${at}.below`, tooDeep)
    const each = { at, line, parent, depth, id: '' }
    if (isMilestone(each)) checkMilestone(each)
    list.push(each)
  }
  return list
}

function checkMilestone({ at, line }: Placed) {
  if (line.below !== undefined) throw badField(`lines.${at}.below`, 'a milestone is below no line')
  const other = (['status', 'priority'] as const).find((name) => line[name] !== undefined)
  if (other) throw badField(`lines.${at}.${other}`, 'only tasks have one')
}

/** Whether a line is a milestone, not a task. */
export function isMilestone({ line }: Pick<Placed, 'line'>): boolean {
  return line.kind === 'milestone'
}

/** Runs a part of a line's creation; its refusal names the line. */
export async function within<T>({ at }: Placed, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw renamed(error, (field) => fieldIn(field, at))
  }
}

/** What is wrong with a line, by the fields of the body. */
export function errorsIn({ errors, message }: Failure, at: number) {
  const named = errors ?? [{ field: 'title', message }]
  return named.map((each) => ({ ...each, field: fieldIn(each.field, at) }))
}

function fieldIn(field: string, at: number): string {
  if (field === 'milestone_id' || field === 'parent_id') return field
  return `lines.${at}.${field === 'name' ? 'title' : field}`
}
