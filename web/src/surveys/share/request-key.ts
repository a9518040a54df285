/**
 * The idempotency key of what a form sends: the same for a body that is sent again, since an answer that was lost may
 * have been a success. `renew` it after an answer that is final.
 */
export function requestKey(): { of: (body: object) => string; renew: () => void } {
  let last: { key: string; text: string } | undefined
  return {
    of(body) {
      const text = JSON.stringify(body)
      if (last?.text !== text) last = { key: crypto.randomUUID(), text }
      return last.key
    },
    renew() {
      last = undefined
    },
  }
}

/** Whether a refusal is stored as the answer to its key: not where none came, nor where it may still succeed. */
export function isFinal({ status, code }: { status: number; code: string }): boolean {
  return status >= 400 && status < 500 && status !== 429 && code !== 'in_flight'
}
