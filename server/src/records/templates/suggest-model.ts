import type { Context } from '../../kit/ground/context.ts'
import { checkBody } from '../../kit/record/validate.ts'
import type { TemplateStage } from '../../model/templates/config.ts'
import { configSchema } from '../../model/templates/config.ts'

/**
 * The suggestion of the language model, if one is configured and there is a prompt; `failed` if
 * its answer is invalid. It receives the outlines of the best-matching plans.
 */
export async function fromModel(
  ctx: Context,
  what: 'stages' | 'milestones',
  question: string | undefined,
  plans: { name: string; plan: TemplateStage[] }[],
): Promise<{ stages?: TemplateStage[]; failed: boolean }> {
  if (!ctx.suggest || !question) return { failed: false }
  const outlines = plans.slice(0, 3).map(({ name, plan }) => ({
    name,
    stages: plan.slice(0, 20).map((stage) => ({
      name: stage.name,
      tasks: (stage.tasks ?? []).slice(0, 20).map(({ title }) => title),
    })),
  }))
  try {
    const answer = (await ctx.suggest({
      instructions: `${instructions[what]} Plans that worked before: ${JSON.stringify(outlines)}`,
      question,
    })) as { [key: string]: TemplateStage[] }
    const stages = answer?.[what]
    checkBody(configSchema, { stages })
    return stages?.length ? { stages, failed: false } : { failed: true }
  } catch (error) {
    ctx.log.warn({ err: error }, 'the language model had no good answer')
    return { failed: true }
  }
}

/** A name for a plan, and the order of its stages, by the language model, which changes nothing else of it. */
export async function orderedByModel(
  ctx: Context,
  question: string | undefined,
  stages: TemplateStage[],
): Promise<{ order?: { name: string; stages: TemplateStage[] }; failed: boolean }> {
  if (!ctx.suggest || !question) return { failed: false }
  const names = stages.map(({ name }) => name)
  try {
    const answer = (await ctx.suggest({
      instructions: `${naming} The stages: ${JSON.stringify(names)}`,
      question,
    })) as { name?: unknown; order?: unknown }
    const order: unknown[] = Array.isArray(answer?.order) ? answer.order : []
    const sorted = order.flatMap((name) => stages.find((stage) => stage.name === name) ?? [])
    const isWhole = new Set(sorted).size === stages.length && sorted.length === stages.length
    const name = typeof answer?.name === 'string' ? answer.name.trim().slice(0, 255) : ''
    if (!isWhole && !name) return { failed: true }
    return { order: { name, stages: isWhole ? inLine(sorted, stages) : stages }, failed: !isWhole }
  } catch (error) {
    ctx.log.warn({ err: error }, 'the language model had no good answer')
    return { failed: true }
  }
}

/** Stages in another order, one behind the other; in the same order they stay where they are. */
function inLine(sorted: TemplateStage[], before: TemplateStage[]): TemplateStage[] {
  if (sorted.every((stage, at) => stage === before[at])) return before
  let start = 0
  return sorted.map((stage) => {
    const placed = { ...stage, start_offset_days: start }
    start += stage.duration_days ?? 1
    return placed
  })
}

const naming =
  'You name plans of customer onboarding projects. Answer with JSON {"name": text, "order": the names of all stages below, in the best order}.'

const shape =
  '{"name": text, "start_offset_days": whole number of working days from the start, "duration_days": whole number, "tasks": [{"title": text, "start_offset_days": whole number, "duration_days": whole number}]}'
const instructions = {
  stages: `You plan customer onboarding projects. Answer with JSON {"stages": [${shape}]} for the project described.`,
  milestones: `You plan customer onboarding projects. Answer with JSON {"milestones": [${shape}]}, five at most, for what is described.`,
}
