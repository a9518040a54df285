import type { Step } from './formula.ts'
import { stepsOf } from './formula.ts'
import type { Answers, Condition, Ending, FormField, Page, Rule } from './form-parts.ts'

// What a condition says is decided here alone: the page's script has the source of these functions, so they use
// nothing but each other.

/** Whether a rule holds after these answers: one comparison, or any of several. */
export function ruleHolds(rule: Rule, answers: Answers): boolean {
  if ('any' in rule) return rule.any.some((each) => holds(each, answers))
  return holds(rule, answers)
}

/** Whether a comparison with an answer holds. */
export function holds({ field_id, operator, value }: Condition, answers: Answers): boolean {
  const answer = Object.hasOwn(answers, field_id) ? answers[field_id] : undefined
  switch (operator ?? 'eq') {
    case 'eq':
      return answer === value || isIn(answer, value)
    case 'neq':
      return answer !== value && !isIn(answer, value)
    case 'in':
      return isIn(value, answer)
    case 'not_in':
      return !isIn(value, answer)
    case 'contains':
      return isIn(answer, value) || (typeof answer === 'string' && answer.includes(String(value)))
    case 'gt':
      return Number(answer) > Number(value)
    case 'gte':
      return Number(answer) >= Number(value)
    case 'lt':
      return Number(answer) < Number(value)
    case 'lte':
      return Number(answer) <= Number(value)
    case 'is_empty':
      return isEmpty(answer)
    default:
      return !isEmpty(answer)
  }
}

/** Blanks alone are no answer, as on the page. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return !value.trim()
  return value === undefined || value === null || (Array.isArray(value) && !value.length)
}

/** Long lists are made sets once: an answer with many choices is compared with as many options and conditions. */
export function isIn(list: unknown, one: unknown): boolean {
  if (!Array.isArray(list)) return false
  if (list.length < 20) return list.includes(one)
  const known = members.get(list) ?? new Set<unknown>(list)
  members.set(list, known)
  return known.has(one)
}

const members = new WeakMap<unknown[], Set<unknown>>()

/** The value of a formula, with six decimals; undefined where a number is missing, or by zero. */
export function valueOf(steps: Step[], answers: Answers): number | undefined {
  const stack: number[] = []
  for (const step of steps) {
    if (typeof step === 'number') stack.push(step)
    else if (typeof step === 'object') {
      const answer = Object.hasOwn(answers, step.of) ? answers[step.of] : undefined
      // yes counts as 1
      stack.push(isEmpty(answer) ? Number.NaN : Number(answer))
    } else {
      const last = stack.pop() ?? Number.NaN
      if (step === 'negative') stack.push(-last)
      else {
        const first = stack.pop() ?? Number.NaN
        if (step === '+') stack.push(first + last)
        else if (step === '-') stack.push(first - last)
        else stack.push(step === '*' ? first * last : first / last)
      }
    }
  }
  const value = Math.round((stack.pop() ?? Number.NaN) * 1e6) / 1e6
  return Number.isFinite(value) ? value : undefined
}

/** The source of the rules as a script. */
export const rulesScript = `const members = new WeakMap()
${[ruleHolds, holds, isEmpty, isIn, valueOf].join('\n')}
`

/** Whether a question is asked after these answers to the earlier ones. */
export function isVisible({ show_if = [] }: Pick<FormField, 'show_if'>, answers: Answers): boolean {
  return show_if.every((rule) => ruleHolds(rule, answers))
}

/** The questions that are asked, in their order, after the answers that `answers` has by then. */
export function* asked(pages: Page[], answers: Answers): Generator<FormField, undefined> {
  for (const page of pages) {
    if (!isVisible(page, answers)) continue
    for (const field of page.fields) if (isVisible(field, answers)) yield field
  }
}

/** The answers to questions that are asked; those of hidden ones are none, also for what depends on them. */
export function answersAsked(pages: Page[], answers: Answers): Answers {
  const kept: Answers = {}
  for (const field of asked(pages, kept)) {
    const value = field.type === 'calculated' ? calculated(field, kept) : answers[field.id]
    if (value !== undefined && field.type !== 'statement') kept[field.id] = value
  }
  return kept
}

/**
 * The ending that is shown after the answers to what is asked: the first whose conditions hold; undefined for the last
 * one, which the survey has itself.
 */
export function endingAfter(endings: Ending[] = [], answers: Answers): Ending | undefined {
  return endings.find((each) => isVisible(each, answers))
}

/** The value of a calculated question after these answers. */
export function calculated({ formula }: FormField, answers: Answers): number | undefined {
  const steps = stepsOf(formula ?? '')
  return typeof steps === 'string' ? undefined : valueOf(steps, answers)
}

/** How many characters an answer in words may have. */
export function longest({ type, max }: Pick<FormField, 'type' | 'max'>): number {
  const most = type === 'long-text' ? 20_000 : 1000
  return typeof max === 'number' ? Math.min(most, Math.max(1, max)) : most
}

/** How many files any question takes. */
export const mostFiles = 10

/** How many files a question takes. */
export function mostFilesOf({ max }: Pick<FormField, 'max'>): number {
  return typeof max === 'number' ? Math.min(max, mostFiles) : mostFiles
}
