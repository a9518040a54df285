import { api } from '../api/client.ts'

/**
 * Starts the person's timer on a task, where it stops on any other, or stops it where it runs on this one. Whether it
 * runs then; throws the `Problem`.
 */
export async function setTimer(id: string, isRunning: boolean): Promise<boolean> {
  if (isRunning) await api.post('/api/tasks/{id}/timer/stop/', { path: { id } })
  else await api.post('/api/tasks/{id}/timer/start/', { path: { id } })
  return !isRunning
}
