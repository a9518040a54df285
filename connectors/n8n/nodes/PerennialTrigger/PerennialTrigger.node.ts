import type {
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow'
import { NodeConnectionTypes } from 'n8n-workflow'
import { catalogue } from '../catalogue.ts'
import { isAuthentic } from '../signature.ts'
import { findSubscription, subscribe, unsubscribe } from './subscription.ts'

/** Starts a workflow when something happens in Perennial. */
export class PerennialTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Perennial Trigger',
    name: 'perennialTrigger',
    icon: {
      light: 'file:../../icons/perennial.svg',
      dark: 'file:../../icons/perennial.dark.svg',
    },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when something happened in Perennial',
    defaults: { name: 'Perennial Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'perennialOAuth2Api', required: true }],
    webhooks: [
      { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
    ],
    properties: [
      {
        // n8n offers each of the options as a trigger of its own: "Deal Won" is found by its words
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: [],
        options: catalogue.triggers
          .map(({ event, label, help }) => ({
            name: label,
            value: event,
            action: label,
            description: help,
          }))
          .sort((a, b) => a.name.localeCompare(b.name)),
        description: 'What starts the workflow',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return await findSubscription(this)
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await subscribe(this)
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await unsubscribe(this)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData('node')
    const { rawBody } = this.getRequestObject()
    if (!secret || !isAuthentic(String(secret), this.getHeaderData(), rawBody)) {
      const message = 'The signature is not one of Perennial for this workflow'
      this.getResponseObject().status(401).json({ message })
      return { noWebhookResponse: true }
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] }
  }
}
