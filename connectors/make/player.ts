import type { Scope } from './iml.ts'
import { evaluate } from './iml.ts'

type Directive = { [name: string]: any }
type Response = { statusCode: number; headers: Scope; body: unknown }

/** A refusal as shown in a scenario. */
export class MakeError extends Error {
  type: string

  constructor(message: string, type = 'RuntimeError') {
    super(message)
    this.type = type
  }
}

/** The generated files of a Make app, by their paths. */
export type App = (path: string) => any

/** What Make stores for a connection: the typed fields, and the data from its answers. */
export type Connection = { parameters: Scope; data: Scope; label?: unknown }

/**
 * Runs a Make app against a real server, without Make: implements only what the generated files use.
 * This does not prove that Make itself does the same.
 */
export class Player {
  #app: App
  #connection: Connection

  constructor(app: App, parameters: Scope) {
    this.#app = app
    this.#connection = { parameters, data: {} }
  }

  get connection(): Connection {
    return this.#connection
  }

  get #communication(): { [step: string]: Directive } {
    return this.#app('connections/perennial/perennial.oauth-communication.iml.json')
  }

  /** Authorizes: `approve` opens the address in a browser and returns the code. Then gets tokens and the identity. */
  async connect(redirectUri: string, approve: (url: string) => Promise<string>): Promise<void> {
    const { authorize, token, info } = this.#communication
    const oauth = { redirectUri }
    const opened = { url: authorize?.url, qs: authorize?.qs }
    const { url, qs } = evaluate(opened, this.#scope({ oauth })) as Directive
    // the state belongs to Make, and is returned to it
    const query = {
      code: await approve(`${url}?${new URLSearchParams({ ...qs, state: 'of Make' })}`),
    }
    const temp = evaluate(authorize?.response.temp, this.#scope({ query })) as Scope
    await this.#step(token, { oauth, temp })
    await this.#step(info)
  }

  /** Revokes the connection, as its deletion in Make does. */
  async invalidate(): Promise<void> {
    await this.#step(this.#communication.invalidate)
  }

  /** Runs an action, a search or a universal module; returns its bundles. */
  async module(id: string, parameters: Scope): Promise<any[]> {
    return this.#run(this.#app(`modules/${id}/${id}.communication.iml.json`), { parameters })
  }

  /** Runs a trigger that asks; `state` is what Make stores of it. Returns what it has not had before. */
  async watch(id: string, parameters: Scope, state: { lastDate?: Date }): Promise<any[]> {
    const directive: Directive = this.#app(`modules/${id}/${id}.communication.iml.json`)
    const { date } = directive.response.trigger as { date: string }
    const dateOf = (item: unknown) => new Date(String(evaluate(date, { item })))
    const items = await this.#run(directive, { parameters, data: state })
    const { lastDate } = state
    const fresh = items
      .filter((item) => !lastDate || dateOf(item) > lastDate)
      .toSorted((a, b) => +dateOf(a) - +dateOf(b))
    const last = fresh.at(-1)
    if (last) state.lastDate = dateOf(last)
    return fresh
  }

  /** What Make offers as the place where such a trigger begins. */
  async epoch(id: string): Promise<any[]> {
    const file = (name: string): Directive => this.#app(`modules/${id}/${id}.${name}.iml.json`)
    const [own, changes] = [file('communication'), file('epoch')]
    const response = { ...own.response, ...changes.response }
    const asked = { ...own, ...changes, qs: { ...own.qs, ...changes.qs }, response }
    return this.#run(asked, { parameters: { modules: ['companies'] }, data: {} })
  }

  async rpc(id: string, parameters: Scope = {}): Promise<any[]> {
    return this.#run(this.#app(`rpcs/${id}/${id}.communication.iml.json`), { parameters })
  }

  /** Attaches a webhook; returns functions to detach it, and to turn a delivery into a bundle. */
  async attach(id: string, url: string, parameters: Scope) {
    const file = (name: string) => this.#app(`webhooks/${id}/${id}.${name}.iml.json`)
    const webhook: Scope = { url }
    const response = await this.#request(file('attach'), { parameters, webhook })
    Object.assign(webhook, evaluate(file('attach').response.data, this.#scope({ ...response })))
    return {
      detach: () => this.#request(file('detach'), { webhook }),
      receive: (body: unknown) => evaluate(file('communication').output, { body }) as Scope,
    }
  }

  #scope(more: Scope): Scope {
    const { parameters, data } = this.#connection
    const now = new Date()
    const connection = { ...parameters, ...data }
    return { parameters, data, connection, now, timestamp: Math.floor(+now / 1000), ...more }
  }

  /** One request of the connection itself, which does not inherit from the base. */
  async #step(directive: Directive | undefined, more: Scope = {}) {
    if (!directive) throw new MakeError('The connection lacks a step')
    const { response: _, condition: __, ...request } = directive
    const response = await send(evaluate(request, this.#scope(more)) as Directive)
    refuse(response, directive.response?.error, this.#scope({}))
    const scope = this.#scope({ ...response, ...more })
    Object.assign(this.#connection.data, evaluate(directive.response?.data ?? {}, scope))
    const label = evaluate(directive.response?.metadata?.value, scope)
    if (label) this.#connection.label = label
  }

  async #run(directive: Directive, more: Scope): Promise<unknown[]> {
    const { response: answer, pagination } = directive
    const { iterate, output } = answer
    const limit = Number(evaluate(answer.limit, this.#scope(more)) ?? Infinity)
    const found: unknown[] = []
    let paged: Directive = directive
    for (let page = 1; ; page++) {
      const response = await this.#request(paged, { ...more, pagination: { page } })
      const scope = this.#scope({ ...more, ...response, pagination: { page: page + 1 } })
      if (!iterate) return [evaluate(output, scope)]
      const items = evaluate(iterate.container ?? iterate, scope) as unknown[]
      for (const item of items) {
        const own = { ...scope, item }
        if (iterate.condition && !evaluate(iterate.condition, own)) continue
        found.push(evaluate(output, own))
        if (found.length === limit) return found
      }
      if (!pagination || !evaluate(pagination.condition, scope)) return found
      paged = {
        ...directive,
        qs: { ...directive.qs, ...(evaluate(pagination.qs, scope) as Scope) },
      }
    }
  }

  /** One request merged with the base; the tokens are refreshed when they are about to expire. */
  async #request(directive: Directive, more: Scope): Promise<Response> {
    const { refresh } = this.#communication
    if (evaluate(refresh?.condition, this.#scope({}))) await this.#step(refresh)
    const base = this.#app('general/base.iml.json')
    const own = evaluate(
      { ...directive, response: {}, pagination: {} },
      this.#scope(more),
    ) as Directive
    const common = evaluate({ ...base, response: {} }, this.#scope(more)) as Directive
    const response = await send({
      ...own,
      url: common.baseUrl + own.url,
      headers: { ...common.headers, ...own.headers },
    })
    refuse(response, directive.response?.error ?? base.response.error, this.#scope(more))
    return response
  }
}

async function send({ url, method = 'GET', qs = {}, headers = {}, body, type }: Directive) {
  const isForm = type === 'urlencoded'
  const query = Object.entries<any>(qs).filter(([, value]) => value !== undefined)
  const form = isForm ? new URLSearchParams(body) : undefined
  const content = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(query.length ? `${url}?${new URLSearchParams(query)}` : url, {
    method,
    headers: {
      ...(!isForm && body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && method !== 'GET' && { body: form ?? content }),
  })
  const received = Object.fromEntries(answer.headers)
  const text = await answer.text()
  return { statusCode: answer.status, headers: received, body: text ? JSON.parse(text) : undefined }
}

function refuse(
  { statusCode, headers, body }: Response,
  errors: Directive | undefined,
  scope: Scope,
) {
  if (statusCode < 400) return
  const { message, type } = { ...errors, ...errors?.[String(statusCode)] } as Directive
  const own = { ...scope, body, headers, statusCode }
  throw new MakeError(String(evaluate(message ?? 'Status {{statusCode}}', own)), type)
}
