/** A formula in the order of its evaluation: numbers, answers by the ids of their questions, and operators. */
export type Step = number | { of: string } | '+' | '-' | '*' | '/' | 'negative'

/** The maximum number of characters of a formula. */
export const mostFormula = 1000

type Operator = '+' | '-' | '*' | '/'
const order: { [operator in Operator | 'negative']: number } = {
  '+': 1,
  '-': 1,
  '*': 2,
  '/': 2,
  negative: 3,
}

/**
 * The steps of a formula of numbers, `{id}` for the answer to a question, `+ - * /` and parentheses (Dijkstra's
 * shunting-yard); a text says why it is none.
 */
export function stepsOf(formula: string): Step[] | string {
  if (!formula.trim()) return 'is required'
  if (formula.length > mostFormula) return `must be at most ${mostFormula} characters`
  const steps: Step[] = []
  const waiting: (Operator | 'negative' | '(')[] = []
  let wantsValue = true
  const tokens = formula.matchAll(/\s+|\{([^{}]+)\}|(\d+(?:\.\d+)?)|([-+*/()])|(.)/gsu)
  for (const [whole, id, digits, sign, other] of tokens) {
    if (other !== undefined) return `has “${other}”, which is no number, {question} or + - * / ( )`
    if (!whole.trim()) continue
    if (id !== undefined || digits !== undefined || sign === '(') {
      if (!wantsValue) return `needs an operator before “${whole}”`
      if (sign === '(') waiting.push(sign)
      else {
        steps.push(id === undefined ? Number(digits) : { of: id })
        wantsValue = false
      }
    } else if (sign === ')') {
      if (wantsValue) return 'needs a value before “)”'
      for (let top = waiting.pop(); top !== '('; top = waiting.pop()) {
        if (top === undefined) return 'has “)” without “(”'
        steps.push(top)
      }
    } else if (wantsValue) {
      if (sign !== '-') return `needs a value before “${sign}”`
      waiting.push('negative')
    } else {
      const operator = sign as Operator
      for (let top = waiting.at(-1); top && top !== '('; top = waiting.at(-1)) {
        if (order[top] < order[operator]) break
        steps.push(top)
        waiting.pop()
      }
      waiting.push(operator)
      wantsValue = true
    }
  }
  if (wantsValue) return 'needs a value at its end'
  for (let top = waiting.pop(); top !== undefined; top = waiting.pop()) {
    if (top === '(') return 'has “(” without “)”'
    steps.push(top)
  }
  return steps
}

/** The questions whose answers a formula needs. */
export function questionsIn(formula: string): string[] {
  const steps = stepsOf(formula)
  if (typeof steps === 'string') return []
  return steps.flatMap((step) => (typeof step === 'object' ? step.of : []))
}
