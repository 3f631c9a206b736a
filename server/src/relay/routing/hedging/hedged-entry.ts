import { type LimitEntry, LimitRefusal } from '../../../limits/call-limits.ts'
import type { RelayChannel } from '../../ports.ts'
import type { ChannelGate } from '../channel-gate.ts'

/** The attempt at a second channel, as limits of channels count it. */
export class HedgedEntry {
  private readonly gate: ChannelGate
  private chosen: { readonly channel: RelayChannel; readonly key: string } | undefined
  private entry: LimitEntry | undefined

  constructor(gate: ChannelGate) {
    this.gate = gate
  }

  /** True if a channel has room for it; remembers which one. */
  mayAsk(channel: RelayChannel, key: string): boolean {
    this.chosen = { channel, key }
    return !this.gate.isFull(channel)
  }

  /** The request is sent now. It does not wait for a store: an attempt that no lease covers is not counted in advance. */
  asked(): void {
    if (this.chosen === undefined) return
    const { channel, key } = this.chosen
    const entered = this.gate.enter(channel, key)
    if (entered instanceof Promise) this.late(entered)
    else if (entered !== undefined && !(entered instanceof LimitRefusal)) this.entry = entered
  }

  private late(entered: Promise<LimitEntry | LimitRefusal | undefined>): void {
    void entered.then((entry) => {
      if (entry !== undefined && !(entry instanceof LimitRefusal)) entry.settle(undefined)
    })
  }

  /** After both have ended: answers the entry of the side that counts, the other one used nothing. */
  settle(first: LimitEntry | undefined, isSecond: boolean): LimitEntry | undefined {
    const second = this.entry
    this.entry = undefined
    this.chosen = undefined
    const loser = isSecond ? first : second
    loser?.settle(undefined)
    return isSecond ? second : first
  }
}
