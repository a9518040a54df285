import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from './html.ts'

test('paragraphs, items and rows are lines of the text', () => {
  assert.equal(
    textOf('<p>One</p><ul><li>two</li><li>three</li></ul><h2>Four</h2><p>five<br />six</p>'),
    'One\ntwo\nthree\nFour\nfive\nsix',
  )
})

test('the text of what has many signs that begin a tag is found in no time', () => {
  assert.equal(
    textOf('<p>1 &lt; 2<br>and <a href="https://x.test">more</a></p>'),
    '1 < 2\nand more',
  )
  const signs = '<'.repeat(100_000)
  const start = process.threadCpuUsage().user
  assert.equal(textOf(signs), signs)
  assert.ok(process.threadCpuUsage().user - start < 500_000)
})
