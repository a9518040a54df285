import type { Config } from '../config.ts'
import { describedIdentity } from '../surfaces/integration/oauth/document.ts'
import type { OpenApi, Surface } from '../surfaces/openapi.ts'
import { openApi } from '../surfaces/openapi.ts'

/** By the one setting that moves paths: all services of a process share what it makes. */
const documents = new Map<string, OpenApi>()

/** The API document of these surfaces, made when it is first needed: few processes are asked for it. */
export function documentOf(surfaces: Surface[], { automationSegment }: Config): OpenApi {
  let document = documents.get(automationSegment)
  if (!document) {
    document = openApi(surfaces, [describedIdentity()])
    documents.set(automationSegment, document)
  }
  return document
}
