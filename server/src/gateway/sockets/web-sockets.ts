import type { ServerOptions, WebSocketServer } from 'ws'
import { onFirstUse, packageOnUse } from '../../lib/on-first-use.ts'

const webSockets = packageOnUse<typeof import('ws')>('ws')

/** Lazily creates the server object that turns upgraded connections into WebSockets. */
export const openWebSockets = (options: Pick<ServerOptions, 'handleProtocols'> = {}): (() => WebSocketServer) =>
  onFirstUse(
    () =>
      new (webSockets().WebSocketServer)({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        // `AcceptedSocket` limits messages, with an error in the client's dialect.
        maxPayload: 0,
        ...options,
      }),
  )
