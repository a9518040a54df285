/**
 * The limit of a large `LRUCache` that is seldom full, which then grows with its entries. With `max`
 * the library takes the memory of all of them at once, about 35 bytes each.
 */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
