import type {
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from 'n8n-workflow'
import { NodeApiError, NodeConnectionTypes } from 'n8n-workflow'
import { properties } from './description.ts'
import { formOf } from './fields.ts'
import { dropdownMethods, fieldsOfResource, searchRecords } from './lists.ts'
import { runOperation } from './operations.ts'

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
