import { chosen, isOpen } from './tool.ts'
import type { Actor } from '../../kit/ground/context.ts'
import { toolNamed } from './routes.ts'

/** What an assistant may read before it is asked anything: the answer of a tool to fixed arguments. */
type Resource = { title: string; tool: string; arguments: { [name: string]: unknown } }

const records = /^perennial:\/\/(\w{1,40})\/(\w{1,25})$/

const resources: { [uri: string]: Resource } = {
  'perennial://me': { title: 'Who is connected', tool: 'whoami', arguments: {} },
  'perennial://my/tasks': {
    title: 'Your tasks of this week and before',
    tool: 'list_due_tasks',
    arguments: { due: 'current_week', fields: ['title', 'due_date', 'priority', 'project_id'] },
  },
  'perennial://my/meetings': {
    title: 'Meetings of the next seven days',
    tool: 'find_records',
    arguments: {
      module: 'meetings',
      filter: [{ field: 'start', operator: 'next_x_days', value: 7 }],
      sort: 'start',
      fields: ['title', 'start', 'end', 'attendees', 'project'],
    },
  },
  'perennial://accounts/at-risk': {
    title: 'Accounts with a health below 50, the worst first',
    tool: 'find_records',
    arguments: {
      module: 'accounts',
      filter: [{ field: 'health_score', operator: 'lt', value: 50 }],
      sort: 'health_score',
      fields: ['account_name', 'account_owner', 'health_score', 'insight'],
    },
  },
  'perennial://deals/fields': {
    title: 'The fields of deals, and the pipelines with their stages',
    tool: 'get_fields',
    arguments: { module: 'deals' },
  },
  'perennial://templates': {
    title: 'Templates that projects begin with',
    tool: 'find_records',
    arguments: {
      module: 'templates',
      filter: [{ field: 'template_type', operator: 'eq', value: 'project' }],
      fields: ['template_name', 'description'],
    },
  },
}

/** The entries of `resources/list`: those whose tools are open to the caller. */
export function listedResources(actor: Actor) {
  return Object.entries(resources)
    .filter(([, resource]) => {
      const named = toolNamed(resource.tool)
      return named && isOpen(chosen(named, resource.arguments).tool, actor)
    })
    .map(([uri, { title }]) => ({
      uri,
      name: uri.slice('perennial://'.length),
      title,
      mimeType: 'application/json',
    }))
}

/** The entries of `resources/templates/list`. */
export const resourceTemplates = [
  {
    uriTemplate: 'perennial://{module}/{id}',
    name: 'record',
    title: 'A record by its module and id',
    mimeType: 'application/json',
  },
]

/** The call of a tool that a resource is; undefined if there is none of the address. */
export function resourceAt(uri: string): Omit<Resource, 'title'> | undefined {
  if (Object.hasOwn(resources, uri)) return resources[uri]
  const [, module, id] = records.exec(uri) ?? []
  return module && id ? { tool: 'get_record', arguments: { module, id } } : undefined
}
