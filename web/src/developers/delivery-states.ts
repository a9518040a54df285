import type { Tone } from '../ui/status.tsx'
import type { DeliveryStatus } from './queries.ts'

/** The tone and label of a delivery's state. */
export const deliveryStates: { [state in DeliveryStatus]: [Tone, string] } = {
  pending: ['info', 'Waiting'],
  delivered: ['good', 'Delivered'],
  failing: ['warn', 'Failing'],
  exhausted: ['bad', 'Gave up'],
  dropped: ['quiet', 'Dropped'],
}
