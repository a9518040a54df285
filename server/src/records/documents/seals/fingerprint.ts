import { X509Certificate, createHash } from 'node:crypto'

/** SHA-256 of a certificate, in hex. */
export function fingerprint(certificate: Uint8Array | string): string {
  return createHash('sha256').update(certificate).digest('hex')
}

/** The certificates of a text in PEM, in their order. */
export function inPem(text: string): X509Certificate[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return found.map((each) => new X509Certificate(each))
}
