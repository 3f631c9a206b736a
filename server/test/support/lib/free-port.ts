import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to connections and to servers that ask for any, so that neither takes one meanwhile. */
const [first, end] = [12_000, 30_000]

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/** A port of this machine for a process that is started later; drawn by chance, since tests beside this one draw theirs. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(first, end)
    if (await isFree(port)) return port
  }
}
