/** The client's side of a call. */
export interface Client {
  readonly gone: boolean
  /** Header names and values in turn, as `writeHead` takes them. */
  head(status: number, headers: readonly string[]): void
  /** True if the head has been sent. */
  readonly begun: boolean
  /** false asks to wait for `drained`. */
  write(bytes: Buffer | string): boolean
  end(bytes?: Buffer | string): void
  /** Headers behind the answer, which its head must have announced; absent where there can be none. */
  readonly trailers?: Trailers | undefined
  /** Breaks the connection, for an answer that cannot be completed. */
  abandon(): void
  /** Replaced by each attempt. */
  listen(listeners: ClientListeners): void
}

export interface Trailers {
  /** Names and values in turn. Before the end of the answer. */
  add(headers: readonly string[]): void
}

export interface ClientListeners {
  drained(): void
  /** Called once; at once when the client is gone already. */
  gone(): void
}
