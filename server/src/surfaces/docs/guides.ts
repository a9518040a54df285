import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { Marked } from 'marked'
import { codeBlock, escaped, slugOf, tableOf } from './html.ts'

/** A section of a guide, which search finds. */
export type Section = { id: string; title: string; text: string }

/** A guide: a page of `docs/guide`, as HTML without its title. */
export type Guide = {
  name: string
  title: string
  /** its purpose, from the table in the README */
  about: string
  html: string
  sections: Section[]
}

/** A heading in the contents, with its guides. */
export type GuideGroup = { title: string; guides: Guide[] }

const folder = new URL('../../../../docs/guide/', import.meta.url)

/**
 * The guides in the order of the table of their README, whose bold rows are headings; those that it does
 * not name come last, with the paths of this installation's integration surface. None where the folder is not
 * installed.
 */
export function readGuides(segment: string): GuideGroup[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => file.slice(0, -3))
    .toSorted()
  const guides = new Map(names.map((name) => [name, guideOf(name, segment)]))
  const groups: GuideGroup[] = []
  const readme = readFileSync(new URL('README.md', folder), 'utf8')
  for (const line of readme.split('\n')) {
    const [, heading] = /^\| \*\*(.+)\*\* \|/.exec(line) ?? []
    const [, name = ''] = /\]\(([\w-]+)\.md\)/.exec(line) ?? []
    if (heading) groups.push({ title: capitalized(heading), guides: [] })
    const guide = line.startsWith('|') && guides.get(name)
    if (!guide) continue
    if (!groups.length) groups.push({ title: 'Guides', guides: [] })
    const [, about = ''] = line.split('|')
    groups.at(-1)?.guides.push({ ...guide, about: capitalized(about.trim()) })
    guides.delete(name)
  }
  if (guides.size) groups.push({ title: 'More', guides: [...guides.values()] })
  return groups.filter((group) => group.guides.length)
}

function guideOf(name: string, segment: string): Guide {
  const file = readFileSync(new URL(`${name}.md`, folder), 'utf8')
  const text = file.replaceAll('/automation/', `/${segment}/`)
  const sections: Section[] = []
  let title = name
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: plain }) {
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) {
          title = withoutMarks(plain)
          return ''
        }
        const id = slugOf(plain)
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`
      },
      code: ({ text: code, lang }) => codeBlock(code, lang?.split(' ')[0]),
      link({ href, tokens }) {
        return `<a href="${escaped(addressOf(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`)
        return tableOf(`<tr>${cells(token.header, 'th')}</tr>`, rows, title)
      },
    },
  })
  const html = marked.parse(text, { async: false })
  for (const part of text.split(/^(?=#{1,3} )/m)) {
    const [head = '', ...lines] = part.split('\n')
    const heading = withoutMarks(head.replace(/^#+ /, ''))
    const isFirst = head.startsWith('# ')
    const body = withoutMarks(lines.join(' ')).replace(/\s+/g, ' ').slice(0, 2000)
    if (head.startsWith('#')) {
      sections.push({ id: isFirst ? '' : slugOf(heading), title: heading, text: body })
    }
  }
  return { name, title, about: '', html, sections }
}

/** Changes links between guides from files to pages. */
function addressOf(href: string): string {
  const [, name, hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (!name) return href
  return name === 'README' ? '/docs' : `/docs/guide/${name}${hash}`
}

function withoutMarks(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]/g, '')
    .trim()
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
