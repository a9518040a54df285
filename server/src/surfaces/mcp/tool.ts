import { unknownKeys } from '../../kit/ground/nearest.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { isObject } from '../../kit/ground/object.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import type { Actor } from '../../kit/ground/context.ts'
import { may } from '../../kit/record/scope.ts'
import { scopeOf } from '../../records/apps/scopes.ts'
import { missingTokenScope } from '../../records/users/access-tokens/scopes.ts'
import { forModels } from './model-schema.ts'

/** The options of a tool that do not follow from its operation. */
type Options = {
  name: string
  title: string
  description?: string
  /** the argument for the id of the record in the operation's path */
  id?: string
  /** the arguments that are described to models; others of the operation are also accepted. All if absent. */
  shown?: readonly string[]
  /** the members of a single record that are described; without them there is no output schema */
  answers?: readonly string[]
  /** any one of these scopes allows the tool, if the operation itself names none */
  scopes?: string[]
  /** the member of the operation's answer with the record */
  unwrap?: string
}

/** An operation as an MCP tool: its arguments are the parameters of its path, query and body. */
export type Tool = Omit<Options, 'scopes'> & {
  operation: Operation
  scopes: readonly string[]
  /** its entry in `tools/list` */
  listed: Listed
}

/**
 * Tools that models see as one, since they take the same arguments: `module` says of which kind of record. Rights and
 * scopes are those of each.
 */
export type Family = { name: string; kinds: ReadonlyMap<string, Tool>; listed: Listed }

type Listed = {
  name: string
  title: string
  description: string
  inputSchema: JSONSchema & { type: 'object' }
  outputSchema?: JSONSchema & { type: 'object' }
  annotations: {
    [hint in `${'readOnly' | 'destructive' | 'idempotent' | 'openWorld'}Hint`]: boolean
  }
}

/** Makes a tool of an operation. Throws if it has no scope: a mistake in the table of tools. */
export function tool(operation: Operation, options: Options): Tool {
  const scopes = options.scopes ?? [scopeOf(operation) ?? []].flat()
  if (!scopes.length) throw new Error(`the tool ${options.name} needs scopes of its own`)
  return { ...options, operation, scopes, listed: listedAs(operation, options) }
}

/** Makes one tool of several operations by their modules, whose arguments beside `module` are described together. */
export function family(
  options: Pick<Listed, 'name' | 'title' | 'description'>,
  kinds: { [module: string]: [Operation, Omit<Options, 'name' | 'title'>] },
): Family {
  const { name, title } = options
  const its = Object.entries(kinds).map(
    ([module, [operation, its]]) => [module, tool(operation, { ...its, name, title })] as const,
  )
  const [[, { listed }]] = its as [(typeof its)[number]]
  const properties = Object.assign(
    {},
    ...its.map(([, each]) => each.listed.inputSchema.properties).toReversed(),
  ) as { [name: string]: JSONSchema }
  const module = { type: 'string', enum: its.map(([word]) => word) }
  const { required = [] } = listed.inputSchema as { required?: string[] }
  return {
    name,
    kinds: new Map(its),
    listed: {
      ...listed,
      ...options,
      inputSchema: {
        ...listed.inputSchema,
        properties: { module, ...properties },
        required: ['module', ...required],
      },
    },
  }
}

/** The tools behind what models see as one. */
export function toolsOf(named: Tool | Family): Tool[] {
  return 'kinds' in named ? [...named.kinds.values()] : [named]
}

/** The tool of a call and its arguments; 400 for a module of which there is none. */
export function chosen(named: Tool | Family, sent: { [name: string]: unknown }) {
  if (!('kinds' in named)) return { tool: named, sent }
  const { module, ...rest } = sent
  const tool = typeof module === 'string' ? named.kinds.get(module) : undefined
  if (!tool) throw badField('module', `must be one of ${[...named.kinds.keys()].join(', ')}`)
  return { tool, sent: rest }
}

/** Whether the caller's role and the scopes of its token allow the tool at all. */
export function isOpen(named: Tool | Family, actor: Actor): boolean {
  return toolsOf(named).some((tool) => may(actor, tool.operation.can) && isInScope(tool, actor))
}

/** Whether the scopes of the caller's app, or of its personal access token, allow the tool. */
export function isInScope({ scopes, operation }: Tool, { app, access_token }: Actor): boolean {
  if (access_token) return missingTokenScope(access_token.scopes, operation) === undefined
  return !app || scopes.some((scope) => app.scopes.includes(scope))
}

/** The maximum number of unknown arguments in a refusal; finding a suggestion for each takes time. */
const mostNamed = 20

/**
 * The arguments of a call as the operation's input. 400 names arguments that it does not have, with
 * the nearest known one: in an open body they would silently become custom fields.
 */
export function placed(
  tool: Tool,
  called: { [name: string]: unknown },
  { user_id }: Pick<Actor, 'user_id'>,
) {
  const { operation, id } = tool
  const { input, aliases = {} } = operation
  const sent = takesOthers(operation) ? withOthers(called, operation) : called
  const names = [...argumentsOf(operation, id), ...Object.keys(aliases)]
  const unknown = Object.keys(sent).filter((name) => !names.includes(name))
  if (unknown.length) {
    const named = Object.fromEntries(unknown.slice(0, mostNamed).map((name) => [name, true]))
    throw badFields(unknownKeys(named, names, ''), 'unknown_argument')
  }
  const [inPath = 'id'] = Object.keys(propertiesOf(input.params))
  const body = propertiesOf(input.body)
  const query = propertiesOf(input.query)
  const parts = { params: {}, query: {}, body: {} } as Placed
  for (const [name, given] of Object.entries(sent)) {
    const value = given === 'me' && namesPerson(body[name]) ? user_id : given
    if (name === id) parts.params[inPath] = value
    else if (Object.hasOwn(query, name) && !Object.hasOwn(body, name)) parts.query[name] = value
    else parts.body[name] = value
  }
  if (id !== undefined && parts.params[inPath] === undefined) {
    throw badFields([{ field: id, message: 'is required: the id of the record' }])
  }
  return parts
}

/** Whether a property takes a person, who may be called `me`. */
function namesPerson(schema: JSONSchema | undefined): boolean {
  const parts = (schema?.anyOf ?? []) as JSONSchema[]
  return parts.some((part) => 'profile_id' in propertiesOf(part))
}

/** Whether it creates or changes a record, which has more fields than the tool describes. */
function takesOthers({ input }: Operation): boolean {
  return 'custom_fields' in propertiesOf(input.body)
}

/** The arguments with those in `other_fields` beside them, and those that `clear` names as null. */
function withOthers(called: { [name: string]: unknown }, operation: Operation) {
  // copying an object with very many members takes long
  if (!Object.hasOwn(called, 'other_fields') && !Object.hasOwn(called, 'clear')) return called
  const { other_fields = {}, clear = [], ...sent } = called
  if (!isObject(other_fields)) throw badField('other_fields', 'must be an object')
  const listed: unknown[] = Array.isArray(clear) ? clear : [clear]
  const names = listed.filter((each) => typeof each === 'string')
  if (
    !Array.isArray(clear) ||
    names.length < listed.length ||
    (names.length && !changes(operation))
  )
    throw badField('clear', 'must be a list of fields of a record that is updated')
  const twice = [...Object.keys(other_fields), ...names].find((name) => Object.hasOwn(sent, name))
  if (twice !== undefined) throw badField(twice, 'is there twice')
  return { ...sent, ...other_fields, ...Object.fromEntries(names.map((name) => [name, null])) }
}

/** Whether it changes a record that exists. */
function changes({ input }: Operation): boolean {
  return input.params !== undefined
}

const otherFields: JSONSchema = {
  type: 'object',
  description: 'further fields that get_fields lists, by their names',
}
const cleared: JSONSchema = {
  type: 'array',
  description: 'names of fields to empty',
  items: { type: 'string' },
}

type Placed = { [part in 'params' | 'query' | 'body']: { [name: string]: unknown } }

/** The names of all arguments of an operation, with the path's as `id`. */
function argumentsOf({ input }: Operation, id: string | undefined): string[] {
  const path = id === undefined ? [] : [id]
  return [...path, ...Object.keys({ ...propertiesOf(input.query), ...propertiesOf(input.body) })]
}

function propertiesOf(schema: JSONSchema | undefined): { [name: string]: JSONSchema } {
  return (schema?.properties ?? {}) as { [name: string]: JSONSchema }
}

const text: JSONSchema = { type: 'string' }

function listedAs(operation: Operation, options: Options): Listed {
  const { name, title, id, shown, answers } = options
  const { input, output, writes } = operation
  const all = { ...propertiesOf(input.query), ...propertiesOf(input.body) }
  const names = shown ?? Object.keys(all)
  const properties: { [name: string]: JSONSchema } = id === undefined ? {} : { [id]: text }
  for (const each of names) {
    const schema = all[each]
    if (!schema) throw new Error(`${name} shows ${each}, which its operation does not have`)
    properties[each] = forModels(schema)
  }
  if (writes && takesOthers(operation)) {
    properties.other_fields = otherFields
    if (changes(operation)) properties.clear = cleared
  }
  const needed = [...requiredOf(input.query), ...requiredOf(input.body)]
  const required = [...(id === undefined ? [] : [id]), ...needed]
  const record = answers && output ? recordOf(output, options.unwrap) : undefined
  return {
    name,
    title,
    description: options.description ?? operation.description ?? operation.summary,
    inputSchema: {
      type: 'object',
      properties,
      ...(required.length ? { required } : {}),
      additionalProperties: false,
    },
    ...(record && answers ? { outputSchema: answered(name, record, answers) } : {}),
    annotations: {
      readOnlyHint: !writes,
      destructiveHint: false,
      idempotentHint: !writes || id !== undefined,
      openWorldHint: false,
    },
  }
}

function requiredOf(schema: JSONSchema | undefined): string[] {
  return (schema?.required ?? []) as string[]
}

function recordOf(output: JSONSchema, unwrap: string | undefined): JSONSchema | undefined {
  return unwrap === undefined ? output : propertiesOf(output)[unwrap]
}

/** Empty members are left out of answers, so only those that identify the record are required. */
function answered(
  tool: string,
  record: JSONSchema,
  answers: readonly string[],
): JSONSchema & { type: 'object' } {
  const all = propertiesOf(record)
  const named = answers.map((name) => {
    const schema = all[name]
    if (!schema) throw new Error(`${tool} answers ${name}, which its record does not have`)
    return [name, forModels(schema)] as const
  })
  return {
    type: 'object',
    properties: Object.fromEntries(named),
    required: answers.slice(0, 1),
    additionalProperties: true,
  }
}
