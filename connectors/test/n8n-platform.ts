import { Buffer } from 'node:buffer'
import { registerHooks } from 'node:module'

/** Whether the compiled nodes are played with n8n's own package, as `npm run connectors:test` does. */
const isReal = process.env.CI_CONNECTORS === 'required'

// the nodes' one import, which only an n8n has
if (!isReal) {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'n8n-workflow') return next(specifier, context)
      return { url: new URL('n8n-workflow.ts', import.meta.url).href, shortCircuit: true }
    },
  })
}

/** A module of the n8n package. By name, as the root does not install the types that it has. */
export function load(path: string) {
  const file = isReal ? `dist/${path.replace(/ts$/, 'js')}` : path
  return import(new URL(`../n8n/${file}`, import.meta.url).href)
}

export type Credential = {
  baseUrl: string
  functionKey: string
  clientId: string
  clientSecret: string
  access_token: string
  refresh_token: string
}
type Values = { [name: string]: unknown }
type Options = {
  method: string
  url: string
  qs?: { [name: string]: string }
  body?: unknown
  headers: { [name: string]: string }
  ignoreHttpStatusErrors?: { except: number[] }
}

/** What a node may call as `this`, over a real connection; as little of n8n as the nodes need. */
export function platform(credential: Credential, parameters: Values, state: Values = {}) {
  const parameter = (name: string, ...rest: unknown[]) => parameters[name] ?? rest.at(-1)
  return {
    getNode: () => ({ id: 'node-1', name: 'Perennial', type: 'perennial' }),
    getWorkflow: () => ({ id: 'workflow-1', name: 'Greet customers' }),
    getExecutionId: () => state.execution ?? '1',
    getWorkflowDataProxy: () => ({ $runIndex: state.run ?? 0 }),
    getWorkflowStaticData: () => state,
    getNodeWebhookUrl: () => state.url,
    getInputData: () => state.items ?? [{ json: {} }],
    getNodeParameter: parameter,
    continueOnFail: () => Boolean(state.continueOnFail),
    getCredentials: async () => ({ ...credential }),
    getMode: () => state.mode ?? 'trigger',
    helpers: {
      returnJsonArray: (items: unknown) => [items].flat().map((json) => ({ json })),
      httpRequestWithAuthentication: (_name: string, options: Options) => sent(credential, options),
    },
  }
}

/** The answer that a webhook node gives, beside what it starts. */
export function arrival(state: Values, headers: Values, text: string) {
  const answer = { status: 200 }
  const response = {
    status(code: number) {
      answer.status = code
      return { json() {} }
    },
  }
  return {
    answer,
    getWorkflowStaticData: () => state,
    getRequestObject: () => ({ rawBody: Buffer.from(text) }),
    getHeaderData: () => headers,
    getBodyData: () => JSON.parse(text) as unknown,
    getResponseObject: () => response,
    helpers: { returnJsonArray: (json: unknown) => [{ json }] },
  }
}

/** As n8n: on a 401 the token is refreshed once, and what is not to be ignored is thrown. */
async function sent(credential: Credential, options: Options): Promise<unknown> {
  let response = await attempt(credential, options)
  if (response.status === 401) {
    await refresh(credential)
    response = await attempt(credential, options)
  }
  const body = (await response.json()) as unknown
  const { status } = response
  if (status >= 400 && (!options.ignoreHttpStatusErrors || status === 401)) {
    throw Object.assign(new Error(`Request failed with status code ${status}`), {
      response: { status, data: body },
    })
  }
  return { statusCode: status, headers: Object.fromEntries(response.headers), body }
}

function attempt({ access_token }: Credential, { method, url, qs, body, headers }: Options) {
  return fetch(`${url}?${new URLSearchParams(qs)}`, {
    method,
    headers: {
      authorization: `Bearer ${access_token}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function refresh(credential: Credential) {
  const { baseUrl, clientId, clientSecret, refresh_token } = credential
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }),
  })
  const answer = (await response.json()) as Values
  if (!response.ok) throw new Error(String(answer.error))
  Object.assign(credential, answer)
}
