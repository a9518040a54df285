import { invalidRequest } from './errors.ts'

export type Parameters<Name extends string> = { [name in Name]?: string }

/**
 * The named parameters of a query, form or JSON body. Each at most once and as text; an empty value
 * counts as omitted (RFC 6749 3.1 and 3.2). 400 names the wrong one.
 */
export function readParameters<Name extends string>(
  source: unknown,
  names: readonly Name[],
): Parameters<Name> {
  const values = source ?? {}
  if (typeof values !== 'object' || Array.isArray(values))
    throw invalidRequest('Invalid request body')
  const found: Parameters<Name> = {}
  for (const name of names) {
    if (!Object.hasOwn(values, name)) continue
    const value = (values as { [name: string]: unknown })[name]
    if (value === undefined || value === null || value === '') continue
    if (Array.isArray(value)) throw invalidRequest(`${name} must be given once`)
    if (typeof value !== 'string' && typeof value !== 'number')
      throw invalidRequest(`${name} must be text`)
    found[name] = checkedText(name, String(value))
  }
  return found
}

/** The same, with required ones. */
export function requireParameters<Name extends string, Needed extends Name>(
  parameters: Parameters<Name>,
  ...needed: Needed[]
): asserts parameters is Parameters<Name> & { [name in Needed]: string } {
  const missing = needed.filter((name) => parameters[name] === undefined)
  if (missing.length) throw invalidRequest(`${missing.join(', ')} missing`)
}

function checkedText(name: string, text: string): string {
  if (text.length > 40_000) throw invalidRequest(`${name} is too long`)
  // oxlint-disable-next-line no-control-regex -- exactly what is looked for
  if (/[\0-\x1f\x7f]/.test(text) || !text.isWellFormed()) {
    throw invalidRequest(`${name} contains characters that are not allowed`)
  }
  return text
}
