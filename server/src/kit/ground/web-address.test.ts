import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cssUrl, hostOf, policySource, webAddress, wholeWebAddress } from './web-address.ts'

test('a web address is http or https, or a domain as people write it', () => {
  const right = {
    'https://example.com': 'https://example.com/',
    'HTTP://Example.com:8080/a;b,c?d=e;f#g': 'http://example.com:8080/a;b,c?d=e;f#g',
    'https://maps.test/@52.5,13.4,15z': 'https://maps.test/@52.5,13.4,15z',
    'https://localhost:3000/x': 'https://localhost:3000/x',
    'http://[::1]:3000/': 'http://[::1]:3000/',
    'https://bücher.example/ü': 'https://xn--bcher-kva.example/%C3%BC',
    'example.com': 'https://example.com/',
    'www.example.co.uk/about?x=1': 'https://www.example.co.uk/about?x=1',
    'example.com:8080': 'https://example.com:8080/',
  }
  for (const [text, href] of Object.entries(right)) assert.equal(webAddress(text)?.href, href, text)
})

test('other schemes, credentials, blanks, control characters and odd hosts are none', () => {
  const wrong = [
    '',
    ' https://example.com',
    'https://example.com ',
    '\u0001https://example.com',
    'https://example.com/\u0000',
    'https://exa\nmple.com',
    'https://example.com/\t',
    'https://example.com/\u00a0',
    'https://example.com/\u202e',
    ' x:</style><meta http-equiv="refresh" content="0;url=https://evil.test">',
    'https://example.com/</style><script>',
    'https://example.com/"',
    'https://good.test\\@evil.test/',
    'https://example.com;script-src',
    'https://example.com,evil.test',
    'https://a;frame-ancestors/',
    "https://ex'ample.com",
    'https://user@example.com',
    'https://user:word@example.com',
    'user@example.com',
    'javascript:alert(1)',
    'JaVaScRiPt://example.com/%0aalert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'https:example.com',
    'https:///example.com',
    '//example.com',
    '/path',
    'path/to',
    'word',
    '1.5',
    'https://',
    'https://?x',
    '?a.b',
    '#a.b',
    'https://example.com:99999',
  ]
  for (const text of wrong) assert.equal(webAddress(text), undefined, JSON.stringify(text))
  assert.equal(wholeWebAddress('example.com'), undefined)
  assert.equal(wholeWebAddress('http://example.com')?.href, 'http://example.com/')
})

test('nothing in an address ends a style or a policy', () => {
  const hard = webAddress(`https://example.com/a'b(c)?d='e)#f'(`)!
  assert.equal(cssUrl(hard), 'url("https://example.com/a%27b%28c%29?d=%27e%29#f%27%28")')
})

test('a policy names scheme, host and port', () => {
  assert.equal(policySource(webAddress('https://a.test:8443/;b,c')!), 'https://a.test:8443')
  assert.equal(policySource(webAddress('http://[::1]/x')!), undefined)
})

test('all spellings of a host are one', () => {
  for (const url of [
    'https://Example.COM/a',
    'https://example.com.:443/',
    'HTTP://example.com:8080',
  ])
    assert.equal(hostOf(url), 'example.com')
  for (const url of ['http://127.1/', 'http://0x7f.0.0.1:80/', 'http://2130706433'])
    assert.equal(hostOf(url), '127.0.0.1')
  assert.equal(hostOf('https://bücher.example'), 'xn--bcher-kva.example')
})
