import type { GuardedPost } from '#server/lib/security/guarded-post.ts'
import type { UsageSink } from './ports.ts'
import type { UsageRecord } from './usage-record.ts'

export interface OtlpSinkParts {
  /** Without `/v1/logs`. */
  readonly address: () => string
  /** `name=value` pairs with commas between them, values as in URLs; as OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers: () => string
  readonly post: GuardedPost
  readonly service: string
}

const mostRecords = 500
const timeoutMs = 30_000
const info = 9
const errorLevel = 17

type Value = string | number | boolean

const attribute = (key: string, value: Value) => ({
  key,
  value:
    typeof value === 'string'
      ? { stringValue: value }
      : typeof value === 'boolean'
        ? { boolValue: value }
        : { intValue: String(Math.round(value)) },
})

const attributesOf = (record: UsageRecord) =>
  Object.entries({
    'tollgate.request.id': record.id,
    'tollgate.sequence': record.sequence,
    'tollgate.kind': record.kind,
    'tollgate.quota': record.quota,
    'tollgate.user.id': record.user_id,
    'tollgate.user.name': record.username,
    'tollgate.token.id': record.token_id,
    'tollgate.token.name': record.token_name,
    'tollgate.channel.id': record.channel_id,
    'tollgate.group': record.group,
    'tollgate.duration_ms': record.duration_ms,
    'gen_ai.request.model': record.model,
    'gen_ai.request.stream': record.stream,
    'gen_ai.usage.input_tokens': record.prompt_tokens,
    'gen_ai.usage.output_tokens': record.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': record.cached_tokens,
    'http.response.status_code': record.status,
    ...(record.session === '' ? {} : { 'gen_ai.conversation.id': record.session }),
    ...(record.end_user === '' ? {} : { 'enduser.id': record.end_user }),
    ...(record.error === '' ? {} : { 'error.type': record.error }),
  }).map(([key, value]) => attribute(key, value))

const logRecord = (record: UsageRecord) => ({
  timeUnixNano: `${record.time}000000000`,
  severityNumber: record.kind === 'error' ? errorLevel : info,
  severityText: record.kind === 'error' ? 'ERROR' : 'INFO',
  eventName: 'tollgate.usage',
  body: { stringValue: `${record.kind} ${record.model}` },
  attributes: attributesOf(record),
})

const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.split('='))
      .filter(([name = '']) => name.trim() !== '')
      .map(([name = '', ...value]) => [name.trim().toLowerCase(), decodeURIComponent(value.join('=').trim())]),
  )

/** Sends usage as OTLP log records, in JSON over HTTP (opentelemetry.io/docs/specs/otlp). */
export const createOtlpSink = ({ address, headers, post, service }: OtlpSinkParts): UsageSink => ({
  name: 'otlp',
  mostRecords,
  longestWait: 0,
  isOn: () => address() !== '',

  async deliver(records) {
    const resource = { attributes: [attribute('service.name', service)] }
    const scopeLogs = [{ scope: { name: 'tollgate.usage' }, logRecords: records.map(logRecord) }]
    const status = await post({
      url: `${address().replace(/\/v1\/logs$/, '')}/v1/logs`,
      headers: { ...headersOf(headers()), 'content-type': 'application/json' },
      body: JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] }),
      timeoutMs,
    })
    if (status < 200 || status > 299) throw new Error(`the collector answered HTTP ${status}`)
  },
})
