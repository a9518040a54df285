/**
 * A list after two have changed it: lines are mine where I changed them, theirs where they did, mine where both did. A
 * line that one deleted and the other changed stays. `sides` are the list before, mine and theirs.
 */
export function mergedList<Line>(sides: Line[][], idOf: (line: Line) => string): Line[] {
  const [base, mine, theirs] = sides.map((list) => new Map(list.map((line) => [idOf(line), line])))
  if (!base || !mine || !theirs) return []
  const isSame = (a: Line | undefined, b: Line | undefined) =>
    JSON.stringify(a) === JSON.stringify(b)
  const chosen = (id: string) => {
    const [was, own, other] = [base.get(id), mine.get(id), theirs.get(id)]
    return isSame(own, was) ? other : own
  }
  const common = (list: Map<string, Line>, other: Map<string, Line>) =>
    [...list.keys()].filter((id) => other.has(id)).join('\n')
  // whoever moved something decides the order; the other's new lines stand behind those before them
  const isMoved = common(mine, base) !== common(base, mine)
  const [first, second] = isMoved ? [mine, theirs] : [theirs, mine]
  const ids = [...first.keys()]
  let last = -1
  for (const id of second.keys()) {
    const at = ids.indexOf(id)
    if (at >= 0) last = at
    else ids.splice(++last, 0, id)
  }
  return ids.flatMap((id) => chosen(id) ?? [])
}
