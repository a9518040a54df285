import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import ts from 'typescript-api'

/**
 * Counts what weakens the types of the server's source, tests aside: identifiers whose type is `any`,
 * and non-null assertions. Neither may rise above `ratchet.json`; where a count has fallen, the file
 * is lowered with it, to be committed. `--list` prints where they are.
 */
const root = new URL('../../', import.meta.url).pathname
const file = `${root}ratchet.json`

type Counts = { any: number; nonNull: number }
type Place = { file: string; line: number; text: string }

const found = count()
if (process.argv.includes('--list')) {
  for (const [kind, places] of Object.entries(found)) {
    for (const { file: at, line, text } of places) console.log(`${kind} ${at}:${line} ${text}`)
  }
}
const counts: Counts = { any: found.any.length, nonNull: found.nonNull.length }
const allowed: Counts = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as Counts)
  : counts
const names = { any: 'identifiers of type any', nonNull: 'non-null assertions' }
let isAbove = false
for (const kind of ['any', 'nonNull'] as const) {
  console.log(`${names[kind]}: ${counts[kind]}, at most ${allowed[kind]}`)
  if (counts[kind] <= allowed[kind]) continue
  isAbove = true
  console.error(`There are more ${names[kind]} than before: npm run ratchet -- --list shows them.`)
}
if (isAbove) process.exit(1)
writeFileSync(file, `${JSON.stringify(counts, null, 2)}\n`)

function count(): { any: Place[]; nonNull: Place[] } {
  const config = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path))
  const parsed = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const sources = parsed.fileNames.filter(
    (name) => name.includes('/server/src/') && !name.endsWith('.test.ts'),
  )
  const program = ts.createProgram(sources, parsed.options)
  const checker = program.getTypeChecker()
  const any: Place[] = []
  const nonNull: Place[] = []
  for (const name of sources) {
    const source = program.getSourceFile(name)
    if (!source) continue
    const place = (node: ts.Node): Place => ({
      file: relative(root, name),
      line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      text: node.getText().slice(0, 60),
    })
    const visit = (node: ts.Node) => {
      if (ts.isNonNullExpression(node)) nonNull.push(place(node))
      if (ts.isIdentifier(node) && isAny(checker, node)) any.push(place(node))
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return { any, nonNull }
}

function isAny(checker: ts.TypeChecker, node: ts.Identifier): boolean {
  // names of imports, of types and of their namespaces have no value of their own
  const { parent } = node
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent)) return false
  if (ts.isTypeNode(parent) || ts.isQualifiedName(parent)) return false
  const type = checker.getTypeAtLocation(node)
  return (type.flags & ts.TypeFlags.Any) !== 0
}
