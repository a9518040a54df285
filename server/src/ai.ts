import { request } from 'undici'
import type { Config } from './config.ts'
import type { Suggest } from './kit/ground/context.ts'

const waitMs = 20_000
/** The maximum length of an answer; a plan of 2,000 tasks is well below. */
const mostBytes = 2 * 1024 * 1024

/**
 * A language model with an OpenAI-compatible API (`POST …/chat/completions`); undefined
 * if none is configured. Returns the object in the model's answer, and throws if there is
 * none: callers have a fallback.
 */
export function suggesterFrom({ aiBaseUrl, aiApiKey, aiModel }: Config): Suggest | undefined {
  if (!aiBaseUrl) return undefined
  const suggest = async ({ instructions, question }: Parameters<Suggest>[0]) => {
    const { statusCode, body } = await request(`${aiBaseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(aiApiKey ? { authorization: `Bearer ${aiApiKey}` } : {}),
      },
      body: JSON.stringify({
        model: aiModel,
        messages: [
          { role: 'system', content: instructions },
          { role: 'user', content: question },
        ],
        response_format: { type: 'json_object' },
        temperature: 0.2,
      }),
      signal: AbortSignal.timeout(waitMs),
    })
    let text = ''
    for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk
      if (text.length > mostBytes) throw new Error('the answer is too long')
    }
    if (statusCode !== 200) throw new Error(`status ${statusCode}`)
    const answer = JSON.parse(text) as { choices?: { message?: { content?: unknown } }[] }
    const content = answer.choices?.[0]?.message?.content
    if (typeof content !== 'string') throw new Error('an answer without content')
    return JSON.parse(content) as unknown
  }
  return Object.assign(suggest, { model: aiModel })
}
