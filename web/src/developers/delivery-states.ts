import type { Tone } from '../ui/status.tsx'
import type { DeliveryStatus } from './queries.ts'

/** What a delivery's state means, as a tone and a word. */
export const deliveryStates: { [state in DeliveryStatus]: [Tone, string] } = {
  pending: ['info', 'Waiting'],
  delivered: ['good', 'Delivered'],
  failing: ['warn', 'Failing'],
  exhausted: ['bad', 'Gave up'],
  dropped: ['quiet', 'Dropped'],
}
