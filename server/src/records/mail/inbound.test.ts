import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInbound } from './inbound.ts'

test('the sender at an international domain is the same in letters and in punycode', async () => {
  for (const address of ['Ada@MÜLLER.example', 'ada@xn--mller-kva.example']) {
    const mail = `From: Ada <${address}>\r\nTo: a@b.test\r\nSubject: Re\r\n\r\nFine.\r\n`
    assert.equal(
      (await readInbound({ bytes: Buffer.from(mail), servers: [] })).from,
      'ada@müller.example',
    )
  }
})
