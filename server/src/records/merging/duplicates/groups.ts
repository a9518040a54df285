import type { Context } from '../../../kit/ground/context.ts'
import { sql } from '../../../kit/ground/sql.ts'
import type { Likeness, Row } from './likeness.ts'
import { areSame } from './likeness.ts'
import type { Place, Window } from './walk.ts'
import { afterAll, neighbours, placeOf } from './walk.ts'

/** The minimum similarity of two texts, as pg_trgm counts common trigrams. */
const leastSimilarity = 0.6

/**
 * Possible duplicates, and the position of the walk after them. `similarity` is that of the least
 * similar pair, if they were found by similar names.
 */
export type Group = { rows: Row[]; similarity?: number; place: Place }

/** The groups in a window of a walk. */
export async function groupsOf(
  ctx: Context,
  likeness: Likeness,
  place: Place,
  window: Window,
): Promise<Group[]> {
  return place.walk.similar
    ? similarGroups(ctx, likeness, place, window)
    : sameGroups(likeness, place, window)
}

/** Rows with the same value, without those that an earlier walk has found. */
function sameGroups({ walks }: Likeness, place: Place, { rows, complete }: Window): Group[] {
  const { column } = place.walk
  const groups: Group[] = []
  const whole = rows.slice(0, complete)
  for (const run of Map.groupBy(whole, (row) => row[column]).values()) {
    const isKnown = walks.slice(0, place.at).some((earlier) => areSame(run, earlier.column))
    const last = run.at(-1)
    if (run.length < 2 || isKnown || !last) continue
    groups.push({ rows: run, place: { ...placeOf(place, last), id: afterAll } })
  }
  return groups
}

type Pair = { a: Row; b: Row }

/** Neighbours with the same or nearly the same text; pairs with a common record form one group. */
async function similarGroups(
  ctx: Context,
  likeness: Likeness,
  place: Place,
  { rows, complete }: Window,
): Promise<Group[]> {
  const pairs = rows
    .slice(0, complete)
    .flatMap((a, i) =>
      rows
        .slice(i + 1, i + 1 + neighbours)
        .flatMap((b): Pair[] => (mayBeOne(likeness, place, a, b) ? [{ a, b }] : [])),
    )
  if (!pairs.length) return []
  const { column } = place.walk
  const [left, right] = [pairs.map(({ a }) => a[column]), pairs.map(({ b }) => b[column])]
  const scored = await ctx.all<{ n: number; similarity: number }>(sql`
    select n, similarity(a, b) as similarity
    from unnest(${left}::text[], ${right}::text[]) with ordinality as pair (a, b, n)
    where similarity(a, b) >= ${leastSimilarity}::real`)
  const groupOf = new Map<Row, { members: Set<Row>; similarity: number }>()
  for (const { n, similarity } of scored) {
    const pair = pairs[Number(n) - 1]
    if (!pair) continue
    const joined = { members: new Set([pair.a, pair.b]), similarity }
    for (const each of [groupOf.get(pair.a), groupOf.get(pair.b)]) {
      each?.members.forEach((member) => joined.members.add(member))
      joined.similarity = Math.min(joined.similarity, each?.similarity ?? 1)
    }
    for (const member of joined.members) groupOf.set(member, joined)
  }
  const order = new Map(rows.map((row, i) => [row, i]))
  return [...new Set(groupOf.values())].flatMap(({ members, similarity }) => {
    const sorted = [...members].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    const end = Math.min(order.get(sorted.at(-1) as Row) ?? 0, complete - 1)
    const last = rows[end]
    return last ? [{ rows: sorted, similarity, place: placeOf(place, last) }] : []
  })
}

function mayBeOne({ walks, apart }: Likeness, { at, walk }: Place, a: Row, b: Row): boolean {
  if (walks.slice(0, at).some(({ column }) => areSame([a, b], column))) return false
  if (apart && a[apart.column] && b[apart.column] && a[apart.column] !== b[apart.column]) {
    return false
  }
  const { column } = walk
  if (!couldBeSimilar(String(a[column]), String(b[column]))) return false
  // "Plant 5" and "Plant 6" are very similar, but different
  return Boolean(a[column]) && digits(a[column]) === digits(b[column])
}

/** False if one is so much longer that they cannot have enough in common. */
function couldBeSimilar(a: string, b: string): boolean {
  const [short, long] = [Math.min(a.length, b.length), Math.max(a.length, b.length)]
  // a word has as many trigrams as letters, plus two
  return (short + 2) / (long + 2) >= leastSimilarity * 0.75
}

function digits(text: unknown): string {
  return String(text).replace(/\D/g, '')
}
