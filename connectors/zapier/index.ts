import { defineApp, version as platformVersion } from 'zapier-platform-core'
import { authentication } from './auth.ts'
import { dropdowns } from './dropdowns.ts'
import packageJson from './package.json' with { type: 'json' }
import { creates, searches, searchOrCreates } from './records.ts'
import { authenticate, refuse } from './requests.ts'
import { triggers } from './triggers.ts'

/** The definition of the Zapier app. */
export default defineApp({
  version: packageJson.version,
  platformVersion,
  authentication,
  beforeRequest: [authenticate],
  afterResponse: [refuse],
  flags: { cleanInputData: false },
  triggers: { ...triggers, ...dropdowns },
  creates,
  searches,
  searchOrCreates,
})
