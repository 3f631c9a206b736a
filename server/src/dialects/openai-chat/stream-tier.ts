import type { Usage } from '../../billing/usage.ts'
import { tierOf } from '../tools/tools-used.ts'

const name = '"service_tier"'

/** The last value of the member in events, as far as it is a text. Inside JSON strings the quotes are escaped, so they do not match. */
const valueIn = (events: string): string | undefined => {
  const at = events.lastIndexOf(name)
  if (at < 0) return undefined
  const begin = events.indexOf('"', at + name.length)
  const end = begin < 0 ? -1 : events.indexOf('"', begin + 1)
  if (end < 0 || events.slice(at + name.length, begin).trim() !== ':') return undefined
  return events.slice(begin + 1, end)
}

/** The tier that the chunks of a stream state, of which the one with the usage need not be one. */
export interface StreamTier {
  /** A chunk's member, where it has one. */
  note(value: unknown): void
  /** Searches raw events for it, without parsing them. */
  see(events: string): void
  readonly tier: string | undefined
  /** The usage in this tier, unless it states one of its own. */
  withTier(usage: Usage | undefined): Usage | undefined
}

export const openStreamTier = (): StreamTier => {
  let last: unknown
  const opened: StreamTier = {
    note(value) {
      if (typeof value === 'string') last = value
    },
    see(events) {
      last = valueIn(events) ?? last
    },
    get tier() {
      return tierOf(last)
    },
    withTier(usage) {
      if (usage === undefined || usage.tier !== undefined || last === undefined) return usage
      const { tier } = opened
      return tier === undefined ? usage : { ...usage, tier }
    },
  }
  return opened
}
