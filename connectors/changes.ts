import type { RecordModel } from './model.ts'

/** One write that the list of changes tells of. */
export type Change = {
  change_id: string
  module: string
  id: string
  type: 'created' | 'updated' | 'deleted'
  changed_at: string
  [more: string]: unknown
}

/** A page of the list of changes. */
export type ChangePage = { results: Change[]; next_cursor: string; has_more: boolean }

/** How many pages of changes are read at once, each of 500. */
const mostPages = 20

/** What stands ready behind a cursor or a time, read page by page, and the cursor behind it. */
export async function changesAfter(
  page: (since: string) => Promise<ChangePage>,
  since: string,
): Promise<{ found: Change[]; next: string }> {
  const found: Change[] = []
  let next = since
  for (let pages = 0; pages < mostPages; pages++) {
    const { results, next_cursor, has_more } = await page(next)
    found.push(...results)
    next = next_cursor
    if (!has_more) break
  }
  return { found, next }
}

type Item = { [name: string]: unknown }

/** How many records of a kind one request reads. */
const atOnce = 100

/**
 * The changes with the records as they are now, which `list` reads: a request for each hundred of a kind. What is
 * deleted, or gone since, has null.
 */
export async function withRecords(
  records: RecordModel[],
  changes: Change[],
  list: (path: string, query: { [name: string]: string }) => Promise<Item[]>,
): Promise<(Change & { record: Item | null })[]> {
  const found = new Map<string, Item>()
  for (const { id: key, module, list: of } of records) {
    const its = changes.filter((each) => each.module === module && each.type !== 'deleted')
    const ids = [...new Set(its.map(({ id }) => id))]
    for (let at = 0; at < ids.length; at += atOnce) {
      const filter = [{ field: key, operator: 'in', value: ids.slice(at, at + atOnce) }]
      const query = { ...of.query, limit: String(atOnce), filter: JSON.stringify(filter) }
      for (const item of await list(of.path, query))
        found.set(`${module} ${String(item[key])}`, item)
    }
  }
  return changes.map((each) => ({
    ...each,
    record: found.get(`${each.module} ${each.id}`) ?? null,
  }))
}
