import type { KeyObject } from 'node:crypto'
import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from './kit/ground/errors.ts'

/** Encryption and hashing with SECRET_KEY. Hashes are keyed too, so that a copied database alone is of no use. */
export type Secrets = {
  /** AES-256-GCM with a random nonce */
  encrypt(text: string): Buffer
  /** for this key or the previous one; throws for another key or modified bytes */
  decrypt(bytes: Buffer): string
  /** whether it was encrypted with the current key, not the previous one */
  isCurrent(bytes: Buffer): boolean
  /** the same for a token in canonical base64url; throws for any other encoding */
  open(token: string): string
  /** a value as a url-safe token that only `unseal` with the same purpose reads */
  seal(value: object, purpose?: string): string
  /** undefined for a token that is not ours, or has another purpose */
  unseal(token: string, purpose?: string): unknown
  /** a hash for tokens and keys of high entropy, which only need to be recognised */
  hash(token: string): Buffer
}

/** Further keys besides the secret key: the previous one, and the stored key for hashes. */
type More = { previous?: string | null; hashing?: Buffer }

/**
 * Derives the keys for encryption and hashing from one secret (RFC 5869). Data encrypted with `previous` is
 * decrypted too; without `hashing`, hashes use a key derived from this secret.
 */
export function secretsFrom(secretKey: string, { previous, hashing }: More = {}): Secrets {
  // as key objects: with bytes, Node needs 20 µs more at every use
  const current = createSecretKey(derived(secretKey, 'encryption'))
  const older = previous ? createSecretKey(derived(previous, 'encryption')) : undefined
  const hashKey = createSecretKey(hashing ?? hashingKeyOf(secretKey))
  const secrets: Secrets = {
    encrypt(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    decrypt(bytes) {
      return decrypted(older && !secrets.isCurrent(bytes) ? older : current, bytes)
    },
    isCurrent(bytes) {
      try {
        decrypted(current, bytes)
        return true
      } catch {
        return false
      }
    },
    open(token) {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.toString('base64url') !== token) throw new Error('not base64url')
      return secrets.decrypt(bytes)
    },
    seal(value, purpose) {
      return secrets.encrypt(headOf(purpose) + JSON.stringify(value)).toString('base64url')
    },
    unseal(token, purpose) {
      const head = headOf(purpose)
      try {
        const text = secrets.open(token)
        return text.startsWith(head) ? JSON.parse(text.slice(head.length)) : undefined
      } catch {
        return undefined
      }
    },
    hash: (token) => createHmac('sha256', hashKey).update(token).digest(),
  }
  return secrets
}

/** Existing links to surveys and feeds have no purpose: they are distinguished by their property names. */
function headOf(purpose: string | undefined): string {
  return purpose === undefined ? '' : `${purpose}\n`
}

/** The key for hashes of an installation that has none stored. */
export function hashingKeyOf(secretKey: string): Buffer {
  return derived(secretKey, 'hashing')
}

function derived(secretKey: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'perennial', use, 32))
}

function decrypted(key: KeyObject, bytes: Buffer): string {
  const nonce = bytes.subarray(0, 12)
  // Node also accepts shorter tags, which are easier to guess
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
  decipher.setAuthTag(bytes.subarray(12, 28))
  return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
}

/**
 * SECRET_KEY from the configuration, or the one stored in the data folder; undefined if there is neither.
 * Throws a ConfigError for an invalid key.
 */
export function knownSecretKey(configured: string | null, dataDir: string): string | undefined {
  if (configured) return configured
  const file = join(dataDir, keyFile)
  const key = keyInDataDir(dataDir)
  if (key || !existsSync(file)) return key
  throw new ConfigError(
    `"${file}" contains no secret key: restore it from a backup, or set SECRET_KEY`,
  )
}

/** Creates a secret key in the data folder, or returns the one that another process has created meanwhile. */
export function makeSecretKey(dataDir: string): string {
  const key = randomBytes(32).toString('hex')
  keepSecretKey(key, dataDir)
  return knownSecretKey(null, dataDir) ?? key
}

/** Stores a secret key, for example from a backup, in a data folder that has none yet. */
export function keepSecretKey(key: string, dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  placeWhole(join(dataDir, keyFile), key)
}

/** The secret key in the data folder, if there is one. */
export function keyInDataDir(dataDir: string): string | undefined {
  const file = join(dataDir, keyFile)
  const key = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return key.length >= 32 ? key : undefined
}

const keyFile = 'secret.key'

/** Creates a file readable only by this user, unless it exists; others never see any part of it. */
function placeWhole(file: string, text: string) {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, file)
  } catch (error) {
    // another process created it at the same moment
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A random secret, url-safe, with 32 bytes of entropy. */
export function randomToken(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Compares in constant time; unequal lengths are unequal. */
export function equalInConstantTime(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const derive = promisify(argon2)

/** argon2id in the PHC string format. Hashing for callers goes through `password-queue.ts`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: password, nonce, ...cost })
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${plain(nonce)}$${plain(tag as Buffer)}`
}

/** Whether the password matches the hash; without a hash it takes as long and is false. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash ?? nobody)
  if (!parts) return false
  const [, memory, passes, parallelism, salt, tag] = parts
  const expected = Buffer.from(tag!, 'base64')
  const found = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(salt!, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return equalInConstantTime(found as Buffer, expected) && hash !== null
}

const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
