import type { ChannelPrices } from '../../billing/upstream/channel-prices.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Channels, Prices, RelayChannel } from '../ports.ts'
import { type ChargeJobParts, openChargeJob } from '../provider-jobs/charge-job.ts'
import { inBatchTier } from './billing/answer-usage.ts'
import { openBatchPrices } from './billing/batch-prices.ts'
import { batchRecord, type ChargedBatch, freeReceipt, heldReceipt } from './billing/batch-record.ts'
import { BatchSum } from './billing/batch-sum.ts'
import type { BatchState } from './kinds/batch-kind.ts'
import { batchKindOf } from './kinds/index.ts'
import type { Batches, NotedBatch } from './ports.ts'
import { type BatchReading, readBatch } from './reading/read-batch.ts'
import type { ReadPlace, ReadStreamParts } from './reading/read-stream.ts'

export interface SettleBatchesParts extends ReadStreamParts, ChargeJobParts {
  readonly batches: Batches
  readonly prices: Prices
  /** Without it no cost is known. */
  readonly costs?: ChannelPrices | undefined
  readonly channels: Pick<Channels, 'snapshot' | 'charged'>
  readonly keyHashOf: (key: string) => string
}

export type Settled = 'settled' | 'open' | 'later'

export interface BatchSettling {
  /** A new sum for results of a batch that a client reads. */
  sumOf(batch: NotedBatch): BatchSum
  /**
   * Reads a batch at its provider and charges it if it has ended. Never rejects; concurrent calls share one read. `via` is another
   * channel of the same account, if its own is gone.
   */
  settle(batch: NotedBatch, via?: RelayChannel): Promise<Settled>
  /** Charges a batch of which all results were read. Never rejects. */
  charge(batch: NotedBatch, sum: BatchSum): Promise<Settled>
  /** Resolves when no batch is being settled. */
  over(): Promise<void>
  /** Ends what is being read; those batches are settled later. */
  close(): Promise<void>
}

/** Batches that are read at a time. */
const mostAtOnce = 2
/** How often a batch that cannot be read is tried before it is charged by what else is known. */
const mostAttempts = 20
/** The same for one that its provider does not know any more. */
const mostGone = 3
const minuteMs = 60_000
const [openMs, longestMs] = [30 * minuteMs, 6 * 60 * minuteMs]
const longestOpenMs = 40 * 24 * 60 * minuteMs

/** Charges each batch once: the movement is named after the batch, so that a repeat on any node changes nothing. */
export const openBatchSettling = (parts: SettleBatchesParts): BatchSettling => {
  const { batches, prices, costs, channels, keyHashOf, clock, log } = parts
  const running = new Map<number, Promise<Settled>>()
  const closing = new AbortController()
  let free = mostAtOnce
  const waiting: (() => void)[] = []

  const placeOf = ({ channelId, keyHash }: NotedBatch, via: RelayChannel | undefined): ReadPlace | undefined => {
    const channel = channels.snapshot().byId(channelId) ?? via
    if (channel === undefined) return undefined
    const key = channel.keys.find((one) => keyHashOf(one) === keyHash) ?? channel.keys[0]
    return key === undefined ? undefined : { channel, key }
  }

  const pricesOf = ({ owner, inputs }: NotedBatch) =>
    openBatchPrices(
      prices,
      owner.group,
      inputs.map(({ model }) => model),
    )

  const sumFor = (batch: NotedBatch, channel: RelayChannel | undefined): BatchSum =>
    new BatchSum({ prices: pricesOf(batch), inputs: batch.inputs, costs, channel, at: clock() })

  const chargedOf = (batch: NotedBatch, sum: BatchSum): ChargedBatch => {
    const total = sum.total()
    const model = total?.model || batch.inputs[0]?.model || unnamed
    return { receipt: total?.receipt ?? freeReceipt, model, figures: sum.figures, cost: sum.upstream() }
  }

  /** By the sum that the object states, at the dearest of its models; else by what its lines were expected to cost. */
  const unread = (batch: NotedBatch, state: BatchState | undefined): ChargedBatch => {
    const sum = sumFor(batch, channels.snapshot().byId(batch.channelId))
    const { inputs } = batch
    const named = inputs.length > 0 ? inputs.map(({ model }) => model) : state?.model ? [state.model] : []
    if (state?.done === 0) return chargedOf(batch, sum)
    if (state?.usage !== undefined && named.length > 0) {
      const usage = inBatchTier(state.usage)
      const longest = Math.max(0, ...inputs.map((input) => input.longest))
      sum.addUsage(usage, dearestOf(usage, named, batch), { done: state.done ?? 1, longest })
      sum.mark('results_unread', usage.input + usage.output)
      return chargedOf(batch, sum)
    }
    return { ...chargedOf(batch, sum), receipt: heldReceipt(batch.held, 'results_unread') }
  }

  const dearestOf = (usage: Usage, models: readonly string[], batch: NotedBatch): string => {
    const book = pricesOf(batch)
    const costOf = (model: string): number => book.receiptOf(usage, model, 0).quota
    return models.reduce((dearest, model) => (costOf(model) > costOf(dearest) ? model : dearest))
  }

  const chargeJob = openChargeJob(parts)
  const write = async (batch: NotedBatch, charged: ChargedBatch): Promise<Settled> => {
    await chargeJob(batch, () => batchRecord(batch, charged, clock()), {
      isOpen: () => batches.isOpen(batch.id),
      close: () => batches.close(batch.id),
    })
    return 'settled'
  }

  const later = async (batch: NotedBatch, waitMs: number, attempts: number): Promise<void> =>
    batches.later(batch.id, { nextAt: clock() + waitMs, attempts })

  const settleRead = async (batch: NotedBatch, reading: BatchReading): Promise<Settled> => {
    switch (reading.kind) {
      case 'read':
        return write(batch, chargedOf(batch, reading.sum))
      case 'unread':
        return write(batch, unread(batch, reading.state))
      case 'open':
        // No provider works on a batch for so long.
        if (clock() - batch.createdAt > longestOpenMs) return write(batch, unread(batch, reading.state))
        await later(batch, openMs, 0)
        return 'open'
      default: {
        if (closing.signal.aborted) return 'later'
        const attempts = batch.attempts + 1
        const most = reading.kind === 'gone' ? mostGone : mostAttempts
        if (reading.kind === 'later') log('batch_not_read', { batch: batch.objectId, cause: reading.cause })
        if (attempts >= most) return write(batch, unread(batch, undefined))
        await later(batch, Math.min(longestMs, minuteMs * 2 ** Math.min(attempts, 10)), attempts)
        return 'later'
      }
    }
  }

  const read = async (batch: NotedBatch, via: RelayChannel | undefined): Promise<BatchReading> => {
    const place = placeOf(batch, via)
    const kind = batchKindOf(batch.kind)
    if (place === undefined || kind === undefined) return { kind: 'gone' }
    return readBatch(batch, place, {
      ...parts,
      kind,
      sum: () => sumFor(batch, place.channel),
      signal: closing.signal,
    })
  }

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }

  const once = (batch: NotedBatch, work: () => Promise<Settled>): Promise<Settled> => {
    const known = running.get(batch.id)
    if (known !== undefined) return known
    const settling = work()
      .catch((error: unknown): Settled => {
        log('batch_not_settled', { batch: batch.objectId, error })
        return 'later'
      })
      .finally(() => running.delete(batch.id))
    running.set(batch.id, settling)
    return settling
  }

  const over = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running.values())
  }

  return {
    over,
    sumOf: (batch) => sumFor(batch, channels.snapshot().byId(batch.channelId)),
    settle: (batch, via) => once(batch, () => inTurn(async () => settleRead(batch, await read(batch, via)))),
    charge: (batch, sum) => once(batch, () => write(batch, chargedOf(batch, sum))),
    async close() {
      closing.abort()
      await over()
    },
  }
}

/** Names the model of a batch of which none is known. */
const unnamed = 'batch'
