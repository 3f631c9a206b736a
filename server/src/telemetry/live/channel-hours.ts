import type { RefusalFields } from '@tollgate/contract'
import type { ErrorSentence } from '../../relay/failure.ts'
import type { EndedAttempt } from '../call-listener.ts'

/** Figures of a node about a channel in the last hour. */
export interface ChannelHour extends RefusalFields {
  readonly id: number
  readonly attempts: number
  readonly failed: number
  /** Sum and number of times to the first content, in milliseconds. */
  readonly firstMs: number
  readonly firsts: number
  /** Unix seconds; 0 for none. */
  readonly failedAt: number
  readonly status: number
  /** Why it failed last; in Chinese where the text is ours, whose code is then beside it. */
  readonly reason: string
}

interface Slice {
  place: number
  attempts: number
  failed: number
  firstMs: number
  firsts: number
}

interface Hour {
  readonly slices: Slice[]
  failedAt: number
  status: number
  reason: string
  sentence: ErrorSentence | undefined
}

const sliceMs = 300_000
const slices = 12
const longestReason = 160

/** The last hour of each channel that was asked, in slices of five minutes. */
export const createChannelHours = (clock: () => number) => {
  const channels = new Map<number, Hour>()

  return {
    ended({ channel, failure, firstContentMs }: EndedAttempt): void {
      const now = clock()
      let hour = channels.get(channel.id)
      if (hour === undefined) {
        hour = { slices: [], failedAt: 0, status: 0, reason: '', sentence: undefined }
        channels.set(channel.id, hour)
      }
      const place = Math.floor(now / sliceMs)
      let slice = hour.slices.at(-1)
      if (slice?.place !== place) {
        slice = { place, attempts: 0, failed: 0, firstMs: 0, firsts: 0 }
        hour.slices.push(slice)
        if (hour.slices.length > slices) hour.slices.shift()
      }
      slice.attempts += 1
      if (firstContentMs >= 0) {
        slice.firstMs += firstContentMs
        slice.firsts += 1
      }
      if (failure === undefined) return
      slice.failed += 1
      hour.failedAt = Math.floor(now / 1000)
      hour.status = failure.status
      hour.reason = failure.message.slice(0, longestReason).toWellFormed()
      hour.sentence = failure.sentence
    },
    /** Channels that failed in the last hour, those that failed most first. */
    failing(most: number): readonly ChannelHour[] {
      const oldest = Math.floor(clock() / sliceMs) - slices + 1
      return [...channels]
        .map(([id, { slices: kept, failedAt, status, reason, sentence }]) => {
          const recent = kept.filter(({ place }) => place >= oldest)
          const sum = (figure: 'attempts' | 'failed' | 'firstMs' | 'firsts'): number =>
            recent.reduce((all, slice) => all + slice[figure], 0)
          const [attempts, failed, firstMs, firsts] = [sum('attempts'), sum('failed'), sum('firstMs'), sum('firsts')]
          return { id, attempts, failed, firstMs, firsts, failedAt, status, reason, ...sentence }
        })
        .filter(({ failed }) => failed > 0)
        .sort((a, b) => b.failed - a.failed)
        .slice(0, most)
    },
  }
}
