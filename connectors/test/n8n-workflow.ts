/** Stands for what n8n's own package gives the nodes when they run; their types come from the real one. */
export const NodeConnectionTypes = { Main: 'main' } as const

type Failure = { message?: string; description?: string; httpCode?: string; itemIndex?: number }

export class NodeApiError extends Error {
  httpCode: string | null = null
  description: string | undefined

  constructor(_node: unknown, failure: Failure, options: Failure = {}) {
    // as there: what is one already stays what it is
    if (failure instanceof NodeApiError) return failure
    super(options.message ?? failure.message)
    this.httpCode = options.httpCode ?? null
    this.description = options.description ?? undefined
  }
}

export class NodeOperationError extends Error {
  constructor(_node: unknown, message: string) {
    super(message)
  }
}
