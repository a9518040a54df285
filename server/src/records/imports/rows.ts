import type { Context } from '../../kit/ground/context.ts'
import { importBulk } from './bulk.ts'
import { levelOf } from '../../kit/record/scope.ts'
import type { Place, Read } from './cells.ts'
import { errorsOf, located, readRow } from './cells.ts'
import type { Importable } from './importable.ts'
import { importCompanies } from './modules/companies.ts'
import type { Outcome, Plan } from './outcome.ts'
import { asFailure, isUnwanted, leftOut, lineOf, nothing } from './outcome.ts'
import type { Line } from '../../model/sheets/cell.ts'
import { importSingly } from './single.ts'

/**
 * Imports rows in the caller's transaction and returns the outcome of each. A row that may be the same as an
 * earlier row, or names another one, waits until that one is written. So the number of statements depends
 * on the number of rounds, not of rows.
 */
export async function importLines(ctx: Context, plan: Plan, lines: Line[]): Promise<Outcome[]> {
  const { importable } = plan
  const outcomes: Outcome[] = []
  let waiting: Read[] = []
  const companies: Read[] = []
  for (const [at, line] of lines.entries()) {
    // lets other requests run
    if (at % 50 === 49) await new Promise((resolve) => setImmediate(resolve))
    // of those with operations of their own the question is shown too
    if (importable.how === 'bulk' && isUnwanted(plan, line)) {
      outcomes.push(leftOut(line))
      continue
    }
    try {
      const row = readRow(plan, line)
      const company = companyIn(ctx, plan, row)
      if (company) companies.push(company)
      else if (saysNothing(row)) {
        outcomes.push({ ...lineOf(row), is: 'skipped', because: nothing, record_id: null })
      } else waiting.push(row)
    } catch (error) {
      const failure = asFailure(error)
      const isOut = isUnwanted(plan, line)
      outcomes.push(isOut ? leftOut(line) : { ...line, faults: [], is: 'failed', failure })
    }
  }
  if (companies.length) outcomes.push(...(await importCompaniesOf(ctx, plan, companies)))
  while (waiting.length) {
    const { now, later } = round(plan, waiting)
    const again =
      importable.how === 'bulk'
        ? await importBulk(ctx, plan, importable, now, outcomes)
        : await importSingly(ctx, plan, importable, now, outcomes)
    waiting = [...again, ...later].sort((a, b) => a.line - b.line)
  }
  for (const each of outcomes) {
    if (each.is !== 'failed') continue
    each.failure.errors = located(plan, each.cells, errorsOf(each.failure))
  }
  return outcomes.sort((a, b) => a.line - b.line)
}

/** The company of a row that is about no person, as a row of companies. */
function companyIn(ctx: Context, { importable }: Plan, row: Read): Read | undefined {
  if (importable.how !== 'bulk' || levelOf(ctx.actor, 'companies', 'create') === 'none')
    return undefined
  const body = importable.companyOf?.(row)
  return body && { ...row, body: importCompanies.prepare(body), links: {}, raw: body }
}

/** Imports rows of people that are about companies. */
async function importCompaniesOf(ctx: Context, plan: Plan, rows: Read[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const companies = { ...plan, importable: importCompanies, places: new Map<number, Place>() }
  for (let waiting = rows; waiting.length;) {
    const { now, later } = round(companies, waiting)
    const again = await importBulk(ctx, companies, importCompanies, now, outcomes)
    waiting = [...again, ...later]
  }
  return outcomes.map((each) => ({ ...each, module: 'companies' }))
}

/** Fields that a row may have and still be about nothing. */
const sayNothing = new Set(['display_id', 'modified_at', 'custom_fields'])

/** Whether a row has nothing but a number and when it was made, as the exports of some programs do. */
function saysNothing({ body, links, id, faults }: Read): boolean {
  if (id || faults.length || Object.keys(links).length) return false
  const filled = Object.entries(body).filter(([, value]) => value !== null)
  const custom = Object.keys((body.custom_fields ?? {}) as object)
  return (
    filled.every(([name]) => sayNothing.has(name)) && custom.every((key) => key === 'created_on')
  )
}

/** The rows that are independent of others, and those that wait for others. */
function round({ importable }: { importable: Importable }, rows: Read[]) {
  const { names: namesOf, parent } = importable
  const owned = new Map<string, Read>()
  for (const row of rows) {
    for (const name of ownNames(namesOf, row)) if (!owned.has(name)) owned.set(name, row)
  }
  const now: Read[] = []
  const later: Read[] = []
  for (const row of rows) {
    const named = parent ? (row.links[parent] ?? []).map(({ text }) => text.toLowerCase()) : []
    const waits = [...ownNames(namesOf, row), ...named].some((name) => {
      const other = owned.get(name)
      return other !== undefined && other !== row
    })
    ;(waits ? later : now).push(row)
  }
  // if rows name each other in a cycle, the first one begins
  if (!now.length) now.push(...later.splice(0, 1))
  return { now, later }
}

function ownNames(namesOf: Importable['names'], { body, id }: Read): string[] {
  return id ? [...namesOf(body), id] : namesOf(body)
}
