import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import type { PublicContext } from '../../kit/ground/context.ts'
import { checkStorable } from '../../kit/record/validate.ts'
import type { Runtime } from '../../runtime.ts'
import { anonymousCaller, publicContext } from '../../runtime.ts'
import { takeForms } from '../bodies.ts'
import { failureFrom } from '../errors.ts'
import { addressOf } from '../address.ts'
import { submitting, viewing } from '../limits.ts'
import { sendFailurePage } from './failure.ts'

/**
 * Pages for people without a session, each with its own link. Their forms are refused if
 * another site submits them, limited by address (429), and failures are shown as a page.
 */
export async function pages(
  scope: FastifyInstance,
  runtime: Runtime,
  kinds: ((scope: FastifyInstance, runtime: Runtime) => void | Promise<void>)[],
): Promise<void> {
  takeForms(scope)
  scope.setErrorHandler((error, request, reply) =>
    sendFailurePage(reply, request, failureFrom(error, request)),
  )
  const { submissions } = runtime.services
  // before anything of the body is read
  scope.addHook('onRequest', async (request) => {
    const address = addressOf(request)
    if (request.method === 'POST') await submissions.failed(submitting(address))
    else if (counted.has(request.routeOptions.url ?? '')) await submissions.failed(viewing(address))
  })
  scope.addHook('preValidation', async (request) => {
    if (request.method === 'POST') refuseForeign(runtime.config, request)
  })
  for (const add of kinds) await add(scope, runtime)
}

/**
 * Pages that are counted when they are opened: the survey page counts a view itself, the signing page reports one, and
 * results are computed.
 */
const counted = new Set([
  '/s/:token',
  '/s/embed/:token',
  '/results/:token',
  '/sign/:token',
  '/sign/preview/:key',
])

/** The context of a page's visitor, who has no credentials. */
export function visitorContext(runtime: Runtime, { id }: FastifyRequest): PublicContext {
  return publicContext(runtime, anonymousCaller(id))
}

/** The text fields of a form, each at most once and as it is stored; everything else is ignored. */
export function formOf(request: FastifyRequest): { [name: string]: string } {
  const fields = Object.entries((request.body ?? {}) as { [name: string]: unknown })
  const texts = Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
  checkStorable(texts)
  return texts
}

/**
 * 403 for a form that another site submits. Over http, browsers send `Origin` alone; programs send neither, and have
 * no user whom they could sign in.
 */
export function refuseForeign({ publicUrl }: Pick<Config, 'publicUrl'>, request: FastifyRequest) {
  const { 'sec-fetch-site': site, origin } = request.headers
  const isForeign =
    site === undefined
      ? origin !== undefined && origin !== new URL(publicUrl).origin
      : site === 'cross-site' || site === 'same-site'
  if (isForeign) throw forbidden('Another site may not submit this form', 'foreign_form')
}
