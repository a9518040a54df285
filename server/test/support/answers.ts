import ajvFormats from 'ajv-formats'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import { isLocale, isTimeZone } from '../../src/kit/ground/time.ts'
import type { OpenApi } from '../../src/surfaces/openapi.ts'
import { routerPath } from '../../src/surfaces/route.ts'
import { atEnd } from './finally.ts'

export type Answer = {
  method: string
  /** the path as the router has it, such as `/api/company/:id/`; undefined when there is none */
  route: string | undefined
  status: number
  contentType: string
  body: string
  /** only some fields were asked for, so that others may be absent */
  isPartial?: boolean
}

/** Returns what is wrong with an answer by the API document; undefined if it is as described. */
export type CheckAnswer = (answer: Answer) => string | undefined

/** What no caller should ever read in an error. */
const internals =
  /node_modules|\bat [^";]+:\d+:\d+|\.ts\b|\bselect\b.+\bfrom\b|perennial_service|\bECONN|\bpg_(catalog|class|stat|temp)/i

/** Validates values against schemas of the document, by JSON pointer. */
export function schemaCheck(document: OpenApi) {
  // hundreds of schemas, each used a few times: compiling them takes the time
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    code: { optimize: false },
  })
  ajvFormats.default(ajv, ['email', 'uri', 'date'])
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  ajv.addFormat('time-zone', isTimeZone)
  ajv.addFormat('locale', isLocale)
  for (const format of ['web-address', 'color', 'tag']) ajv.addFormat(format, true)
  ajv.addSchema(document, 'document')
  const validators = new Map<string, ValidateFunction>()
  /** what is wrong; undefined when nothing is */
  return (pointer: string, value: unknown, isPartial = false): string | undefined => {
    let validate = validators.get(pointer)
    if (!validate) {
      // braces and the like are not allowed in a URI's fragment
      const $ref = `document#${encodeURI(pointer)}`
      validators.set(pointer, (validate = ajv.compile({ $ref })))
    }
    if (validate(value)) return undefined
    const errors = validate.errors!.filter(({ keyword }) => !isPartial || keyword !== 'required')
    return errors.length ? ajv.errorsText(errors, { dataVar: 'body' }) : undefined
  }
}

const checks = new WeakMap<OpenApi, CheckAnswer>()

/** The check of a document, made once: the services of all files of a process share it. */
function checkOf(document: OpenApi): CheckAnswer {
  let check = checks.get(document)
  if (!check) checks.set(document, (check = answerCheck(document)))
  return check
}

/** Checks answers: documented status, body of the documented schema, errors in the one envelope. */
export function answerCheck(document: OpenApi): CheckAnswer {
  const problems = schemaCheck(document)
  const operations = new Map<string, [pointer: string, operation: any]>()
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const pointer = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`
      operations.set(keyOf(method.toUpperCase(), routerPath(path)), [pointer, operation])
    }
  }

  function wrong(answer: Answer): string | undefined {
    const { method, route, status, contentType, body } = answer
    const isJson = contentType.startsWith('application/json')
    if (status === 500) return 'an unexpected error'
    if (status >= 400 && internals.test(body)) return 'internals are shown'
    const [pointer, operation] = operations.get(keyOf(method, route ?? '')) ?? []
    // the router's own refusals, such as 404 and 405, have no place in the document
    if (!operation) return status >= 400 && isJson ? wrongRefusal(answer) : undefined
    const response = operation.responses[status]
    if (!response) return 'a status that is not in the document'
    if (response.$ref) return isJson ? wrongError(status, body) : `${contentType} instead of JSON`
    // shown where the caller prefers it
    if (!body && response.headers?.['Preference-Applied']) return undefined
    if (!response.content) return body ? 'a body where there should be none' : undefined
    const type = contentType.split(';')[0]!
    if (!response.content[type])
      return `${type || 'no content'} instead of ${Object.keys(response.content)}`
    if (!isJson) return undefined
    const at = `${pointer}/responses/${status}/content/application~1json/schema`
    return problems(at, JSON.parse(body), answer.isPartial)
  }

  /** MCP refuses messages in its own protocol, and all that is ahead of it as the others do. */
  function wrongRefusal({ route, status, body }: Answer): string | undefined {
    const isMessage = route === '/mcp' && JSON.parse(body).jsonrpc === '2.0'
    return isMessage ? undefined : wrongError(status, body)
  }

  function wrongError(status: number, body: string): string | undefined {
    const value = JSON.parse(body)
    const problem = problems('/components/schemas/Error', value)
    if (problem) return problem
    // the two envelopes: authentication and signature errors, and all others
    return (status === 401) === 'error' in value ? undefined : 'the wrong envelope'
  }

  return (answer) => {
    const problem = wrong(answer)
    if (!problem) return undefined
    const { method, route, status, body } = answer
    return `${method} ${route} answered ${status}: ${problem}\n${body.slice(0, 2000)}`
  }
}

/** With and without its last slash a path is the same. */
function keyOf(method: string, route: string): string {
  return `${method} ${route.replace(/(?<=.)\/$/, '')}`
}

/**
 * Checks every JSON answer of a server. One that differs from the document becomes a 500 that
 * says why, and makes the test file fail at its end whatever the test itself checks.
 */
export function watchAnswers(app: FastifyInstance, document: () => OpenApi) {
  const wrong: string[] = []
  app.addHook('onSend', async (request, reply, payload) => {
    const isText = typeof payload === 'string' || payload === undefined || payload === null
    if (!isText || request.method === 'HEAD') return payload
    const problem = checkOf(document())({
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      contentType: String(reply.getHeader('content-type') ?? ''),
      body: payload ?? '',
      isPartial: /[?&]fields=/.test(request.url),
    })
    if (!problem) return payload
    wrong.push(problem)
    reply.code(500).header('content-type', 'text/plain')
    return problem
  })
  atEnd(async () => {
    if (wrong.length) throw new Error(`Not as the document says:\n${wrong.join('\n')}`)
  })
}
