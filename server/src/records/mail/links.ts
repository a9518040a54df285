import type { Context } from '../../kit/ground/context.ts'

/** A page of the workspace about a record; `id` is null for a whole module. */
type Place = {
  module: string | undefined
  id: string | null
  project_id?: string | null
  interaction_id?: string | null
}

/**
 * The address of the workspace's page about a record; these paths are defined only here. What
 * has no page of its own is shown in the inbox.
 */
export function workspaceUrl(ctx: Pick<Context, 'public_url'>, place: Place): string {
  const { module = '', id, interaction_id } = place
  const path = id === null ? undefined : pathOf(module, encodeURIComponent(id), place)
  const fragment = path && interaction_id ? `#comment-${encodeURIComponent(interaction_id)}` : ''
  return `${ctx.public_url}${path ?? '/inbox'}${fragment}`
}

/** The address of the workspace's page with one answer to a survey. */
export function answerUrl(
  ctx: Pick<Context, 'public_url'>,
  survey: string,
  response: string,
): string {
  const at = workspaceUrl(ctx, { module: 'surveys', id: survey })
  return `${at}?response=${encodeURIComponent(response)}`
}

/** The page of the portal about a record, for customers and partners; what has none leads to the first page. */
export function portalPath({ module = '', id, project_id, interaction_id }: Place): string {
  const at = encodeURIComponent(id ?? '')
  if (at && module === 'projects' && interaction_id) return `/portal?project=${at}#conversation`
  if (at && portalPages.has(module)) return `/portal/${module}/${at}`
  return project_id ? `/portal?project=${encodeURIComponent(project_id)}` : '/portal'
}

/** The modules whose records have a page of their own in the portal. */
const portalPages = new Set(['projects', 'tasks', 'documents'])

/** The settings in which people choose their mails. */
export function preferencesUrl({ public_url }: Pick<Context, 'public_url'>): string {
  return `${public_url}/settings/notifications`
}

const pages: { [module: string]: (id: string) => string } = {
  companies: (id) => `/companies/${id}`,
  contacts: (id) => `/contacts/${id}`,
  accounts: (id) => `/accounts/${id}`,
  deals: (id) => `/deals/${id}`,
  projects: (id) => `/projects/${id}`,
  tasks: (id) => `/tasks?peek=${id}`,
  meetings: (id) => `/meetings/${id}`,
  calendar: (id) => `/meetings/${id}`,
  documents: (id) => `/documents/${id}/view`,
  surveys: (id) => `/surveys/${id}/responses`,
  dashboards: (id) => `/dashboards/${id}`,
  imports: (id) => `/import/${id}`,
}

function pathOf(module: string, id: string, { project_id }: Place): string | undefined {
  if (module === 'milestones' && project_id)
    return `/projects/${encodeURIComponent(project_id)}/plan`
  return pages[module]?.(id)
}
