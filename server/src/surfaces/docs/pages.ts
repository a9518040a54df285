import type { OpenApi } from '../openapi.ts'
import { escaped } from './html.ts'
import type { Contents, DocsPage } from './layout.ts'
import { referenceHtml } from './operations.ts'
import type { Entry } from './search.ts'

/** The first page: where to begin, and every operation with its path. */
export function overview({ groups, pages }: Contents): DocsPage {
  const lists = groups.map(({ title, guides: own }) => {
    const items = own.map(
      ({ name, title: of, about }) =>
        `<li><a href="/docs/guide/${name}">${escaped(of)}</a><small>${escaped(about)}</small></li>`,
    )
    return `<h3>${escaped(title)}</h3><ul class="index">${items.join('')}</ul>`
  })
  const guides = lists.length ? `<h2>Guides</h2>${lists.join('')}` : ''
  const reference = [...Map.groupBy(pages, ({ group }) => group)].map(([group, own]) => {
    const tags = own.map(({ name, title, operations }) => {
      const items = operations.map(
        ({ id, method, path, summary }) =>
          `<li><a href="/docs/reference/${name}#${escaped(id)}">${escaped(summary || id)}</a><small>${method === 'EVENT' ? escaped(id) : `${method} ${escaped(path)}`}</small></li>`,
      )
      return `<h3><a href="/docs/reference/${name}">${escaped(title)}</a></h3><ul class="index">${items.join('')}</ul>`
    })
    return `<h2>${escaped(group)}</h2>${tags.join('')}`
  })
  const intro =
    '<p>Guides to build from, and the reference of every operation and event. Each operation says how to try it. The same as an <a href="/openapi.json">OpenAPI document</a>.</p>'
  return { path: '/docs', title: 'Documentation', html: intro + guides + reference.join('') }
}

/** A guide or a page of the reference by its address; undefined for another address. */
export function pageAt(
  document: OpenApi,
  { groups, pages }: Contents,
  path: string,
): DocsPage | undefined {
  const [, kind, name = ''] = /^\/docs\/(guide|reference)\/([\w-]+)$/.exec(path) ?? []
  if (kind === 'guide') {
    const guide = groups.flatMap((group) => group.guides).find((each) => each.name === name)
    return guide && { path, title: guide.title, html: guide.html }
  }
  const page = kind && pages.find((each) => each.name === name)
  if (!page) return undefined
  return { path, title: `${page.group}: ${page.title}`, html: referenceHtml(document, page) }
}

/** The page for an unknown or former address of the documentation. */
export function missingPage(path: string): DocsPage {
  const html =
    '<p>The address may be mistyped, or what was here has moved. Search for it above, or begin at the <a href="/docs">overview</a>.</p>'
  return { path, title: 'There is no page here', html }
}

/** The results of a search, as a page. */
export function resultsPage(question: string, results: Entry[]): DocsPage {
  const items = results.map(
    ({ title, about, url }) =>
      `<li><a href="${escaped(url)}">${escaped(title)}<small>${escaped(about)}</small></a></li>`,
  )
  const html = items.length
    ? `<ul class="results">${items.join('')}</ul>`
    : `<p>Nothing was found${question ? ` for “${escaped(question)}”` : ''}.</p>`
  return { path: '/docs/search', title: 'Search', html, question }
}
