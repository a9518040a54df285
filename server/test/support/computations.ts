import { badField } from '../../src/kit/ground/errors.ts'

// What processes compute in tests. They import this module, which therefore does nothing itself.

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

/** One array that outgrows any heap. */
export function grow(): number {
  const all: string[] = []
  for (;;) all.push('')
}

/** An error that nobody waits for. */
export function crash(): Promise<never> {
  setImmediate(() => {
    throw new Error('out of nowhere')
  })
  return new Promise(() => {})
}

export function visible(): string[] {
  return Object.keys(process.env)
}

export function refuse(field: string): never {
  throw badField(field, 'must be right')
}

export function fail(): never {
  throw new TypeError('unforeseen')
}

export function pidOf(): number {
  return process.pid
}
