import type { Context, PublicContext } from './context.ts'
import type { Upload } from './files.ts'
import type { Static, TSchema } from 'typebox'
import type { JSONSchema } from './json-schema.ts'
import type { Lane } from './limits.ts'

export type Action = 'create' | 'read' | 'update' | 'delete'

/** What reads say of a record that the caller may do with it. */
export type RecordAction = 'update' | 'delete' | 'restore'

/**
 * Who may call: a permission on a module (`or` on one of others), any signed-in caller, or anyone at
 * all. Data, so that the surfaces can refuse before a body is read and the API document can state it.
 */
export type Can =
  | { module: string; action: Action; or?: string | string[] }
  | 'signed_in'
  | 'anyone'

/**
 * The checked input of an operation. `address` is the caller's network address, for counting failures,
 * and `user_agent` the name of its program; `url` the requested path and query, for links to other
 * pages; `file` the upload of a form, where the route takes one; `ifMatch` the versions of the record
 * that may be changed, any when absent.
 */
/* oxlint-disable typescript/no-explicit-any -- each operation narrows its own input */
export type Input = {
  params: any
  query: any
  body: any
  address: string
  user_agent?: string
  url: string
  file?: Upload
  ifMatch?: number[]
}
/* oxlint-enable typescript/no-explicit-any */

/** The schemas of what an operation takes: names in the path, query, body. */
export type Inputs = { params?: TSchema; query?: TSchema; body?: TSchema }

/** The checked input of an operation with these schemas. */
export type InputOf<I extends Inputs> = Omit<Input, 'params' | 'query' | 'body'> & {
  params: I extends { params: infer S extends TSchema } ? Static<S> : Empty
  query: I extends { query: infer S extends TSchema } ? Static<S> : Empty
  body: I extends { body: infer S extends TSchema } ? Static<S> : undefined
}

type Empty = { [name: string]: never }

/** An operation that anyone may call has to identify its caller itself; see `PublicContext`. */
type ContextOf<C extends Can> = [C] extends ['anyone'] ? PublicContext : Context

type Typed<I extends Inputs, C extends Can> = {
  before?(ctx: ContextOf<C>, input: InputOf<I>): Promise<void>
  run(ctx: ContextOf<C>, input: InputOf<I>): Promise<unknown>
}

type Declaration<I extends Inputs, C extends Can> = Omit<
  Operation,
  'can' | 'input' | 'output' | keyof Typed<I, C>
> & {
  can: C
  input: I
  output: TSchema | null
  // the schemas alone decide the types, also where another operation is spread into this one
} & Typed<NoInfer<I>, NoInfer<C>>

/** An operation whose `run` knows the types of its input; see `operation`. */
export type TypedOperation<I extends Inputs, C extends Can = Can> = Omit<
  Operation,
  'input' | 'run'
> & {
  input: { [K in keyof I]: I[K] & JSONSchema }
} & Pick<Typed<I, C>, 'run'>

/** Declares an operation: the types of its input follow from the schemas. */
export function operation<const I extends Inputs, const C extends Can>(
  declared: Declaration<I, C>,
): TypedOperation<I, C> {
  return declared as unknown as TypedOperation<I, C>
}

/** The only unit of behaviour, independent of HTTP. */
export type Operation = {
  /** unique, snake_case, verb first: `create_company` */
  name: string
  summary: string
  description?: string
  can: Can
  /** true when it runs in a write transaction */
  writes: boolean
  /** it supports If-Match: 412 if the record has another version */
  isVersioned?: boolean
  /** the scopes of which it needs one, where that depends on the request; for the document */
  scopes?: string[]
  /** the connections that it uses, where they are not those of ordinary reads and writes */
  lane?: Lane
  input: { params?: JSONSchema; query?: JSONSchema; body?: JSONSchema }
  /** the heading of the API document, where it is not the module of `can` */
  topic?: string
  /** the description of a 200 in place of 201: nothing was created */
  existing?: string
  /**
   * its version changes with any part of the answer: 304 for callers that have it (RFC 9110,
   * If-None-Match)
   */
  isRevalidated?: boolean
  /** the description of a 308: the record of the path is found under another id */
  moved?: string
  /** other names that the body may use for a property */
  aliases?: { [name: string]: string }
  /** the object of the body that may hold its properties instead: errors name them under it */
  within?: string
  /** the body of a success; null when there is none */
  output: JSONSchema | null
  /** the success is not JSON but of this media type or range of types: a `Stream` or a `Download` */
  gives?: string
  /** integration scope if it does not follow from `can`; null if any valid token is enough */
  scope?: string | null
  /** it returns a secret of the caller, which nobody may read as somebody else */
  isSecret?: boolean
  /** anyone may call it, but a bearer token that is sent along has to be good: else 401 */
  checksBearer?: boolean
  /** it may make room, so that it asks the quota of rows itself */
  mayFree?: boolean
  /** only for sessions of the person, not for personal access tokens */
  needsSession?: boolean
  /** open to a session that first has to set up one-time codes */
  enrols?: boolean
  /** only for pages of this service: requests of other sites are refused */
  fromPages?: boolean
  /** network calls that a write needs before its transaction; it refuses by throwing */
  before?(ctx: Context, input: Input): Promise<void>
  run(ctx: Context, input: Input): Promise<unknown>
}

/** What an operation answers besides its body; each surface renders it in its own way. */
export type Meta = {
  /** false when an upsert found the record and updated it */
  created?: boolean
  /** the id of the record written */
  id?: string
  /** the version of the record, for ETag */
  version?: number
  /** the value of `Set-Cookie` */
  cookie?: string
  /** further headers of the operation, by lower-case name; documented in `openapi-parts.ts` */
  headers?: { [name: string]: string }
  /** an offset page: whether there is another one after it, and the total when requested */
  page?: {
    number: number
    size: number
    more: boolean
    total?: number
    /** where this page began, when the request named a row and not a page */
    offset?: number
    /** where the next page begins, when this one is shorter than requested */
    next?: number
  }
}

export class Answer {
  /** a value, or a function that returns it: called inside the transaction, and only if it is shown */
  body: unknown
  meta: Meta
  constructor(body: unknown, meta: Meta = {}) {
    this.body = body
    this.meta = meta
  }
}

/**
 * An answer that is written as fast as the client reads it, such as an export or a live feed: chunks
 * are read one at a time; `signal` is aborted when the caller goes away or the service stops, and ends
 * what waits. With a `name` it is a file to save.
 */
export class Stream {
  /** the media type */
  type: string
  pieces: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>
  name: string | undefined
  constructor(type: string, pieces: Stream['pieces'], name?: string) {
    this.type = type
    this.pieces = pieces
    this.name = name
  }
}

/** JSON that is already text: rows are written straight from the database's own text. */
export class Json {
  text: string
  constructor(text: string) {
    this.text = text
  }
  /** Texts of rows, separated by commas, between two texts. */
  static of(before: string, texts: string[], after: string): Json {
    const parts = texts.length ? [...texts] : ['']
    // written around the result, they would make a rope, of which the engine makes a whole copy when it is read
    parts[0] = before + parts[0]
    parts[parts.length - 1] += after
    return new Json(parts.join())
  }
}
