import type { OtelSettings } from '../telemetry/otel/otel.ts'
import { ConfigError, type EnvironmentReader } from './environment.ts'

const signals = ['traces', 'metrics', 'logs'] as const

/** `name=value,name=value`, percent-encoded, as the specification of OTLP has it. */
const headerList = (name: string, entries: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=')
      if (at < 1) throw new ConfigError(name, 'it is not a list of name=value')
      try {
        return [entry.slice(0, at).trim(), decodeURIComponent(entry.slice(at + 1).trim())]
      } catch {
        throw new ConfigError(name, 'a value is not percent-encoded')
      }
    }),
  )

const share = (name: string, written: string | undefined): number => {
  const value = Number(written ?? 1)
  if (!(value >= 0 && value <= 1)) throw new ConfigError(name, `"${written}" is not a number from 0 to 1`)
  return value
}

/** Settings of the `OTEL_…` variables; undefined if no signal is sent. Names as in the specification of OpenTelemetry. */
export const otelSettings = (env: EnvironmentReader): OtelSettings | undefined => {
  const endpoint = env.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'])
  const exports = (signal: (typeof signals)[number]): boolean => {
    const name = `OTEL_${signal.toUpperCase()}_EXPORTER`
    const exporter = env.text(name) ?? 'otlp'
    if (exporter !== 'otlp' && exporter !== 'none')
      throw new ConfigError(name, `"${exporter}" is neither otlp nor none`)
    return exporter === 'otlp'
  }
  const settings = {
    headers: headerList('OTEL_EXPORTER_OTLP_HEADERS', env.list('OTEL_EXPORTER_OTLP_HEADERS')),
    serviceName: env.text('OTEL_SERVICE_NAME') ?? 'tollgate',
    signals: new Set(signals.filter(exports)),
    ratio: share('OTEL_TRACES_SAMPLER_ARG', env.text('OTEL_TRACES_SAMPLER_ARG')),
    propagates: env.flag('OTEL_PROPAGATE_UPSTREAM', false),
    metricIntervalMs: env.number('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 100, 3_600_000),
  }
  return endpoint === undefined || settings.signals.size === 0 ? undefined : { endpoint, ...settings }
}
