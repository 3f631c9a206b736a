import { type BoundedCache, createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { decimal, multiply } from '../decimal.ts'
import type { Price } from '../price.ts'

export interface NotedCost {
  readonly stated: number
  readonly computed: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A channel, by its identity: one that changes is another. */
type Channel = object

interface Learned {
  stated: number
  computed: number
  /** Milliseconds since 1970 of the last call. */
  at: number
  factor: number
  /** The price that the factor was last applied to, and what came out. */
  from: Price | undefined
  to: Price | undefined
}

/** Providers change their routes within hours; a channel that is avoided for its cost is tried again after so long. */
const validMs = 3_600_000
/** Factor by which a call's weight falls with each later call. */
const fading = 0.9
/** A factor that changes by less stays, so that what was compared by it holds. */
const least = 0.02
const mostModels = 1000

/** By how much providers' statements exceed the prices of channels, learned from calls, in the memory of this process. */
export interface StatedFactors {
  note(channel: Channel, model: string, noted: NotedCost): void
  /** The price times what was learned; the same object as long as neither changes. */
  applied(channel: Channel, model: string, at: number, price: Price | undefined): Price | undefined
}

export const createStatedFactors = (): StatedFactors => {
  const channels = new WeakMap<Channel, BoundedCache<string, Learned>>()

  const learnedOf = (channel: Channel, model: string): Learned => {
    const models = channels.get(channel) ?? createBoundedCache<string, Learned>({ entries: mostModels })
    channels.set(channel, models)
    const known = models.get(model)
    if (known !== undefined) return known
    const fresh: Learned = { stated: 0, computed: 0, at: 0, factor: 1, from: undefined, to: undefined }
    models.set(model, fresh)
    return fresh
  }

  return {
    note(channel, model, { stated, computed, at }) {
      // A computed cost that rounds to nothing has no relation to anything.
      if (computed <= 0) return
      const learned = learnedOf(channel, model)
      const isOld = at - learned.at > validMs
      learned.stated = (isOld ? 0 : learned.stated * fading) + stated
      learned.computed = (isOld ? 0 : learned.computed * fading) + computed
      learned.at = Math.max(learned.at, at)
      const factor = Number((learned.stated / learned.computed).toPrecision(4))
      if (Math.abs(factor - learned.factor) <= learned.factor * least) return
      learned.factor = factor
      learned.from = undefined
    },

    applied(channel, model, at, price) {
      const learned = price === undefined ? undefined : channels.get(channel)?.get(model)
      if (price === undefined || learned === undefined || learned.factor === 1 || at - learned.at > validMs)
        return price
      if (learned.from !== price) {
        learned.from = price
        learned.to = { ...price, groupRatio: multiply(price.groupRatio, decimal(learned.factor)) }
      }
      return learned.to
    },
  }
}
