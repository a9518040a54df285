import type {
  IDataObject,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  IPollFunctions,
} from 'n8n-workflow'
import { NodeApiError, NodeConnectionTypes } from 'n8n-workflow'
import { catalogue } from '../catalogue.ts'
import type { ChangePage } from '../changes.ts'
import { changesAfter, withRecords } from '../changes.ts'
import { request, requestUnless } from '../transport.ts'

const day = 86_400_000

/** Asks Perennial for what was created, updated and deleted, so that Perennial need not reach this n8n. */
export class PerennialChangesTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Perennial Changes Trigger',
    name: 'perennialChangesTrigger',
    icon: {
      light: 'file:../../icons/perennial.svg',
      dark: 'file:../../icons/perennial.dark.svg',
    },
    group: ['trigger'],
    version: 1,
    polling: true,
    subtitle: '={{$parameter["resources"].join(", ")}}',
    description: 'Asks Perennial for changed records, where it cannot reach this n8n',
    defaults: { name: 'Perennial Changes Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'perennialOAuth2Api', required: true }],
    properties: [
      {
        // n8n offers each of the options as a trigger of its own
        displayName: 'Resources',
        name: 'resources',
        type: 'multiOptions',
        required: true,
        default: [],
        options: catalogue.records
          .map(({ label, module }) => ({
            name: label,
            value: module,
            action: `${label} changed`,
          }))
          .sort((a, b) => a.name.localeCompare(b.name)),
        description: 'What is asked for',
      },
      {
        displayName: 'Changes',
        name: 'changes',
        type: 'multiOptions',
        default: ['created', 'updated', 'deleted'],
        options: [
          { name: 'Created', value: 'created' },
          { name: 'Deleted', value: 'deleted' },
          { name: 'Updated', value: 'updated' },
        ],
        description: 'Which changes start the workflow',
      },
      {
        displayName: 'Include the Record',
        name: 'includeRecord',
        type: 'boolean',
        default: true,
        description: 'Whether each item has the record as it is now, besides what changed',
      },
    ],
  }

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    const state = this.getWorkflowStaticData('node')
    const isTest = this.getMode() === 'manual'
    const begun = isTest ? new Date(Date.now() - day).toISOString() : state.since
    if (typeof begun !== 'string') {
      state.since = (await pageAfter(this)).next_cursor
      return null
    }
    const { found, next } = await changesAfter((since) => pageAfter(this, since), begun).catch(
      (error: unknown) => {
        // a cursor of a database that was replaced: the next poll begins anew
        if (error instanceof NodeApiError && error.httpCode === '400') delete state.since
        throw error
      },
    )
    if (!isTest) state.since = next
    const types = this.getNodeParameter('changes', []) as string[]
    const chosen = found.filter(({ type }) => types.includes(type)).slice(isTest ? -10 : 0)
    if (!chosen.length) return null
    const items = this.getNodeParameter('includeRecord', true)
      ? await withRecords(catalogue.records, chosen, (path, query) => listOf(this, path, query))
      : chosen
    return [this.helpers.returnJsonArray(items as IDataObject[])]
  }
}

function pageAfter(node: IPollFunctions, since?: string): Promise<ChangePage> {
  const modules = (node.getNodeParameter('resources', []) as string[]).join(',')
  const query = { modules, limit: 500, ...(since === undefined ? {} : { since }) }
  return request<ChangePage>(node, 'GET', catalogue.changes.path, { query })
}

/** Records of a list; none of what the app may not read. */
async function listOf(node: IPollFunctions, path: string, query: { [name: string]: string }) {
  const answer = await requestUnless<{ results: IDataObject[] }>(403, node, 'GET', path, { query })
  return answer?.results ?? []
}
