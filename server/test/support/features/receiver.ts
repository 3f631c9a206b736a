import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createEgressGuard } from '../../../src/lib/security/egress.ts'
import { asyncListener } from '../lib/async-listener.ts'

const certificate = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../mail/certificates', name), 'utf8')

/** The authority that signed the receiver's certificate for `mail.test`. */
export const testAuthority = certificate('ca.pem')

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Answer of the receiver: a status, headers, or silence for a while. */
export interface TestAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly never?: boolean
}

/** A guard that finds every `.test` name on this machine; the names in `allow` may be reached although they are there. */
export const testEgress = (allow: readonly string[] = ['mail.test']) =>
  createEgressGuard({
    allow,
    resolve: async (host) => (host.endsWith('.test') ? [{ address: '127.0.0.1' }] : []),
  })

/** A real receiver of webhooks on this machine, called `mail.test`; over plain HTTP where `secure` is false. */
export const openReceiver = async ({ secure = true } = {}) => {
  const received: Received[] = []
  const waiting: (() => void)[] = []
  const state: { answer: TestAnswer } = { answer: { status: 200 } }
  const options = { key: certificate('server.key'), cert: certificate('server.pem') }
  const server: Server = secure ? (createTlsServer(options) as unknown as Server) : createServer()
  const receive = asyncListener(async (request, response) => {
    const body = await text(request)
    const { method = '', url: path = '', headers } = request
    received.push({ method, path, headers, body })
    for (const resolve of waiting.splice(0)) resolve()
    if (state.answer.never) return
    response.writeHead(state.answer.status, { ...state.answer.headers })
    response.end('ok')
  })
  server.on('request', receive)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    received,
    state,
    url: `${secure ? 'https' : 'http'}://mail.test:${port}/hook`,
    port,
    /** Resolves when so many requests have come altogether. */
    async arrived(count: number): Promise<readonly Received[]> {
      while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return received
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>
