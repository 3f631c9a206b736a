import type { Client, ClientListeners } from '#server/relay/call.ts'

/** Bytes that wait to be read before the provider is paused. */
const mostWaiting = 1024 * 1024

/** The answer of a provider as bytes to read, for the console's own downloads: they wait for a reader, who may leave. */
export class ContentStream implements Client {
  gone = false
  begun = false
  /** The type of the content, once it has begun; undefined where it failed before. */
  readonly type: Promise<string | undefined>
  private begin: (type: string | undefined) => void = () => {}
  private readonly chunks: Buffer[] = []
  private waiting = 0
  private isOver = false
  private isBroken = false
  private wake: () => void = () => {}
  private listeners: ClientListeners | undefined

  constructor() {
    this.type = new Promise((resolve) => {
      this.begin = resolve
    })
  }

  head(_status: number, headers: readonly string[]): void {
    this.begun = true
    this.begin(headers[headers.findIndex((name) => name.toLowerCase() === 'content-type') + 1])
  }

  write(bytes: Buffer | string): boolean {
    const chunk = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes)
    this.chunks.push(chunk)
    this.waiting += chunk.length
    this.wake()
    return this.waiting < mostWaiting
  }

  end(bytes?: Buffer | string): void {
    if (bytes !== undefined) this.write(bytes)
    this.isOver = true
    this.wake()
  }

  abandon(): void {
    this.isBroken = true
    this.wake()
  }

  listen(listeners: ClientListeners): void {
    this.listeners = listeners
    if (this.gone) listeners.gone()
  }

  /** Ends the waiting for a beginning that does not come. */
  fail(): void {
    this.begin(undefined)
  }

  /** The content in pieces. Throws where it breaks off. A reader who ends early ends the answer of the provider. */
  async *read(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const chunk = this.chunks.shift()
        if (chunk !== undefined) {
          this.waiting -= chunk.length
          if (this.waiting < mostWaiting / 2) this.listeners?.drained()
          yield chunk
        } else if (this.isBroken) throw new Error('the content of a video broke off')
        else if (this.isOver) return
        else
          await new Promise<void>((resolve) => {
            this.wake = resolve
          })
      }
    } finally {
      if (!this.isOver) {
        this.gone = true
        this.listeners?.gone()
      }
    }
  }
}
