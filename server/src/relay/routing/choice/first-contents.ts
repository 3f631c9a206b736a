import { createBoundedCache } from '../../../lib/caches/bounded-cache.ts'
/** How soon streams of a channel began lately, for knowing which are slow. In memory, O(1) per call. */
export interface FirstContents {
  /** Milliseconds to the first content of a stream, which came at `now` or was no longer waited for then. */
  note(channelId: number, model: string, ms: number, now: number): void
  /** The 95th percentile in milliseconds, five medians at most; undefined where too little was measured lately. */
  slow(channelId: number, model: string, now: number): number | undefined
}

/** As many of the last streams of a channel and model are looked at, and as few are enough. */
const mostSamples = 128
const leastSamples = 20
/** The percentile is worked out again after so many streams. */
const freshFor = 8
const share = 0.95
/** Of a channel that is slow in more than one of twenty streams the percentile is that of the slow ones: nothing would be slow. */
const mostMedians = 5
/** Older figures say nothing. */
const validMs = 900_000
/** About 6 MB. */
const mostWindows = 10_000

interface Window {
  readonly samples: Float64Array
  count: number
  /** Milliseconds since 1970. */
  at: number
  slow: number
  /** How many samples there were when `slow` was worked out. */
  slowOf: number
}

const slowOf = ({ samples, count }: Window): number => {
  const sorted = samples.slice(0, Math.min(count, mostSamples)).sort()
  const percentile = (part: number): number => sorted[Math.ceil(sorted.length * part) - 1] ?? 0
  return Math.min(percentile(share), percentile(0.5) * mostMedians)
}

export const openFirstContents = (): FirstContents => {
  const windows = createBoundedCache<string, Window>({ entries: mostWindows })
  return {
    note: (channelId, model, ms, now) => {
      const name = `${channelId} ${model}`
      let window = windows.get(name)
      if (window === undefined || now - window.at >= validMs) {
        window = { samples: new Float64Array(mostSamples), count: 0, at: now, slow: 0, slowOf: 0 }
        windows.set(name, window)
      }
      window.samples[window.count % mostSamples] = ms
      window.count += 1
      window.at = now
    },
    slow: (channelId, model, now) => {
      const window = windows.get(`${channelId} ${model}`)
      if (window === undefined || window.count < leastSamples || now - window.at >= validMs) return undefined
      if (window.slowOf === 0 || window.count - window.slowOf >= freshFor) {
        window.slow = slowOf(window)
        window.slowOf = window.count
      }
      return window.slow
    },
  }
}
