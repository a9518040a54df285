import type { Clause, Condition } from '../../data/list.ts'

const fields = ['account_id', 'menu_type', 'project_id', 'document_owner', 'is_favourite']

const is = (field: string, value: unknown): Condition => ({ field, operator: 'eq', value })
const ofNoAccount: Condition = { field: 'account_id', operator: 'is_empty' }

/** The conditions of each folder. */
export const folders = {
  all: (): Condition[] => [],
  mine: () => [is('document_owner', 'me')],
  favourites: () => [is('is_favourite', true)],
  account: (id: string) => [is('account_id', id)],
  ofAccount: (id: string, folder: string) => [is('account_id', id), is('menu_type', folder)],
  project: (account: string, id: string) => [is('account_id', account), is('project_id', id)],
  inside: () => [ofNoAccount],
  ofInside: (folder: string) => [ofNoAccount, is('menu_type', folder)],
}

/** Whether a condition says in which folder a list is, which other tabs keep. */
export function isOfFolder(clause: Clause): boolean {
  if (!('field' in clause) || !fields.includes(clause.field)) return false
  return (
    clause.operator === 'eq' || (clause.field === 'account_id' && clause.operator === 'is_empty')
  )
}

/** The name of the folder that conditions lead to. */
export function keyOf(clauses: Clause[] = []): string {
  return JSON.stringify(clauses.filter(isOfFolder))
}

/** The conditions with those of another folder. */
export function inFolder(clauses: Clause[] = [], folder: Condition[]): Clause[] {
  return [...folder, ...clauses.filter((clause) => !isOfFolder(clause))]
}

/** The account and folder that conditions lead to, where what is added belongs. */
export function placeIn(clauses: Clause[] = []): { account_id?: string; menu_type?: string } {
  const place: { account_id?: string; menu_type?: string } = {}
  for (const clause of clauses) {
    if (!isOfFolder(clause) || !('field' in clause)) continue
    const { field, value } = clause
    if ((field === 'account_id' || field === 'menu_type') && typeof value === 'string') {
      place[field] = value
    }
  }
  return place
}
