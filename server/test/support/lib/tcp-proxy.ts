import { once } from 'node:events'
import { connect as connectTo, createServer, type Socket } from 'node:net'

/** A way to a server that a test can cut: connections end at once and new ones are refused until it is restored. */
export interface TcpProxy {
  readonly port: number
  cut(): void
  restore(): void
  close(): Promise<void>
}

/** Listens on a free port of this machine and passes bytes to `host:port` and back. */
export const openTcpProxy = async (host: string, port: number): Promise<TcpProxy> => {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connectTo({ host, port })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  const end = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: address.port,
    cut() {
      isCut = true
      end()
    },
    restore() {
      isCut = false
    },
    async close() {
      server.close()
      end()
      await once(server, 'close')
    },
  }
}
