import { setPriority } from 'node:os'
import type { Scenario } from './scenario.ts'
import type { Setting } from './world.ts'

/** The process that attacks: its parent sends the scenario's file and setting, and ends it. */
// a real attacker has its own machine; here it gets the processor time that the service leaves
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
    // requests aborted at the end of the attack are not failures of the attack
    process.send!(over.signal.aborted ? 'done' : { failed: String((error as Error).stack) })
  }
}
