import type { Client } from '../../relay/call.ts'
import type { ClientEvents, ClientSocket, RealtimeClient, WebCall } from '../../relay/realtime/ports.ts'

/** Client of a WebRTC call, whose sound bypasses the gateway: it gets the answer to its offer here, and its events from the provider. */
export class CallClient implements RealtimeClient {
  readonly offer: string
  private readonly client: Client
  private readonly basePath: string
  private readonly accepted: () => void

  /** The path below which the site is reached is part of the address that the client gets for the call. */
  constructor(
    client: Client,
    parts: { readonly offer: string; readonly basePath: string; readonly accepted: () => void },
  ) {
    this.client = client
    this.offer = parts.offer
    this.basePath = parts.basePath
    this.accepted = parts.accepted
  }

  get gone(): boolean {
    return this.client.gone
  }

  whenGone(listener: () => void): void {
    this.client.listen({ drained() {}, gone: listener })
  }

  accept(_: ClientEvents, webCall: WebCall | undefined): ClientSocket {
    if (webCall === undefined) throw new Error('a call over WebRTC has no answer')
    const { id, sdp } = webCall
    const length = String(Buffer.byteLength(sdp))
    const location = [
      'Location',
      `${this.basePath}/v1/realtime/calls/${id}`,
      'Access-Control-Expose-Headers',
      'Location',
    ]
    this.client.head(201, ['Content-Type', 'application/sdp', 'Content-Length', length, ...location])
    this.client.end(sdp)
    this.accepted()
    return new HangUp(webCall)
  }
}

/** Client of a WebRTC call after its answer: the gateway can only end the call. */
class HangUp implements ClientSocket {
  readonly waiting = 0
  private readonly webCall: WebCall

  constructor(webCall: WebCall) {
    this.webCall = webCall
  }

  send(): void {}
  pause(): void {}
  resume(): void {}
  keep(): void {}

  close(): void {
    this.webCall.hangUp()
  }

  abandon(): void {
    this.webCall.hangUp()
  }
}
