import { createHash, generateKeyPair, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { BitString, Integer, ObjectIdentifier, OctetString, Sequence, Utf8String } from 'asn1js'
import * as pkijs from 'pkijs'
import { der, parsed } from './der.ts'

/** Who seals: its certificate in DER, followed by those that issued it, and its key as PKCS #8 in PEM. */
export type Identity = { certificates: Buffer[]; privateKey: string }

const ecdsaWithSha256 = '1.2.840.10045.4.3.2'
const years = 15

/**
 * A certificate in the name of an organization, which nobody else confirms: readers show the name as unknown, but
 * notice every change.
 */
export async function madeIdentity(name: string, now: Date): Promise<Identity> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  const subject = new pkijs.RelativeDistinguishedNames({
    typesAndValues: [
      new pkijs.AttributeTypeAndValue({
        type: '2.5.4.3',
        value: new Utf8String({ value: short(name) }),
      }),
    ],
  })
  const point = publicKey.export({ type: 'spki', format: 'der' })
  const until = new Date(now)
  until.setUTCFullYear(now.getUTCFullYear() + years)
  const certificate = new pkijs.Certificate({
    version: 2,
    // positive, and of no more than 20 bytes (RFC 5280)
    serialNumber: new Integer({
      valueHex: Uint8Array.from([0x40, ...randomBytes(15)]).buffer,
    }),
    subject,
    issuer: subject,
    notBefore: new pkijs.Time({ type: 0, value: new Date(+now - 60_000) }),
    notAfter: new pkijs.Time({ type: 0, value: until }),
    subjectPublicKeyInfo: new pkijs.PublicKeyInfo({ schema: parsed(point).value }),
    signature: new pkijs.AlgorithmIdentifier({ algorithmId: ecdsaWithSha256 }),
    signatureAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: ecdsaWithSha256 }),
    extensions: extensions(point),
  })
  const signed = der(certificate.encodeTBS())
  const value = sign('sha256', signed, privateKey)
  certificate.tbsView = Uint8Array.from(signed)
  certificate.signatureValue = new BitString({ valueHex: Uint8Array.from(value).buffer })
  return {
    certificates: [der(certificate.toSchema(true))],
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Names of certificates have at most 64 characters (RFC 5280). */
function short(name: string): string {
  return Array.from(name).slice(0, 60).join('').trim() || 'Organization'
}

function extensions(point: Buffer): pkijs.Extension[] {
  const extension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
    new pkijs.Extension({ extnID, critical, extnValue: value.toBER() })
  const id = createHash('sha1').update(point).digest()
  return [
    // not an authority
    extension('2.5.29.19', true, new Sequence({ value: [] })),
    // digitalSignature and contentCommitment
    extension(
      '2.5.29.15',
      true,
      new BitString({ valueHex: Uint8Array.of(0xc0).buffer, unusedBits: 6 }),
    ),
    // for signing documents (RFC 9336)
    extension(
      '2.5.29.37',
      false,
      new Sequence({ value: [new ObjectIdentifier({ value: '1.3.6.1.5.5.7.3.36' })] }),
    ),
    extension('2.5.29.14', false, new OctetString({ valueHex: Uint8Array.from(id).buffer })),
  ]
}
