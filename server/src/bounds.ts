/** The limits for one caller; 0 is no limit. Units are in the names. */
export type Bounds = { readonly [name in keyof typeof settings]: number }

type Setting = readonly [variable: string, otherwise: number, most: number]

const settings = {
  inFlightOfAddress: ['MAX_IN_FLIGHT_ADDRESS', 500, 100_000],
  inFlightOfCaller: ['MAX_IN_FLIGHT_CALLER', 100, 100_000],
  inFlightOfOrganization: ['MAX_IN_FLIGHT_ORGANIZATION', 500, 100_000],
  inFlightAlways: ['IN_FLIGHT_ALWAYS', 8, 100_000],
  excessMs: ['IN_FLIGHT_REFUSAL_MS', 1000, 60_000],
  pipelined: ['MAX_PIPELINED', 100, 10_000],
  connections: ['MAX_CONNECTIONS', 10_000, 1_000_000],
  connectionsOfAddress: ['MAX_CONNECTIONS_ADDRESS', 2000, 1_000_000],
  headSeconds: ['HEAD_TIMEOUT', 15, 3600],
  bodySeconds: ['BODY_TIMEOUT', 30, 3600],
  uploadSeconds: ['UPLOAD_TIMEOUT', 900, 86_400],
  uploadKibPerSecond: ['UPLOAD_MIN_RATE', 16, 1_000_000],
  answerSeconds: ['ANSWER_TIMEOUT', 30, 3600],
  receivedMib: ['MAX_RECEIVED_MIB', 64, 65_536],
  receivedMibOfAddress: ['MAX_RECEIVED_MIB_ADDRESS', 16, 65_536],
  unreadMib: ['MAX_UNREAD_MIB', 128, 65_536],
  formTextKib: ['MAX_FORM_TEXT_KIB', 1024, 65_536],
  bodyPercent: ['BODY_LOOP_PERCENT', 33, 100],
  bodyValues: ['MAX_BODY_VALUES', 50_000, 1_000_000],
  hashes: ['PASSWORD_HASHES', 2, 64],
  hashesWaiting: ['PASSWORD_QUEUE', 200, 100_000],
  hashesWaitingOfAddress: ['PASSWORD_QUEUE_ADDRESS', 50, 100_000],
  hashesWaitingOfAccount: ['PASSWORD_QUEUE_ACCOUNT', 10, 100_000],
} satisfies { [name: string]: Setting }

/** The limits from the environment, read by `whole`, which refuses invalid values. */
export function readBounds(
  whole: (variable: string, otherwise: number, most: number) => number,
): Bounds {
  const read = Object.entries(settings).map(([name, setting]) => [name, whole(...setting)])
  return Object.freeze(Object.fromEntries(read) as Bounds)
}
