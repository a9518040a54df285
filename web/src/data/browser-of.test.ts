import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserOf } from './browser-of.ts'

test('a program is named as its user would', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
  assert.equal(browserOf(`Mozilla/5.0 (X11; Linux x86_64) ${chrome}`), 'Chrome on Linux')
  assert.equal(browserOf(`Mozilla/5.0 (Windows NT 10.0) ${chrome} Edg/140.0`), 'Edge on Windows')
  assert.equal(
    browserOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1'),
    'Safari on iOS',
  )
  assert.equal(browserOf('curl/8.5.0'), 'curl')
  assert.equal(browserOf('my-script 1.0'), 'my-script 1.0')
  assert.equal(browserOf(null), 'Unknown program')
})
