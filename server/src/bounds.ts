import type { TunedName, Tuning } from './tuning.ts'

/** The limits for one caller; 0 is no limit. Units are in the names. */
export type Bounds = { readonly [name in keyof typeof settings]: number }

const settings = {
  inFlightOfAddress: 'max_in_flight_address',
  inFlightOfCaller: 'max_in_flight_caller',
  inFlightOfOrganization: 'max_in_flight_organization',
  inFlightAlways: 'in_flight_always',
  excessMs: 'in_flight_refusal_ms',
  pipelined: 'max_pipelined',
  connections: 'max_connections',
  connectionsOfAddress: 'max_connections_address',
  headSeconds: 'head_timeout',
  bodySeconds: 'body_timeout',
  uploadSeconds: 'upload_timeout',
  uploadKibPerSecond: 'upload_min_rate',
  answerSeconds: 'answer_timeout',
  receivedMib: 'max_received_mib',
  receivedMibOfAddress: 'max_received_mib_address',
  unreadMib: 'max_unread_mib',
  formTextKib: 'max_form_text_kib',
  bodyPercent: 'body_loop_percent',
  bodyValues: 'max_body_values',
  hashes: 'password_hashes',
  hashesWaiting: 'password_queue',
  hashesWaitingOfAddress: 'password_queue_address',
  hashesWaitingOfAccount: 'password_queue_account',
} as const satisfies { [name: string]: TunedName }

/** The limits among the settings. */
export function boundsOf(values: Tuning): Bounds {
  const read = Object.entries(settings).map(([name, setting]) => [name, values[setting]])
  return Object.freeze(Object.fromEntries(read) as Bounds)
}
