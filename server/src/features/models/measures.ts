import {
  type ChannelMeasures,
  type ErrorClass,
  errorClasses,
  type FigureDimension,
  type ModelMeasures,
  type ModelUse,
} from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { FigureFilter } from '../../reports/figures/dimensions.ts'
import { type CallFigures, callsOf, firstWithin, outputSpeed } from '../../reports/figures/figures.ts'
import { readFigures } from '../../reports/figures/read-figures.ts'
import { bucketsOf, piecesOf } from '../../reports/usage/usage-buckets.ts'

const hour = 3_600
const day = 86_400
const days = 30
const keptMs = 300_000
const mostUsers = 10

/** Error classes that are no failure of a model: requests that it cannot take, clients that left, users without a balance. */
const ofClients: ReadonlySet<ErrorClass | string> = new Set<ErrorClass>(['invalid', 'cancelled', 'quota'])

/** The same for calls that were refused before a channel was looked for, for want of rights or because of a limit, too. */
const beforeRouting: ReadonlySet<ErrorClass | string> = new Set<ErrorClass>([
  'invalid',
  'cancelled',
  'quota',
  'auth',
  'rate_limited',
])
/** The channel of calls that reached none. */
const noChannel = '0'

interface Outcome {
  answered: number
  failed: number
}

const shareOf = ({ answered, failed }: Outcome): number | null =>
  answered + failed > 0 ? answered / (answered + failed) : null

type Measured = Omit<ModelMeasures, 'model'>

const measuresOf = (figures: CallFigures, outcomes: readonly Outcome[]): Measured => {
  const sum = { answered: 0, failed: 0 }
  for (const { answered, failed } of outcomes) {
    sum.answered += answered
    sum.failed += failed
  }
  return {
    first_p50: firstWithin(figures, 0.5) ?? null,
    first_p95: firstWithin(figures, 0.95) ?? null,
    speed: outputSpeed(figures) ?? null,
    uptime: shareOf(sum),
    days: outcomes.map(shareOf),
  }
}

interface Row extends Measured {
  readonly key: string
  readonly calls: number
}

interface Read {
  readonly rows: readonly Row[]
  /** Calls that were refused before routing, by class. */
  readonly refused: ReadonlyMap<string, number>
}

const lastDays = (now: number) => {
  const to = Math.ceil((now + 1) / hour) * hour
  const today = now - (now % day)
  return { from: today - (days - 1) * day, to }
}

/** Speed and outcome of the last 30 days by model or channel, the most called first. Refusals before routing do not count. */
const readMeasures = async (
  database: Pick<Database, 'query'>,
  { by, filters, now }: { by: FigureDimension; filters: readonly FigureFilter[]; now: number },
): Promise<Read> => {
  const { from, to } = lastDays(now)
  const buckets = bucketsOf(day, 'UTC', from, to)
  const without: FigureFilter = { dimension: 'channel', is: 'is', values: [noChannel] }
  const [whole, daily, unrouted] = await Promise.all([
    readFigures(database, { from, to, by: [by], filters, speed: true }),
    readFigures(database, { from, to, by: [by, 'status'], filters, buckets, utcDays: true }),
    readFigures(database, { from, to, by: [by, 'status'], filters: [...filters, without], buckets, utcDays: true }),
  ])
  const places = new Map(piecesOf(buckets, from, to).map(({ local }, index) => [local, index]))
  const outcomes = new Map<string, Outcome[]>()
  const outcomeAt = (key: string, local: number): Outcome | undefined => {
    const list = outcomes.get(key) ?? Array.from({ length: places.size }, () => ({ answered: 0, failed: 0 }))
    outcomes.set(key, list)
    return list[places.get(local) ?? -1]
  }
  for (const { keys, local, sums } of daily) {
    const [key = '', status = ''] = keys
    if (ofClients.has(status)) continue
    const outcome = outcomeAt(key, local)
    if (outcome === undefined) continue
    outcome.answered += Math.max(0, sums.answered)
    outcome.failed += Math.max(0, sums.failures)
  }
  const refused = new Map<string, number>()
  const refusedOf = new Map<string, number>()
  for (const { keys, local, sums } of unrouted) {
    const [key = '', status = ''] = keys
    if (!beforeRouting.has(status)) continue
    const count = Math.max(0, sums.failures)
    refused.set(status, (refused.get(status) ?? 0) + count)
    refusedOf.set(key, (refusedOf.get(key) ?? 0) + count)
    const outcome = ofClients.has(status) ? undefined : outcomeAt(key, local)
    if (outcome !== undefined) outcome.failed -= count
  }
  const rows = whole
    .map((cell) => {
      const key = cell.keys[0] ?? ''
      const calls = callsOf(cell) - (refusedOf.get(key) ?? 0)
      return { key, calls, ...measuresOf(cell, outcomes.get(key) ?? []) }
    })
    .sort((a, b) => b.calls - a.calls || (a.key < b.key ? -1 : 1))
  return { rows, refused }
}

export interface MeasureParts {
  readonly database: Pick<Database, 'query'>
  readonly clock: Clock
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, { name: string; type: number }>>
  userNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
}

export interface ModelStatistics {
  /** At most five minutes old; several callers share one reading. */
  all(): Promise<readonly ModelMeasures[]>
  /** Of one model: its channels, and who called it most. */
  use(model: string): Promise<ModelUse>
}

/** Measures of models from the sums of calls. */
export const openModelFigures = ({ database, clock, channelNames, userNames }: MeasureParts): ModelStatistics => {
  let kept: { at: number; answer: Promise<readonly ModelMeasures[]> } | undefined
  const readAll = async (): Promise<readonly ModelMeasures[]> => {
    const { rows } = await readMeasures(database, { by: 'model', filters: [], now: unixSeconds(clock) })
    return rows.map(({ key, calls: _, ...measures }) => ({ model: key, ...measures }))
  }
  return {
    all() {
      if (kept === undefined || clock() - kept.at >= keptMs) {
        const answer = readAll()
        kept = { at: clock(), answer }
        answer.catch(() => {
          if (kept?.answer === answer) kept = undefined
        })
      }
      return kept.answer
    },
    async use(model) {
      const filters: readonly FigureFilter[] = [{ dimension: 'model', is: 'is', values: [model] }]
      const now = unixSeconds(clock)
      const most = { count: mostUsers, by: 'quota' } as const
      const [{ rows: all, refused }, callers, [sum]] = await Promise.all([
        readMeasures(database, { by: 'channel', filters, now }),
        readFigures(database, { ...lastDays(now), by: ['user'], filters, most }),
        readFigures(database, { ...lastDays(now), by: [], filters }),
      ])
      const rows = all.filter(({ key, calls }) => key !== noChannel || calls > 0)
      const [channels, users] = await Promise.all([
        channelNames(rows.map(({ key }) => Number(key))),
        userNames(callers.map(({ keys }) => Number(keys[0] ?? 0))),
      ])
      return {
        channels: rows.map(({ key, ...measures }): ChannelMeasures => {
          const id = Number(key)
          return { channel_id: id, name: channels.get(id)?.name ?? '', type: channels.get(id)?.type ?? 0, ...measures }
        }),
        users: callers.map((cell) => {
          const id = Number(cell.keys[0] ?? 0)
          return { user_id: id, username: users.get(id) ?? '', calls: callsOf(cell), quota: cell.sums.quota }
        }),
        refused: errorClasses.flatMap((cause) => {
          const count = refused.get(cause) ?? 0
          return count > 0 ? [{ cause, calls: count }] : []
        }),
        calls: sum === undefined ? 0 : callsOf(sum),
        quota: sum?.sums.quota ?? 0,
      }
    },
  }
}
