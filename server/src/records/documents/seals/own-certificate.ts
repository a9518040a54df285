import { X509Certificate, createPrivateKey } from 'node:crypto'
import { badField } from '../../../kit/ground/errors.ts'
import type { Identity } from './made-certificate.ts'
import { inPem } from './fingerprint.ts'

/** A certificate of one's own with its key: a file of PKCS #12 in base64, or a text in PEM. */
export type OwnCertificate = { p12?: string; pem?: string; password?: string }

/**
 * The certificate, those that issued it, and the key. 400 names what of the body cannot be read, does not belong
 * together, or has expired.
 */
export async function ownIdentity({
  p12,
  pem,
  password = '',
  now,
}: OwnCertificate & { now: string }): Promise<Identity> {
  const { certificates, privateKey } = p12
    ? await fromP12(p12, password)
    : fromPem(pem ?? '', password)
  const field = p12 ? 'p12' : 'pem'
  const key = createPrivateKey(privateKey)
  const { asymmetricKeyType, asymmetricKeyDetails } = key
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (asymmetricKeyType !== 'ec' && (asymmetricKeyType !== 'rsa' || bits < 2048)) {
    throw badField(field, 'must have a key of RSA with at least 2048 bits, or of an elliptic curve')
  }
  const own = certificates.find((each) => each.checkPrivateKey(key))
  if (!own) throw badField(field, 'must have a certificate that belongs to its key')
  if (+new Date(own.validTo) < +new Date(now)) {
    throw badField(
      field,
      `has a certificate that expired on ${new Date(own.validTo).toISOString()}`,
    )
  }
  const others = certificates.filter((each) => each !== own)
  return { certificates: [own, ...others].map(({ raw }) => Buffer.from(raw)), privateKey }
}

type Read = { certificates: X509Certificate[]; privateKey: string }

async function fromP12(p12: string, password: string): Promise<Read> {
  try {
    const { P12Signer } = await import('@libpdf/core')
    const signer = await P12Signer.create(Buffer.from(p12, 'base64'), password)
    // the library signs with the key and does not show it
    const key: unknown = Reflect.get(signer, 'privateKey')
    if (!(key instanceof CryptoKey)) throw new Error('no key')
    const exported = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
    return {
      certificates: [signer.certificate, ...signer.certificateChain].map(
        (each) => new X509Certificate(each),
      ),
      privateKey: pemOf(createPrivateKey({ key: exported, format: 'der', type: 'pkcs8' })),
    }
  } catch {
    throw badField('p12', 'must be a file of PKCS #12 in base64 that the password opens')
  }
}

function fromPem(pem: string, password: string): Read {
  try {
    const [key = ''] =
      /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]+?-----END [A-Z ]*PRIVATE KEY-----/.exec(pem) ?? []
    const passphrase = password || 'none'
    return {
      certificates: inPem(pem),
      privateKey: pemOf(createPrivateKey({ key, passphrase })),
    }
  } catch {
    throw badField('pem', 'must have a private key, which the password opens, and its certificate')
  }
}

function pemOf(key: ReturnType<typeof createPrivateKey>): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
