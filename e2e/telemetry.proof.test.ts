import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, hello, openBench } from './support/bench.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './support/otlp-receiver.ts'
import { chunk, completion, json, stream, usageChunk } from './support/scripted-upstream.ts'

/** Telemetry as a collector gets it over OTLP. */

let collector: OtlpReceiver
let bench: Bench

const clientTrace = '0af7651916cd43dd8448eb211c80319c'
const clientSpan = 'b7ad6b7169203331'

beforeAll(async () => {
  collector = await startOtlpReceiver()
  bench = await openBench({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
    OTEL_SERVICE_NAME: 'gateway-of-tests',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_PROPAGATE_UPSTREAM: 'true',
  })
})
afterAll(async () => {
  await bench?.close()
  await collector?.close()
})
beforeEach(() => {
  collector.status = 200
})

/** The spans of a request, once its own has come, which ends last. */
const spansOf = async (requestId: string): Promise<{ root: ReceivedSpan; children: readonly ReceivedSpan[] }> => {
  await expect
    .poll(() => collector.spans.find(({ attributes }) => attributes['tollgate.request.id'] === requestId), {
      timeout: 30_000,
    })
    .toBeDefined()
  const root = collector.spans.find(({ attributes }) => attributes['tollgate.request.id'] === requestId)
  if (root === undefined) throw new Error('the span of the request did not come')
  const children = collector.spans.filter(({ parentId }) => parentId === root.spanId)
  return { root, children: children.toSorted((a, b) => a.start - b.start || a.end - b.end) }
}

describe('a trace', () => {
  it('shows hold, attempt with its first token, and charge, below the span of the client', async () => {
    bench.upstream.answer = stream(chunk({ content: 'Hello' }), usageChunk(20, 10))
    const { requestId, status } = await bench.ask({
      body: { ...hello, stream: true, max_tokens: 64, temperature: 0.5, top_p: 0.9 },
      headers: { traceparent: `00-${clientTrace}-${clientSpan}-01`, tracestate: 'vendor=1' },
    })
    expect(status).toBe(200)
    const { root, children } = await spansOf(requestId)
    expect(root).toMatchObject({
      name: 'POST relay',
      kind: 2,
      traceId: clientTrace,
      parentId: clientSpan,
      service: 'gateway-of-tests',
      attributes: {
        'url.path': '/v1/chat/completions',
        'http.response.status_code': 200,
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.request.stream': true,
        'gen_ai.request.max_tokens': 64,
        'gen_ai.request.temperature': 0.5,
        'gen_ai.request.top_p': 0.9,
        'gen_ai.response.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 20,
        'gen_ai.usage.output_tokens': 10,
      },
    })
    expect(children.map(({ name }) => name)).toEqual(['hold', 'chat gpt-4o', 'charge'])
    const [hold, attempt, charge] = children
    expect(attempt).toMatchObject({
      kind: 3,
      traceId: clientTrace,
      events: ['first token'],
      status: 0,
      attributes: {
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 20,
        'server.address': '127.0.0.1',
        'tollgate.channel.id': 1,
        'http.response.status_code': 200,
      },
    })
    expect(attempt?.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThanOrEqual(0)
    expect(charge?.attributes['tollgate.quota']).toBeGreaterThan(0)
    expect(hold?.start).toBeGreaterThanOrEqual(root.start)
    for (const child of children) expect(child.end).toBeLessThanOrEqual(root.end)
    // The upstream is asked in the name of the attempt.
    expect(bench.upstream.calls.at(-1)?.headers).toMatchObject({
      traceparent: `00-${clientTrace}-${attempt?.spanId}-01`,
      tracestate: 'vendor=1',
    })
  })

  it('shows each attempt of a call that was refused at first', async () => {
    bench.upstream.answer = json({ error: { message: 'overloaded', type: 'server_error' } }, 503)
    await bench.set('RetryTimes', 1)
    const { requestId } = await bench.ask()
    await bench.set('RetryTimes', 0)
    bench.upstream.answer = json(completion())
    const { root, children } = await spansOf(requestId)
    expect(root.status).toBe(2)
    const attempts = children.filter(({ name }) => name === 'chat gpt-4o')
    expect(attempts.length).toBeGreaterThanOrEqual(1)
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({
        status: 2,
        attributes: { 'error.type': '503', 'http.response.status_code': 503 },
      })
    }
    expect(children.map(({ name }) => name)).toContain('record failure')
  })

  it('holds no text of prompt, answer or key', async () => {
    await bench.ask({ body: { ...hello, messages: [{ role: 'user', content: 'a-secret-prompt' }] } })
    await expect.poll(() => collector.spans.length).toBeGreaterThan(0)
    const everything = JSON.stringify([collector.spans, collector.points, collector.lines])
    expect(everything).not.toContain('a-secret-prompt')
    expect(everything).not.toContain('Hello!')
    expect(everything).not.toContain(bench.key.slice(3))
  })
})

describe('the collector', () => {
  it('gets metrics by the conventions', async () => {
    await bench.ask()
    const point = (name: string, attributes: Record<string, unknown>): number | undefined =>
      collector.points.findLast(
        (candidate) =>
          candidate.name === name &&
          Object.entries(attributes).every(([key, value]) => candidate.attributes[key] === value),
      )?.value
    const model = { 'gen_ai.request.model': 'gpt-4o' }
    await expect.poll(() => point('tollgate.calls', { ...model, outcome: 'charged' })).toBeGreaterThan(0)
    expect(point('gen_ai.client.operation.duration', { ...model, 'gen_ai.provider.name': 'openai' })).toBeGreaterThan(0)
    expect(point('gen_ai.client.token.usage', { ...model, 'gen_ai.token.type': 'input' })).toBeGreaterThan(0)
    expect(point('http.server.request.duration', { 'http.route': 'relay' })).toBeGreaterThan(0)
    expect(point('tollgate.accepting', {})).toBe(1)
    expect(point('process.memory.usage', {})).toBeGreaterThan(1_000_000)
  })

  it('gets the lines of the log, and the token that it asks for', async () => {
    await expect
      .poll(() => collector.lines.map(({ body }) => body), { timeout: 30_000 })
      .toContainEqual(expect.stringContaining('Tollgate listens on'))
    for (const { headers } of collector.requests) expect(headers.authorization).toBe('Bearer collector-token')
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(
      new Set(['/v1/traces', '/v1/metrics', '/v1/logs']),
    )
  })

  it('may be away: calls go on, and the log says so', async () => {
    collector.status = 400
    expect((await bench.ask()).status).toBe(200)
    await expect.poll(() => bench.site.output(), { timeout: 30_000 }).toContain('telemetry_not_exported')
    expect((await bench.ask()).status).toBe(200)
  })
})
