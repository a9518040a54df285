import { badFields } from '../ground/errors.ts'
import type { Members } from '../ground/object.ts'
import { equal, isObject } from '../ground/object.ts'

/** Words for what a record is called, which clients send with records of every kind. */
const anyName = new Set(['name', 'title'])

/**
 * A body with each property under its own name, where `aliases` lead other names to it. 400 where two names of one
 * property hold different values, of which one would be lost; a `name` or `title` gives way to the record's own
 * word for it. The same object where no other name is used.
 */
export function underOneName(body: Members, aliases: { [name: string]: string }): Members {
  const used = Object.entries(aliases).filter(([alias]) => Object.hasOwn(body, alias))
  if (!used.length) return body
  const named: Members = { ...body }
  const sentAs = new Map(Object.keys(body).map((name) => [name, name]))
  const errors = []
  for (const [alias, name] of used) {
    const other = sentAs.get(name)
    if (other === undefined) {
      named[name] = named[alias]
      sentAs.set(name, alias)
    } else if (!anyName.has(alias) && !saysTheSame(named[name], named[alias])) {
      errors.push({ field: alias, message: contradiction(other) })
    }
    delete named[alias]
  }
  if (errors.length) throw badFields(errors)
  return named
}

/**
 * The members of an object inside a body beside those around it. 400 for a member of both with different values,
 * of which one would be lost.
 */
export function joined<O extends object, I extends object>(outer: O, inner: I, at: string): O & I {
  const both = Object.entries(inner as Members).filter(([name]) => Object.hasOwn(outer, name))
  const errors = both
    .filter(([name, value]) => !saysTheSame((outer as Members)[name], value))
    .map(([name]) => ({ field: name, message: contradiction(`${at}.${name}`) }))
  if (errors.length) throw badFields(errors)
  return { ...outer, ...inner }
}

/** What a query says under either of two names of a parameter. 400 where it says two things. */
export function eitherOf<Value>(
  [name, value]: [name: string, value: Value | undefined],
  [other, sent]: [name: string, value: Value | undefined],
): Value | undefined {
  if (value !== undefined && sent !== undefined && value !== sent) {
    throw badFields([{ field: other, message: contradiction(name) }])
  }
  return value ?? sent
}

/** What is wrong with a value that is not what another member of the body says. */
export function contradiction(other: string): string {
  return `says something else than ${other}: send one of the two`
}

/** Whether two values name the same: a record may be named by its id beside an object that holds it. */
export function saysTheSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a.trim() === b.trim()
  if (isObject(a) && typeof b === 'string') return Object.values(a).includes(b)
  if (isObject(b) && typeof a === 'string') return Object.values(b).includes(a)
  return equal(a, b)
}
