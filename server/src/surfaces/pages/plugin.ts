import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forbidden } from '../../kit/ground/errors.ts'
import { failureFrom } from '../errors.ts'
import { messagePage, sendPage } from './page.ts'

/**
 * Pages for people who need no session, each behind a link of its own: the forms that they submit,
 * refused where another site sends them, and failures said in a page.
 */
export async function pages(
  scope: FastifyInstance,
  ...each: ((scope: FastifyInstance) => void | Promise<void>)[]
): Promise<void> {
  await scope.register(formbody)
  scope.setErrorHandler((error, request, reply) => {
    const { status, message, retryAfter } = failureFrom(error, request)
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    return sendPage(reply, status, messagePage('This did not work', message))
  })
  scope.addHook('preValidation', async (request) => {
    if (request.method === 'POST') refuseForeign(request)
  })
  for (const add of each) await add(scope)
}

/** The text fields of a form, each at most once; anything else in it is left out. */
export function formOf(request: FastifyRequest): { [name: string]: string } {
  const fields = Object.entries((request.body ?? {}) as { [name: string]: unknown })
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
}

function refuseForeign(request: FastifyRequest) {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') {
    throw forbidden('Another site may not submit this form', 'foreign_form')
  }
}
