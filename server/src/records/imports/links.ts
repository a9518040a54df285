import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'
import { levelOf, scope } from '../../kit/record/scope.ts'
import { insertMany } from '../../kit/write/many.ts'
import { lookUpMany } from '../../kit/read/look-up.ts'
import { Account } from '../../model/accounts/account.ts'
import { createProject } from '../projects/create.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { companyKey, withDomain } from '../companies/key.ts'
import { Company } from '../../model/companies/company.ts'
import { normalDomain } from '../../model/companies/domain.ts'
import type { Named, Read } from './cells.ts'
import { isId } from '../../kit/ground/ids.ts'
import type { Body } from './importable.ts'
import { fieldOf, lowered } from './importable.ts'
import type { Plan } from './outcome.ts'
import { isDealWord } from './words.ts'
import { isUnwanted } from './outcome.ts'

/** A row's links by their ids, and those that were not found. */
type Resolved = { ids: { [field: string]: string }; errors: FieldError[] }

/**
 * Finds the records that rows name, with one query for each way of naming them. Companies and accounts that
 * do not exist are created once each, unless the import reports them.
 */
export async function linkResolver(
  ctx: Context,
  plan: Plan,
  rows: Read[],
): Promise<(row: Read) => Resolved> {
  const found: Found = new Map()
  const names = new Set(rows.flatMap(({ links }) => Object.keys(links)))
  for (const name of names) {
    await lookUp(ctx, plan, rows, name, found)
    if (plan.options.unknown_links !== 'create') continue
    if (await createUnknown(ctx, plan, rows, name, found))
      await lookUp(ctx, plan, rows, name, found)
  }
  const { insteadOf = {} } = plan.importable
  const stored = await storedLinks(ctx, plan, rows, found)
  return ({ id: record_id, links, body }) => {
    const ids: Resolved['ids'] = {}
    const errors: FieldError[] = []
    for (const [name, named] of Object.entries(links)) {
      const id = idOf(plan, found, name, named)
      const now = stored.get(`${name} ${record_id}`)
      if (id) ids[name] = id
      // users who have left and deleted records stay linked if a row does not change the link
      else if (now && named.some(({ text }) => text === now)) continue
      else if (!body[insteadOf[name] ?? ''])
        errors.push({ field: name, message: `no such record: ${named.at(-1)?.text}` })
    }
    return { ids, errors }
  }
}

/**
 * The current links of existing records, by field and record, for links that rows name but that were not found.
 * One query per field, and none if all were found.
 */
async function storedLinks(ctx: Context, plan: Plan, rows: Read[], found: Found) {
  const { record } = plan.importable
  const stored = new Map<string, string>()
  const missing = new Map<string, string[]>()
  for (const { id, links } of rows) {
    if (!id) continue
    for (const [name, named] of Object.entries(links)) {
      if (idOf(plan, found, name, named)) continue
      missing.set(name, [...(missing.get(name) ?? []), id])
    }
  }
  for (const [name, ids] of missing) {
    const column = sql.ref(`t.${fieldOf(plan.importable, name)?.column ?? name}`)
    const links = await ctx.all<{ id: string; link: string }>(sql`
      select t.id, ${column}::text as link from ${sql.table(record.table)} t
      where ${scope(ctx, record, 'read')} and t.id = any(${ids}) and ${column} is not null`)
    for (const { id, link } of links) stored.set(`${name} ${id}`, link)
  }
  return stored
}

/** By field and key, as `company.domain`: text → id. */
type Found = Map<string, Map<string, string>>

function idOf({ importable }: Plan, found: Found, name: string, named: Named[]) {
  const by = fieldOf(importable, name)?.reference?.by ?? {}
  return named
    .flatMap((each) => keysFor(by, each).map((key) => ({ key, each })))
    .map(({ key, each }) => found.get(`${name}.${key}`)?.get(each.text))
    .find((each) => each !== undefined)
}

async function lookUp(
  ctx: Context,
  { importable }: Plan,
  rows: Read[],
  name: string,
  found: Found,
) {
  const field = fieldOf(importable, name)
  if (!field?.reference) return
  const lookUps = new Map<string, Set<string>>()
  for (const { links } of rows) {
    for (const named of links[name] ?? []) {
      for (const key of keysFor(field.reference.by, named)) {
        lookUps.set(key, (lookUps.get(key) ?? new Set()).add(named.text))
      }
    }
  }
  for (const [key, texts] of lookUps) {
    found.set(`${name}.${key}`, await lookUpMany(ctx, field, key, [...texts]))
  }
}

/** The keys by which a text may name a record; if the column has none, all possible ones. */
function keysFor(by: { [key: string]: unknown }, { key, text }: Named): string[] {
  // a column of e-mails has names too
  if (key === 'email' && !text.includes('@') && 'full_name' in by) return ['full_name']
  if (key === 'full_name' && text.includes('@') && 'email' in by) return ['email']
  if (key !== null) return [key]
  return Object.keys(by).filter((each) => {
    if (each === 'domain') return normalDomain(text) !== undefined
    if (each === 'email') return text.includes('@')
    if (each === 'id') return isId(text)
    // the id has several names, also for a person
    return /_name$|^title$/.test(each)
  })
}

/** Creates the companies, accounts and projects that rows name and that do not exist; false if there are none. */
async function createUnknown(
  ctx: Context,
  plan: Plan,
  rows: Read[],
  name: string,
  found: Found,
): Promise<boolean> {
  const target = fieldOf(plan.importable, name)?.reference?.to?.()
  if (target?.module === ProjectOrDeal.module) {
    return plan.importable.record.module === 'tasks' && createProjects(ctx, plan, rows, name, found)
  }
  const record = [Company, Account].find(({ module }) => module === target?.module)
  if (!record || levelOf(ctx.actor, record.module, 'create') === 'none') return false
  const bodies = new Map<string, { body: Body; line: number }>()
  for (const row of rows) {
    const { links, line } = row
    const named = links[name]
    if (!named || isUnwanted(plan, row) || idOf(plan, found, name, named)) continue
    const body = record === Company ? companyOf(named) : accountOf(named)
    const key = record === Company ? body && companyKey(body) : lowered(body?.account_name)
    if (body && key && !bodies.has(key)) bodies.set(key, { body, line })
  }
  if (!bodies.size) return false
  const created = await insertMany(
    ctx,
    record,
    [...bodies].map(([key, { body }]) => {
      const set = record === Company ? { unique_key: key, record_source: ctx.source } : {}
      return { body, set }
    }),
  )
  const module = record === Company ? 'companies' : 'accounts'
  for (const [at, { line }] of [...bodies.values()].entries()) {
    const each = created[at]
    if (each && !(each instanceof Failure)) plan.createdLinks.push({ ...each, module, line })
  }
  return true
}

/** Creates the projects that tasks name and that do not exist, by their names alone; false if there are none. */
async function createProjects(
  ctx: Context,
  plan: Plan,
  rows: Read[],
  name: string,
  found: Found,
): Promise<boolean> {
  if (levelOf(ctx.actor, 'projects', 'create') === 'none') return false
  // a deal is no project
  const isOfDeals = [...plan.places.values()].some(
    ({ target, column }) => 'name' in target && target.name === name && isDealWord(column),
  )
  if (isOfDeals) return false
  const names = new Map<string, { project_name: string; line: number }>()
  for (const row of rows) {
    const named = row.links[name] ?? []
    if (isUnwanted(plan, row) || idOf(plan, found, name, named)) continue
    const project_name = named.findLast(({ key }) => key === 'project_name')?.text
    const key = lowered(project_name)
    if (!project_name || !key || project_name.length > 255 || names.has(key)) continue
    names.set(key, { project_name, line: row.line })
  }
  for (const { project_name, line } of names.values()) {
    const { id, version } = await createProject(ctx, { project_name })
    plan.createdLinks.push({ id, version, module: 'projects', line })
  }
  return names.size > 0
}

function accountOf(named: Named[]): Body | undefined {
  const text = named.find(({ key }) => key === 'account_name' || key === null)?.text
  return text ? { account_name: text.slice(0, 255) } : undefined
}

/** The company that a row describes: by its name, its domain, or one text that is either. */
function companyOf(named: Named[]): Body | undefined {
  const by = (key: string) => named.find((each) => each.key === key)?.text
  const bare = named.find(({ key }) => key === null)?.text
  const bareDomain = bare && !/\s/.test(bare) ? normalDomain(bare) : undefined
  const domain = by('domain') ?? bareDomain
  const company_name = by('company_name') ?? bare ?? domain
  if (!company_name) return undefined
  try {
    return withDomain({ company_name: company_name.slice(0, 255), ...(domain ? { domain } : {}) })
  } catch {
    return { company_name: company_name.slice(0, 255) }
  }
}
