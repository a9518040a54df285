import { api } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'

/**
 * Starts the person's timer on a task, where it stops on any other, or stops it where it runs on this one; `isRunning`
 * is whether any does. Whether theirs runs then; throws the `Problem`.
 */
export async function setTimer(id: string, isRunning: boolean): Promise<boolean> {
  try {
    if (isRunning) {
      await api.post('/api/tasks/{id}/timer/stop/', { path: { id } })
      return false
    }
  } catch (error) {
    // it is somebody else's
    if (asProblem(error).status !== 409) throw error
  }
  await api.post('/api/tasks/{id}/timer/start/', { path: { id } })
  return true
}
