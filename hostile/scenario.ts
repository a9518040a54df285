import type { TunedName } from '../server/src/tuning.ts'
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
  /** environment variables of the service for this attack */
  settings?: { [name: string]: string }
  /** settings of its configuration file for this attack */
  limits?: { [name in TunedName]?: number }
  /** settings of the file that remove the limit; with them the scenario must fail */
  without: { [name in TunedName]?: number }
  /** attacks until `signal` is aborted, in a separate process; throws if it could not attack */
  attack(attack: Attack): Promise<void>
}
