import type { Static, TSchema } from 'typebox'
import type { Context } from '../ground/context.ts'
import type { JSONSchema } from '../ground/json-schema.ts'
import { checkBody } from './validate.ts'

/**
 * What the configured language model answers to a question, by a schema; undefined where none is configured, where it does
 * not answer, and where its answer is another than was asked for.
 */
export async function suggested<S extends TSchema>(
  ctx: Context,
  schema: S,
  asked: { instructions: string; question: string },
): Promise<Static<S> | undefined> {
  try {
    const answer = await ctx.suggest?.(asked)
    checkBody(schema as unknown as JSONSchema, answer)
    return answer as Static<S>
  } catch (error) {
    ctx.log.warn({ err: error }, 'the language model had no good answer')
    return undefined
  }
}
