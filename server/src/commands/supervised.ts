import cluster from 'node:cluster'
import type { Life } from './life.ts'

/** Messages from the parent of several processes to one of them. */
export type Order =
  /** stop accepting connections, and report when done */
  | { type: 'refuse' }
  /** end; idle connections stay open for so many milliseconds */
  | { type: 'stop'; linger: number }
  /** the metrics of all processes, as requested before */
  | { type: 'measured'; request: number; all: object[][] }
  /** send the metrics of this process */
  | { type: 'measure'; request: number }

/** Messages from one of them to the parent. */
export type Report =
  | { type: 'ready' }
  | { type: 'refusing' }
  | { type: 'failed'; sentence: string }
  | { type: 'measure'; request: number }
  | { type: 'measured'; request: number; metrics: object[] }

/** What the parent can make the service in this process do. */
export type OrderHandlers = {
  life: Life
  refuse(): Promise<void>
  /** sets how long idle connections stay open after a stop, in milliseconds */
  linger(ms: number): void
  metrics(): Promise<object[]>
}

/** Milliseconds that the parent may take to collect all metrics. */
const patience = 3000

/** Whether this process is one of several that have a parent. */
export const isSupervised = cluster.isWorker

/** Its number among them, from 1. */
export const processNumber = Number(process.env.PROCESS_NUMBER ?? 0)

export function report(message: Report): void {
  // the parent may be gone, and then this process will end too
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

/** Carries out the orders of the parent until the process ends. */
export function handleOrders({ life, refuse, linger, metrics }: OrderHandlers): void {
  process.on('message', (order: Order) => {
    if (order.type === 'refuse') {
      void refuse().then(() => report({ type: 'refusing' }))
    } else if (order.type === 'stop') {
      linger(order.linger)
      life.stop('the parent')
    } else if (order.type === 'measure') {
      void metrics().then((own) =>
        report({ type: 'measured', request: order.request, metrics: own }),
      )
    }
  })
}

let requests = 0

/** The metrics of each process, through the parent; undefined if that takes too long. */
export async function measuredByAll(): Promise<object[][] | undefined> {
  const request = ++requests
  const collected = Promise.withResolvers<object[][] | undefined>()
  const receive = (order: Order) => {
    if (order.type === 'measured' && order.request === request) collected.resolve(order.all)
  }
  process.on('message', receive)
  const timer = setTimeout(() => collected.resolve(undefined), patience)
  report({ type: 'measure', request })
  try {
    return await collected.promise
  } finally {
    clearTimeout(timer)
    process.off('message', receive)
  }
}
