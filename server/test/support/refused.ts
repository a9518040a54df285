import assert from 'node:assert/strict'
import type { Reply } from './service.ts'

const codes: { [status: number]: RegExp } = {
  403: /^(forbidden|missing_scope|deactivated)$/,
  404: /^not_found$/,
  405: /^method_not_allowed$/,
  412: /^stale$/,
  413: /^too_large$/,
  415: /^unsupported_media_type$/,
  429: /^rate_limited$/,
}

/** Asserts that a reply is a refusal with this status, in the envelope that belongs to it. */
export function refused(reply: Reply, status: number, why = '') {
  const message = `${why} ${reply.text}`
  assert.equal(reply.status, status, message)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json/, message)
  const { body } = reply
  assert.equal(body.request_id, reply.headers.get('x-request-id'), message)
  assert.ok(typeof body.message === 'string' && body.message, message)
  assert.match(body.code, codes[status] ?? /^[a-z]+(_[a-z]+)*$/, message)
  if (status === 401) {
    assert.equal(typeof body.error, 'string', message)
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer')
  } else {
    assert.equal(body.status, 'error', message)
    assert.ok(!('error' in body), message)
  }
}

/** The same for a 400 that names a field; `names` are the ones that will do. */
export function refusedField(reply: Reply, names: string[], why = '') {
  refused(reply, 400, why)
  const fields = (reply.body.errors ?? []).map(({ field }: { field: string }) => field) as string[]
  const isNamed = fields.some((field) => names.some((name) => `${field}.`.startsWith(`${name}.`)))
  assert.ok(isNamed, `${why}: none of ${names.join(', ')} is named in ${reply.text}`)
  assert.ok(
    names.some((name) => reply.body.message.includes(name)),
    reply.text,
  )
}
