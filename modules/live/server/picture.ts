import {
  type AttentionReason,
  attentionReasons,
  type Language,
  type LiveChannel,
  type LiveMinute,
  type LivePicture,
} from '@tollgate/contract'
import { causeIn } from '#server/lib/json/stored-error.ts'
import type { WatchedChannel } from '#server/telemetry/channel-states.ts'
import { type LiveFigures, liveMinutes, sumOf } from '#server/telemetry/live/figures.ts'
import { firstQuantile } from '#server/telemetry/live/first-times.ts'
import type { NodeReport } from '#server/telemetry/live/node-report.ts'

const minuteMs = 60_000
const rateSeconds = 10
const mostErrors = 20
const mostChannels = 100

const quantiles = ({ first }: LiveFigures) => ({
  first_p50_ms: firstQuantile(first, 0.5),
  first_p95_ms: firstQuantile(first, 0.95),
})

const minutesOf = (reports: readonly NodeReport[], now: number): readonly LiveMinute[] => {
  const byPlace = new Map<number, LiveFigures[]>()
  for (const figures of reports.flatMap(({ hour }) => hour)) {
    byPlace.set(figures.place, [...(byPlace.get(figures.place) ?? []), figures])
  }
  const last = Math.floor(now / minuteMs)
  return Array.from({ length: liveMinutes }, (_, index) => {
    const place = last - liveMinutes + 1 + index
    const sum = sumOf(byPlace.get(place) ?? [])
    const { calls, failed, quota, running, waiting, holds } = sum
    return { at: place * 60, calls, failed, quota, ...quantiles(sum), running, waiting, holds }
  })
}

/** Figures of the last seconds; the second that is not over counts, too. */
const lastSeconds = (reports: readonly NodeReport[], now: number, count: number): LiveFigures => {
  const first = Math.floor(now / 1000) - count
  return sumOf(reports.flatMap(({ seconds }) => seconds.filter(({ place }) => place > first)))
}

const nodeOf = (report: NodeReport, now: number): LivePicture['nodes'][number] => ({
  name: report.name,
  pid: report.pid,
  version: report.version,
  started_at: report.startedAt,
  state: report.state,
  cpu: report.cpu,
  calls_per_second: lastSeconds([report], now, rateSeconds).calls / rateSeconds,
  running: report.running,
  memory: report.memory,
  loop_delay_p99_ms: report.loopDelayMs,
  waiting: report.waiting,
  oldest_ms: report.oldestMs,
  journal_bytes: report.journalBytes,
  journal_segments: report.journalSegments,
  holds: report.holds,
  held_quota: report.heldQuota,
  database_ms: report.databaseMs,
  ...(report.redisMs === undefined ? {} : { redis_ms: report.redisMs }),
})

/** The last hour of a channel on all nodes, and its last failure for a reader. */
const hourOf = (reports: readonly NodeReport[], id: number, language: Language) => {
  const hours = reports.flatMap(({ channels }) => channels.filter((channel) => channel.id === id))
  const sum = (figure: 'attempts' | 'failed' | 'firstMs' | 'firsts'): number =>
    hours.reduce((all, hour) => all + hour[figure], 0)
  const latest = hours.toSorted((a, b) => b.failedAt - a.failedAt)[0]
  const firsts = sum('firsts')
  const { reason = '', code, params } = latest ?? {}
  const { text, ...fields } = causeIn({ text: reason, code, params }, language)
  return {
    attempts: sum('attempts'),
    failed: sum('failed'),
    first_ms: firsts === 0 ? null : sum('firstMs') / firsts,
    reason: text,
    ...fields,
    status: latest?.status ?? 0,
    failed_at: latest?.failedAt ?? 0,
  }
}

/** Channels, and those that need attention by their ids. */
export interface SiteChannels {
  readonly channels: readonly WatchedChannel[]
  readonly needs: ReadonlyMap<number, readonly AttentionReason[]>
}

const rank = ({ reasons }: LiveChannel): number =>
  Math.min(...reasons.map((reason) => attentionReasons.indexOf(reason)))

const troubled = (
  reports: readonly NodeReport[],
  { channels, needs }: SiteChannels,
  language: Language,
): readonly LiveChannel[] =>
  channels
    .flatMap(({ id, name, avoidedModels }): LiveChannel[] => {
      const reasons = needs.get(id)
      if (reasons === undefined) return []
      const hour = hourOf(reports, id, language)
      return [{ id, name, reasons: [...reasons], avoided_models: [...avoidedModels], ...hour }]
    })
    .sort((a, b) => rank(a) - rank(b) || b.failed - a.failed)

/** Puts together what all nodes say of themselves, for a reader. */
export const livePictureOf = (
  reports: readonly NodeReport[],
  site: SiteChannels,
  now: number,
  language: Language,
): LivePicture => {
  const { channels } = site
  const names = new Map(channels.map(({ id, name }) => [id, name]))
  const [rate, minute] = [lastSeconds(reports, now, rateSeconds), lastSeconds(reports, now, 60)]
  const { calls, failed, quota } = minute
  const needing = troubled(reports, site, language)
  const errors = reports.flatMap((report) => report.errors).toSorted((a, b) => b.at - a.at)
  return {
    at: Math.floor(now / 1000),
    now: {
      calls_per_second: rate.calls / rateSeconds,
      failed_per_second: rate.failed / rateSeconds,
      calls,
      failed,
      quota,
      ...quantiles(minute),
      running: reports.reduce((sum, { running }) => sum + running, 0),
    },
    usual: quantiles(sumOf(reports.flatMap(({ hour }) => hour))),
    minutes: [...minutesOf(reports, now)],
    nodes: reports
      .map((report) => nodeOf(report, now))
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.pid - b.pid),
    channels: { all: channels.length, needing_attention: needing.length, in_trouble: needing.slice(0, mostChannels) },
    errors: errors.slice(0, mostErrors).map(({ requestId, channel, ...error }) => ({
      ...error,
      channel,
      channel_name: names.get(channel) ?? '',
      request_id: requestId,
    })),
  }
}
