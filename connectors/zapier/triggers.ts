import type { Bundle, Trigger, ZObject } from 'zapier-platform-core'
import { addressOf } from './auth.ts'
import { catalogue } from './catalogue.ts'
import type { Trigger as EventTrigger } from './model.ts'
import { errorOf, refusalIn } from './refusals.ts'

type Delivery = { id?: unknown; event_id?: unknown; data: { [name: string]: unknown } }

const ofProject = {
  key: 'project_id',
  label: 'Project',
  required: false,
  dynamic: 'list_project_or_deal.id.label',
  helpText: 'Only of this project or deal.',
}

/** An instant trigger for every event. */
export const triggers: { [key: string]: Trigger } = Object.fromEntries(
  catalogue.triggers.map((event) => [event.event, triggerOf(event)]),
)

function triggerOf({ event, label, help, example }: EventTrigger): Trigger {
  return {
    key: event,
    noun: label,
    display: {
      label,
      description: `Triggers when ${help.charAt(0).toLowerCase()}${help.slice(1)}.`,
    },
    operation: {
      type: 'hook',
      inputFields: event.startsWith('task_') ? [ofProject] : [],
      // the whole answer is stored, and passed to performUnsubscribe
      async performSubscribe(z: ZObject, bundle: Bundle) {
        const { project_id } = bundle.inputData
        const zap = bundle.meta?.zap?.id
        const response = await z.request({
          method: 'POST',
          url: `${addressOf(bundle)}/webhook/subscribe`,
          body: {
            url: bundle.targetUrl,
            events: [event],
            ...(project_id ? { project_id } : {}),
            // shown in the list of subscriptions in Perennial
            ...(zap ? { name: `Zapier: Zap ${zap}` } : {}),
          },
        })
        return response.data as { id: string }
      },
      async performUnsubscribe(z: ZObject, bundle: Bundle) {
        const { id } = bundle.subscribeData as { id: string }
        const response = await z.request({
          method: 'DELETE',
          url: `${addressOf(bundle)}/webhook/unsubscribe`,
          params: { subscriptionId: id },
          skipThrowForStatus: true,
        })
        // a subscription that no longer exists is fine; without its connection it does not exist
        const isGone = response.status === 404 || refusalIn(response).code === 'grant_ended'
        if (response.status >= 400 && !isGone) throw errorOf(response, z)
        return {}
      },
      perform: (_z: ZObject, bundle: Bundle) => [flat(bundle.cleanedRequest as Delivery)],
      async performList(z: ZObject, bundle: Bundle) {
        const url = `${addressOf(bundle)}/webhook/sample`
        const response = await z.request({ url, params: { event } })
        return [flat(response.data as Delivery)]
      },
      sample: flat(example),
    },
  }
}

/**
 * The record after the event, and the event's id. Zapier requires an `id` in every item: if the
 * record's own id has another name, it is that of the delivery.
 */
function flat({ id, data, event_id }: Delivery) {
  return { id, ...data, event_id }
}
