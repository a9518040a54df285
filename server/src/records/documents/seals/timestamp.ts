import { randomBytes } from 'node:crypto'
import { Integer, OctetString } from 'asn1js'
import * as pkijs from 'pkijs'
import type { CheckedToken } from './token.ts'
import { der, oids, parsed } from './der.ts'
import { checkedToken } from './token.ts'

/**
 * Asks a time stamp service for its word that a hash existed (RFC 3161). `send` posts a request and gives the
 * answer. Throws where the answer is no token for just this hash.
 */
export async function timestamp(
  hash: Buffer,
  send: (request: Buffer) => Promise<Uint8Array>,
): Promise<Buffer> {
  const nonce = Buffer.from([0x40, ...randomBytes(7)])
  const request = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: oids.sha256 }),
      hashedMessage: new OctetString({ valueHex: Uint8Array.from(hash).buffer }),
    }),
    nonce: new Integer({ valueHex: Uint8Array.from(nonce).buffer }),
    certReq: true,
  })
  const answer = await send(der(request.toSchema()))
  const response = new pkijs.TimeStampResp({ schema: parsed(answer).value })
  // granted, with or without changes
  if (![0, 1].includes(response.status.status) || !response.timeStampToken) {
    throw new Error(`the time stamp service refused with status ${response.status.status}`)
  }
  const token = der(response.timeStampToken.toSchema())
  const checked: CheckedToken | undefined = checkedToken(token, hash)
  if (!checked) throw new Error('the time stamp is not one of this hash')
  if (checked.nonce && !checked.nonce.equals(nonce)) {
    throw new Error('the time stamp answers another request')
  }
  return token
}
