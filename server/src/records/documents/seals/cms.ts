import type { KeyObject } from 'node:crypto'
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { Constructed, Null, OctetString, Sequence } from 'asn1js'
import type { AsnType } from 'asn1js'
import * as pkijs from 'pkijs'
import { certificateId, der, identifier, oids, parsed } from './der.ts'
import type { Identity } from './made-certificate.ts'

/**
 * The signature over SHA-256 of a file as CMS, in the form that PAdES asks for (ETSI EN 319 142-1, B-B; with the
 * token of `stamp`, which receives the SHA-256 of the signature's value, B-T).
 */
export async function signature(
  digest: Buffer,
  { certificates, privateKey }: Identity,
  stamp?: (hash: Buffer) => Promise<Buffer>,
): Promise<Buffer> {
  const key = createPrivateKey(privateKey)
  const chain = certificates.map((each) => new pkijs.Certificate({ schema: parsed(each).value }))
  const [first] = chain
  const [certificate] = certificates
  if (!first || !certificate) throw new Error('the identity has no certificate')
  const own = createHash('sha256').update(certificate).digest()
  const attributes = inDerOrder([
    attribute(oids.contentType, identifier(oids.data)),
    attribute(oids.messageDigest, octets(digest)),
    attribute(oids.signingCertificate, certificateId(own)),
  ])
  const signedAttrs = new pkijs.SignedAndUnsignedAttributes({ type: 0, attributes })
  const value = sign('sha256', signedBytes(signedAttrs), key)
  const signer = new pkijs.SignerInfo({
    version: 1,
    sid: new pkijs.IssuerAndSerialNumber({
      issuer: first.issuer,
      serialNumber: first.serialNumber,
    }),
    digestAlgorithm: sha256(),
    signedAttrs,
    signatureAlgorithm: algorithmOf(key),
    signature: octets(value),
  })
  if (stamp) {
    const token = await stamp(createHash('sha256').update(value).digest())
    signer.unsignedAttrs = new pkijs.SignedAndUnsignedAttributes({
      type: 1,
      attributes: [attribute(oids.timestampToken, parsed(token).value)],
    })
  }
  const data = new pkijs.SignedData({
    version: 1,
    digestAlgorithms: [sha256()],
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: oids.data }),
    certificates: chain,
    signerInfos: [signer],
  })
  const tagged = new Constructed({
    idBlock: { tagClass: 3, tagNumber: 0 },
    value: [data.toSchema(true)],
  })
  return der(new Sequence({ value: [identifier(oids.signedData), tagged] }))
}

/** What a signature is made over: its attributes as a SET, not as the tagged part of it (RFC 5652, 5.4). */
export function signedBytes(attributes: pkijs.SignedAndUnsignedAttributes): Buffer {
  const encoded = attributes.encodedValue?.byteLength
    ? Buffer.from(attributes.encodedValue)
    : der(attributes.toSchema())
  encoded[0] = 0x31
  return encoded
}

function attribute(type: string, value: AsnType): pkijs.Attribute {
  return new pkijs.Attribute({ type, values: [value] })
}

function inDerOrder(attributes: pkijs.Attribute[]): pkijs.Attribute[] {
  const encoded = attributes.map((each) => ({ each, bytes: der(each.toSchema()) }))
  return encoded.toSorted((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ each }) => each)
}

function octets(bytes: Buffer): OctetString {
  return new OctetString({ valueHex: Uint8Array.from(bytes).buffer })
}

function sha256(): pkijs.AlgorithmIdentifier {
  return new pkijs.AlgorithmIdentifier({ algorithmId: oids.sha256 })
}

function algorithmOf({ asymmetricKeyType }: KeyObject): pkijs.AlgorithmIdentifier {
  if (asymmetricKeyType === 'ec') {
    return new pkijs.AlgorithmIdentifier({ algorithmId: '1.2.840.10045.4.3.2' })
  }
  return new pkijs.AlgorithmIdentifier({
    algorithmId: '1.2.840.113549.1.1.11',
    algorithmParams: new Null(),
  })
}
