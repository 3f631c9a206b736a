import type { Clock } from '../../lib/clock.ts'
import type { RequestRecord } from '../../relay/ports.ts'

/** A call that was sold below its cost; amounts in quota units. */
export interface Loss {
  readonly requestId: string
  readonly channelId: number
  readonly model: string
  readonly quota: number
  readonly cost: number
}

export interface LossWatchParts {
  /** Option LossWarningEnabled. */
  enabled(): boolean
  /** Must return at once. */
  warn(loss: Loss): void
  readonly clock: Clock
}

export interface LossWatch {
  /** Looks at a call once it was charged. */
  charged(record: RequestRecord): void
}

const hourMs = 3_600_000
const mostEntries = 10_000

/** Warns of calls that cost more than is charged for them, once per channel, model and hour on each node. */
export const createLossWatch = ({ enabled, warn, clock }: LossWatchParts): LossWatch => {
  const warned = new Set<string>()
  let hour = 0
  return {
    charged({ id, channelId, model, quota, cost }) {
      if (cost === undefined || cost <= quota || !enabled()) return
      const now = Math.floor(clock() / hourMs)
      if (now !== hour) warned.clear()
      hour = now
      const key = `${channelId} ${model}`
      if (warned.has(key) || warned.size >= mostEntries) return
      warned.add(key)
      warn({ requestId: id, channelId, model, quota, cost })
    },
  }
}
