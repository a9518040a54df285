import { X509Certificate, createHash, randomBytes } from 'node:crypto'
import { Integer, OctetString } from 'asn1js'
import * as pkijs from 'pkijs'
import type { Context } from '../../../kit/ground/context.ts'
import { der, oids, parsed } from './der.ts'
import { timestamp } from './timestamp.ts'
import { signedData } from './token.ts'

/**
 * What shows later that certificates were valid when a file was sealed (PAdES B-LT), in DER: the certificates, answers of
 * OCSP (RFC 6960), and lists of those that are revoked (RFC 5280).
 */
export type Validation = {
  certificates: Uint8Array[]
  responses: Uint8Array[]
  lists: Uint8Array[]
}

type Ask = Context['services']['authorities']['ask']

/** How many certificates may stand above another, and what is added to a file at most, in bytes. */
const most = { above: 5, bytes: 4 * 2 ** 20 }

/**
 * What can be had for a seal's certificate and that of the time stamp service: nothing where certificates name no address
 * for it, and without what does not answer. Throws where one of them is revoked. It is asked for before the file is
 * signed, so that the signature is about it too, and nothing is added to a certified file.
 */
export async function validationFor(
  { services, now, log }: Pick<Context, 'services' | 'now' | 'log'>,
  chain: Uint8Array[],
  timestampUrl: string | null,
): Promise<Validation | undefined> {
  const { ask } = services.authorities
  const found: Validation = { certificates: [], responses: [], lists: [] }
  const adding = { ask, now: now(), found, log }
  await addChain(chain, adding)
  if (!found.responses.length && !found.lists.length) return undefined
  if (timestampUrl) await addChain(await stampers(timestampUrl, ask), adding)
  const bytes = Object.values(found).flat()
  return bytes.reduce((sum, { length }) => sum + length, 0) <= most.bytes ? found : undefined
}

/** The certificates of a time stamp service, by a token of its own; none where it does not answer now. */
async function stampers(url: string, ask: Ask): Promise<Uint8Array[]> {
  try {
    const token = await timestamp(randomBytes(32), (content) =>
      ask(url, { type: 'timestamp-query', content }),
    )
    const all = (signedData(token).certificates ?? []).filter(
      (each) => each instanceof pkijs.Certificate,
    )
    return all.map((each) => der(each.toSchema()))
  } catch {
    return []
  }
}

type Adding = { ask: Ask; now: Date; found: Validation; log: Context['log'] }

/** Adds a certificate, the first of some, those above it, and what says that they are not revoked. */
async function addChain([first, ...others]: Uint8Array[], adding: Adding): Promise<void> {
  const { ask, found } = adding
  let own = first && new X509Certificate(first)
  const pool = others.map((each) => new X509Certificate(each))
  for (let above = 0; own && above < most.above; above++) {
    const certificate = own
    add(found.certificates, certificate.raw)
    const isRoot = certificate.checkIssued(certificate)
    if (isRoot) return
    const isIssuer = (each: X509Certificate) =>
      certificate.checkIssued(each) && certificate.verify(each.publicKey)
    const issuer: X509Certificate | undefined =
      pool.find(isIssuer) ?? (await downloaded(certificate, ask))
    if (!issuer || !isIssuer(issuer)) return
    await addState(certificate, issuer, adding)
    own = issuer
  }
}

async function downloaded(of: X509Certificate, ask: Ask): Promise<X509Certificate | undefined> {
  for (const url of addressesIn(of).issuers) {
    try {
      return new X509Certificate(await ask(url))
    } catch {
      // the next one may answer
    }
  }
  return undefined
}

/** Adds what says that a certificate is not revoked, where somebody answers: OCSP, else a list. */
async function addState(
  of: X509Certificate,
  by: X509Certificate,
  { ask, now, found, log }: Adding,
): Promise<void> {
  const [certificate, issuer] = [of, by].map(
    ({ raw }) => new pkijs.Certificate({ schema: parsed(raw).value }),
  )
  if (!certificate || !issuer) return
  const { responders, lists } = addressesIn(of)
  const ways = [
    ...responders.map((url) => ({
      url,
      into: found.responses,
      async state() {
        const content = requestFor(certificate, issuer)
        const answer = await ask(url, { type: 'ocsp-request', content })
        return { answer, isRevoked: await isRevokedBy(answer, { certificate, issuer, now }) }
      },
    })),
    ...lists.map((url) => ({
      url,
      into: found.lists,
      async state() {
        const answer = await ask(url)
        return { answer, isRevoked: await isListed(answer, { certificate, issuer, now }) }
      },
    })),
  ]
  for (const { url, into, state } of ways) {
    try {
      const { answer, isRevoked } = await state()
      if (isRevoked) throw new RevokedError(of.subject)
      return add(into, answer)
    } catch (error) {
      if (error instanceof RevokedError) throw error
      log.warn({ err: error, url }, 'the state of a certificate could not be read')
    }
  }
}

class RevokedError extends Error {
  constructor(subject: string) {
    super(`the certificate of ${subject.replaceAll('\n', ', ')} is revoked`)
  }
}

type Asked = { certificate: pkijs.Certificate; issuer: pkijs.Certificate; now: Date }

function requestFor(certificate: pkijs.Certificate, issuer: pkijs.Certificate): Buffer {
  const sha1 = (bytes: Uint8Array) =>
    new OctetString({ valueHex: Uint8Array.from(createHash('sha1').update(bytes).digest()).buffer })
  const key = issuer.subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView
  const reqCert = new pkijs.CertID({
    hashAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: '1.3.14.3.2.26' }),
    issuerNameHash: sha1(der(issuer.subject.toSchema())),
    issuerKeyHash: sha1(key),
    serialNumber: new Integer({
      valueHex: Uint8Array.from(certificate.serialNumber.valueBlock.valueHexView).buffer,
    }),
  })
  const tbsRequest = new pkijs.TBSRequest({ requestList: [new pkijs.Request({ reqCert })] })
  return der(new pkijs.OCSPRequest({ tbsRequest }).toSchema(true))
}

type Status = { idBlock?: { tagNumber: number } }

/** Whether an answer says that a certificate is revoked; throws where it is none for it, old, or of somebody else. */
async function isRevokedBy(answer: Uint8Array, { certificate, issuer, now }: Asked) {
  const { responseBytes } = new pkijs.OCSPResponse({ schema: parsed(answer).value })
  const content = responseBytes?.response.valueBlock.valueHexView
  if (!content) throw new Error('the responder refused')
  const basic = new pkijs.BasicOCSPResponse({ schema: parsed(content).value })
  const said = basic.tbsResponseData.responses.find(({ certID }) =>
    certID.serialNumber.isEqual(certificate.serialNumber),
  )
  const states: { [tag: number]: boolean } = { 0: false, 1: true }
  const { certStatus: status }: { certStatus?: Status } = said ?? {}
  const isRevoked = states[status?.idBlock?.tagNumber ?? 2]
  if (!said || isRevoked === undefined) throw new Error('the responder does not know it')
  if (said.nextUpdate && said.nextUpdate < now) throw new Error('the answer is old')
  // by whom the issuer lets answer, or by itself, which need not be enclosed (4.2.2.2)
  basic.certs = (basic.certs ?? []).filter(mayAnswer)
  const isSigned = basic.certs.length
    ? await basic.verify({ trustedCerts: [issuer] })
    : await pkijs
        .getCrypto(true)
        .verifyWithPublicKey(
          Uint8Array.from(basic.tbsResponseData.tbsView),
          basic.signature,
          issuer.subjectPublicKeyInfo,
          basic.signatureAlgorithm,
        )
  if (!isSigned) throw new Error('the answer is not signed by its issuer')
  return isRevoked
}

/** Whether a certificate may answer for its issuer about the state of others. */
function mayAnswer({ extensions = [] }: pkijs.Certificate): boolean {
  return extensions.some(({ extnID, parsedValue }: { extnID: string; parsedValue?: unknown }) => {
    const isUsage = extnID === oids.extendedKeyUsage && parsedValue instanceof pkijs.ExtKeyUsage
    return isUsage && parsedValue.keyPurposes.includes(oids.ocspSigning)
  })
}

async function isListed(answer: Uint8Array, { certificate, issuer, now }: Asked) {
  const list = new pkijs.CertificateRevocationList({ schema: parsed(answer).value })
  if (list.nextUpdate && list.nextUpdate.value < now) throw new Error('the list is old')
  if (!(await list.verify({ issuerCertificate: issuer })))
    throw new Error('the list is not signed by its issuer')
  return list.isCertificateRevoked(certificate)
}

type Name = { type: number; value?: unknown }

/** Where a certificate says that its issuer, its state, and a list of revoked ones can be had, by HTTP. */
function addressesIn({ raw }: X509Certificate) {
  const { extensions = [] } = new pkijs.Certificate({ schema: parsed(raw).value })
  const found = { issuers: [] as string[], responders: [] as string[], lists: [] as string[] }
  const put = (into: string[], { type, value }: Name) => {
    const url = String(value)
    if (type === 6 && /^https?:\/\//.test(url) && into.length < 3) into.push(url)
  }
  for (const extension of extensions) {
    const { parsedValue: its }: { parsedValue?: unknown } = extension
    if (its instanceof pkijs.InfoAccess) {
      for (const { accessMethod, accessLocation } of its.accessDescriptions) {
        if (accessMethod === oids.ocsp) put(found.responders, accessLocation)
        if (accessMethod === oids.issuers) put(found.issuers, accessLocation)
      }
    } else if (its instanceof pkijs.CRLDistributionPoints) {
      for (const { distributionPoint } of its.distributionPoints) {
        if (Array.isArray(distributionPoint))
          for (const name of distributionPoint) put(found.lists, name)
      }
    }
  }
  return found
}

function add(into: Uint8Array[], bytes: Uint8Array): void {
  if (!into.some((each) => Buffer.from(each).equals(bytes))) into.push(Uint8Array.from(bytes))
}
