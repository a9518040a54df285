import type { IDataObject, IExecuteFunctions, ResourceMapperValue } from 'n8n-workflow'
import { NodeOperationError } from 'n8n-workflow'
import { withAddresses } from '../address.ts'
import { catalogue } from '../catalogue.ts'
import { bodyOf, coerce } from '../coerce.ts'
import type { DescribedField } from '../custom.ts'
import { customFields, hasCustom } from '../custom.ts'
import type { Field, RecordModel } from '../model.ts'
import { customPrefix } from '../model.ts'
import { request } from '../transport.ts'

type Page = { results: IDataObject[]; next_cursor: string | null }
type Written = { data?: IDataObject }

/** The number of records per page. */
const pageSize = 100

/** Runs the node's operation for one input item; returns one or more output items. */
export async function runOperation(
  node: IExecuteFunctions,
  itemIndex: number,
): Promise<IDataObject[]> {
  const resource = node.getNodeParameter('resource', itemIndex) as string
  const operation = node.getNodeParameter('operation', itemIndex) as string
  const record = recordOf(resource)
  switch (operation) {
    case 'create':
      return [await create(node, record, itemIndex, {})]
    case 'createOrUpdate':
      return [await create(node, record, itemIndex, { on_duplicate: 'update' })]
    case 'update':
      return [await update(node, record, itemIndex)]
    case 'get':
      return [await get(node, record, itemIndex)]
    case 'getMany':
      return await getMany(node, record, itemIndex)
    default:
      throw new NodeOperationError(node.getNode(), `There is no operation ${operation}`, {
        itemIndex,
      })
  }
}

type Outcome = {
  status: 'created' | 'updated' | 'failed'
  id: string | null
  message: string | null
}

/** How many items one request writes. */
const mostTogether = 500

/** Writes all items by as few requests as possible; returns the outcome of each, in their order. */
export async function writeTogether(node: IExecuteFunctions): Promise<Outcome[]> {
  const record = recordOf(node.getNodeParameter('resource', 0) as string)
  const operation = node.getNodeParameter('operation', 0) as string
  const query: { [name: string]: string } =
    operation === 'createOrUpdate' ? { on_duplicate: 'update' } : {}
  const bodies: IDataObject[] = []
  for (const itemIndex of node.getInputData().keys()) {
    const body = await bodyFrom(node, record, itemIndex)
    const which =
      operation === 'update' ? { [record.id]: idOf(node, itemIndex) } : record.create?.body
    bodies.push({ ...body, ...which })
  }
  const outcomes: Outcome[] = []
  for (let at = 0; at < bodies.length; at += mostTogether) {
    const answer = await request<{ results: Outcome[] }>(node, 'POST', record.bulk?.path ?? '', {
      query,
      body: { records: bodies.slice(at, at + mostTogether) },
      itemIndex: at,
      idempotencyKey: keyOf(node, at),
    })
    outcomes.push(...answer.results)
  }
  return outcomes
}

/** A record of the catalogue by its word. */
export function recordOf(word: string): RecordModel {
  const record = catalogue.records.find((each) => each.word === word)
  if (!record) throw new Error(`There is no resource ${word}`)
  return record
}

async function create(
  node: IExecuteFunctions,
  record: RecordModel,
  itemIndex: number,
  query: { [name: string]: string },
): Promise<IDataObject> {
  const { path = '', body: usual } = record.create ?? {}
  const body = { ...usual, ...(await bodyFrom(node, record, itemIndex)) }
  const written = await request<Written>(node, 'POST', path, {
    query,
    body,
    itemIndex,
    idempotencyKey: keyOf(node, itemIndex),
  })
  return written.data ?? {}
}

async function update(node: IExecuteFunctions, record: RecordModel, itemIndex: number) {
  const body = await bodyFrom(node, record, itemIndex)
  const path = (record.update?.path ?? '').replace(
    '{id}',
    encodeURIComponent(idOf(node, itemIndex)),
  )
  const written = await request<Written>(node, 'PUT', path, { body, itemIndex })
  return written.data ?? {}
}

function get(node: IExecuteFunctions, record: RecordModel, itemIndex: number) {
  const id = idOf(node, itemIndex)
  const { path, parameter } = record.read
  const query = parameter ? { [parameter]: id } : {}
  const address = path.replace('{id}', encodeURIComponent(id))
  return request<IDataObject>(node, 'GET', address, { query, itemIndex })
}

async function getMany(node: IExecuteFunctions, record: RecordModel, itemIndex: number) {
  const isAll = node.getNodeParameter('returnAll', itemIndex) as boolean
  const wanted = isAll ? Infinity : (node.getNodeParameter('limit', itemIndex) as number)
  const filters = node.getNodeParameter('filters', itemIndex, {}) as IDataObject
  const conditions = await conditionsFrom(node, record, itemIndex)
  const query = { ...record.list.query, ...filtersOf(record, filters, conditions) }
  const limit = Math.min(pageSize, wanted)
  const found: IDataObject[] = []
  for (let cursor: string | null = ''; cursor !== null && found.length < wanted;) {
    const page: Page = await request(node, 'GET', record.list.path, {
      query: { ...query, limit, ...(cursor && { next_cursor: cursor }) },
      itemIndex,
    })
    found.push(...page.results)
    cursor = page.next_cursor
  }
  return found.slice(0, wanted)
}

/** Parameters of the list, and its filter as JSON, of what the form restricts by. */
function filtersOf(
  { find, fields }: RecordModel,
  filters: IDataObject,
  conditions: Condition[],
): { [name: string]: string } {
  const query: { [name: string]: string } = {}
  for (const { key } of find) {
    const value = coerce(fields.find((each) => each.key === key)?.type ?? 'text', filters[key])
    if (value === undefined) continue
    query[key] = String(value)
  }
  const since = coerce('datetime', filters.updatedSince)
  const all = since
    ? [...conditions, { field: 'last_update_time', operator: 'gte', value: since }]
    : conditions
  if (all.length) query.filter = JSON.stringify(all)
  return query
}

type Condition = { field: string; operator: string; value?: unknown }

/** The conditions of the form, each value as its field takes it. */
async function conditionsFrom(
  node: IExecuteFunctions,
  record: RecordModel,
  itemIndex: number,
): Promise<Condition[]> {
  const { condition = [] } = node.getNodeParameter('conditions', itemIndex, {}) as {
    condition?: { field: string; operator: string; value?: unknown }[]
  }
  const named = condition.filter(({ field }) => field)
  if (!named.length) return []
  const custom = await customFieldsOf(node, record)
  const known = new Map([...record.fields, ...custom].map(({ key, type }) => [key, type]))
  return named.map(({ field, operator, value }) => {
    const key = field.replace(/^custom_fields\./, customPrefix)
    if (operator.endsWith('_empty')) return { field, operator }
    const type = known.get(key) ?? 'text'
    const one = (each: unknown) => coerce(type === 'list' ? 'text' : type, each)
    return {
      field,
      operator,
      value: operator === 'in' ? (coerce('list', value) as unknown[]).map(one) : one(value),
    }
  })
}

/** The body from the mapped fields. With automatic mapping, members of the item that are not fields are left out. */
async function bodyFrom(node: IExecuteFunctions, record: RecordModel, itemIndex: number) {
  const { mappingMode, value, schema } = node.getNodeParameter(
    'fields',
    itemIndex,
  ) as ResourceMapperValue
  const values = { ...value } as IDataObject
  // n8n stores false for every switch of the form, even unused ones
  for (const { id, removed } of schema ?? []) if (removed) delete values[id]
  const isAutomatic = mappingMode === 'autoMapInputData'
  const sent = isAutomatic ? (node.getInputData()[itemIndex]?.json ?? {}) : values
  const custom = hasCustom(sent) ? await customFieldsOf(node, record) : []
  return bodyOf([...record.fields, ...custom], withAddresses(record.fields, sent)) as IDataObject
}

const known = new WeakMap<IExecuteFunctions, Promise<Field[]>>()

/** The custom fields of the node's record, read once per run of the node. */
function customFieldsOf(node: IExecuteFunctions, { customFields: where }: RecordModel) {
  const read = async () => {
    if (!where) return []
    const { path, query, at } = where
    const answer = await request<{ [at: string]: DescribedField[] }>(node, 'GET', path, { query })
    return customFields(answer[at] ?? [])
  }
  const fields = known.get(node) ?? read()
  known.set(node, fields)
  return fields
}

function idOf(node: IExecuteFunctions, itemIndex: number): string {
  const chosen = node.getNodeParameter('recordId', itemIndex, '', { extractValue: true })
  const id = String(chosen ?? '').trim()
  if (!id) throw new NodeOperationError(node.getNode(), 'The ID is empty', { itemIndex })
  return id
}

/** An idempotency key: the same if n8n retries an item, another in every run of a loop. */
function keyOf(node: IExecuteFunctions, itemIndex: number): string | undefined {
  const execution = node.getExecutionId()
  if (!execution) return undefined
  const run = String(node.getWorkflowDataProxy(itemIndex).$runIndex ?? 0)
  return `n8n-${node.getWorkflow().id}-${execution}-${node.getNode().id}-${run}-${itemIndex}`
}
