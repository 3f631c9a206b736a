import type { Receipt } from '@tollgate/contract'
import { decimal, toNumber } from '#server/billing/decimal.ts'
import type { UpstreamCost } from '#server/billing/upstream/upstream-cost.ts'
import { remeasured } from '#server/billing/videos/video-receipt.ts'
import type { RowClaim } from '#server/jobs/row-claims.ts'
import { type JobRunner, type JobTimes, openJobRunner } from '#server/jobs/runner.ts'
import type { RequestRecord } from '#server/relay/ports.ts'
import { jobRecord } from '#server/relay/provider-jobs/job-record.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import { redact } from '#server/relay/upstream/redact.ts'
import { askProvider, type ProviderPlace, placeOf } from './ask-provider.ts'
import type { VideoLook } from './providers/video-provider.ts'
import type { VideoStore } from './store.ts'
import { unknownText } from './submit.ts'
import { isKeepable, jobOf, receiptIn, type VideoJob, type VideoRow, videoFailure } from './video.ts'

export interface FollowParts extends JobTimes {
  readonly store: VideoStore
  readonly jobs: ProviderJobs
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

type Completed = Extract<VideoLook, { state: 'completed' }>

const [secondMs, minuteMs] = [1_000, 60_000]
/** Videos that a process asks about at a time; one of each channel, and not more often than this. */
const atOnce = 4
const paceMs = 250
const lookTimeoutMs = 30_000
/** No provider works on a video for so long. */
const longestMs = 48 * 60 * minuteMs
/** How often a provider may say that it does not know a video. */
const mostGone = 5
const longestPauseMs = 10 * minuteMs

/** Pause before the next look, by the age of a video: longer where its provider has called before, so that its calls are known to arrive. */
const paceFor = (ageMs: number, calls: boolean): number => {
  if (calls) return ageMs < 10 * minuteMs ? 30 * secondMs : minuteMs
  if (ageMs < 10 * minuteMs) return 5 * secondMs
  return ageMs < 60 * minuteMs ? 15 * secondMs : minuteMs
}

/** Seconds that a provider states for a video count up to this many times what was asked for. */
const believedTimes = 2
const believedMore = 10

const isBelieved = (seconds: number, askedMs: number): boolean =>
  seconds <= (askedMs / 1000) * believedTimes + believedMore

/** Receipt of a finished video: the price of its beginning, by what its provider states of it. */
const receiptFor = (row: VideoRow, frozen: Receipt, { seconds, tokens }: Completed): Receipt => {
  if (seconds !== undefined && !isBelieved(seconds, row.duration_ms))
    return { ...remeasured(frozen, { ms: row.duration_ms, tokens }), disputed: { seconds } }
  return remeasured(frozen, { ms: seconds === undefined ? row.duration_ms : Math.round(seconds * 1000), tokens })
}

const costOf = (row: VideoRow, completed: Completed): UpstreamCost | undefined => {
  const frozen = receiptIn(row.cost)
  if (frozen === undefined) return undefined
  const { quota, price_version: version = '', group_ratio: factor } = receiptFor(row, frozen, completed)
  return { quota, version, factor }
}

const msOf = (row: VideoRow, { seconds }: Completed): number =>
  seconds !== undefined && isBelieved(seconds, row.duration_ms) ? Math.round(seconds * 1000) : row.duration_ms

const recordOf = (job: VideoJob, frozen: Receipt, completed: Completed, now: number): RequestRecord => {
  const { row } = job
  const receipt = receiptFor(row, frozen, completed)
  const seconds = msOf(row, completed) / 1000
  const groupRatio = toNumber(decimal(receipt.group_ratio))
  return jobRecord(
    job,
    {
      receipt,
      model: row.model,
      cost: costOf(row, completed),
      promptTokens: 0,
      completionTokens: completed.tokens ?? 0,
      content: `视频 ${row.public_id}，${seconds} 秒，${row.size}，分组倍率 ${groupRatio.toFixed(2)}`,
      measures: { cached: 0, cacheWrite: 0, reasoning: 0 },
      other: { group_ratio: groupRatio, video: { id: row.public_id, seconds, size: row.size } },
    },
    now,
  )
}

/** Follows videos to their end, on whichever node is quickest: a completed one is charged once, a failed one costs nothing. */
export const openFollowing = (parts: FollowParts): JobRunner<VideoRow> => {
  const { store, jobs, log, clock, ...times } = parts

  const failed = async (row: VideoRow, code: string, message: string): Promise<void> => {
    const isFirst = await store.fail(row.id, { code, message })
    jobs.held.release(row.id)
    if (isFirst) await jobs.fail(jobOf(row), videoFailure(row, { code, message }))
  }

  const completed = async (row: VideoRow, look: Completed): Promise<void> => {
    const frozen = receiptIn(row.receipt)
    if (frozen === undefined) throw new Error(`video ${row.id} has no receipt`)
    const job = jobOf(row)
    await jobs.charge(job, () => recordOf(job, frozen, look, clock()), {
      isOpen: () => store.isOpen(row.id),
      close: () =>
        store.complete(row.id, {
          duration_ms: msOf(row, look),
          result: JSON.stringify(look.place),
          expires_time: Math.floor(look.expiresAt ?? 0),
        }),
    })
  }

  /** Schedules another look, or gives up a video that its provider has not reported on for `longestMs`. */
  const unread = async (row: VideoRow, cause: string): Promise<void> => {
    log('video_not_read', { video: row.public_id, channel: row.channel_id, cause })
    const attempts = row.attempts + 1
    if (clock() - row.created_time * 1000 > longestMs)
      return failed(row, 'expired', 'The provider did not finish this video. It was not charged.')
    const pauseMs = Math.min(longestPauseMs, 5 * secondMs * 2 ** Math.min(attempts, 10))
    await store.later(row, { nextAt: clock() + pauseMs, attempts })
  }

  const ask = async (row: VideoRow, place: ProviderPlace): Promise<void> => {
    const { provider, key, channel } = place
    const request = provider.look(row.upstream_id)
    const answer = await askProvider(place, request, { network: jobs, timeoutMs: lookTimeoutMs }).catch(String)
    if (typeof answer === 'string') return unread(row, redact(answer, { key, baseUrl: channel.baseUrl }))
    if (answer.status === 404 && row.attempts + 1 >= mostGone)
      return failed(row, 'not_found', 'The provider does not know this video any more. It was not charged.')
    const look = answer.status < 300 ? provider.readLook(answer.json) : undefined
    if (look === undefined) return unread(row, `status ${answer.status}`)
    switch (look.state) {
      case 'completed':
        return isKeepable(look.place) ? completed(row, look) : unread(row, 'its address is too long')
      case 'failed':
        return failed(row, look.code, redact(look.message, { key, baseUrl: channel.baseUrl }))
      default: {
        const ageMs = clock() - row.created_time * 1000
        if (ageMs > longestMs) return unread(row, `still ${look.state}`)
        const progress = Math.round(Math.min(99, Math.max(row.progress, look.progress ?? 0)))
        const nextAt = clock() + paceFor(ageMs, row.nudged_time > 0)
        await store.later(row, { state: look.state, progress, nextAt, attempts: 0 })
      }
    }
  }

  return openJobRunner<VideoRow, RowClaim>({
    ...times,
    clock,
    store: store.jobs,
    atOnce,
    keys: { keyOf: ({ channel_id }) => String(channel_id), atOnce: 1, paceMs },
    async work(row) {
      try {
        if (row.state === 'submitting') {
          log('video_submission_unknown', { video: row.public_id, model: row.model, cause: 'its process has ended' })
          return await failed(row, 'submission_unknown', unknownText)
        }
        const place = placeOf(row, jobs)
        await (place === undefined ? unread(row, 'its channel is gone') : ask(row, place))
      } catch (error) {
        log('video_not_settled', { video: row.public_id, error })
      }
    },
  })
}
