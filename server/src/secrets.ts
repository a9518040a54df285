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

/** What SECRET_KEY protects. Hashes are keyed too, so that a copied database alone is no use. */
export type Secrets = {
  /** AES-256-GCM with a random nonce */
  encrypt(text: string): Buffer
  /** of this key or the one before it; throws when the key is another one or the bytes were touched */
  decrypt(bytes: Buffer): string
  /** whether the key of now encrypted it, and not the one before */
  isCurrent(bytes: Buffer): boolean
  /** the same of a token, which is base64url to the letter; throws for any other spelling of it */
  open(token: string): string
  /** a value as a url-safe token that only `unseal` with the same purpose reads */
  seal(value: object, purpose?: string): string
  /** undefined for a token that is not of ours, or has another purpose */
  unseal(token: string, purpose?: string): unknown
  /** for tokens and keys of high entropy that only need to be recognised */
  hash(token: string): Buffer
}

/** What else decides beside the secret key: the key before it, and the stored key of hashes. */
type More = { previous?: string | null; hashing?: Buffer }

/**
 * Derives the keys for encryption and hashing from one secret (RFC 5869). What `previous` encrypted is
 * decrypted too; without `hashing` hashes are under a key of this secret.
 */
export function secretsFrom(secretKey: string, { previous, hashing }: More = {}): Secrets {
  // as key objects: Node takes 20 µs to see that bytes are none, at every use
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

/** Links to surveys and feeds that were given out have no purpose: they are distinguished by their names. */
function headOf(purpose: string | undefined): string {
  return purpose === undefined ? '' : `${purpose}\n`
}

/** The key under which an installation hashes that has none stored. */
export function hashingKeyOf(secretKey: string): Buffer {
  return derived(secretKey, 'hashing')
}

function derived(secretKey: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'perennial', use, 32))
}

function decrypted(key: KeyObject, bytes: Buffer): string {
  const nonce = bytes.subarray(0, 12)
  // Node takes shorter tags too, which are easier to guess
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
  decipher.setAuthTag(bytes.subarray(12, 28))
  return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
}

/**
 * SECRET_KEY from the configuration, or the one stored in the data folder; undefined where there is neither.
 * Throws a ConfigError when a key that is there is no key.
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

/** A new secret key in the data folder, or the one that another process has put there by now. */
export function makeSecretKey(dataDir: string): string {
  const key = randomBytes(32).toString('hex')
  keepSecretKey(key, dataDir)
  return knownSecretKey(null, dataDir) ?? key
}

/** Puts a secret key, as of a backup, into a data folder that has none yet. */
export function keepSecretKey(key: string, dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  placeWhole(join(dataDir, keyFile), key)
}

/** The secret key that the data folder keeps, if it does. */
export function keyInDataDir(dataDir: string): string | undefined {
  const file = join(dataDir, keyFile)
  const key = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return key.length >= 32 ? key : undefined
}

const keyFile = 'secret.key'

/** Makes a file for this user alone, unless there is one: no part of it is ever visible to others. */
function placeWhole(file: string, text: string) {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, file)
  } catch (error) {
    // another process made it at the same moment
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

/** argon2id in the PHC string format. What callers cause goes through `password-queue.ts`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: password, nonce, ...cost })
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${plain(nonce)}$${plain(tag as Buffer)}`
}

/** Whether the password is the hashed one; without a hash it takes as long and says no. */
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
