import type { Page } from 'playwright-core'

/** A text that would set `hit` where it ran; the same for the same number. */
export function script(at: number): string {
  const run = 'globalThis.hit=1'
  const shapes = [
    `<img src=x onerror="${run}">`,
    `<script>${run}</script>onerror`,
    `<svg onload=${run}><a xlink:href="javascript:${run}">onerror</a></svg>`,
    `<a href="javascript:${run}">onerror</a>`,
    `<a href=" jAvAsCrIpT:${run}">onerror</a>`,
    `<iframe srcdoc="<script>parent.${run}</script>">onerror</iframe>`,
    `"><img src=x onerror=${run}>`,
    `<math><mi//xlink:href="data:x,<script>${run}</script>">onerror`,
    `<p style="background:url(javascript:${run})">onerror</p>`,
    `<details open ontoggle=${run}>onerror</details>`,
  ]
  const shape = shapes[at % shapes.length] ?? ''
  const cased = at % 3 === 1 ? shape.replace(/<(\w+)/, (tag) => tag.toUpperCase()) : shape
  return at % 2 ? `${at} <b>${cased}</b>` : `${cased} ${at}`
}

/** What `scriptsOn` finds where nothing that is stored can run. */
export const nothing = { hit: 0, elements: 0, links: [] as string[] }

/** Whether a script of `script` ran on a page, and what there could run one. */
export function scriptsOn(page: Page): Promise<typeof nothing> {
  return page.evaluate(() => ({
    hit: (globalThis as { hit?: number }).hit ?? 0,
    elements: document.querySelectorAll(
      'body :is(iframe, object, embed, form[action], img[onerror], [onload], [onclick], [ontoggle]), main script',
    ).length,
    links: [...document.querySelectorAll('a[href]')]
      .map((link) => link.getAttribute('href') ?? '')
      .filter((href) => /^\s*(javascript|data|vbscript):/i.test(href)),
  }))
}
