/** Most quota units of hedge requests; 0 for no limit. */
export interface HedgeLimits {
  readonly perHour: number
  readonly perDay: number
}

/** Reserved cost of one hedge request, until it is known. */
export interface HedgeShare {
  /** Sets the actual cost in quota units. Once; harmless afterwards. */
  settle(cost: number): void
}

/** Costs of losing requests of this site, in quota units by hour and day (UTC). */
export interface HedgeBudget {
  /** Reserves the expected cost of a hedge request; undefined where it exceeds the rest. `now` in milliseconds since 1970. */
  take(expected: number, now: number): HedgeShare | undefined
  /** Sets the spending of all nodes in the hour and the day of `now`, from the database. */
  seen(spent: HedgeLimits, now: number): void
  spent(now: number): HedgeLimits
}

const hourMs = 3_600_000
const dayMs = 86_400_000

interface Span {
  readonly ms: number
  start: number
  spent: number
}

const spanAt = (span: Span, now: number): Span => {
  const start = now - (now % span.ms)
  if (start !== span.start) {
    span.start = start
    span.spent = 0
  }
  return span
}

/** Opens the budget, in memory: earlier costs and those of other nodes come in by `seen`. */
export const openHedgeBudget = (limits: () => HedgeLimits): HedgeBudget => {
  const hour: Span = { ms: hourMs, start: 0, spent: 0 }
  const day: Span = { ms: dayMs, start: 0, spent: 0 }
  const fits = (span: Span, most: number, expected: number): boolean => most === 0 || span.spent + expected <= most
  return {
    take(expected, now) {
      const { perHour, perDay } = limits()
      if (!fits(spanAt(hour, now), perHour, expected) || !fits(spanAt(day, now), perDay, expected)) return undefined
      const starts = [hour.start, day.start]
      hour.spent += expected
      day.spent += expected
      let isOpen = true
      return {
        settle(cost) {
          if (!isOpen) return
          isOpen = false
          for (const [index, span] of [hour, day].entries())
            if (span.start === starts[index]) span.spent = Math.max(0, span.spent + cost - expected)
        },
      }
    },
    seen({ perHour, perDay }, now) {
      spanAt(hour, now).spent = Math.max(hour.spent, perHour)
      spanAt(day, now).spent = Math.max(day.spent, perDay)
    },
    spent: (now) => ({ perHour: spanAt(hour, now).spent, perDay: spanAt(day, now).spent }),
  }
}
