import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the ports that systems give to connections and to servers that ask for any, so that neither takes one meanwhile. */
const [first, end] = [12_000, 30_000]
/** Ports of a block. Its first one marks the block as taken. */
const blockSize = 100

const listening = async (port: number): Promise<Server | undefined> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}

const isFree = async (port: number): Promise<boolean> => {
  const server = await listening(port)
  if (server === undefined) return false
  server.close()
  await once(server, 'close')
  return true
}

/** Takes a block that no other process has, for as long as this process lives; answers its first port. */
const takeBlock = async (): Promise<number> => {
  for (;;) {
    const port = first + blockSize * randomInt((end - first) / blockSize)
    const mark = await listening(port)
    if (mark === undefined) continue
    mark.unref()
    return port
  }
}

let block: Promise<number> | undefined
let drawn = 0

/**
 * A port of this machine for a process that is started later, and perhaps stopped and started again: tests in other processes never
 * draw the same one.
 */
export const freePort = async (): Promise<number> => {
  block ??= takeBlock()
  const mark = await block
  for (;;) {
    drawn += 1
    const port = mark + 1 + (drawn % (blockSize - 1))
    if (await isFree(port)) return port
  }
}
