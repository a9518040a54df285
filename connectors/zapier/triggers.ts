import type { Bundle, Trigger, ZObject } from 'zapier-platform-core'
import { addressOf } from './auth.ts'
import { catalogue } from './catalogue.ts'
import type { ChangePage } from './changes.ts'
import { changesAfter, withRecords } from './changes.ts'
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

/** An instant trigger for every event, and one that asks what changed. */
export const triggers: { [key: string]: Trigger } = Object.fromEntries(
  [...catalogue.triggers.map(triggerOf), changed()].map((each) => [each.key, each]),
)

/** Zapier stores no cursor, but knows by their ids what it had before: it asks for what was written of late. */
const asked = { ms: 3_600_000, mostChanges: 500 }

function changed(): Trigger {
  const [{ module, id, sample }] = catalogue.records as [(typeof catalogue.records)[number]]
  const resources = catalogue.records.map((each) => [each.module, each.label])
  return {
    key: 'record_changed',
    noun: 'Change',
    display: {
      label: 'Record Changed',
      description: 'Triggers when a record was created, updated or deleted; asked for regularly.',
    },
    operation: {
      type: 'polling',
      inputFields: [
        {
          key: 'modules',
          label: 'Records',
          list: true,
          required: true,
          choices: Object.fromEntries(resources) as { [module: string]: string },
          helpText: 'What is asked for.',
        },
        {
          key: 'types',
          label: 'Changes',
          list: true,
          required: false,
          choices: { created: 'Created', updated: 'Updated', deleted: 'Deleted' },
          helpText: 'All of them if empty.',
        },
      ],
      perform: changesOfLate,
      sample: {
        id: '03h9vqz0k4m2x7c5t8b1n6r3d',
        module,
        record_id: sample[id],
        type: 'updated',
        changed_at: '2027-02-03T10:00:00.000Z',
        record: sample,
      },
    },
  }
}

/** The changes of the last hour, newest first, each with its record as it is now. */
async function changesOfLate(z: ZObject, bundle: Bundle) {
  const { modules, types } = bundle.inputData as { modules?: string[]; types?: string[] }
  const since = new Date(Date.now() - asked.ms).toISOString()
  const page = async (after: string) => {
    const params = {
      since: after,
      limit: '500',
      ...(modules?.length && { modules: modules.join(',') }),
    }
    const response = await z.request({ url: addressOf(bundle) + catalogue.changes.path, params })
    return response.data as ChangePage
  }
  const all = (await changesAfter(page, since)).found
  const found = all.filter(({ type }) => !types?.length || types.includes(type))
  const newest = found.slice(-asked.mostChanges).toReversed()
  const read = await withRecords(catalogue.records, newest, async (path, query) => {
    const url = addressOf(bundle) + path
    const response = await z.request({ url, params: query, skipThrowForStatus: true })
    // of what the app may not read there are no changes either
    if (response.status >= 400) throw errorOf(response, z)
    return (response.data as { results: { [name: string]: unknown }[] }).results
  })
  return read.map(({ change_id, id, ...more }) => ({ id: change_id, record_id: id, ...more }))
}

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
