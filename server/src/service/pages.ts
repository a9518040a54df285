import type { FastifyInstance } from 'fastify'
import type { Runtime } from '../runtime.ts'
import { onLane } from '../runtime.ts'
import { docuseal } from '../surfaces/docuseal.ts'
import { inspector } from '../surfaces/inspector.ts'
import { identity } from '../surfaces/integration/oauth/plugin.ts'
import { attemptsOf, failureLimiter } from '../surfaces/limits.ts'
import type { OpenApi } from '../surfaces/openapi.ts'
import { checkPages } from '../surfaces/pages/check.ts'
import { calendarFeedPage } from '../surfaces/pages/feed.ts'
import { logoPage } from '../surfaces/pages/logo.ts'
import { meetingPages } from '../surfaces/pages/meeting.ts'
import { pages } from '../surfaces/pages/plugin.ts'
import { setupPages } from '../surfaces/pages/setup.ts'
import { signingPreviews } from '../surfaces/pages/signing-preview.ts'
import { signingPages } from '../surfaces/pages/signing.ts'
import { surveyScripts } from '../surfaces/pages/survey-embed.ts'
import { resultPages } from '../surfaces/pages/survey-results.ts'
import { surveyPages } from '../surfaces/pages/survey.ts'
import { surveyPreviews } from '../surfaces/pages/survey-preview.ts'
import { unsubscribePages } from '../surfaces/pages/unsubscribe.ts'
import { welcomePages } from '../surfaces/pages/welcome.ts'
import { widgetPages } from '../surfaces/pages/widget.ts'
import { portalPages } from '../surfaces/portal/plugin.ts'
import { serveReference } from '../surfaces/reference.ts'
import type { Tokens } from '../surfaces/tokens.ts'

/** Registers what is not in the route tables: OAuth, pages for people, the portal, DocuSeal, the API reference. */
export async function registerPages(
  app: FastifyInstance,
  runtime: Runtime,
  tokens: Tokens,
  document: () => Promise<OpenApi>,
): Promise<void> {
  // counted separately from sign-ins, because connectors of many customers share an address
  const tokenFailures = failureLimiter(
    attemptsOf(runtime),
    'token',
    runtime.config.rateLimits.login,
  )
  await app.register((scope) => identity(scope, onLane(runtime, 'sign_in'), tokens, tokenFailures))
  const kinds = [
    welcomePages,
    surveyPages,
    surveyPreviews,
    surveyScripts,
    resultPages,
    calendarFeedPage,
    widgetPages,
    signingPages,
    signingPreviews,
    logoPage,
    meetingPages,
    unsubscribePages,
    checkPages,
    setupPages,
  ]
  await app.register((scope) => pages(scope, runtime, kinds))
  await app.register(async (scope) => portalPages(scope, runtime, tokens))
  await app.register(async (scope) => docuseal(scope, runtime))
  await app.register(async (scope) => inspector(scope, runtime))
  await app.register(async (scope) => serveReference(scope, runtime.config, document))
}
