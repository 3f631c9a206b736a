import { connect, type Socket } from 'node:net'
import type { EgressGuard } from '../lib/security/egress.ts'

/**
 * Connects to a mail server whose address an operator typed: what the name resolves to is checked in the same step
 *. Rejects when the connection is not there in time.
 */
export const connectGuarded = (
  { host, port }: { readonly host: string; readonly port: number },
  how: { readonly egress: EgressGuard; readonly timeoutMs: number },
): Promise<Socket> => {
  how.egress.assertLiteral(host)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: how.egress.lookup, autoSelectFamily: true })
    const giveUp = (error: Error): void => {
      socket.destroy()
      reject(error)
    }
    socket.setTimeout(how.timeoutMs, () =>
      giveUp(Object.assign(new Error(`${host}:${port} did not answer in time`), { code: 'ETIMEDOUT' })),
    )
    socket.once('error', giveUp)
    socket.once('connect', () => {
      socket.removeAllListeners('timeout').removeListener('error', giveUp)
      socket.setTimeout(0)
      resolve(socket)
    })
  })
}
