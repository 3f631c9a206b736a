import type { Client, ClientListeners, Trailers } from './client.ts'

/** A client that passes everything on to another, for those that look at an answer or change a part of it on the way. */
export class ForwardingClient implements Client {
  protected readonly client: Client

  constructor(client: Client) {
    this.client = client
  }

  get gone(): boolean {
    return this.client.gone
  }

  get begun(): boolean {
    return this.client.begun
  }

  get trailers(): Trailers | undefined {
    return this.client.trailers
  }

  head(status: number, headers: readonly string[]): void {
    this.client.head(status, headers)
  }

  write(bytes: Buffer | string): boolean {
    return this.client.write(bytes)
  }

  end(bytes?: Buffer | string): void {
    this.client.end(bytes)
  }

  abandon(): void {
    this.client.abandon()
  }

  listen(listeners: ClientListeners): void {
    this.client.listen(listeners)
  }
}
