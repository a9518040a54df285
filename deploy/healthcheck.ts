// Whether the service of this container is alive: exit status 0 or 1.

const response = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/livez`, {
  signal: AbortSignal.timeout(2500),
}).catch(() => undefined)
process.exitCode = response?.ok ? 0 : 1
