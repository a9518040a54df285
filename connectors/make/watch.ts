import type { Model, Trigger } from '../model.ts'
import type { Codes, Component } from './component.ts'
import { connection } from './component.ts'
import type { Parameter, Spec } from './forms.ts'

/** The events by the record that they are about. */
export function groupsOf(triggers: Trigger[]): [word: string, triggers: Trigger[]][] {
  return [...Map.groupBy(triggers, ({ event }) => event.split('_')[0] ?? event)]
}

/** An instant trigger for the events of one kind of record, and the webhook behind it. */
export function watchOf(word: string, triggers: Trigger[], codes: Codes) {
  const id = `watch_${word}_events`
  const label = `Watch ${word.charAt(0).toUpperCase()}${word.slice(1)} Events`
  const options = triggers.map(({ event, label: name }) => ({ label: name, value: event }))
  const form: Spec = [
    { name: 'events', type: 'select', label: 'Events', multiple: true, required: true, options },
  ]
  const body: { [name: string]: string } = {
    url: '{{webhook.url}}',
    events: '{{parameters.events}}',
  }
  if (word === 'task') {
    form.push({
      name: 'project_id',
      type: 'select',
      label: 'Project',
      help: 'Only of this project or deal',
      options: { store: 'rpc://list_project_or_deal' },
    })
    body.project_id = '{{parameters.project_id}}'
  }
  const webhook: Component = {
    label: label.replace('Watch ', ''),
    connection,
    webhookType: 'web',
    codeFiles: codes('webhooks', id, {
      communication: ['communication', { output: '{{body}}' }],
      params: ['params', form],
      attach: [
        'attach',
        {
          url: '/webhook/subscribe',
          method: 'POST',
          body,
          response: { data: { externalHookId: '{{body.id}}' } },
        },
      ],
      detach: [
        'detach',
        {
          url: '/webhook/unsubscribe',
          method: 'DELETE',
          qs: { subscriptionId: '{{webhook.externalHookId}}' },
        },
      ],
      requiredScope: ['required-scope', []],
    }),
  }
  const [first] = triggers
  const module: Component = {
    label,
    description: `Triggers when something happened to a ${word}.`,
    moduleType: 'instant_trigger',
    connection,
    webhook: id,
    codeFiles: codes('modules', id, {
      communication: ['communication', {}],
      staticParams: ['static-params', []],
      mappableParams: ['mappable-params', []],
      interface: ['interface', deliveryInterface],
      samples: ['samples', first?.example],
    }),
  }
  return { id, webhook, module }
}

/** When the last one was written, or a time before: Make leaves out those that it had. */
const since = (otherwise: string) =>
  `{{formatDate(ifempty(data.lastDate, ${otherwise}), 'YYYY-MM-DDTHH:mm:ss.SSSZ')}}`

/** A trigger that asks for changed records of several kinds. */
export function watchChanges({ records, changes }: Model, codes: Codes) {
  const id = 'watch_changes'
  const options = records.map(({ label, module }) => ({ label, value: module }))
  const form: Spec = [
    { name: 'modules', type: 'select', label: 'Records', multiple: true, required: true, options },
    { name: 'limit', type: 'uinteger', label: 'Limit', default: 100, required: true },
  ]
  const [first] = records
  const module: Component = {
    label: 'Watch Changes',
    description:
      'Triggers when records were created, updated or deleted; asked for by the schedule.',
    moduleType: 'trigger',
    connection,
    codeFiles: codes('modules', id, {
      communication: [
        'communication',
        {
          url: changes.path,
          qs: {
            since: since('addMinutes(now, -60)'),
            modules: "{{join(parameters.modules, ',')}}",
            limit: 500,
          },
          pagination: { qs: { since: '{{body.next_cursor}}' }, condition: '{{body.has_more}}' },
          response: {
            limit: '{{parameters.limit}}',
            iterate: '{{body.results}}',
            output: '{{item}}',
            trigger: {
              type: 'date',
              order: 'unordered',
              id: '{{item.change_id}}',
              date: '{{item.changed_at}}',
            },
          },
        },
      ],
      epoch: [
        'epoch',
        {
          // where to begin is chosen from those of a week
          qs: { since: since('addMinutes(now, -10080)') },
          response: {
            limit: 300,
            output: {
              label: '{{item.module}} {{item.id}} {{item.type}}',
              date: '{{item.changed_at}}',
              id: '{{item.change_id}}',
            },
          },
        },
      ],
      staticParams: ['static-params', form],
      interface: ['interface', changeInterface],
      samples: [
        'samples',
        {
          change_id: '03h9vqz0k4m2x7c5t8b1n6r3d',
          module: first?.module,
          id: first && first.sample[first.id],
          type: 'updated',
          changed_at: '2027-02-03T10:00:00.000Z',
        },
      ],
      scope: ['scope', []],
    }),
  }
  return { id, module }
}

const changeInterface: Parameter[] = [
  { name: 'change_id', type: 'text', label: 'Change ID' },
  { name: 'module', type: 'text', label: 'Kind of the Record' },
  { name: 'id', type: 'text', label: 'Record ID' },
  { name: 'type', type: 'text', label: 'Change' },
  { name: 'version', type: 'number', label: 'Version' },
  { name: 'fields', type: 'any', label: 'Changed Fields' },
  { name: 'actor_id', type: 'text', label: 'Changed by' },
  { name: 'changed_at', type: 'date', label: 'Time' },
]

const deliveryInterface: Parameter[] = [
  { name: 'type', type: 'text', label: 'Event' },
  { name: 'event_id', type: 'text', label: 'Event ID' },
  { name: 'timestamp', type: 'date', label: 'Time' },
  { name: 'data', type: 'any', label: 'Record' },
  { name: 'changes', type: 'any', label: 'Changes' },
  { name: 'actor', type: 'any', label: 'Actor' },
]
