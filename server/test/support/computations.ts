import { badField } from '../../src/kit/ground/errors.ts'

// What worker threads compute in tests. They import this module, which therefore does nothing itself.

export const module = import.meta.url

export function busyFor(ms: number): string {
  const end = performance.now() + ms
  while (performance.now() < end);
  return `busy for ${ms}`
}

export function fill(): number {
  const all: string[][] = []
  for (;;) all.push(Array.from({ length: 100_000 }, (_, n) => `${n}`))
}

export function refuse(field: string): never {
  throw badField(field, 'must be right')
}

export function fail(): never {
  throw new TypeError('unforeseen')
}
