/** The network as one function: production is `undici`'s dispatch, tests read a fixture (design §5). */
export type Upstream = {
  send(request: UpstreamRequest, events: UpstreamEvents): UpstreamControl
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  /** Empty for none. */
  readonly proxy: string
  /** Milliseconds: until connected, until the first byte of the head, and between chunks of the body. 0 turns one off. */
  readonly timeouts: { readonly connect: number; readonly firstByte: number; readonly idle: number }
}

export interface UpstreamEvents {
  onHead(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void
  onData(chunk: Buffer): void
  onEnd(): void
  /** Exactly one of onEnd and onError comes, and nothing after it. */
  onError(error: Error): void
}

export interface UpstreamControl {
  pause(): void
  resume(): void
  /** No event comes after this. */
  abort(): void
}
