import assert from 'node:assert/strict'

type Row = { [field: string]: any }

/** What each of these records has, by a path of names into what a read shows; there are no others. */
export function assertRows(found: Row[], key: string, expected: { [name: string]: Row }) {
  assert.deepEqual(found.map((each) => each[key]).sort(), Object.keys(expected).sort())
  for (const [name, fields] of Object.entries(expected)) {
    const row = found.find((each) => each[key] === name)!
    for (const [path, value] of Object.entries(fields)) {
      assert.deepEqual(at(row, path), value, `${name}: ${path}`)
    }
  }
}

/** A member of a record; custom fields of deals are a list. */
function at(row: Row, path: string): unknown {
  return path.split('.').reduce<any>((value, name) => {
    if (Array.isArray(value) && value[0]?.key) {
      return value.find(({ key }: Row) => key === name)?.value
    }
    return value?.[name] ?? null
  }, row)
}
