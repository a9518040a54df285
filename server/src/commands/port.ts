import { type AddressInfo, createServer } from 'node:net'
import type { Config } from '../config.ts'
import { listenFailure } from './failure.ts'

/**
 * Checks the port before anything is created: a first start must not fail after its demonstration.
 * PORT=0 chooses a free one now, since the public URL, which is in the tokens, depends on it. It is held until
 * `releasePort` is called, so that no other program takes it during the start. A port that others know is
 * not held: they should be refused until the service listens.
 */
export async function withPort(
  config: Config,
): Promise<{ config: Config; releasePort(): Promise<void> }> {
  // a start that fails must not wait for it
  const probe = createServer().unref()
  const port = await new Promise<number>((found, failed) => {
    probe.once('error', failed)
    probe.listen(config.port, config.host, () => found((probe.address() as AddressInfo).port))
  }).catch((error: unknown) => {
    throw listenFailure(error, config.host, config.port)
  })
  const close = () => new Promise<void>((closed) => probe.close(() => closed()))
  if (config.port) {
    await close()
    return { config, releasePort: async () => {} }
  }
  const publicUrl = config.publicUrl.replace(/:0$/, `:${port}`)
  return { config: Object.freeze({ ...config, port, publicUrl }), releasePort: close }
}
