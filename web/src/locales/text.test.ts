import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseSync } from 'vite'
import { t } from './text.ts'

const source = join(import.meta.dirname, '..')
const texts = (language: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${language}.json`), 'utf8')) as {
    [text: string]: string
  }
const others = globSync('*.json', { cwd: import.meta.dirname }).map((file) => file.slice(0, -5))

type Node = { type: string; start: number } & { [member: string]: unknown }

/** The nodes of a file, each with those that it stands in, the nearest first. */
function* nodesOf(value: unknown, above: Node[] = []): Generator<[Node, Node[]]> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each, above)
  else if (typeof value === 'object' && value !== null) {
    const node = value as Node
    const isNode = typeof node.type === 'string'
    if (isNode) yield [node, above]
    for (const each of Object.values(node)) yield* nodesOf(each, isNode ? [node, ...above] : above)
  }
}

/** The files of the screens; the page for signers has its texts from the service. */
const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter(
  (file) => !/\.test\.ts$|schema\.d\.ts$|^(signing|locales)\//.test(file),
)

const parsed = files.map((file) => {
  const text = readFileSync(join(source, file), 'utf8')
  const lineOf = ({ start }: Node) => text.slice(0, start).split('\n').length
  return { file, lineOf, nodes: [...nodesOf(parseSync(file, text).program)] }
})

const isCallOf = (name: string, node: Node | undefined) =>
  node?.type === 'CallExpression' && (node.callee as Node).name === name

/** The texts that a call of `t` may say: its first argument, or each choice of it. */
function said(node: Node): string[] {
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((each) => said(each as Node))
  return typeof node.value === 'string' ? [node.value] : []
}

/** Members of components and of data whose value is shown. */
const shown =
  /^(label|title|hint|placeholder|aria-label|about|description|message|confirm|head|emptyText|searchLabel|missing|alt)$/

/** Whether a value is written for people: words with spaces between them, or one that begins as a sentence does. */
const isText = (value: unknown) =>
  typeof value === 'string' &&
  (/[a-zà-ü”’…)][,;:]? [\wÀ-ü“(]/.test(value) || /^[A-ZÀ-Ü][a-zà-ü]+[….:?!]?$/.test(value))

/** What is the same in all languages. */
const international =
  /^(Perennial|English|Deutsch|Français|Español|Português|Nederlands|2h 30m|Webhook|OAuth|OpenID|[A-Z]{2,}( [A-Z]{2,})*|PNG, JPEG.*|People sign in at your OpenID.*)$/

/** Where a text stands outside the catalogue: between tags, or as a member whose value is shown. */
function isOutside(node: Node, [parent, above]: Node[]): boolean {
  if (international.test(String(node.value).trim())) return false
  if (node.type === 'JSXText') {
    const inCode = /^(kbd|code|pre|Code)$/.test(
      ((parent?.openingElement as Node | undefined)?.name as Node | undefined)?.name as string,
    )
    return !inCode && /[A-Za-zÀ-ü]{2}/.test(String(node.value))
  }
  if (node.type !== 'Literal' || !isText(node.value)) return false
  if (parent?.type === 'JSXAttribute') return shown.test(String((parent.name as Node).name))
  if (parent?.type === 'Property' && parent.value === node)
    return shown.test(String((parent.key as Node).name ?? (parent.key as Node).value))
  return parent?.type === 'ConditionalExpression' && above?.type === 'JSXExpressionContainer'
}

describe('the texts of the screens', () => {
  test('stand in the catalogues, each language with all of them and nothing else', () => {
    const used = new Set(
      parsed.flatMap(({ nodes }) =>
        nodes.flatMap(([node]) =>
          isCallOf('t', node) ? said((node.arguments as Node[])[0] as Node) : [],
        ),
      ),
    )
    const sorted = [...used].toSorted((a, b) => (a < b ? -1 : 1))
    for (const language of others) assert.deepEqual(Object.keys(texts(language)), sorted, language)
  })

  test('are not written past the catalogues', () => {
    const outside = parsed.flatMap(({ file, lineOf, nodes }) =>
      nodes.flatMap(([node, above]) =>
        isOutside(node, above) ? `${file}:${lineOf(node)} ${String(node.value).trim()}` : [],
      ),
    )
    assert.deepEqual(outside, [])
  })

  test('are shown without the words that tell alike ones apart', () => {
    const marked = Object.keys(texts('de')).filter((text) => text.includes('['))
    const plain = t as (text: string) => string
    assert.deepEqual(
      marked.filter((text) => plain(text).includes('[')),
      [],
    )
  })

  for (const language of others) {
    test(`have the same values and forms in ${language}`, () => {
      const valuesIn = (text: string) =>
        [...new Set(text.match(/\{\w+\}/g))].toSorted((a, b) => (a < b ? -1 : 1))
      for (const [text, translated] of Object.entries(texts(language))) {
        assert.ok(translated.trim(), text)
        const [forms, own] = [text.split(' | '), translated.split(' | ')]
        assert.equal(own.length, forms.length, text)
        // one of a kind may do without its number
        assert.deepEqual(valuesIn(own.at(-1) ?? ''), valuesIn(forms.at(-1) ?? ''), text)
        const known = valuesIn(text)
        for (const value of valuesIn(translated))
          assert.ok(known.includes(value) || value === '{count}', `${text}: ${value}`)
      }
    })

    test(`are not left in English in ${language}`, () => {
      const all = Object.entries(texts(language))
      const same = all.filter(([text, translated]) => text === translated && / /.test(text))
      // names and formats that two languages share
      assert.ok(
        same.length < all.length / 50,
        `${same.length}: ${same
          .slice(0, 20)
          .map(([text]) => text)
          .join('; ')}`,
      )
    })
  }
})
