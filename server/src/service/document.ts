import type { Config } from '../config.ts'
import { atOnce, beside } from '../kit/ground/steps.ts'
import { describedIdentity } from '../surfaces/integration/oauth/document.ts'
import type { OpenApi, Surface } from '../surfaces/openapi.ts'
import { openApi } from '../surfaces/openapi.ts'

/** The cached documents by the one setting that changes paths; shared by all services of a process. */
const documents = new Map<string, OpenApi>()

/** The API document of these surfaces, built when called, because few processes need it. */
export function documentOf(surfaces: Surface[], { automationSegment }: Config): OpenApi {
  let document = documents.get(automationSegment)
  if (!document) {
    document = atOnce(openApi(surfaces, [describedIdentity()]))
    documents.set(automationSegment, document)
  }
  return document
}

/** The same for a request: built on first use, while other requests can run. */
export async function readDocument(surfaces: Surface[], config: Config): Promise<OpenApi> {
  const { automationSegment } = config
  const known = documents.get(automationSegment)
  if (known) return known
  const document = await beside(openApi(surfaces, [describedIdentity()]))
  documents.set(automationSegment, document)
  return document
}
