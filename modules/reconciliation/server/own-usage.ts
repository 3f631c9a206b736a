import type { Decimal } from '#server/billing/price.ts'
import { noUsage, type Usage } from '#server/billing/usage.ts'
import type { Database } from '#server/db/database.ts'
import { type LogSum, sumLogHour } from './log-hours.ts'
import { daySeconds, dollarsOf, hourSeconds, type Period } from './report.ts'

/** Usage of a model by channels in one hour. */
export interface OwnUsage {
  /** Start of the hour in unix seconds. */
  readonly at: number
  /** The model that clients asked for. */
  readonly model: string
  /** The model that the provider was asked for. */
  readonly upstreamModel: string
  readonly usage: Usage & { readonly calls: number }
  /** Prompts were longer than so many tokens, where that changes the price; 0 otherwise. */
  readonly above: number
  /** Cost at the provider when it was charged, in dollars; undefined if unknown. */
  readonly cost?: Decimal
  /** False where rows of the log are gone: the prompt is not split by cache then. */
  readonly detailed: boolean
}

/** Reads what channels used in a period, hour by hour. */
export type ReadOwnUsage = (channelIds: readonly number[], period: Period) => Promise<readonly OwnUsage[]>

export interface OwnUsageParts {
  readonly database: Database
  readonly logs: Database
  /** The model that a channel asks its provider for, by its present mapping. */
  upstreamModelOf(channelId: number, model: string): string
  /** Quota units of a dollar. */
  quotaPerUnit(): number
}

/** Charges of one hour, channel and model. */
interface ChargedSum {
  readonly at: number
  readonly channelId: number
  readonly model: string
  readonly calls: number
  readonly prompt: number
  readonly completion: number
  /** Cost of calls at the provider in quota units, and the number of calls whose cost is known. */
  readonly cost: number
  readonly costed: number
}

const usageOf = (sum: LogSum): OwnUsage['usage'] => ({
  ...noUsage,
  input: Math.max(0, sum.prompt - sum.cacheRead - sum.cacheWrite - sum.audioInput),
  cacheRead: sum.cacheRead,
  cacheWrite: Math.max(0, sum.cacheWrite - sum.cacheWrite1h),
  cacheWrite1h: sum.cacheWrite1h,
  audioInput: sum.audioInput,
  output: Math.max(0, sum.completion - sum.audioOutput),
  audioOutput: sum.audioOutput,
  calls: sum.calls,
  ...(sum.tier === '' ? {} : { tier: sum.tier }),
})

/** The books of a day: they stay when logs are cleared. */
const readCharged = async (
  { query }: Database,
  channelIds: readonly number[],
  day: number,
): Promise<readonly ChargedSum[]> => {
  const rows = await query
    .selectFrom('usage_hours')
    .select(({ fn }) => [
      'created_at',
      'channel_id',
      'model_name',
      fn.sum('count').as('calls'),
      fn.sum('prompt_tokens').as('prompt'),
      fn.sum('completion_tokens').as('completion'),
      fn.sum('cost').as('cost'),
      fn.sum('costed_count').as('costed'),
    ])
    .where('created_at', '>=', day)
    .where('created_at', '<', day + daySeconds)
    .where('channel_id', 'in', [...channelIds])
    .groupBy(['created_at', 'channel_id', 'model_name'])
    .execute()
  return rows.map((row) => ({
    at: row.created_at,
    channelId: row.channel_id,
    model: row.model_name,
    calls: Number(row.calls),
    prompt: Number(row.prompt),
    completion: Number(row.completion),
    cost: Number(row.cost),
    costed: Number(row.costed),
  }))
}

const fromLog = (at: number, sum: LogSum, quotaPerUnit: number): OwnUsage => ({
  at,
  model: sum.model,
  upstreamModel: sum.upstream || sum.model,
  usage: usageOf(sum),
  above: sum.above,
  ...(sum.costed === 1 ? { cost: dollarsOf(sum.cost, quotaPerUnit) } : {}),
  detailed: true,
})

const callsOf = (sums: readonly { readonly calls: number }[]): number => sums.reduce((all, { calls }) => all + calls, 0)

/** The log where it has every charged call of the hour; the books where rows are gone. Channel tests stand in the log only. */
const usageOfHour = (
  at: number,
  logged: readonly LogSum[],
  charged: readonly ChargedSum[],
  { upstreamModelOf, quotaPerUnit }: Pick<OwnUsageParts, 'upstreamModelOf' | 'quotaPerUnit'>,
): OwnUsage[] => {
  const perUnit = quotaPerUnit()
  const models = new Set([...logged, ...charged].map(({ model }) => model))
  return [...models].flatMap((model) => {
    const ofLog = logged.filter((sum) => sum.model === model)
    const ofBooks = charged.filter((sum) => sum.model === model && sum.calls > 0)
    const tests = ofLog.filter(({ tested }) => tested === 1)
    const calls = ofLog.filter(({ tested }) => tested === 0)
    if (callsOf(calls) >= callsOf(ofBooks)) return ofLog.map((sum) => fromLog(at, sum, perUnit))
    return [
      ...tests.map((sum) => fromLog(at, sum, perUnit)),
      ...ofBooks.map((sum) => ({
        at,
        model,
        upstreamModel: upstreamModelOf(sum.channelId, model),
        usage: { ...noUsage, input: sum.prompt, output: sum.completion, calls: sum.calls },
        above: 0,
        ...(sum.costed >= sum.calls ? { cost: dollarsOf(sum.cost, perUnit) } : {}),
        detailed: false,
      })),
    ]
  })
}

export const createReadOwnUsage =
  (parts: OwnUsageParts): ReadOwnUsage =>
  async (channelIds, { from, until }) => {
    const { database, logs } = parts
    const found: OwnUsage[] = []
    for (let day = from; day <= until; day += daySeconds) {
      const charged = await readCharged(database, channelIds, day)
      for (let at = day; at < day + daySeconds; at += hourSeconds) {
        const ofHour = charged.filter((sum) => sum.at === at)
        found.push(...usageOfHour(at, await sumLogHour(logs, channelIds, at), ofHour, parts))
      }
    }
    return found
  }
