import type { Setting } from './world.ts'

/** The data of an attack: the service, and the attacker's own organization with users and an app. */
export type Attack = Setting & {
  /** aborted when the attack's time is over */
  signal: AbortSignal
  /** announces that the attack is running: the bystander's measurements count from here */
  ready(): void
}

/** One way in which a caller may harm others. */
export type Scenario = {
  name: string
  /** what must hold, in one sentence; printed below the table */
  shows: string
  /** settings of the service for this attack */
  settings?: { [name: string]: string }
  /** settings that remove the limit; with them the scenario must fail */
  without: { [name: string]: string }
  /** attacks until `signal` is aborted, in a separate process; throws if it could not attack */
  attack(attack: Attack): Promise<void>
}
