import cluster from 'node:cluster'
import type { Life } from './life.ts'

/** What the parent of several processes sends one of them. */
export type Order =
  /** take no more connections, and say when that is so */
  | { type: 'refuse' }
  /** end; connections at rest stay for so many milliseconds */
  | { type: 'stop'; linger: number }
  /** what all of them measured, as requested before */
  | { type: 'measured'; request: number; all: object[][] }
  /** send what this one has measured */
  | { type: 'measure'; request: number }

/** What one of them sends the parent. */
export type Report =
  | { type: 'ready' }
  | { type: 'refusing' }
  | { type: 'failed'; sentence: string }
  | { type: 'measure'; request: number }
  | { type: 'measured'; request: number; metrics: object[] }

/** What the parent asks of the service in this process. */
export type Obedient = {
  life: Life
  refuse(): Promise<void>
  /** from here on connections at rest stay so long after a stop, in milliseconds */
  linger(ms: number): void
  metrics(): Promise<object[]>
}

/** Milliseconds that the parent may take to collect what all have measured. */
const patience = 3000

/** Whether this process is one of several that have a parent. */
export const isSupervised = cluster.isWorker

/** Its number among them, from 1. */
export const processNumber = Number(process.env.PROCESS_NUMBER ?? 0)

export function report(message: Report): void {
  // the parent may be gone, and this process with it in a moment
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

/** Does what the parent says, from here to the end of the process. */
export function obey({ life, refuse, linger, metrics }: Obedient): void {
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

/** What each process has measured, through the parent; undefined where that takes too long. */
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
