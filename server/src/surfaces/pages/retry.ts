import { html } from '../../kit/ground/html-template.ts'

/** The name of the element that tells the script after how many seconds the page is loaded again. */
const name = 'retry-after'

/** In the head of a page that is loaded again: after how many seconds, without the script in fixed intervals. */
export function retrying(seconds: number) {
  return html`<meta name="${name}" content="${seconds}" />
    <noscript><meta http-equiv="refresh" content="${seconds}" /></noscript>`
}

/**
 * Loads the page again after the promised time, which doubles with each try up to a minute and is never less than
 * promised, with jitter so that those who were refused together do not return together. The tries of the
 * address are counted for the tab until it has been quiet for three minutes.
 */
export const retryScript = `
'use strict'
{
  const promised = Number(document.querySelector('meta[name=${name}]').content)
  const key = 'retry ' + location.pathname
  let tries = 0
  try {
    const [count, at] = JSON.parse(sessionStorage.getItem(key) || '[0, 0]')
    if (Date.now() - at < 180000) tries = count
    sessionStorage.setItem(key, JSON.stringify([tries + 1, Date.now()]))
  } catch {}
  const seconds = Math.max(promised, Math.min(60, promised * 2 ** Math.min(tries, 6)))
  setTimeout(() => location.reload(), seconds * 1000 * (1 + Math.random() / 4))
}
`
