/** One page of a list, and the cursor of the next one; null on the last. */
export type Page<T> = { results: T[]; next_cursor?: string | null }

type Position = { [name: string]: string }

/**
 * The records of a list, fetched page by page while they are iterated: `for await (const each of list)`.
 * Iterating again starts at the first page. `limit` of the query is the size of a page, at most 500.
 */
export class Pages<T> implements AsyncIterable<T> {
  #read: (position: Position) => Promise<Page<T>>

  constructor(read: (position: Position) => Promise<Page<T>>) {
    this.#read = read
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page
  }

  /** The same in arrays, one per request. */
  async *pages(): AsyncGenerator<T[], void, undefined> {
    for (let position: Position | undefined = {}; position;) {
      const page: Page<T> = await this.#read(position)
      yield page.results
      position = page.next_cursor ? { next_cursor: page.next_cursor } : undefined
    }
  }

  /** The first record, or undefined if there is none. */
  async first(): Promise<T | undefined> {
    for await (const each of this) return each
    return undefined
  }

  /** At most `max` records in one array, all of them by default. */
  async toArray(max = Infinity): Promise<T[]> {
    const all: T[] = []
    if (max <= 0) return all
    for await (const each of this) if (all.push(each) >= max) break
    return all
  }
}

/** One condition of a filter, or several joined; the guide to filters says what each operator takes. */
export type Condition =
  | { field: string; operator: Comparison | Match | `${'last' | 'next'}_x_days`; value: unknown }
  | { field: string; operator: 'is_empty' | 'is_not_empty' | Day | Period }
  | { and: Condition[] }
  | { or: Condition[] }
  | { not: Condition }

type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'in' | 'not_in'
type Match =
  | `${'' | 'not_'}contains`
  | `${'starts' | 'ends'}_with`
  | `contains_${'any' | 'all' | 'none'}`
type Day = 'today' | 'yesterday' | 'tomorrow' | 'past' | 'future'
type Period = `${'current' | 'next' | 'last'}_${'week' | 'month'}` | `current_${'quarter' | 'year'}`
