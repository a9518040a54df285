import { availableParallelism } from 'node:os'

/**
 * The cost of a read: low, high, or unknown before it has run. It decides which connections a statement
 * uses.
 */
export type Cost = 'light' | 'unknown' | 'heavy'

/** Work that has connections of its own: expensive reads, sign-ins and tokens, jobs and deliveries. */
export type Lane = 'heavy' | 'sign_in' | 'jobs'

/** How many connections each kind of work has, and how much of it one organization may take. */
export type Lanes = Readonly<{
  /** short statements over shared, pipelined connections; 0 is no bound */
  reads: Readonly<{ each: number; waiting: number }>
  /** expensive statements over connections of their own; 0 connections leave them among the others */
  heavyReads: Readonly<{ connections: number; each: number; waiting: number; timeout: number }>
  /** transactions of requests */
  writes: Readonly<{ connections: number; each: number; waiting: number }>
  /** connections for transactions of sign-ins and tokens; 0 leaves them among the other writes */
  signIns: number
  /** connections for transactions of jobs and deliveries; 0 leaves them among the other writes */
  jobs: number
}>

export const usualLanes: Lanes = {
  reads: { each: 16, waiting: 500 },
  // each keeps a processor busy: one organization gets half of them
  heavyReads: { connections: 4, each: half(availableParallelism()), waiting: 300, timeout: 5 },
  writes: { connections: 12, each: 8, waiting: 500 },
  signIns: 3,
  jobs: 4,
}

function half(count: number): number {
  return Math.max(1, Math.floor(count / 2))
}

/** What one request may cost; 0 is no limit. */
export type Limits = Readonly<{
  /** units of a filter's estimated cost: a plain condition is one */
  filterCost: number
  /** bytes of a page of a list, which has fewer records if they are large */
  pageBytes: number
  /** bytes that one statement may return */
  resultBytes: number
  /** bytes of a record's custom fields as JSON */
  customFieldsBytes: number
  /** keys of a record's custom fields */
  customFieldsKeys: number
  /** bytes that a write to many records may store in all of them together */
  bulkBytes: number
}>

const mebibyte = 1024 * 1024

export const usualLimits: Limits = {
  filterCost: 100,
  pageBytes: 8 * mebibyte,
  resultBytes: 16 * mebibyte,
  customFieldsBytes: 64 * 1024,
  customFieldsKeys: 500,
  bulkBytes: 16 * mebibyte,
}
