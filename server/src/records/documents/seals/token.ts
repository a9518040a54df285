import { createHash, createPublicKey, verify } from 'node:crypto'
import { Constructed, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import * as pkijs from 'pkijs'
import { signedBytes } from './cms.ts'
import { der, digests, nameIn, oids, parsed } from './der.ts'

/** A time stamp that is whole: when, and by whom. */
export type CheckedToken = { at: string; authority: string; nonce: Buffer | undefined }

/** A signer of CMS whose signature fits its certificate. */
export type CheckedSigner = {
  signer: pkijs.SignerInfo
  certificate: pkijs.Certificate
  der: Buffer
}

/** What a token says about a value's SHA-256; undefined if it is about another, or not what was signed. */
export function checkedToken(token: Buffer, hash: Buffer): CheckedToken | undefined {
  const data = signedData(token)
  const { eContentType, eContent } = data.encapContentInfo
  if (eContentType !== oids.timestampInfo || !eContent) return undefined
  const content = Buffer.from(eContent.getValue())
  const checked = checkedSigner(data, (name) => createHash(name).update(content).digest())
  if (!checked) return undefined
  const info = new pkijs.TSTInfo({ schema: parsed(content).value })
  const { hashAlgorithm, hashedMessage } = info.messageImprint
  const said = Buffer.from(hashedMessage.getValue())
  if (hashAlgorithm.algorithmId !== oids.sha256 || !said.equals(hash)) return undefined
  const nonce = info.nonce && Buffer.from(info.nonce.valueBlock.valueHexView)
  return { at: info.genTime.toISOString(), authority: nameIn(checked.certificate.subject), nonce }
}

/** The signed data of a CMS message. */
export function signedData(bytes: Buffer): pkijs.SignedData {
  const { value } = parsed(bytes)
  const [type, tagged] = value instanceof Sequence ? value.valueBlock.value : []
  const isSigned = type instanceof ObjectIdentifier && type.getValue() === oids.signedData
  const [content] = tagged instanceof Constructed ? tagged.valueBlock.value : []
  if (!isSigned || !content) throw new Error('not signed data')
  return new pkijs.SignedData({ schema: content })
}

/**
 * The first signer, if its signature over its attributes is right, they name the content by its digest, and its
 * certificate by its hash where they name one.
 */
export function checkedSigner(
  data: pkijs.SignedData,
  digestOf: (name: string) => Buffer | undefined,
): CheckedSigner | undefined {
  const [signer] = data.signerInfos
  const certificate = signer && certificateOf(data, signer)
  const name = signer && digests[signer.digestAlgorithm.algorithmId]
  if (!certificate || !signer.signedAttrs || !name) return undefined
  const digest = saidIn(signer.signedAttrs, oids.messageDigest)
  const content = digestOf(name)
  if (!(digest instanceof OctetString) || !content) return undefined
  if (!Buffer.from(digest.getValue()).equals(content)) return undefined
  const own = der(certificate.toSchema())
  const named = saidIn(signer.signedAttrs, oids.signingCertificate)
  const hashes = ['sha256', 'sha384', 'sha512'].map((each) => createHash(each).update(own).digest())
  if (named instanceof Sequence && !hashes.some((hash) => der(named).includes(hash)))
    return undefined
  const key = createPublicKey({
    key: der(certificate.subjectPublicKeyInfo.toSchema()),
    format: 'der',
    type: 'spki',
  })
  const value = Buffer.from(signer.signature.getValue())
  // the padding of RSA-PSS is in the algorithm's name
  const isPss = signer.signatureAlgorithm.algorithmId === '1.2.840.113549.1.1.10'
  const how = isPss ? { key, padding: 6, saltLength: -2 } : key
  if (!verify(name, signedBytes(signer.signedAttrs), how, value)) return undefined
  return { signer, certificate, der: own }
}

function saidIn({ attributes }: pkijs.SignedAndUnsignedAttributes, oid: string): unknown {
  return attributes.find(({ type }) => type === oid)?.values[0]
}

function certificateOf(data: pkijs.SignedData, signer: pkijs.SignerInfo) {
  const all = (data.certificates ?? []).filter((each) => each instanceof pkijs.Certificate)
  const { sid }: { sid: unknown } = signer
  if (!(sid instanceof pkijs.IssuerAndSerialNumber)) return all[0]
  return all.find(
    ({ issuer, serialNumber }) =>
      issuer.isEqual(sid.issuer) && serialNumber.isEqual(sid.serialNumber),
  )
}
