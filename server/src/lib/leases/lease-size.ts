/** A lease that was half used up within this is too small, one that lasted longer than that too large. Milliseconds. */
const quickMs = 15_000
const slowMs = 120_000
const usesAtFirst = 64
const most = 2 ** 50

/** Size of a process's lease of a shared amount: it then needs a new one a few times a minute. */
export interface LeaseSize {
  /** Amount to ask for at `now` (milliseconds), if one use takes about `use`. */
  next(now: number, use: number): number
}

export const createLeaseSize = (): LeaseSize => {
  let size = 0
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    next(now, use) {
      const passed = now - askedAt
      askedAt = now
      if (passed < quickMs) size *= 2
      else if (passed > slowMs) size /= 2
      size = Math.min(Math.max(Math.ceil(size), use * usesAtFirst), most)
      return size
    },
  }
}

/**
 * The largest lease that one of `processes` may have where `rest` is not used by anybody: half of an equal part, so that the
 * others find something. 0 where that is less than `least`: then each use asks.
 */
export const largestLease = (rest: number, processes: number, least: number): number => {
  const part = Math.floor(rest / (2 * Math.max(1, processes)))
  return part < Math.max(1, least) ? 0 : part
}
