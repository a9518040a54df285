import { customers } from './dictionary/customers.ts'
import { platform } from './dictionary/platform.ts'
import { conversations } from './dictionary/conversations.ts'
import { work } from './dictionary/work.ts'

const dictionary = new Map(Object.entries({ ...platform, ...customers, ...work, ...conversations }))

/** What a member of a schema of this title is; undefined where nobody has said it. */
export function descriptionOf(name: string, title = ''): string | undefined {
  return entryOf(name, title)?.[0]
}

/** A value that a member could have; undefined where none is known, null where it is mostly absent. */
export function exampleFor(name: string, title = ''): unknown {
  return entryOf(name, title)?.[1]
}

function entryOf(name: string, title: string) {
  // `CompanyCreate`, `EventCompany` and the like are the same record
  const record = title.replace(/^(?:Event|Application|Integration|Merged|Unmerged)/, '')
  const whole = record.replace(/(?:Create|Update|Input)$/, '')
  return (
    dictionary.get(`${title}.${name}`) ?? dictionary.get(`${whole}.${name}`) ?? dictionary.get(name)
  )
}
