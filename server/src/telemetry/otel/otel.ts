import { DiagLogLevel, diag, type Logger, SeverityNumber } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Tracing } from '../../gateway/ports.ts'
import type { LogLevel, LogListener } from '../../lib/log.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import type { CallListener } from '../call-listener.ts'
import type { NodeState } from '../node-state.ts'
import { createOtelMetrics } from './metrics.ts'
import { createOtelTracing } from './tracing.ts'

export interface OtelSettings {
  /** Without the path of a signal, e.g. `http://collector:4318`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** Signals that are exported. */
  readonly signals: ReadonlySet<'traces' | 'metrics' | 'logs'>
  /** Share of the requests whose spans are exported, from 0 to 1. */
  readonly ratio: number
  /** True if upstreams get the context of the trace. */
  readonly propagates: boolean
  /** Milliseconds between exports of metrics. */
  readonly metricIntervalMs: number
}

export interface OtelParts extends OtelSettings {
  readonly version: string
  readonly node: string
  readonly mostNames: number
  knows(model: string): boolean
  readonly state: () => NodeState
  readonly clock: () => number
  /** Called for exports that fail, at most once a minute. */
  readonly warn: (event: 'telemetry_not_exported', fields: Readonly<Record<string, unknown>>) => void
}

export interface Otel {
  readonly tracing: Tracing | undefined
  readonly listener: CallListener | undefined
  readonly logs: LogListener | undefined
  /** Sends what waits, for a few seconds at most. */
  close(): Promise<void>
}

const severities: Readonly<Record<LogLevel, SeverityNumber>> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
}

const closeMs = 5_000
const exportMs = 10_000
const warnEveryMs = 60_000

const logListener =
  (logger: Logger): LogListener =>
  (level, message, fields) => {
    // A failure to send telemetry must not be logged by the same way.
    if (message === 'telemetry_not_exported') return
    logger.emit({
      severityNumber: severities[level],
      severityText: level.toUpperCase(),
      ...(/^[a-z_]+$/.test(message) ? { eventName: message } : {}),
      body: message,
      attributes: Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
            ? value
            : JSON.stringify(value),
        ]),
      ),
    })
  }

/** Turns what the SDK says of its exports into one warning a minute. */
const listenToExports = ({ warn, clock }: OtelParts): void => {
  let warnedAt = Number.NEGATIVE_INFINITY
  const failed = (message: string): void => {
    if (clock() - warnedAt < warnEveryMs) return
    warnedAt = clock()
    warn('telemetry_not_exported', { error: message.slice(0, 500) })
  }
  const quiet = (): void => {}
  diag.setLogger({ error: failed, warn: failed, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN)
}

/** Opens the exporters over OTLP/HTTP with the official SDK. This file is loaded only where an endpoint is set. */
export const openOtel = (parts: OtelParts): Otel => {
  const { endpoint, headers, signals } = parts
  listenToExports(parts)
  const resource = resourceFromAttributes({
    'service.name': parts.serviceName,
    'service.version': parts.version,
    'service.instance.id': parts.node,
  })
  const target = (signal: string) => ({
    url: `${endpoint}/v1/${signal}`,
    headers: { ...headers },
    timeoutMillis: exportMs,
  })
  const traces = signals.has('traces')
    ? new TracerProvider({
        resource,
        // By the id of the trace, so that a client's own flag does not decide what is recorded here.
        sampler: new TraceIdRatioBasedSampler(parts.ratio),
        spanProcessors: [
          new BatchSpanProcessor({
            exporter: new OTLPTraceExporter(target('traces')),
            maxQueueSize: 8192,
            maxExportBatchSize: 1024,
          }),
        ],
      })
    : undefined
  const meters = signals.has('metrics')
    ? new MeterProvider({
        resource,
        readers: [
          new PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter(target('metrics')),
            exportIntervalMillis: parts.metricIntervalMs,
            exportTimeoutMillis: Math.min(exportMs, parts.metricIntervalMs),
          }),
        ],
      })
    : undefined
  const logs = signals.has('logs')
    ? new LoggerProvider({
        resource,
        processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(target('logs')) })],
      })
    : undefined
  const name = 'tollgate'
  return {
    tracing: traces && createOtelTracing({ ...parts, tracer: traces.getTracer(name, parts.version) }),
    listener: meters && createOtelMetrics({ ...parts, meter: meters.getMeter(name, parts.version) }),
    logs: logs && logListener(logs.getLogger(name, parts.version)),
    async close() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeMs)
      })
      const all = [traces, meters, logs].map((provider) =>
        provider
          ?.shutdown()
          .catch((error: unknown) => parts.warn('telemetry_not_exported', { error: reasonOf(error) })),
      )
      await Promise.race([Promise.all(all), late])
      clearTimeout(timer)
      diag.disable()
    },
  }
}
