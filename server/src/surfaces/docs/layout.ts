import type { GuideGroup } from './guides.ts'
import { escaped } from './html.ts'
import type { ReferencePage } from './operations.ts'
import { mostLetters } from './search.ts'

/** The contents on every page. */
export type Contents = { groups: GuideGroup[]; pages: ReferencePage[] }

/** A page of the documentation: its address, title and content. */
export type DocsPage = { path: string; title: string; html: string; question?: string }

/** The addresses of style sheet and script, which change with their content. */
export type Assets = { css: string; script: string }

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='%23197a55'%3E%3Cpath d='M12 22V12C7 12 4 9 4 3c5 0 8 3 8 8 0-4 3-7 8-7 0 5-3 8-7 8v10z'/%3E%3C/svg%3E"

/** A whole page. The contents come after the main part on phones, and beside it on wide screens. */
export function docsLayout(contents: Contents, page: DocsPage, { css, script }: Assets): string {
  const { title, html, question = '' } = page
  const whole = page.path === '/docs' ? 'Perennial API' : `${title} · Perennial API`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(whole)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="${icon}">
<link rel="stylesheet" href="${css}"><script type="module" src="${script}"></script></head>
<body><a class="skip" href="#main">Skip to the content</a>
<header><a href="/docs">Perennial <span>documentation</span></a>
<form role="search" action="/docs/search"><input type="search" name="q" value="${escaped(question)}" maxlength="${mostLetters}" autocomplete="off" placeholder="Search" aria-label="Search guides and operations"><ul class="found" aria-label="Results"></ul><span id="status" role="status" class="skip"></span></form></header>
<div class="page"><main id="main"><h1>${escaped(title)}</h1>
<p class="jump"><a href="#contents">Contents</a></p>
${html}</main>${side(contents, page.path)}</div></body></html>
`
}

function side({ groups, pages }: Contents, path: string): string {
  const item = (url: string, title: string) =>
    `<li><a href="${escaped(url)}"${url === path ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`
  const guides = groups.map(
    ({ title, guides: own }) =>
      `<h2>${escaped(title)}</h2><ul>${own.map((guide) => item(`/docs/guide/${guide.name}`, guide.title)).join('')}</ul>`,
  )
  const byGroup = Map.groupBy(pages, ({ group }) => group)
  const reference = [...byGroup].map(([group, own]) => {
    const items = own.map((page) => item(`/docs/reference/${page.name}`, page.title))
    const isOpen = own.some(({ name }) => path === `/docs/reference/${name}`)
    return `<details${isOpen ? ' open' : ''}><summary>${escaped(group)}</summary><ul>${items.join('')}</ul></details>`
  })
  return `<div class="side" id="contents"><nav aria-label="Contents"><ul>${item('/docs', 'Overview')}</ul>${guides.join('')}<h2>Reference</h2>${reference.join('')}<ul><li><a href="/openapi.json">OpenAPI document</a></li></ul></nav></div>`
}
