import type { PortfolioRow } from '../../data/portfolio.ts'
import { t } from '../../locales/text.ts'

export type Group = 'none' | 'owner' | 'template' | 'status' | 'month'
export type Order = 'go_live' | 'late' | 'health' | 'list'

export const groups: { value: Group; label: string }[] = [
  { value: 'owner', label: t('Group: owner') },
  { value: 'template', label: t('Group: template') },
  { value: 'status', label: t('Group: status') },
  { value: 'month', label: t('Group: month of go-live') },
  { value: 'none', label: t('No groups') },
]

export const orders: { value: Order; label: string }[] = [
  { value: 'go_live', label: t('Sort: go-live') },
  { value: 'late', label: t('Sort: days late') },
  { value: 'health', label: t('Sort: health') },
  { value: 'list', label: t('Sort: as the list') },
]

/** A line of a portfolio: a group, a project, or one of its milestones. */
export type Line =
  | { kind: 'group'; id: string; name: string; count: number; late: number; isOpen: boolean }
  | { kind: 'project'; id: string; project: PortfolioRow; isOpen: boolean }
  | { kind: 'milestone'; id: string; milestone: PortfolioRow['milestones'][number] }

/** When a project is agreed, or else expected, to go live. */
export function goLiveOf({ agreed, forecast, due }: PortfolioRow): string | null {
  return agreed ?? forecast ?? due
}

/** The lines of projects in groups and in an order; `closed` groups and `open` projects by their id. */
export function linesOf(
  projects: PortfolioRow[],
  { group, order }: { group: Group; order: Order },
  toggled: ReadonlySet<string>,
): Line[] {
  const sorted = projects.toSorted((a, b) => compared(a, b, order))
  const ofProject = (project: PortfolioRow): Line[] => {
    const isOpen = toggled.has(project.project_id)
    const line: Line = { kind: 'project', id: project.project_id, project, isOpen }
    const milestones = isOpen
      ? project.milestones.map((milestone): Line => ({
          kind: 'milestone',
          id: milestone.id,
          milestone,
        }))
      : []
    return [line, ...milestones]
  }
  if (group === 'none') return sorted.flatMap(ofProject)
  const found = Map.groupBy(sorted, (project) => nameOf(project, group) ?? '')
  // what belongs to no group is last; months are in their order, names in that of their alphabet
  const names = [...found.keys()].toSorted((a, b) =>
    a && b ? a.localeCompare(b) : Number(!a) - Number(!b),
  )
  return names.flatMap((name) => {
    const inside = found.get(name) ?? []
    const id = `group ${name}`
    const isOpen = !toggled.has(id)
    const late = inside.filter(({ health }) => health && health.state !== 'live' && health.days > 0)
    const line: Line = { kind: 'group', id, name, count: inside.length, late: late.length, isOpen }
    return [line, ...(isOpen ? inside.flatMap(ofProject) : [])]
  })
}

function nameOf(project: PortfolioRow, group: Group): string | null | undefined {
  if (group === 'owner') return project.owner?.full_name
  if (group === 'template') return project.template_name
  if (group === 'status') return project.status
  return goLiveOf(project)?.slice(0, 7)
}

const states = ['late', 'at_risk', 'on_track', 'planned', 'live']

function compared(a: PortfolioRow, b: PortfolioRow, order: Order): number {
  if (order === 'list') return 0
  const late = (row: PortfolioRow) =>
    row.health?.state === 'live' ? -1000 : (row.health?.days ?? 0)
  const health = (row: PortfolioRow) => states.indexOf(row.health?.state ?? 'planned')
  const [one, other] = [goLiveOf(a), goLiveOf(b)]
  const byGoLive = one === other ? 0 : one === null ? 1 : other === null ? -1 : one < other ? -1 : 1
  if (order === 'late') return late(b) - late(a) || byGoLive
  return order === 'health' ? health(a) - health(b) || byGoLive : byGoLive
}
