import { createHash } from 'node:crypto'
import type { CryptoKey, JWK, JWTPayload } from 'jose'
import {
  SignJWT,
  calculateJwkThumbprint,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
} from 'jose'
import { LRUCache } from 'lru-cache'
import { newId } from '../kit/ground/ids.ts'
import { unauthorized } from '../kit/ground/errors.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { allOrganizations } from '../kit/ground/context.ts'

export type Audience = 'application' | 'integration' | 'mcp'

/** The `aud` of tokens of a surface: for MCP its address (RFC 8707), for others their name. */
export function audienceName(audience: Audience, publicUrl: string): string {
  return audience === 'mcp' ? `${publicUrl}/mcp` : audience
}

/** The claims of our tokens besides the registered ones. */
export type Claims = JWTPayload & {
  /** the organization */
  org: string
  /** the application session */
  sid?: string
  /** the grant of an app, its client and scopes */
  gid?: string
  client_id?: string
  scope?: string
}

/** Seconds that an access token is valid. */
export const tokenLifetime = 3600

/** Signs and checks the access tokens of all surfaces (RFC 9068 in spirit, EdDSA). */
export type Tokens = {
  /** seconds that a token is valid */
  lifetime: number
  sign(audience: Audience, claims: Claims): Promise<string>
  /** the claims; 401 if the token is invalid, expired or of another surface */
  verify(audience: Audience, token: string): Promise<Claims>
  jwks(): Promise<{ keys: JWK[] }>
  /** adds a new signing key; tokens of the previous one stay valid until they expire */
  rotate(): Promise<void>
}

type Key = { kid: string; jwk: JWK; publicKey: CryptoKey; privateKey: CryptoKey; created: number }

/** What tokens need of the running service. */
type Parts = Pick<Runtime, 'config' | 'database' | 'secrets' | 'now'>

const day = 86_400_000

/**
 * A verified token is cached by its hash until it expires, so that the hot path does no asymmetric
 * cryptography; whether its session or grant is still active is checked elsewhere each time.
 */
export function makeTokens(runtime: Parts, lifetime = tokenLifetime): Tokens {
  const issuer = runtime.config.publicUrl
  const verified = new LRUCache<string, Claims>({ max: 20_000 })
  let keys: Promise<Key[]> | undefined
  /** by `performance.now()`: the clock may be set back */
  let loadedAt = -Infinity

  /** the newest first; reread every minute, for rotations by other processes */
  function load(fresh = false): Promise<Key[]> {
    if (keys && !fresh && performance.now() - loadedAt < 60_000) return keys
    loadedAt = performance.now()
    keys = readKeys(runtime).then(async (stored) => {
      const newest = stored[0]
      if (newest && +runtime.now() - newest.created < 90 * day) return stored
      await addKey(runtime, newest?.kid)
      return readKeys(runtime)
    })
    keys.catch(() => (keys = undefined))
    return keys
  }

  return {
    lifetime,
    async sign(audience, claims) {
      const [key] = await load()
      if (!key) throw new Error('there is no signing key')
      const now = Math.floor(+runtime.now() / 1000)
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(audienceName(audience, issuer))
        .setIssuedAt(now)
        .setExpirationTime(now + lifetime)
        .setJti(newId())
        .sign(key.privateKey)
    },
    async verify(audience, token) {
      const hash = createHash('sha256').update(token).digest('base64url')
      let claims = verified.get(hash)
      if (!claims) {
        claims = await check(token)
        verified.set(hash, claims)
      }
      if (claims.aud !== audienceName(audience, issuer))
        throw unauthorized('The access token is not for this surface', 'invalid_token')
      if ((claims.exp ?? 0) * 1000 <= +runtime.now())
        throw unauthorized('The access token has expired', 'token_expired')
      return claims
    },
    async jwks() {
      return { keys: (await load()).map(({ jwk }) => jwk) }
    },
    async rotate() {
      await addKey(runtime, (await load(true))[0]?.kid)
      await load(true)
    },
  }

  async function check(token: string): Promise<Claims> {
    const invalid = unauthorized('The access token is not valid', 'invalid_token')
    let kid: string | undefined
    try {
      kid = decodeProtectedHeader(token).kid
    } catch {
      throw invalid
    }
    let key = (await load()).find((each) => each.kid === kid)
    // another process may have rotated; reread at most once a second, since anyone can send any kid
    if (!key && performance.now() - loadedAt > 1000)
      key = (await load(true)).find((each) => each.kid === kid)
    if (!key) throw invalid
    try {
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: ['EdDSA'],
        issuer,
        // expiry is checked by the caller, for cached tokens too
        currentDate: new Date(0),
      })
      return payload as Claims
    } catch {
      throw invalid
    }
  }
}

async function readKeys(runtime: Parts): Promise<Key[]> {
  const rows = await runtime.database.reads(allOrganizations).all<{
    kid: string
    public_jwk: JWK
    private_jwk: Buffer
    creation_time: string
  }>(sql`select kid, public_jwk, private_jwk, creation_time from signing_keys
    where retired_at is null or retired_at > ${new Date(+runtime.now() - day).toISOString()}
    order by creation_time desc, kid`)
  return Promise.all(
    rows.map(async ({ kid, public_jwk, private_jwk, creation_time }) => ({
      kid,
      jwk: public_jwk,
      created: Date.parse(creation_time),
      publicKey: (await importJWK(public_jwk, 'EdDSA')) as CryptoKey,
      privateKey: (await importJWK(
        JSON.parse(runtime.secrets.decrypt(private_jwk)),
        'EdDSA',
      )) as CryptoKey,
    })),
  )
}

/** Adds a key after `previous`, unless another process did so meanwhile. */
async function addKey(runtime: Parts, previous: string | undefined) {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const bare = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(bare)
  const jwk = { ...bare, kid, alg: 'EdDSA', use: 'sig' }
  const secret = runtime.secrets.encrypt(JSON.stringify(await exportJWK(pair.privateKey)))
  await runtime.database.transaction(allOrganizations, async (queries) => {
    await queries.run(
      sql`select pg_advisory_xact_lock(hashtextextended('perennial signing keys', 0))`,
    )
    const newest = await queries.one<{ kid: string }>(
      sql`select kid from signing_keys order by creation_time desc, kid limit 1`,
    )
    if (newest?.kid !== previous) return
    const now = runtime.now().toISOString()
    await queries.run(sql`update signing_keys set retired_at = ${now} where retired_at is null`)
    await queries.run(sql`insert into signing_keys (kid, public_jwk, private_jwk, creation_time)
      values (${kid}, ${JSON.stringify(jwk)}, ${secret}, ${now})`)
  })
}
