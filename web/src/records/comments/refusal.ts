import type { Problem } from '../../api/problem.ts'
import type { Draft } from '../../data/comments.ts'
import { t } from '../../locales/text.ts'

/** The message of a refusal, with the names of people who cannot be mentioned. */
export function refusalOf(
  { message, fields, requestId }: Problem,
  mentions: Draft['mentions'],
): string {
  const [first] = fields
  const [, index] = /^(?:mentions|visible_to_users)\.(\d+)$/.exec(first?.field ?? '') ?? []
  const person = index === undefined ? undefined : mentions[Number(index)]
  if (person)
    return t('{full_name} cannot see this, and so cannot be mentioned here.', {
      full_name: person.full_name,
    })
  const text = first ? first.message : message
  return requestId ? t('{text} (request {requestId})', { text, requestId }) : text
}
