import type { Receipt } from '@tollgate/contract'
import { receiptOf } from '../../../billing/cost.ts'
import { print } from '../../../billing/decimal.ts'
import { priceAtLength } from '../../../billing/overrides/tier-rates.ts'
import type { ChannelPrices } from '../../../billing/upstream/channel-prices.ts'
import { type UpstreamCost, upstreamCost } from '../../../billing/upstream/upstream-cost.ts'
import { cachedTokens, completionTokens, noUsage, promptTokens, type Usage } from '../../../billing/usage.ts'
import type { RelayChannel } from '../../ports.ts'
import type { ResultLine } from '../kinds/batch-kind.ts'
import type { BatchInput } from '../ports.ts'
import { usageInBatch } from './answer-usage.ts'
import type { BatchPrices } from './batch-prices.ts'
import { ReceiptSum } from './receipt-sum.ts'

/** Figures of a batch, as the log names them. */
export interface BatchFigures {
  /** Lines of results that were read. */
  readonly lines: number
  /** Answered lines, which are charged. */
  readonly done: number
  /** Lines in an unknown format. */
  readonly unread: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cached: number
  readonly cacheWrite: number
  readonly reasoning: number
}

interface SumParts {
  readonly prices: BatchPrices
  readonly inputs: readonly BatchInput[]
  /** Prices of the provider; undefined where none are known. */
  readonly costs: ChannelPrices | undefined
  readonly channel: RelayChannel | undefined
  /** Milliseconds since 1970, for prices that change. */
  readonly at: number
}

/** Reason of a provisional charge without reported usage. */
export const missingUsage = { kind: 'usage', place: 'batch' } as const

/** Sums the lines of a batch, each at the price of its stated model. */
export class BatchSum {
  private readonly parts: SumParts
  private readonly charged = new ReceiptSum()
  private readonly cost = new ReceiptSum()
  private isCosted = true
  private version = ''
  private factor = '1'
  private counts = {
    lines: 0,
    done: 0,
    unread: 0,
    promptTokens: 0,
    completionTokens: 0,
    cached: 0,
    cacheWrite: 0,
    reasoning: 0,
  }

  constructor(parts: SumParts) {
    this.parts = parts
  }

  get figures(): BatchFigures {
    return this.counts
  }

  /** `model` counts where the answer names none; `bytes` is the length of the line. */
  add(line: ResultLine, model: string, bytes: number): void {
    this.counts.lines += 1
    if (line.kind === 'failed') return
    const { usage, model: stated, isRefused } = usageInBatch(line.answer, model, bytes)
    // The provider does not charge for it, as in any call.
    if (isRefused && this.parts.channel?.provider.freesRefusals === true) this.counts.done += 1
    else if (usage === undefined) this.addUnstated(stated, bytes)
    else this.addUsage(usage, stated)
  }

  /** A line in an unknown format counts as one without stated usage. */
  addUnread(model: string, bytes: number): void {
    this.counts.lines += 1
    this.counts.unread += 1
    this.addUnstated(model, bytes)
  }

  /** The usage of one line, or of several together: then `longest` is the length of the longest prompt. */
  addUsage(usage: Usage, model: string, sum?: { readonly done: number; readonly longest: number }): void {
    const { done, longest } = sum ?? { done: 1, longest: undefined }
    const { counts, parts } = this
    counts.done += done
    counts.promptTokens += promptTokens(usage)
    counts.completionTokens += completionTokens(usage)
    counts.cached += cachedTokens(usage)
    counts.cacheWrite += usage.cacheWrite + usage.cacheWrite1h
    counts.reasoning += usage.reasoning
    this.charged.add(parts.prices.receiptOf(usage, model, longest), parts.prices.askedAs(model), done)
    if (model === '' && parts.inputs.length !== 1) this.mark('model', promptTokens(usage) + completionTokens(usage))
    this.addCost(usage, model, longest)
  }

  /** Charges the expected size of the line, or else its bytes, which exceed any number of tokens; marked as provisional. */
  private addUnstated(model: string, bytes: number): void {
    const { inputs, prices } = this.parts
    const asked = prices.askedAs(model)
    const input = inputs.find((one) => one.model === asked) ?? inputs[0]
    const each = (all: number): number => Math.ceil(all / Math.max(1, input?.lines ?? 1))
    const usage: Usage = {
      ...noUsage,
      input: each(input?.prompt ?? 0),
      output: Math.min(bytes, input === undefined ? bytes : each(input.output)),
      tier: 'batch',
    }
    this.addUsage(usage, model)
    const quantity = promptTokens(usage) + completionTokens(usage)
    this.mark('unstated', quantity)
  }

  /** Marks the charge as provisional. */
  mark(name: string, quantity: number): void {
    this.charged.addReason({ ...missingUsage, name, value: name, quantity })
  }

  private addCost(usage: Usage, model: string, longest: number | undefined): void {
    const { costs, channel, at, prices } = this.parts
    if (!this.isCosted) return
    const asked = prices.askedAs(model)
    const listed = channel && (costs?.of(channel, model || asked, at) ?? costs?.of(channel, asked, at))
    const price = listed === undefined || longest === undefined ? listed : priceAtLength(listed, longest)
    const own = price && upstreamCost(usage, price)
    if (price === undefined || own === undefined) {
      this.isCosted = false
      return
    }
    this.version = own.version
    this.factor = print(price.groupRatio)
    this.cost.add(receiptOf(usage, price, { estimated: false }), model)
  }

  /** The charge; undefined where no line was answered. Throws RangeError beyond the safe integers. */
  total(): { readonly receipt: Receipt; readonly model: string } | undefined {
    return this.charged.total()
  }

  /** Cost at the provider; undefined where it is unknown for any line. */
  upstream(): UpstreamCost | undefined {
    const { isCosted, version, factor, counts } = this
    if (!isCosted || counts.done === 0) return undefined
    const total = this.cost.total()
    return total && { quota: total.receipt.quota, version, factor }
  }
}
