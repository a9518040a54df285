import type pg from 'pg'

/** Milliseconds that PostgreSQL has to answer a new connection. */
export const connectTimeout = 5000

/**
 * Connects a client that `make` makes with that time-out. Loading the service holds the event loop for seconds: a
 * time-out that came late itself says nothing of PostgreSQL, whose answer may be there, and it is tried once more.
 */
export async function connectInTime<C extends pg.Client>(make: () => C): Promise<C> {
  const begun = performance.now()
  const client = make()
  try {
    await client.connect()
    return client
  } catch (error) {
    if (performance.now() - begun < connectTimeout + 100) throw error
    const again = make()
    await again.connect()
    return again
  }
}
