import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Node } from 'typescript/unstable/ast'
import {
  isBindingElement,
  isIdentifier,
  isImportAttribute,
  isImportClause,
  isImportSpecifier,
  isJsxClosingElement,
  isJsxOpeningElement,
  isJsxSelfClosingElement,
  isNonNullExpression,
  isQualifiedName,
  isTypeNode,
} from 'typescript/unstable/ast'
import type { Checker } from 'typescript/unstable/sync'
import { API, TypeFlags } from 'typescript/unstable/sync'

/**
 * Counts what weakens the types of the source of server and screens, tests aside: identifiers whose type is `any`,
 * and non-null assertions. Neither may rise above `ratchet.json`; where a count has fallen, the file
 * is lowered with it, to be committed. `--list` prints where they are.
 */
const root = new URL('../../', import.meta.url).pathname
const file = `${root}ratchet.json`

/** The projects, and which of their folders counts. */
const sources = { 'tsconfig.json': 'server/src/', 'web/tsconfig.json': 'web/src/' }
const uncounted = /\.test\.tsx?$|\.d\.ts$/

type Counts = { any: number; nonNull: number }

const found = places()
if (process.argv.includes('--list')) {
  for (const [kind, list] of Object.entries(found)) for (const at of list) console.log(kind, at)
}
const counts: Counts = { any: found.any.length, nonNull: found.nonNull.length }
const allowed = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Counts) : counts
const names = { any: 'identifiers of type any', nonNull: 'non-null assertions' }
for (const kind of ['any', 'nonNull'] as const) {
  console.log(`${names[kind]}: ${counts[kind]}, at most ${allowed[kind]}`)
  if (counts[kind] <= allowed[kind]) continue
  console.error(`There are more ${names[kind]} than before; npm run ratchet -- --list shows them.`)
  process.exitCode = 1
}
if (!process.exitCode) writeFileSync(file, `${JSON.stringify(counts, null, 2)}\n`)

function places(): { any: string[]; nonNull: string[] } {
  const api = new API({ cwd: root })
  try {
    const projects = Object.keys(sources)
    const snapshot = api.updateSnapshot({ openProjects: projects.map((path) => root + path) })
    const any: string[] = []
    const nonNull: string[] = []
    for (const [path, folder] of Object.entries(sources)) {
      const project = snapshot.getProject(root + path)
      if (!project) throw new Error(`${path} cannot be opened`)
      const { program, checker, rootFiles } = project
      for (const name of rootFiles) {
        if (!name.startsWith(root + folder) || uncounted.test(name)) continue
        const source = program.getSourceFile(name)
        if (!source) throw new Error(`${name} cannot be read`)
        const identifiers: Node[] = []
        const visit = (node: Node) => {
          if (isNonNullExpression(node)) nonNull.push(place(source.text, name, node))
          if (isIdentifier(node) && isValue(node)) identifiers.push(node)
          node.forEachChild(visit)
        }
        visit(source)
        for (const node of ofTypeAny(checker, identifiers)) any.push(place(source.text, name, node))
      }
    }
    return { any, nonNull }
  } finally {
    api.close()
  }
}

/**
 * Those of the nodes whose type is `any`. TypeScript 7.0.2 cannot describe some tuples and fails for
 * all nodes of a question: it is asked again for each half, and what fails alone is not `any`.
 */
function ofTypeAny(checker: Checker, nodes: Node[]): Node[] {
  try {
    const types = checker.getTypeAtLocation(nodes)
    return nodes.filter((_, i) => ((types[i]?.flags ?? 0) & TypeFlags.Any) !== 0)
  } catch (error) {
    if (!String(error).includes('TupleType')) throw error
    if (nodes.length === 1) return []
    const half = Math.ceil(nodes.length / 2)
    return [...ofTypeAny(checker, nodes.slice(0, half)), ...ofTypeAny(checker, nodes.slice(half))]
  }
}

/** Names of imports, types, namespaces, elements and destructured properties have no value of their own. */
function isValue(node: Node): boolean {
  const { parent } = node
  if (isImportSpecifier(parent) || isImportClause(parent) || isImportAttribute(parent)) return false
  if (isJsxOpeningElement(parent) || isJsxClosingElement(parent)) return false
  if (isJsxSelfClosingElement(parent)) return false
  if (isBindingElement(parent) && parent.propertyName === node) return false
  return !isTypeNode(parent) && !isQualifiedName(parent)
}

function place(text: string, name: string, node: Node): string {
  const written = text.slice(node.pos, node.end).trimStart()
  const line = text.slice(0, node.end - written.length).split('\n').length
  return `${relative(root, name)}:${line} ${written.slice(0, 60)}`
}
