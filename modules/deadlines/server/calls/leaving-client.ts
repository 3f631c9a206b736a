import type { Client, ClientListeners } from '#server/relay/call.ts'
import { ForwardingClient } from '#server/relay/forwarding-client.ts'

/** The client of a request that may be given up: for that request it has gone then, while the real one waits for the next. */
export class LeavingClient extends ForwardingClient {
  hasLeft = false
  private listeners: ClientListeners | undefined

  constructor(client: Client) {
    super(client)
    client.listen({ drained: () => this.listeners?.drained(), gone: () => this.listeners?.gone() })
  }

  override get gone(): boolean {
    return this.hasLeft || this.client.gone
  }

  override listen(listeners: ClientListeners): void {
    this.listeners = listeners
    if (this.gone) listeners.gone()
  }

  /** Gives the request up. */
  leave(): void {
    if (this.gone) return
    this.hasLeft = true
    this.listeners?.gone()
  }
}
