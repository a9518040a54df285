import { hunksOf } from './hunks.ts'

type Props = {
  before: string
  after: string
  /** how many words stay around a change; all if it is not said */
  around?: number | undefined
}

/** A text with the words that are gone and those that are new. */
export function ChangedWords({ before, after, around }: Props) {
  const [old, now] = [before.split(/(?<=\s)/), after.split(/(?<=\s)/)]
  const hunks = hunksOf(old, now)
  const last = hunks.at(-1)?.until ?? 0
  const parts = hunks.flatMap(({ at, until, blocks }, number) => {
    const same = old.slice(hunks[number - 1]?.until ?? 0, at)
    const gone = old.slice(at, until).join('')
    const added = blocks.join('')
    return [
      folded(same, around, number ? 'between' : 'before'),
      gone ? <del key={`- ${at}`}>{gone}</del> : null,
      added ? <ins key={`+ ${at}`}>{added}</ins> : null,
    ]
  })
  return (
    <>
      {parts}
      {folded(old.slice(last), around, 'behind')}
    </>
  )
}

/** Words that stay: only those next to a change, where there are many. */
function folded(
  words: string[],
  around: number | undefined,
  where: 'before' | 'between' | 'behind',
) {
  if (around === undefined || words.length <= 2 * around + 2) return words.join('')
  const begin = where === 'before' ? '' : words.slice(0, around).join('')
  const end = where === 'behind' ? '' : words.slice(-around).join('')
  return `${begin}… ${end}`
}
