/** The list with one element at another place, both counted from 0. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const target = Math.max(0, Math.min(list.length - 1, to))
  const element = list[from]
  if (element === undefined || from === target) return [...list]
  return list.toSpliced(from, 1).toSpliced(target, 0, element)
}
