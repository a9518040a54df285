import { t } from '../locales/text.ts'

/** An error of one field. */
export type FieldProblem = { field: string; message: string }

/**
 * An unsuccessful answer, or no answer at all (`status` 0: the service cannot be reached). `message` is
 * for people; `requestId` finds the request in the server's log.
 */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly fields: FieldProblem[]
  readonly requestId: string | null
  /** additional data, such as the existing record (409) or the current one (412) */
  readonly data: unknown
  /** for a 412: the fields that were changed since the version that was sent, with their last changes */
  readonly changed: ChangedField[]

  constructor(status: number, code: string, message: string, more: Partial<ProblemParts> = {}) {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.fields = more.fields ?? []
    this.requestId = more.requestId ?? null
    this.data = more.data
    this.changed = more.changed ?? []
  }

  /** The message for one field or a member of it (`custom_fields.plan`). */
  of(field: string): string | undefined {
    return this.fields.find((each) => each.field === field || each.field.startsWith(`${field}.`))
      ?.message
  }
}

/** A field that somebody has changed meanwhile. */
export type ChangedField = {
  field: string
  by: { user_id: string; full_name: string } | null
  at: string
}

type ProblemParts = {
  fields: FieldProblem[]
  requestId: string | null
  data: unknown
  changed: ChangedField[]
}

/** The problem for a refused request, whatever the body of the answer is. */
export async function problemOf(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => null)) as {
    message?: string
    code?: string
    request_id?: string
    errors?: FieldProblem[]
    data?: unknown
    changed?: ChangedField[]
  } | null
  return new Problem(
    response.status,
    body?.code ?? 'unexpected_answer',
    body?.message ?? t('The service answered {status}', { status: response.status }),
    {
      fields: body?.errors ?? [],
      requestId: body?.request_id ?? response.headers.get('x-request-id'),
      data: body?.data,
      changed: body?.changed ?? [],
    },
  )
}

/** Any error as a problem that can be shown. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const message = error instanceof Error ? error.message : String(error)
  return new Problem(0, 'unexpected_error', message)
}
