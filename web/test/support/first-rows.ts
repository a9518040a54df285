import { screens } from '../../src/screens.ts'

type Described = { path: string; key: string }

/** The path and query of the first records of a module, as its screens list them. */
export function firstRows(module: string, { path }: Described, size: number): string {
  const only = screens.find((each) => each.module === module)?.only
  return `${path}?${new URLSearchParams({ page: '1', items_per_page: String(size), ...only })}`
}
