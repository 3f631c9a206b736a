import type { Client, ClientListeners } from '../call.ts'

/** Bytes that one side may hold back. Before its first content it writes nothing but comments, which may be left out. */
const mostHeld = 64 * 1024

/**
 * A client that two attempts share, as one of them sees it. What it writes is held back until it is the one that answers; what
 * the other one writes goes nowhere.
 */
export class GatedClient implements Client {
  private readonly client: Client
  private state: 'waiting' | 'open' | 'closed' = 'waiting'
  private heldHead: readonly [number, readonly string[]] | undefined
  private held: Buffer[] = []
  private heldBytes = 0
  private listeners: ClientListeners | undefined

  constructor(client: Client) {
    this.client = client
  }

  get gone(): boolean {
    return this.client.gone
  }

  get begun(): boolean {
    return this.client.begun || (this.state === 'waiting' && this.heldHead !== undefined)
  }

  head(status: number, headers: readonly string[]): void {
    if (this.state === 'open') this.client.head(status, headers)
    else if (this.state === 'waiting') this.heldHead = [status, headers]
  }

  write(bytes: Buffer | string): boolean {
    if (this.state === 'open') return this.client.write(bytes)
    if (this.state === 'waiting') this.hold(Buffer.from(bytes))
    return true
  }

  end(bytes?: Buffer | string): void {
    if (this.state === 'open') this.client.end(bytes)
  }

  abandon(): void {
    if (this.state === 'open') this.client.abandon()
  }

  listen(listeners: ClientListeners): void {
    this.listeners = listeners
    if (this.client.gone) listeners.gone()
  }

  /** This side answers: what was held back goes out. */
  open(): void {
    if (this.state !== 'waiting') return
    this.state = 'open'
    const { client, held, heldHead } = this
    if (client.gone) return
    if (heldHead !== undefined && !client.begun) client.head(...heldHead)
    if (held.length > 0) client.write(Buffer.concat(held))
    this.held = []
  }

  /** The other side answers. */
  close(): void {
    this.state = 'closed'
    this.held = []
    this.listeners = undefined
  }

  drained(): void {
    if (this.state === 'open') this.listeners?.drained()
  }

  left(): void {
    this.listeners?.gone()
  }

  private hold(bytes: Buffer): void {
    if (this.heldBytes > mostHeld) {
      this.held = []
      this.heldBytes = 0
    }
    this.held.push(bytes)
    this.heldBytes += bytes.length
  }
}
