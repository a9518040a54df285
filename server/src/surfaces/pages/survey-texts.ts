import type { Html } from '../../kit/ground/html-template.ts'
import { html } from '../../kit/ground/html-template.ts'
import { stepsOf } from '../../model/forms/formula.ts'
import type { Known } from '../../model/forms/piping.ts'
import { partsOf, pipedValue } from '../../model/forms/piping.ts'
import type { Step } from '../../model/forms/formula.ts'
import { holds } from '../../model/forms/rules.ts'
import type { Answers, FormField, Page, Rule } from '../../model/forms/form-parts.ts'

/** What the questions of one form may say and depend on: `here` are the ids of those in it. */
export type About = { parts: Page[]; here: ReadonlySet<string>; answers: Answers; known: Known }

/** Texts with what goes into them; what the form itself answers follows it by the script. */
export function wordsWith({ parts, here, answers, known }: About): (text: string) => Html {
  const fields = parts.flatMap((part) => part.fields)
  return (text) =>
    html`${partsOf(text).map((part) => {
      if (typeof part === 'string') return part
      const { name, instead } = part
      const value = pipedValue(name, { fields, answers, known }) || instead
      const id = name.replace(/^answers\./, '')
      return id !== name && here.has(id)
        ? html`<span data-pipe="${id}" data-instead="${instead}">${value}</span>`
        : value
    })}`
}

/**
 * The rules that depend on answers in the form itself; what others say is decided by the answers so far. Undefined
 * where those hide it.
 */
export function rulesHere(rules: Rule[], { here, answers }: About): Rule[] | undefined {
  const open: Rule[] = []
  for (const rule of rules) {
    const [one] = 'any' in rule ? [] : [rule]
    const all = 'any' in rule ? rule.any : [rule]
    const inside = all.filter(({ field_id }) => here.has(field_id))
    if (all.some((each) => !here.has(each.field_id) && holds(each, answers))) continue
    if (!inside.length) return undefined
    open.push(one ?? { any: inside })
  }
  return open
}

/** The steps of a formula, with numbers for the answers that are not in the form. */
export function stepsHere({ formula }: FormField, { here, answers }: About): Step[] {
  const steps = stepsOf(formula ?? '')
  if (typeof steps === 'string') return []
  return steps.map((step) => {
    if (typeof step !== 'object' || here.has(step.of)) return step
    const value = answers[step.of]
    const number = value === undefined || value === '' ? Number.NaN : Number(value)
    // what is no number has no answer in the form
    return Number.isFinite(number) ? number : { of: '' }
  })
}
