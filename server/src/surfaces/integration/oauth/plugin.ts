import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import type { Runtime } from '../../../runtime.ts'
import type { SignIn } from '../../application/login.ts'
import type { FailureLimiter } from '../../limits.ts'
import { refuseOtherMethods } from '../../mount.ts'
import type { Tokens } from '../../tokens.ts'
import { authorization } from './authorize.ts'
import { identityDocument } from './document.ts'
import { sendIdentityError } from './errors.ts'
import { wellKnown } from './metadata.ts'
import { tokenEndpoints } from './token.ts'

/** The identity endpoints (specification 4.2). Forms and cookies are known here only. */
export async function identity(
  scope: FastifyInstance,
  runtime: Runtime,
  tokens: Tokens,
  signIn: SignIn,
  failures: FailureLimiter,
) {
  await scope.register(cookie)
  await scope.register(formbody)
  scope.setErrorHandler((error, request, reply) => sendIdentityError(error, request, reply))
  await scope.register(async (pages) => authorization(pages, runtime, tokens, signIn))
  tokenEndpoints(scope, runtime, tokens, failures)
  wellKnown(scope, runtime, tokens)
  refuseOtherMethods(scope, identityDocument)
}
