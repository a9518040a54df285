import { parse } from 'libpg-query'

// What keeps the statements of one organization together, in a cell or on a node of a distributed
// PostgreSQL: each relation names the organization, or is joined by it to one that does, and nothing
// rests on a session. Read from PostgreSQL's own syntax tree.

/** Tables of the service itself, which belong to no organization. */
export const sharedTables = ['hash_keys', 'migrations', 'shared_counts', 'signing_keys']

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
  const conditions: Node[] = []
  if (kind === 'InsertStmt') {
    const columns = ((part.cols ?? []) as Node[]).map(({ ResTarget }) => ResTarget.name)
    if (!columns.includes('organization_id') && !sharedTables.includes(part.relation.relname))
      scope.found.push({ rule: 'unbound', what: part.relation.relname })
  } else if (part.relation && !part.relation.schemaname) {
    relations.push(relationOf(part.relation))
  }
  gather([part.fromClause, part.usingClause], relations, conditions)
  conjuncts(part.whereClause, conditions)
  check(relations, conditions, scope)
  for (const [name, inside] of Object.entries(part)) {
    if (name === 'larg' || name === 'rarg' || name === 'relation') continue
    if (name === 'valuesLists' && /"SubLink"/.test(JSON.stringify(inside)))
      scope.found.push({ rule: 'values', what: 'a subquery' })
    visit(inside, scope)
  }
}

type Relation = { table: string; alias: string }

function relationOf({ relname, alias }: Node): Relation {
  return { table: relname, alias: alias?.aliasname ?? relname }
}

/** Relations and conditions of joins. */
function gather(node: unknown, relations: Relation[], conditions: Node[]) {
  if (Array.isArray(node)) for (const each of node) gather(each, relations, conditions)
  const { RangeVar, JoinExpr } = (node ?? {}) as Node
  // another schema is PostgreSQL's own, or the job library's
  if (RangeVar && !RangeVar.schemaname) relations.push(relationOf(RangeVar))
  if (!JoinExpr) return
  gather([JoinExpr.larg, JoinExpr.rarg], relations, conditions)
  conjuncts(JoinExpr.quals, conditions)
}

/** The conditions that all hold. */
function conjuncts(node: Node | undefined, conditions: Node[]) {
  if (node?.BoolExpr?.boolop === 'AND_EXPR')
    for (const each of node.BoolExpr.args) conjuncts(each, conditions)
  else if (node) conditions.push(node)
}

function check(relations: Relation[], conditions: Node[], { names, found }: Scope) {
  const own = relations.filter(
    ({ table }) =>
      !names.has(table) && !sharedTables.includes(table) && !/^(pg_|information_)/.test(table),
  )
  const equalities = conditions.flatMap(({ A_Expr: e }) =>
    e?.kind === 'AEXPR_OP' && nameOf(e.name[0]) === '=' ? [[e.lexpr, e.rexpr] as const] : [],
  )
  // what is no table here, such as a subquery or the row outside, is judged where its own relations are
  const open = new Map(own.map((each) => [each.alias, each]))
  const isNamed = (node: Node) => isConstant(node) || !open.has(aliasOf(node, relations))
  for (let before = -1; before !== open.size;) {
    before = open.size
    for (const { alias } of open.values())
      for (const [left, right] of equalities) {
        const isOf = (side: Node) => isOrganization(side) && aliasOf(side, relations) === alias
        const other = isOf(left) ? right : isOf(right) ? left : undefined
        if (other && (isConstant(other) || isOrganization(other)) && isNamed(other))
          open.delete(alias)
      }
  }
  for (const { table } of open.values()) found.push({ rule: 'unbound', what: table })
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
