import { ObjectIdentifier, OctetString, Sequence, fromBER } from 'asn1js'
import type { AsnType } from 'asn1js'
import type { Certificate } from 'pkijs'

/** The identifiers of RFC 5652, RFC 5035, RFC 3161, RFC 5280 and RFC 6960 that signatures are made of. */
export const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.47',
  timestampToken: '1.2.840.113549.1.9.16.2.14',
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
  ocsp: '1.3.6.1.5.5.7.48.1',
  issuers: '1.3.6.1.5.5.7.48.2',
  extendedKeyUsage: '2.5.29.37',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const

/** The names by which Node knows digests. */
export const digests: { [oid: string]: string } = {
  '1.3.14.3.2.26': 'sha1',
  [oids.sha256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** The bytes of an ASN.1 value in DER. */
export function der(value: { toBER(sizeOnly?: boolean): ArrayBuffer }): Buffer {
  return Buffer.from(value.toBER(false))
}

/** The first ASN.1 value of some bytes and how many it takes; throws where there is none. */
export function parsed(bytes: Uint8Array): { value: AsnType; length: number } {
  const { offset, result } = fromBER(Uint8Array.from(bytes).buffer)
  if (offset === -1) throw new Error('not in DER')
  return { value: result, length: offset }
}

/** Names a certificate in a signature by its hash, so that no other can take its place (RFC 5035). */
export function certificateId(hash: Buffer): AsnType {
  const named = new Sequence({
    value: [new OctetString({ valueHex: Uint8Array.from(hash).buffer })],
  })
  return new Sequence({ value: [new Sequence({ value: [named] })] })
}

const nameParts = { commonName: '2.5.4.3', organization: '2.5.4.10' }

/** A certificate's subject or issuer in words: its common name, else its organization. */
export function nameIn({ typesAndValues }: Certificate['subject']): string {
  const part = (oid: string) => typesAndValues.find(({ type }) => type === oid)
  const found = part(nameParts.commonName) ?? part(nameParts.organization)
  return found ? String(found.value.valueBlock.value) : ''
}

/** An identifier as an ASN.1 value. */
export function identifier(value: string): ObjectIdentifier {
  return new ObjectIdentifier({ value })
}
