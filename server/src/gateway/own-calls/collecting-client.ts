import type { Client, ClientListeners } from '../../relay/call.ts'

/** The whole answer of a call without a connected client. */
export interface CollectedAnswer {
  /** 0 where none began. */
  readonly status: number
  /** Names and values alternating. */
  readonly headers: readonly string[]
  readonly bytes: Buffer
  /** True where the answer was longer than may be kept, or broke off. */
  readonly isCut: boolean
}

/** Collects the answer of a call that is made for an owner whose client has left. */
export class CollectingClient implements Client {
  gone = false
  begun = false
  private status = 0
  private headers: readonly string[] = []
  private readonly chunks: Buffer[] = []
  private size = 0
  private isCut = false
  private listeners: ClientListeners | undefined
  private readonly mostBytes: number

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  head(status: number, headers: readonly string[]): void {
    this.begun = true
    this.status = status
    this.headers = headers
  }

  write(bytes: Buffer | string): boolean {
    const chunk = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
    this.size += chunk.length
    if (this.size > this.mostBytes) this.isCut = true
    else this.chunks.push(Buffer.from(chunk))
    return true
  }

  end(bytes?: Buffer | string): void {
    if (bytes !== undefined) this.write(bytes)
  }

  abandon(): void {
    this.isCut = true
  }

  listen(listeners: ClientListeners): void {
    this.listeners = listeners
    if (this.gone) listeners.gone()
  }

  /** Ends the call as a client does that leaves: what came so far is charged. */
  leave(): void {
    if (this.gone) return
    this.gone = true
    this.isCut = true
    this.listeners?.gone()
  }

  answer(): CollectedAnswer {
    const { status, headers, isCut } = this
    return { status, headers, bytes: Buffer.concat(this.chunks), isCut }
  }
}
