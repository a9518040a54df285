import type { Operation } from '../kit/ground/operation.ts'
import { withDeleted } from '../kit/read/deleted.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { groupsOf } from '../records/modules/groups.ts'
import type { UploadLimit } from './upload.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Method and path of an operation. Pure data: the tables in the two `routes.ts` are the whole API. */
export type Route = {
  method: Method
  path: string
  operation: Operation
  /** the status of a success */
  status: number
  /** the success has no body; the id is in Location and X-Record-Id */
  empty?: boolean
  /** the success is wrapped: `data` → `{data: …}`, `project_id` adds the id beside it */
  envelope?: 'data'
  /** the path of the new record, whose last parameter is its id; others are those of the request */
  location?: string
  /** the body may also be a form with a file */
  upload?: UploadLimit
}

type Extra = Partial<Pick<Route, 'status' | 'empty' | 'envelope' | 'location' | 'upload'>>

export function get(path: string, operation: Operation, extra: Extra = {}): Route {
  return { method: 'GET', path, operation, status: 200, ...extra }
}

export function post(path: string, operation: Operation, extra: Extra = {}): Route {
  // a route below a record's own path creates no record with a path
  const location = path.includes('{') ? undefined : `${path}{id}/`
  return { method: 'POST', path, operation, status: 200, location, ...extra }
}

export function put(path: string, operation: Operation, extra: Extra = {}): Route {
  return { method: 'PUT', path, operation, status: 200, ...extra }
}

export function patch(path: string, operation: Operation, extra: Extra = {}): Route {
  return { method: 'PATCH', path, operation, status: 200, ...extra }
}

export function del(path: string, operation: Operation, extra: Extra = {}): Route {
  return { method: 'DELETE', path, operation, status: 204, ...extra }
}

type Verb = 'list' | 'read' | 'create' | 'update' | 'remove' | 'restore'

/** The routes of a plain record, for one line of a table. */
export function plain(
  path: string,
  operations: { [verb in Verb]: Operation },
  record: AnyRecord,
): Route[] {
  return [
    ...listed(path, operations.list, record),
    post(path, operations.create, { status: 201 }),
    get(`${path}{id}/`, operations.read),
    put(`${path}{id}/`, operations.update),
    patch(`${path}{id}/`, operations.update),
    del(`${path}{id}/`, operations.remove),
    post(`${path}{id}/restore/`, operations.restore),
  ]
}

/** A list of records that can be restored, deleted ones too, and the same records in groups. */
export function listed(path: string, list: Operation, record: AnyRecord): Route[] {
  return [get(path, withDeleted(list)), get(`${path}groups/`, groupsOf(record, list))]
}

/** `{id}` in a path, as the specification writes it, for the router: `:id`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
