/** A piece of a line that is read in one direction. */
export type Directed = { text: string; isRightToLeft: boolean }

/**
 * The pieces of a line in the order in which they stand from left to right: those of right-to-left scripts
 * among others, or the other way round where the line begins in one. A simple form of Unicode's UAX #9: numbers
 * are read from the left, and signs between two letters of one direction belong to them.
 */
export function inVisualOrder(letters: string[]): Directed[] {
  const found = letters.map(directionOf)
  const base = found.find((each) => each === 'left' || each === 'right') ?? 'left'
  let last = base
  const strong = found.map((each) => {
    if (each === 'left' || each === 'right') last = each
    // a number after letters that are read from the left is one of them
    return each === 'number' && last === 'left' ? 'left' : each
  })
  const resolved = strong.map((each, i) => {
    if (each !== 'neutral') return each === 'number' ? 'left' : each
    const before = sideOf(strong.slice(0, i).findLast((other) => other !== 'neutral') ?? base)
    const after = sideOf(strong.slice(i + 1).find((other) => other !== 'neutral') ?? base)
    return before === after ? before : base
  })
  const pieces: Directed[] = []
  for (const [i, letter] of letters.entries()) {
    const isRightToLeft = resolved[i] === 'right'
    const piece = pieces.at(-1)
    if (piece?.isRightToLeft === isRightToLeft) piece.text += letter
    else pieces.push({ text: letter, isRightToLeft })
  }
  return base === 'right' ? pieces.reverse() : pieces
}

type Direction = 'left' | 'right' | 'number' | 'neutral'

/** How a number counts beside a sign: among letters of a right-to-left script. */
function sideOf(direction: Direction): 'left' | 'right' {
  return direction === 'left' ? 'left' : 'right'
}

function directionOf(letter: string): Direction {
  if (/^\p{Nd}/u.test(letter)) return 'number'
  if (rightToLeft.test(letter)) return 'right'
  return /^\p{L}/u.test(letter) ? 'left' : 'neutral'
}

const rightToLeft =
  /^[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
