import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from './html.ts'

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
