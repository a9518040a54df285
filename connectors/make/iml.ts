import { createHmac } from 'node:crypto'

/** The variables of an expression. */
export type Scope = { [name: string]: unknown }

/**
 * Evaluates the part of IML, Make's expression language, that tests need: members, texts, numbers, `+ = != < > ! && ||`
 * and some functions, in templates (`{{…}}`) anywhere in JSON. A template that is a single expression returns its
 * value; members that are undefined are left out, and `{"{{...}}": …}` spreads an object.
 */
export function evaluate(template: unknown, scope: Scope): unknown {
  if (typeof template === 'string') return text(template, scope)
  if (Array.isArray(template)) return template.map((each) => evaluate(each, scope))
  if (typeof template !== 'object' || template === null) return template
  const result: Scope = {}
  for (const [key, value] of Object.entries(template)) {
    const made = evaluate(value, scope)
    if (key === '{{...}}') Object.assign(result, made)
    else if (made !== undefined) result[key] = made
  }
  return result
}

function text(template: string, scope: Scope): unknown {
  const [whole] = /^\{\{((?:(?!\}\}).)*)\}\}$/s.exec(template) ?? []
  if (whole) return expression(template.slice(2, -2), scope)
  return template.replace(/\{\{(.*?)\}\}/gs, (_, code: string) => {
    const value = expression(code, scope)
    return value === undefined || value === null ? '' : String(value)
  })
}

const functions: { [name: string]: (...values: any[]) => unknown } = {
  if: (condition, yes, no) => (condition ? yes : no),
  ifempty: (value, other) =>
    value === undefined || value === null || value === '' ? other : value,
  switch: (value, ...cases) => {
    for (let i = 0; i + 1 < cases.length; i += 2) if (cases[i] === value) return cases[i + 1]
    return cases.length % 2 ? cases.at(-1) : undefined
  },
  omit: (value: object, ...keys: string[]) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))),
  encodeURL: (value) => encodeURIComponent(String(value)),
  sha256: (value: string, encoding: 'hex', key: string) =>
    createHmac('sha256', key).update(value).digest(encoding),
  addSeconds: (date: Date, seconds: number) => new Date(+date + seconds * 1000),
  addMinutes: (date: Date, minutes: number) => new Date(+date + minutes * 60_000),
  join: (list: unknown[], separator: string) => list.join(separator),
  // in UTC, by the two formats that the app has
  formatDate: (date: Date | undefined, format: string) => {
    if (format === 'YYYY-MM-DDTHH:mm:ss.SSSZ') return date?.toISOString().replace('Z', '+00:00')
    if (format !== 'YYYY-MM-DD') throw new Error(`No format ${format} here`)
    return date?.toISOString().slice(0, 10)
  },
  toCollection: (list: Scope[] = [], key: string, value: string) =>
    Object.fromEntries(list.map((each) => [each[key], each[value]])),
}

const token =
  /\s*(?:('(?:[^'\\]|\\.)*')|(\d+)|([A-Za-z_]\w*(?:\.\w+|\['[^']*'\])*)|(&&|\|\||!=|[-+=<>!(),]))/y

/** One expression, by precedence; every operand is evaluated, as nothing here has side effects. */
function expression(code: string, scope: Scope): unknown {
  const tokens: RegExpExecArray[] = []
  token.lastIndex = 0
  while (token.lastIndex < code.trimEnd().length) {
    const at = token.lastIndex
    const found = token.exec(code)
    if (!found) throw new Error(`Cannot read ${code.slice(at)}`)
    tokens.push(found)
  }
  const symbol = () => tokens[0]?.[4]
  const next = () => {
    const found = tokens.shift()
    if (!found) throw new Error(`${code} ends too early`)
    return found
  }
  const levels: { [operator: string]: (a: any, b: any) => unknown }[] = [
    { '||': (a, b) => a || b },
    { '&&': (a, b) => a && b },
    { '=': (a, b) => a === b, '!=': (a, b) => a !== b },
    { '<': (a, b) => a < b, '>': (a, b) => a > b },
    { '+': (a, b) => (typeof a === 'number' && typeof b === 'number' ? a + b : `${a}${b}`) },
  ]
  const level = (n: number): unknown => {
    const operators = levels[n]
    if (!operators) return operand()
    let value = level(n + 1)
    for (let apply = operators[symbol() ?? '']; apply; apply = operators[symbol() ?? '']) {
      next()
      value = apply(value, level(n + 1))
    }
    return value
  }
  const operand = (): unknown => {
    const [, quoted, number, name, sign] = next()
    if (sign === '!') return !operand()
    if (sign === '-') return -Number(operand())
    if (sign === '(') {
      const value = level(0)
      next()
      return value
    }
    if (quoted) return quoted.slice(1, -1).replace(/\\(.)/g, '$1')
    if (number) return Number(number)
    if (!name) throw new Error(`Cannot read ${sign} in ${code}`)
    return symbol() === '(' ? call(name) : member(name, scope)
  }
  const call = (name: string): unknown => {
    const values: unknown[] = []
    next()
    while (symbol() !== ')') {
      values.push(level(0))
      if (symbol() === ',') next()
    }
    next()
    const run = functions[name]
    if (!run) throw new Error(`There is no function ${name} here`)
    return run(...values)
  }
  const value = level(0)
  if (tokens.length) throw new Error(`${code} goes on after its end`)
  return value
}

function member(path: string, scope: Scope): unknown {
  const constants: Scope = { true: true, false: false, emptystring: '', undefined: undefined }
  if (path in constants) return constants[path]
  const [first = '', ...rest] = path.split(/\.|\['|'\]/).filter(Boolean)
  if (!(first in scope) && first !== 'body') throw new Error(`There is no variable ${first} here`)
  return rest.reduce<unknown>(
    (value, name) => (value as Scope | null | undefined)?.[name],
    scope[first],
  )
}
