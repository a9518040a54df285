import { setPriority } from 'node:os'
import type { Scenario } from './scenario.ts'
import type { Setting } from './world.ts'

/** A process that attacks: its parent sends the scenario's file and the setting, and ends it. */
// an attacker has a machine of his own; here he gets what the service leaves
setPriority(19)
const over = new AbortController()
process.on('message', (message: { file: string; setting: Setting } | 'stop') => {
  if (message === 'stop') return over.abort()
  void begin(message.file, message.setting)
})
process.on('disconnect', () => process.exit(0))

async function begin(file: string, setting: Setting) {
  const { default: scenario } = (await import(file)) as { default: Scenario }
  try {
    await scenario.attack({ ...setting, signal: over.signal, ready: () => process.send!('ready') })
    process.send!('done')
  } catch (error) {
    // what ends with the attack's time is no failure of the attack
    process.send!(over.signal.aborted ? 'done' : { failed: String((error as Error).stack) })
  }
}
