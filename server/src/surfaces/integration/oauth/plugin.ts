import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import type { FailureLimiter } from '../../../kit/ground/services.ts'
import type { Runtime } from '../../../runtime.ts'
import { takeForms } from '../../bodies.ts'
import { refuseOtherMethods } from '../../methods.ts'
import type { Tokens } from '../../tokens.ts'
import { authorization } from './authorize.ts'
import { identityDocument } from './document.ts'
import { sendIdentityError } from './errors.ts'
import { wellKnown } from './metadata.ts'
import { registration } from './registration.ts'
import { tokenEndpoints } from './token.ts'

/** The identity endpoints (specification 4.2). Only here are forms and cookies parsed. */
export async function identity(
  scope: FastifyInstance,
  runtime: Runtime,
  tokens: Tokens,
  failures: FailureLimiter,
) {
  await scope.register(cookie)
  takeForms(scope)
  scope.setErrorHandler((error, request, reply) => sendIdentityError(error, request, reply))
  await scope.register(async (pages) => authorization(pages, runtime, tokens))
  tokenEndpoints(scope, runtime, tokens, failures)
  wellKnown(scope, runtime, tokens)
  registration(scope, runtime)
  refuseOtherMethods(scope, identityDocument)
}
