import type {
  ILoadOptionsFunctions,
  INodeListSearchResult,
  INodePropertyOptions,
} from 'n8n-workflow'
import { catalogue } from '../catalogue.ts'
import type { DescribedField } from '../custom.ts'
import type { Dropdown } from '../model.ts'
import { request, requestUnless } from '../transport.ts'
import { recordOf } from './operations.ts'

type Item = { [name: string]: unknown }
type Answer = { [name: string]: Item[] | undefined } & { next_cursor?: string | null }
type Method = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>

/** A method for each list of values, by its name in the catalogue. */
export const dropdownMethods: { [name: string]: Method } = Object.fromEntries(
  Object.entries(catalogue.dropdowns).map(([name, dropdown]) => [
    name,
    function (this: ILoadOptionsFunctions) {
      return optionsOf(this, dropdown)
    },
  ]),
)

/** The values of a list; none if the app may not read it. */
async function optionsOf(
  caller: ILoadOptionsFunctions,
  { path, query, at, label, value }: Dropdown,
): Promise<INodePropertyOptions[]> {
  const answer = await requestUnless<Answer>(403, caller, 'GET', path, { query })
  return (answer?.[at] ?? []).map((item) => ({
    name: String(item[label]),
    value: String(item[value]),
  }))
}

/** The fields of the chosen resource that conditions may name. */
export async function fieldsOfResource(
  this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
  const { customFields: where } = recordOf(this.getNodeParameter('resource') as string)
  if (!where) return []
  const { path, query, at } = where
  const answer = await request<{ [at: string]: DescribedField[] }>(this, 'GET', path, { query })
  return (answer[at] ?? [])
    .filter(({ is_archived }) => !is_archived)
    .map(({ key, label, is_built_in }) => ({
      name: label,
      value: is_built_in ? key : `custom_fields.${key}`,
    }))
}

/** Records of the chosen resource by a text, those that changed last first. */
export async function searchRecords(
  this: ILoadOptionsFunctions,
  filter?: string,
  cursor?: string,
): Promise<INodeListSearchResult> {
  const { list, id, title } = recordOf(this.getNodeParameter('resource') as string)
  const query = {
    ...list.query,
    sort: '-last_update_time',
    limit: '50',
    ...(filter && { q: filter }),
    ...(cursor && { next_cursor: cursor }),
  }
  const { results = [], next_cursor } = await request<Answer>(this, 'GET', list.path, { query })
  return {
    results: results.map((item) => ({ name: String(item[title]), value: String(item[id]) })),
    ...(next_cursor && { paginationToken: next_cursor }),
  }
}
