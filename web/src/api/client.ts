import type { paths } from './schema.d.ts'
import type { Answer, Options, Query } from './request.ts'
import { request } from './request.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths of the document that have a method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [method in M]: object } ? P : never
}[keyof paths]

type OperationOf<P extends keyof paths, M extends Method> = paths[P] extends {
  [method in M]: infer O
}
  ? O
  : never

type JsonOf<T> = T extends { content: { 'application/json': infer J } } ? J : null

/** The answer of an operation. */
export type AnswerOf<P extends keyof paths, M extends Method> =
  OperationOf<P, M> extends { responses: infer R } ? JsonOf<R[keyof R]> : never

/** The body of an operation. */
export type BodyOf<P extends keyof paths, M extends Method> =
  OperationOf<P, M> extends { requestBody?: infer B } ? JsonOf<NonNullable<B>> : never

type QueryOf<P extends keyof paths, M extends Method> =
  OperationOf<P, M> extends { parameters: { query?: infer Q } } ? Q : never

type Call<P extends keyof paths, M extends Method> = Omit<Options, 'query' | 'body'> & {
  path?: { [name: string]: string }
  query?: QueryOf<P, M>
  body?: BodyOf<P, M> | FormData
}

async function call<P extends keyof paths, M extends Method>(
  method: M,
  path: P,
  { path: values = {}, query, ...rest }: Call<P, M> = {},
): Promise<Answer<AnswerOf<P, M>>> {
  return request(method.toUpperCase(), filledIn(path, values), {
    ...rest,
    query: (query ?? {}) as Query,
  })
}

/** A path with its parameters filled in, escaped. */
export function filledIn(path: string, values: { [name: string]: string }): string {
  return path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${whole} of ${path} has no value`)
    return encodeURIComponent(value)
  })
}

/** Calls an operation of the document by its path: typed parameters, bodies and answers. */
export const api = {
  get: <P extends PathsOf<'get'>>(path: P, options?: Call<P, 'get'>) => call('get', path, options),
  post: <P extends PathsOf<'post'>>(path: P, options?: Call<P, 'post'>) =>
    call('post', path, options),
  put: <P extends PathsOf<'put'>>(path: P, options?: Call<P, 'put'>) => call('put', path, options),
  patch: <P extends PathsOf<'patch'>>(path: P, options?: Call<P, 'patch'>) =>
    call('patch', path, options),
  delete: <P extends PathsOf<'delete'>>(path: P, options?: Call<P, 'delete'>) =>
    call('delete', path, options),
}
