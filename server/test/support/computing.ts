import { ComputingProcess } from '../../src/computations/child-process.ts'
import { computation } from '../../src/kit/ground/computation.ts'
import { busyFor, module, pidOf } from './computations.ts'

// A process that lets another one compute for a minute, and says which one.

const computing = new ComputingProcess({ seconds: 0, megabytes: 64 })
const pid = await computing.compute(computation(module, pidOf), undefined)
void computing.compute(computation(module, busyFor), 60_000)
process.send?.(pid)
