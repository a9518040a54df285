import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { escapeHtml, safeHtml, textOf } from './html.ts'
// the words of module numbers come from the records
import '../all.ts'

describe('HTML in the log', () => {
  test('keeps formatting and links to the web', () => {
    for (const html of [
      '<p>Called <b>Ada</b> &amp; left a <em>note</em></p>',
      '<ul><li>one</li><li>two<br>lines</li></ul>',
    ]) {
      assert.equal(safeHtml(html), html)
    }
    const link = '<a rel="noopener noreferrer">'.replace(
      '<a',
      '<a href="https://x.test/?a=1&amp;b"',
    )
    assert.equal(safeHtml('<a href="https://x.test/?a=1&b">x</a>'), `${link}x</a>`)
  })

  test('shows everything else as text', () => {
    for (const html of [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<a href="javascript:alert(1)">x</a>',
      '<a href="https://x.test" onclick="alert(1)">x</a>',
      '<svg/onload=alert(1)>',
      '<iframe srcdoc="<script>alert(1)</script>">',
      '<<b>script>alert(1)<</b>/script>',
      '<b',
      '"><script>',
      '<!--<b>-->',
    ]) {
      const safe = safeHtml(html)
      const tags = safe.match(/<[^>]*>/g) ?? []
      assert.ok(
        tags.every((tag) => tag === '<b>' || tag === '</b>'),
        safe,
      )
    }
    assert.equal(safeHtml('<p onclick="alert(1)" style="x">y</p>'), '<p>y</p>')
  })

  test('closes what was opened and opens nothing outside', () => {
    assert.equal(safeHtml('<ul><li><b>x'), '<ul><li><b>x</b></li></ul>')
    assert.equal(safeHtml('</li></ul>x</p>'), '&lt;/li&gt;&lt;/ul&gt;x&lt;/p&gt;')
  })

  test('has a plain text', () => {
    const text = `a < b & "c" 'd'`
    assert.equal(textOf(escapeHtml(text)), text)
    assert.equal(textOf(safeHtml('<p>one<br>&lt;b&gt;</p>')), 'one\n<b>')
  })
})
