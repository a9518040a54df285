import type { Trigger } from '../model.ts'
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

const deliveryInterface: Parameter[] = [
  { name: 'type', type: 'text', label: 'Event' },
  { name: 'event_id', type: 'text', label: 'Event ID' },
  { name: 'timestamp', type: 'date', label: 'Time' },
  { name: 'data', type: 'any', label: 'Record' },
  { name: 'changes', type: 'any', label: 'Changes' },
  { name: 'actor', type: 'any', label: 'Actor' },
]
