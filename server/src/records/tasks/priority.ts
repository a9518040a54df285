import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { allOptions, optionNamed } from '../../kit/record/option-sets.ts'

/** The value of a priority that a body names; any short word is accepted, as for other option sets. */
export async function priorityOf(
  ctx: Context,
  priority: string | null | { [key: string]: unknown },
): Promise<string | null> {
  if (priority === null) return null
  const word =
    typeof priority === 'string' ? priority : (priority.value ?? priority.label ?? priority.name)
  if (typeof word !== 'string' || !word.trim()) {
    throw badField('priority', 'must be a priority, such as high')
  }
  const { priorities = [] } = await allOptions(ctx, 'tasks')
  return optionNamed(priorities, word) ?? word.trim().slice(0, 100)
}
