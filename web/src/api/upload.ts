import { Problem } from './problem.ts'
import { signedIn } from './signed-in.ts'
import { t } from '../locales/text.ts'

type Upload = {
  /** reports the progress, from 0 to 1 */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/**
 * Sends a form with a file and returns the answer's JSON; throws a `Problem`. Unlike `request` it
 * reports its progress. If the session has ended, it waits for the next sign-in and sends again.
 */
export async function upload<T>(path: string, form: FormData, options: Upload): Promise<T> {
  for (;;) {
    const { status, body, requestId } = await sent(path, form, options)
    if (status >= 200 && status < 300) return body as T
    if (status === 401) {
      await signedIn.again(options.signal)
      continue
    }
    const {
      code = 'unexpected_answer',
      message = t('The service answered {status}', { status }),
      errors = [],
    } = (body ?? {}) as { code?: string; message?: string; errors?: Problem['fields'] }
    throw new Problem(status, code, message, { fields: errors, requestId, data: body })
  }
}

type Reply = { status: number; body: unknown; requestId: string | null }

function sent(path: string, form: FormData, { onProgress, signal }: Upload): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.responseType = 'text'
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total)
    })
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        body: parsed(request.responseText),
        requestId: request.getResponseHeader('x-request-id'),
      }),
    )
    request.addEventListener('error', () =>
      reject(
        new Problem(0, 'offline', t('The connection was lost. Check it and try the file again.')),
      ),
    )
    const abort = () => {
      request.abort()
      reject(new DOMException('The upload was cancelled', 'AbortError'))
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    request.send(form)
    return undefined
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
