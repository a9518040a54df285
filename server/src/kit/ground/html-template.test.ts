import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, raw } from './html-template.ts'

test('a template escapes every text, at any depth, and nothing twice', () => {
  const hostile = `<b a="1" b='2'>&`
  const safe = '&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;'
  assert.equal(String(html`<p title="${hostile}">${hostile}</p>`), `<p title="${safe}">${safe}</p>`)
  const inner = html`<i>${hostile}</i>`
  assert.equal(String(html`${[inner, [hostile, 0]]}`), `<i>${safe}</i>${safe}0`)
  assert.equal(String(html`${raw('<hr>')}`), '<hr>')
  assert.equal(String(html`[${false}${true}${null}${undefined}${''}]`), '[]')
})
