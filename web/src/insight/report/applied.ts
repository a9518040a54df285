import type { Asked } from '../../data/dashboards.ts'
import type { Clause } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { fieldThatLooks } from '../../data/modules.ts'

/** What a dashboard is filtered by, as conditions of a list, and the filters that its module has no field for. */
export type Applied = { clauses: Clause[]; leftOut: string[] }

/** The filters of a dashboard over the records of a report, where its module knows the field. */
export function appliedTo(module: Module, filters: Asked['filters']): Applied {
  const found: Applied = { clauses: [], leftOut: [] }
  for (const [filter, id] of Object.entries(filters)) {
    const clause = conditionOf(module, filter, id)
    if (clause) found.clauses.push(clause)
    else found.leftOut.push(filter)
  }
  return found
}

function conditionOf(module: Module, filter: string, id: string): Clause | undefined {
  const name = filter === 'owner' ? fieldThatLooks(module, 'owner')?.name : filter
  const field = module.fields.find((each) => each.name === name)
  const own = field?.operators.includes('eq')
    ? { field: field.name, operator: 'eq', value: id }
    : undefined
  if (module.module !== 'tasks' || filter === 'owner') return own
  // tasks are of the account and the pipeline of their project too, as the widgets count them
  const ofProject = { field: `project_id.${filter}`, operator: 'eq', value: id }
  return own ? { or: [own, ofProject] } : ofProject
}
