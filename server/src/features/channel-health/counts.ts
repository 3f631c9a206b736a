import { type HealthKind, healthKinds } from '@tollgate/contract'
import type { ErrorSentence } from '../../relay/failure.ts'

/** Upper ends of the classes in which durations are counted, in milliseconds; the last class has none. */
export const durationBounds = [
  100, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 7500, 10_000, 15_000, 30_000, 60_000,
] as const

const longestBound = durationBounds[durationBounds.length - 1] ?? 0

export const bucketSeconds = 300

/** The start of the five minutes that a moment (milliseconds since 1970) belongs to, in unix seconds. */
export const bucketOf = (now: number): number => Math.floor(now / 1000 / bucketSeconds) * bucketSeconds

/** Results of one model of one channel in five minutes. */
export class Counts {
  /** Unix seconds. */
  readonly bucket: number
  /** The same and the end of the five minutes, in milliseconds. */
  readonly from: number
  readonly until: number
  readonly kinds: Record<HealthKind, number>
  /** One number per class of `durationBounds` and one for what took longer; answered calls only. */
  readonly durations: number[]
  firstContents = 0
  firstContentMs = 0
  quota = 0
  lastError = ''
  /** The last error as code and parameters; undefined for texts of upstreams. */
  lastSentence: ErrorSentence | undefined
  /** Unix seconds; 0 when there was none. */
  lastErrorTime = 0

  constructor(bucket: number) {
    this.bucket = bucket
    this.from = bucket * 1000
    this.until = this.from + bucketSeconds * 1000
    this.kinds = Object.fromEntries(healthKinds.map((kind) => [kind, 0])) as Record<HealthKind, number>
    this.durations = new Array<number>(durationBounds.length + 1).fill(0)
  }

  took(durationMs: number, firstContentMs: number): void {
    let index = 0
    while (index < durationBounds.length && durationMs > (durationBounds[index] ?? 0)) index += 1
    this.durations[index] = (this.durations[index] ?? 0) + 1
    if (firstContentMs < 0) return
    this.firstContents += 1
    this.firstContentMs += firstContentMs
  }

  /** Adds what could not be written to what has happened since. */
  add(other: Counts): void {
    for (const kind of healthKinds) this.kinds[kind] += other.kinds[kind]
    other.durations.forEach((count, index) => {
      this.durations[index] = (this.durations[index] ?? 0) + count
    })
    this.firstContents += other.firstContents
    this.firstContentMs += other.firstContentMs
    this.quota += other.quota
    if (other.lastErrorTime <= this.lastErrorTime) return
    this.lastError = other.lastError
    this.lastSentence = other.lastSentence
    this.lastErrorTime = other.lastErrorTime
  }
}

/**
 * The end, in milliseconds, of the class in which `share` of the counted calls have been answered; `exceeded` when that is
 * the class without an end, and they took longer than this. Nothing within a class is guessed: of calls that took 3 ms only
 * "at most 100" is known. undefined without calls.
 */
export const percentile = (
  durations: readonly number[],
  share: number,
): { readonly ms: number; readonly exceeded: boolean } | undefined => {
  const all = durations.reduce((sum, count) => sum + count, 0)
  if (all === 0) return undefined
  let left = all * share
  const index = durations.findIndex((count) => {
    left -= count
    return left <= 0
  })
  const end = durationBounds[index]
  return { ms: end ?? longestBound, exceeded: end === undefined }
}
