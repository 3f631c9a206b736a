import { Counter, Histogram, type Registry } from 'prom-client'
import { createBoundedNames } from '../bounded-names.ts'
import type { CallListener } from '../call-listener.ts'

export interface CallMetricsParts {
  readonly registry: Registry
  /** Models and channels that have series of their own. */
  readonly mostNames: number
  /** True if channels know a model; names that clients make up share one series. */
  knows(model: string): boolean
}

export interface CallMetrics extends CallListener {
  /** Gives the series to the names that are used most; once a minute. */
  settle(): void
}

const secondsBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

const statusClass = (status: number): string =>
  status >= 100 && status <= 599 ? `${Math.floor(status / 100)}xx` : 'none'

const second = 1000

/** Counters and histograms of calls. What they cost a call is a few additions: series are looked up by name once. */
export const createCallMetrics = ({ registry, mostNames, knows }: CallMetricsParts): CallMetrics => {
  const registers = [registry]
  const requests = new Histogram({
    name: 'tollgate_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by kind of route and class of status',
    labelNames: ['route', 'status'],
    buckets: secondsBuckets,
    registers,
  })
  const calls = new Counter({
    name: 'tollgate_calls_total',
    help: 'Calls to models by outcome: charged, failed, or cut off (charged, but the answer broke off)',
    labelNames: ['model', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'tollgate_call_duration_seconds',
    help: 'Time of charged calls to the end of the answer',
    labelNames: ['model'],
    buckets: secondsBuckets,
    registers,
  })
  const firstTokens = new Histogram({
    name: 'tollgate_first_token_seconds',
    help: 'Time to the first content of charged streams, as the client sees it',
    labelNames: ['model'],
    buckets: secondsBuckets,
    registers,
  })
  const tokens = new Counter({
    name: 'tollgate_tokens_total',
    help: 'Tokens of charged calls: input (cached included), output (reasoning included), cached, reasoning',
    labelNames: ['model', 'type'],
    registers,
  })
  const quota = new Counter({
    name: 'tollgate_quota_total',
    help: 'Quota units that calls were charged',
    labelNames: ['model'],
    registers,
  })
  const attempts = new Histogram({
    name: 'tollgate_attempt_duration_seconds',
    help: 'Time of requests to upstreams by channel and outcome',
    labelNames: ['channel', 'outcome'],
    buckets: secondsBuckets,
    registers,
  })
  const upstreamFirst = new Histogram({
    name: 'tollgate_upstream_first_token_seconds',
    help: 'Time from the request to an upstream to its first content',
    labelNames: ['channel'],
    buckets: secondsBuckets,
    registers,
  })

  const seriesOfModel = (model: string) => ({
    charged: calls.labels(model, 'charged'),
    failed: calls.labels(model, 'failed'),
    broken: calls.labels(model, 'cut_off'),
    duration: durations.labels(model),
    first: firstTokens.labels(model),
    input: tokens.labels(model, 'input'),
    output: tokens.labels(model, 'output'),
    cached: tokens.labels(model, 'cached'),
    reasoning: tokens.labels(model, 'reasoning'),
    quota: quota.labels(model),
  })
  const seriesOfChannel = (channel: string) => ({
    ok: attempts.labels(channel, 'ok'),
    failed: attempts.labels(channel, 'failed'),
    first: upstreamFirst.labels(channel),
  })
  const models = new Map<string, ReturnType<typeof seriesOfModel>>()
  const channels = new Map<string, ReturnType<typeof seriesOfChannel>>()
  const requestSeries = new Map<string, ReturnType<typeof requests.labels>>()
  const modelNames = createBoundedNames(mostNames)
  const channelNames = createBoundedNames(mostNames)

  const seriesFor = <T>(map: Map<string, T>, name: string, make: (name: string) => T): T => {
    const there = map.get(name)
    if (there !== undefined) return there
    const made = make(name)
    map.set(name, made)
    return made
  }

  const forgetModel = (model: string): void => {
    models.delete(model)
    for (const outcome of ['charged', 'failed', 'cut_off']) calls.remove(model, outcome)
    for (const type of ['input', 'output', 'cached', 'reasoning']) tokens.remove(model, type)
    for (const metric of [durations, firstTokens]) metric.remove(model)
    quota.remove(model)
  }

  const forgetChannel = (channel: string): void => {
    channels.delete(channel)
    for (const outcome of ['ok', 'failed']) attempts.remove(channel, outcome)
    upstreamFirst.remove(channel)
  }

  return {
    requestEnded({ kind, status, tookMs }) {
      const of = statusClass(status)
      const series = seriesFor(requestSeries, `${kind}|${of}`, () => requests.labels(kind, of))
      series.observe(tookMs / second)
    },
    attemptEnded({ channel, failure, tookMs, firstContentMs }) {
      const series = seriesFor(channels, channelNames.of(String(channel.id)), seriesOfChannel)
      const outcome = failure === undefined ? series.ok : series.failed
      outcome.observe(tookMs / second)
      if (firstContentMs >= 0) series.first.observe(firstContentMs / second)
    },
    callRecorded(record) {
      const name = knows(record.model) ? modelNames.of(record.model) : 'unknown'
      const series = seriesFor(models, name, seriesOfModel)
      if (record.kind === 'error') {
        series.failed.inc(record.times ?? 1)
        return
      }
      const { measures } = record
      const outcome = record.other.end === 'upstream_broke' ? series.broken : series.charged
      outcome.inc()
      series.input.inc(record.promptTokens)
      series.output.inc(record.completionTokens)
      series.quota.inc(Math.max(0, record.quota))
      if (measures === undefined) return
      series.cached.inc(measures.cached)
      series.reasoning.inc(measures.reasoning)
      if (measures.totalMs !== undefined) series.duration.observe(measures.totalMs / second)
      if (measures.firstMs !== undefined) series.first.observe(measures.firstMs / second)
    },
    settle() {
      for (const model of modelNames.settle()) forgetModel(model)
      for (const channel of channelNames.settle()) forgetChannel(channel)
    },
  }
}
