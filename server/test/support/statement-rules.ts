import { parse } from 'libpg-query'

// What keeps the statements of one organization together, in a cell or on a node of a distributed
// PostgreSQL: each relation names the organization itself, and nothing rests on a session. Read from
// PostgreSQL's own syntax tree.

/** Tables of the service itself, which belong to no organization. */
export const sharedTables = [
  'hash_keys',
  'known_organizations',
  'migrations',
  'shared_counts',
  'signing_keys',
]

/** What a statement does against the rules. */
export type Breach = { rule: 'unbound' | 'session' | 'values'; what: string }

// oxlint-disable-next-line typescript/no-explicit-any -- a tree of PostgreSQL has 200 kinds of nodes
type Node = { [part: string]: any }

/** What a statement does against the rules. Throws for what PostgreSQL could not parse. */
export async function judge(text: string): Promise<Breach[]> {
  const tree = (await parse(text)) as Node
  const found: Breach[] = []
  for (const { stmt } of tree.stmts) visit(stmt, { names: new Set(), found })
  return found
}

/** Names of `with` queries, which are no tables, and what was found so far. */
type Scope = { names: Set<string>; found: Breach[] }

/** Statements with relations of their own, by the name of their node. */
const statements = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']

/** Functions and columns that rest on a session, or on where a row lies. */
const sessionFunctions =
  /^(set_config|pg_notify|pg_(try_)?advisory_lock(_shared)?|pg_advisory_unlock\w*)$/

function visit(node: unknown, scope: Scope) {
  if (Array.isArray(node)) for (const each of node) visit(each, scope)
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return
  for (const [kind, part] of Object.entries(node as Node)) {
    if (statements.includes(kind)) {
      statement(kind, part, scope)
      continue
    }
    session(kind, part, scope)
    visit(part, scope)
  }
}

function session(kind: string, part: Node, { found }: Scope) {
  if (kind === 'FuncCall') {
    const name = nameOf(part.funcname.at(-1))
    if (sessionFunctions.test(name)) found.push({ rule: 'session', what: name })
  }
  if (kind === 'ColumnRef' && nameOf(part.fields.at(-1)) === 'ctid')
    found.push({ rule: 'session', what: 'ctid' })
  if (kind === 'ListenStmt' || kind === 'NotifyStmt') found.push({ rule: 'session', what: kind })
}

function statement(kind: string, part: Node, outer: Scope) {
  const named = ((part.withClause?.ctes ?? []) as Node[]).map(({ CommonTableExpr: cte }) => cte)
  const scope = { ...outer, names: new Set([...outer.names, ...named.map((cte) => cte.ctename)]) }
  // a set operation has two statements inside, without a node of their own
  for (const side of [part.larg, part.rarg]) if (side) statement('SelectStmt', side, scope)
  const relations: Relation[] = []
  const conditions: Condition[] = []
  if (kind === 'InsertStmt') {
    const columns = ((part.cols ?? []) as Node[]).map(({ ResTarget }) => ResTarget.name)
    if (!columns.includes('organization_id') && !sharedTables.includes(part.relation.relname))
      scope.found.push({ rule: 'unbound', what: part.relation.relname })
    if (!part.onConflictClause && isOfNoTable(part.selectStmt?.SelectStmt))
      scope.found.push({ rule: 'values', what: 'come from no table' })
  } else if (part.relation && !part.relation.schemaname) {
    relations.push(relationOf(part.relation))
  }
  gather([part.fromClause, part.usingClause], relations, conditions)
  conjuncts(part.whereClause, conditions)
  check(relations, conditions, scope)
  for (const [name, inside] of Object.entries(part)) {
    if (name === 'larg' || name === 'rarg' || name === 'relation') continue
    if (name === 'valuesLists' && /"SubLink"/.test(JSON.stringify(inside)))
      scope.found.push({ rule: 'values', what: 'have a subquery' })
    visit(inside, scope)
  }
}

/** Whether rows are selected from functions alone, which says nothing of where they belong. */
function isOfNoTable(select: Node | undefined): boolean {
  if (!select || select.valuesLists || select.larg) return false
  return !/"RangeVar"/.test(JSON.stringify(select.fromClause ?? []))
}

type Relation = { table: string; alias: string }

function relationOf({ relname, alias }: Node): Relation {
  return { table: relname, alias: alias?.aliasname ?? relname }
}

/** A condition that holds for every row, or for those of some relations alone. */
type Condition = { node: Node; of?: string[] }

/** Relations and conditions of joins. */
function gather(node: unknown, relations: Relation[], conditions: Condition[]) {
  if (Array.isArray(node)) for (const each of node) gather(each, relations, conditions)
  const { RangeVar, JoinExpr } = (node ?? {}) as Node
  // another schema is PostgreSQL's own, or the job library's
  if (RangeVar && !RangeVar.schemaname) relations.push(relationOf(RangeVar))
  if (!JoinExpr) return
  const sides = [JoinExpr.larg, JoinExpr.rarg].map((side) => {
    const inside: Relation[] = []
    gather(side, inside, conditions)
    relations.push(...inside)
    return inside.map(({ alias }) => alias)
  })
  // an outer join restricts the side alone that it may leave out
  const restricted: { [type: string]: string[] | undefined } = {
    JOIN_LEFT: sides[1],
    JOIN_RIGHT: sides[0],
    JOIN_FULL: [],
  }
  conjuncts(JoinExpr.quals, conditions, restricted[JoinExpr.jointype])
}

/** The conditions that all hold. */
function conjuncts(node: Node | undefined, conditions: Condition[], of?: string[]) {
  if (node?.BoolExpr?.boolop === 'AND_EXPR')
    for (const each of node.BoolExpr.args) conjuncts(each, conditions, of)
  else if (node) conditions.push({ node, ...(of ? { of } : {}) })
}

function check(relations: Relation[], conditions: Condition[], { names, found }: Scope) {
  const own = relations.filter(
    ({ table }) =>
      !names.has(table) && !sharedTables.includes(table) && !/^(pg_|information_)/.test(table),
  )
  const equalities = conditions.flatMap(({ node: { A_Expr: e }, of }) =>
    e?.kind === 'AEXPR_OP' && nameOf(e.name[0]) === '='
      ? [{ left: e.lexpr, right: e.rexpr, of }]
      : [],
  )
  for (const { table, alias } of own) {
    const isOf = (side: Node) => isOrganization(side) && aliasOf(side, relations) === alias
    const isNamed = equalities.some(
      ({ left, right, of }) =>
        (of?.includes(alias) ?? true) &&
        ((isOf(left) && isConstant(right)) || (isOf(right) && isConstant(left))),
    )
    if (!isNamed) found.push({ rule: 'unbound', what: table })
  }
}

function isOrganization(node: Node): boolean {
  return nameOf(node?.ColumnRef?.fields?.at(-1)) === 'organization_id'
}

/** The relation that a column belongs to; without a name before it that of the only one. */
function aliasOf(node: Node, relations: Relation[]): string {
  const fields = ((node.ColumnRef?.fields ?? []) as Node[]).map(nameOf)
  return fields.length > 1 ? fields[0]! : relations.length === 1 ? relations[0]!.alias : ''
}

/** A parameter, or a value in the text, with or without a cast. */
function isConstant(node: Node): boolean {
  return Boolean(node.ParamRef || node.A_Const || (node.TypeCast && isConstant(node.TypeCast.arg)))
}

function nameOf(node: Node): string {
  return node?.String?.sval ?? '*'
}
