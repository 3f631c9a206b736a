import type { Client } from '../client.ts'
import { ForwardingClient } from '../forwarding-client.ts'
import type { BatchSum } from './billing/batch-sum.ts'
import type { BatchKind } from './kinds/batch-kind.ts'
import { LineCutter } from './reading/line-cutter.ts'
import { addLine } from './reading/read-batch.ts'

/** A client that gets results of a batch as they are, while their lines are added up. */
export class CountingClient extends ForwardingClient {
  private readonly cutter: LineCutter
  private readonly sum: BatchSum
  private readonly over: (sum: BatchSum | undefined) => void
  private isGood = false
  private isOver = false

  /** `over` gets the sum when all lines have come; undefined where they have not. */
  constructor(
    client: Client,
    sum: BatchSum,
    { kind, model }: { readonly kind: BatchKind; readonly model: string },
    over: (sum: BatchSum | undefined) => void,
  ) {
    super(client)
    this.sum = sum
    this.over = over
    this.cutter = new LineCutter((text) => addLine(text, sum, kind, model))
  }

  override head(status: number, headers: readonly string[]): void {
    this.isGood = status === 200
    super.head(status, headers)
  }

  override write(bytes: Buffer | string): boolean {
    this.take(bytes)
    return super.write(bytes)
  }

  override end(bytes?: Buffer | string): void {
    if (bytes !== undefined) this.take(bytes)
    super.end(bytes)
    if (this.isGood) {
      this.cutter.end()
      const { lines, unread } = this.sum.figures
      // One that left has perhaps not had all, and what is understood in part may be no results at all.
      this.finish(this.gone || lines === 0 || unread > 0 ? undefined : this.sum)
    }
  }

  override abandon(): void {
    super.abandon()
    this.finish(undefined)
  }

  private finish(sum: BatchSum | undefined): void {
    if (this.isOver) return
    this.isOver = true
    this.over(sum)
  }

  private take(bytes: Buffer | string): void {
    if (this.isGood) this.cutter.push(Buffer.from(bytes))
  }
}
