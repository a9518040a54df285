import type { FastifyRequest } from 'fastify'
import type { Failure } from '../../kit/ground/errors.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import { missingTokenScope } from '../../records/users/access-tokens/scopes.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import { failureFrom } from '../errors.ts'
import { admit, perform } from '../perform.ts'
import type { Family, Tool } from './tool.ts'
import { chosen, isInScope, placed } from './tool.ts'

/** The result of a tool call: text for the model, and the record if the tool describes one. */
export type CallResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: { [name: string]: unknown }
  isError?: true
}

/**
 * Calls a tool for the caller, with the operation's own rights, checks and transaction. A refusal is a
 * result with an explanation, so that a model can correct its call; nothing is thrown.
 */
export async function callTool(
  runtime: Runtime,
  caller: Caller,
  request: FastifyRequest,
  named: Tool | Family,
  arguments_: { [name: string]: unknown },
): Promise<CallResult> {
  try {
    const { tool, sent } = chosen(named, arguments_)
    const value = compact(await valueOf(runtime, caller, request, tool, sent))
    const content = [{ type: 'text' as const, text: JSON.stringify(value) }]
    if (!named.listed.outputSchema) return { content }
    return { content, structuredContent: value as { [name: string]: unknown } }
  } catch (error) {
    const failure = failureFrom(error, request)
    return { content: [{ type: 'text', text: sentenceOf(failure) }], isError: true }
  }
}

async function valueOf(
  runtime: Runtime,
  caller: Caller,
  request: FastifyRequest,
  tool: Tool,
  sent: { [name: string]: unknown },
): Promise<unknown> {
  const { operation } = tool
  checkRights(runtime, caller, tool)
  const { ip, raw, url } = request
  const parts = {
    ip,
    raw,
    url,
    caller,
    headers: {},
    upload: undefined,
    ...placed(tool, sent, caller.actor),
  }
  const answer = await perform(runtime, { caller, operation, sent: parts }, { answer: jsonOf })
  return tool.unwrap === undefined ? answer : (answer as { [name: string]: unknown })[tool.unwrap]
}

/** 403 for a caller whose role or scopes do not allow the tool. */
function checkRights(runtime: Runtime, caller: Caller, tool: Tool): void {
  const { actor } = caller
  const { access_token } = actor
  // the rights of a personal access token are those of its scopes, so these come first
  if (access_token && !isInScope(tool, actor)) {
    const named = missingTokenScope(access_token.scopes, tool.operation)
    throw forbidden(`This access token needs the scope ${named}`, 'missing_scope')
  }
  admit(runtime, caller, tool.operation)
  if (isInScope(tool, actor)) return
  throw forbidden(`This needs the scope ${tool.scopes.join(' or ')}`, 'missing_scope')
}

/** The answer of an operation as a JSON value; a lazy body is computed within the transaction. */
export async function jsonOf(result: unknown): Promise<unknown> {
  const content = result instanceof Answer ? result.body : result
  const body: unknown = typeof content === 'function' ? await content() : content
  // a value that is not JSON text yet may contain dates, which become text
  return JSON.parse(body instanceof Json ? body.text : JSON.stringify(body ?? null)) as unknown
}

type Members = { [name: string]: unknown }

/**
 * The value without empty members: they tell a model nothing and cost it a third more. A
 * list of `results` stays even if it is empty.
 */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact)
  if (typeof value !== 'object' || value === null) return value
  const full = Object.entries(value as Members)
    .map(([name, inner]) => [name, compact(inner)] as const)
    .filter(([name, inner]) => name === 'results' || !isEmpty(inner))
  return Object.fromEntries(full)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A refusal for a model: what is wrong, by the names of the arguments, and the conflicting record. */
function sentenceOf({ message, data, retryAfter, status }: Failure): string {
  const parts = [/[.!?]$/.test(message) ? message : `${message}.`]
  if (status === 409 && typeof data === 'object' && data !== null) {
    const ids = Object.entries(data as Members).map(
      ([name, value]) => `${name} ${JSON.stringify(value)}`,
    )
    parts.push(`In the way: ${ids.join(', ')}.`)
  }
  if (retryAfter !== undefined) parts.push(`Try again in ${retryAfter} s.`)
  return parts.join(' ')
}
