import { once } from 'node:events'
import { createServer } from 'node:http'
import { drive } from './load.ts'
import { type GatewaySide, startGatewaySide } from './side.ts'

export interface TelemetryWork {
  readonly plain: string
  readonly streamed: string
  readonly concurrency: number
  readonly seconds: number
  readonly rounds: number
}

/** A collector that takes everything and reads nothing; in this process, so that only the senders' work is counted. */
const startCollector = async (): Promise<{ url: string; close(): void }> => {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(200).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const settingsOf = (url: string): readonly (readonly [string, Record<string, string>])[] => {
  const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_METRIC_EXPORT_INTERVAL: '1000' }
  return [
    ['off', {}],
    ['Prometheus', { METRICS_TOKEN: 'bench' }],
    ['OTLP, metrics and logs', { ...otel, OTEL_TRACES_EXPORTER: 'none' }],
    ['OTLP, 1 % of traces', { ...otel, OTEL_TRACES_SAMPLER_ARG: '0.01' }],
    ['OTLP, all traces', otel],
  ]
}

/** CPU per call with telemetry off and on, in turns on the same machine; of several rounds the least. */
export const benchTelemetry = async (upstreamPort: number, work: TelemetryWork): Promise<void> => {
  const collector = await startCollector()
  const sides: { readonly name: string; readonly side: GatewaySide }[] = []
  for (const [index, [name, environment]] of settingsOf(collector.url).entries()) {
    sides.push({ name, side: await startGatewaySide(31_990 + index, upstreamPort, environment) })
  }
  for (const [title, body] of [
    ['Plain answers', work.plain],
    ['Streams of 50 chunks', work.streamed],
  ] as const) {
    const least = new Map<string, number>()
    for (let round = -1; round < work.rounds; round += 1) {
      for (const { name, side } of sides) {
        const before = await side.process.read()
        const { port } = side.process
        const seconds = round < 0 ? 2 * work.seconds : work.seconds
        const result = await drive({ port, key: side.key, body, concurrency: work.concurrency, seconds })
        const after = await side.process.read()
        const cpu = (after.cpu - before.cpu) / Math.max(1, result.answers)
        if (result.failures > 0) throw new Error(`${name}: ${result.failures} calls failed`)
        // The first round is for the compilers.
        if (round >= 0) least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, cpu))
      }
    }
    console.log(`\n${title}, ${work.concurrency} at a time: CPU µs per call, least of ${work.rounds} rounds`)
    const off = least.get('off') ?? Number.NaN
    for (const [name, cpu] of least) {
      console.log(`${name.padEnd(26)}${cpu.toFixed(1).padStart(8)}   +${(cpu - off).toFixed(1)}`)
    }
  }
  for (const { side } of sides) {
    await side.process.stop()
    side.remove()
  }
  collector.close()
}
