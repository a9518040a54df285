import { isObject } from '../kit/ground/object.ts'

type Data = { [field: string]: unknown }

/** The object with values set at these paths; null on the way becomes an object. */
export function withValues(data: Data, values: { [path: string]: unknown }): Data {
  const copy = structuredClone(data)
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.')
    let inner = copy
    for (const name of names.slice(0, -1)) {
      const next = isObject(inner[name]) ? inner[name] : {}
      inner[name] = next
      inner = next
    }
    const last = names.at(-1) ?? path
    inner[last] = value
  }
  return copy
}

/** Whether an object has these values at these paths. */
export function holds(data: Data, values: { [path: string]: unknown }): boolean {
  return Object.entries(values).every(([path, value]) => {
    const found = path
      .split('.')
      .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), data)
    return found === value
  })
}
