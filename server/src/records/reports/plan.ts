import { againstPlan } from '../templates/statistics.ts'
import type { AgainstPlan } from '../templates/statistics.ts'
import type { ReportKind } from './kind.ts'
import { columnsOf, leading } from './kind.ts'

/** How many of the newest finished projects of a template are counted. */
const most = 50

/** Each template and its milestones against what its newest finished projects really took, in working days. */
export const plan: ReportKind = {
  module: 'templates',
  isTimeless: true,
  async count(ctx) {
    const found = await againstPlan(ctx, most)
    const row = (key: string, level: number, its: AgainstPlan) => ({
      key,
      label: its.title,
      level,
      values: [
        its.planned,
        its.median,
        its.p85,
        its.median === null ? null : its.median - its.planned,
        its.projects.length,
      ],
      module: 'projects',
      filters: leading(
        'projects',
        its.projects.length
          ? [{ field: 'project_id', operator: 'in', value: its.projects }]
          : undefined,
      ),
    })
    return {
      columns: columnsOf({
        planned: 'working_days',
        median: 'working_days',
        p85: 'working_days',
        slip: 'working_days',
        projects: 'count',
      }),
      rows: found.flatMap(({ id, whole, milestones }) => [
        row(id, 0, whole),
        ...milestones.map(({ ref, ...its }) => row(`${id}/${ref}`, 1, its)),
      ]),
      total: null,
    }
  },
}
