/** The page with which the service answers a form that a page without the workspace sends; undefined if none comes. */
export async function answerTo(action: string, body: FormData): Promise<Document | undefined> {
  try {
    const answer = await fetch(action, { method: 'POST', body })
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  } catch {
    return undefined
  }
}
