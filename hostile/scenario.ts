import type { Setting } from './world.ts'

/** What an attack knows: the service, and an organization of its own with users and an app. */
export type Attack = Setting & {
  /** aborted when the attack's time is over */
  signal: AbortSignal
  /** announces that the attack is under way: what the bystander sees counts from here */
  ready(): void
}

/** One way in which a caller may harm the others. */
export type Scenario = {
  name: string
  /** what has to hold, in one sentence; printed beneath the table */
  shows: string
  /** settings of the service under which the attack is meant */
  settings?: { [name: string]: string }
  /** settings that take the bound away; with them the scenario has to fail */
  without: { [name: string]: string }
  /** attacks until `signal` is aborted, in a process of its own; throws when it could not attack */
  attack(attack: Attack): Promise<void>
}
