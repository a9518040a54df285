import { chromium } from 'playwright-core'
import { readFileSync } from 'node:fs'
const axe = readFileSync('/tmp/w/cli/node_modules/axe-core/axe.min.js', 'utf8')
const base = 'http://127.0.0.1:4811'
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--headless', '--disable-gpu'] })
const pages = process.argv.slice(2)
for (const [name, viewport, colorScheme] of [['light', { width: 1280, height: 900 }, 'light'], ['dark', { width: 1280, height: 900 }, 'dark'], ['phone', { width: 360, height: 740 }, 'light']]) {
  const ctx = await browser.newContext({ viewport, colorScheme })
  for (const path of pages) {
    const page = await ctx.newPage()
    let bytes = 0
    const cdp = await ctx.newCDPSession(page); await cdp.send('Network.enable'); cdp.on('Network.loadingFinished', (e) => (bytes += e.encodedDataLength))
    page.on('console', (m) => m.type() === 'error' && console.log('console', path, m.text()))
    await page.goto(base + path)
    if (process.env.SEARCH) { await page.fill('input', process.env.SEARCH); await page.waitForTimeout(900) }
    await page.evaluate(axe)
    const { violations } = await page.evaluate('axe.run()')
    const wide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
    console.log(name, path, bytes, wide ? 'WIDE' : '', violations.map((v) => v.id + ' ' + v.nodes.length + ' ' + v.nodes[0].html.slice(0, 150)).join(' | '))
    await page.screenshot({ path: `/tmp/w/cli-shot-${name}-${path.replace(/\W+/g, '_')}${process.env.SEARCH ? 's' : ''}.png` })
    await page.close()
  }
}
await browser.close()
