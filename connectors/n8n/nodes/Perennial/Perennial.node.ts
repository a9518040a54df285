import type {
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from 'n8n-workflow'
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow'
import { properties } from './description.ts'
import { formOf } from './fields.ts'
import { dropdownMethods, fieldsOfResource, searchRecords } from './lists.ts'
import { runOperation, writeTogether } from './operations.ts'

/** Creates, reads, finds and updates records of Perennial. */
export class Perennial implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Perennial',
    name: 'perennial',
    icon: {
      light: 'file:../../icons/perennial.svg',
      dark: 'file:../../icons/perennial.dark.svg',
    },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description:
      'Create, find and update customers, deals, projects, tasks, meetings and documents',
    defaults: { name: 'Perennial' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: 'perennialOAuth2Api', required: true }],
    properties,
  }

  methods = {
    resourceMapping: { formOf },
    loadOptions: { ...dropdownMethods, fieldsOfResource },
    listSearch: { searchRecords },
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const output: INodeExecutionData[] = []
    const count = this.getInputData().length
    if (this.getNodeParameter('together', 0, false) && count) {
      for (const [item, { status, id, message }] of (await writeTogether(this)).entries()) {
        const isFailed = status === 'failed'
        if (isFailed && !this.continueOnFail()) {
          throw new NodeOperationError(this.getNode(), message ?? status, { itemIndex: item })
        }
        const json = isFailed ? { error: message } : { status, id }
        output.push({ json, pairedItem: { item } })
      }
      return [output]
    }
    for (let item = 0; item < count; item++) {
      try {
        const records = await runOperation(this, item)
        output.push(...records.map((json) => ({ json, pairedItem: { item } })))
      } catch (error) {
        if (!this.continueOnFail()) {
          // a NodeApiError is rethrown unchanged
          throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item })
        }
        const { message, description } = error as { message: string; description?: string | null }
        output.push({
          json: { error: message, ...(description && { description }) },
          pairedItem: { item },
        })
      }
    }
    return [output]
  }
}
