import type { Meter } from '@opentelemetry/api'
import { createBoundedNames } from '../bounded-names.ts'
import type { CallListener } from '../call-listener.ts'
import type { NodeState } from '../node-state.ts'
import { providerNameOf } from './gen-ai.ts'

export interface OtelMetricsParts {
  readonly meter: Meter
  readonly mostNames: number
  knows(model: string): boolean
  readonly state: () => NodeState
}

const second = 1000
/** Buckets in seconds, as OpenTelemetry's GenAI conventions advise. */
const durationBuckets = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokenBuckets = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]

/** Metrics by the GenAI semantic conventions, and what a node is doing. */
export const createOtelMetrics = ({ meter, mostNames, knows, state }: OtelMetricsParts): CallListener => {
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: durationBuckets } }
  const requests = meter.createHistogram('http.server.request.duration', seconds)
  const operations = meter.createHistogram('gen_ai.client.operation.duration', {
    ...seconds,
    description: 'Requests to upstreams',
  })
  const firstTokens = meter.createHistogram('gen_ai.server.time_to_first_token', {
    ...seconds,
    description: 'Time to the first content of charged streams, as the client sees it',
  })
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Tokens of charged calls',
    advice: { explicitBucketBoundaries: tokenBuckets },
  })
  const calls = meter.createCounter('tollgate.calls', { unit: '{call}', description: 'Calls to models by outcome' })
  const quota = meter.createCounter('tollgate.quota', { description: 'Quota units that calls were charged' })
  const modelNames = createBoundedNames(mostNames)
  const channelNames = createBoundedNames(mostNames)
  const nameOf = (model: string): string => (knows(model) ? modelNames.of(model) : 'unknown')

  const gauge = (name: string, unit: string, read: (state: NodeState) => number): void => {
    meter.createObservableGauge(name, { unit }).addCallback((result) => result.observe(read(state())))
  }
  gauge('tollgate.calls.running', '{call}', ({ running }) => running)
  gauge('tollgate.holds.open', '{hold}', ({ holds }) => holds.count)
  gauge('tollgate.ledger.waiting', '{record}', ({ waiting }) => waiting.count)
  gauge('tollgate.ledger.lag', 's', ({ waiting }) => waiting.oldestMs / second)
  gauge('tollgate.journal.size', 'By', ({ journal }) => journal.bytes)
  gauge('tollgate.accepting', '1', ({ accepting }) => Number(accepting))
  meter
    .createObservableGauge('process.memory.usage', { unit: 'By' })
    .addCallback((result) => result.observe(process.memoryUsage.rss()))

  return {
    requestEnded({ kind, status, tookMs }) {
      requests.record(tookMs / second, { 'http.route': kind, 'http.response.status_code': status })
    },
    attemptEnded({ channel, failure, model, tookMs }) {
      operations.record(tookMs / second, {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': providerNameOf(channel.provider.name),
        'gen_ai.request.model': nameOf(model),
        'tollgate.channel.id': channelNames.of(String(channel.id)),
        ...(failure === undefined ? {} : { 'error.type': String(failure.status || '_OTHER') }),
      })
    },
    callRecorded(record) {
      const labels = { 'gen_ai.request.model': nameOf(record.model) }
      calls.add(record.times ?? 1, { ...labels, outcome: record.kind === 'charge' ? 'charged' : 'failed' })
      if (record.kind !== 'charge') return
      quota.add(Math.max(0, record.quota), labels)
      tokens.record(record.promptTokens, { ...labels, 'gen_ai.token.type': 'input' })
      tokens.record(record.completionTokens, { ...labels, 'gen_ai.token.type': 'output' })
      const { firstMs } = record.measures ?? {}
      if (firstMs !== undefined) firstTokens.record(firstMs / second, labels)
    },
  }
}
