import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, hello, openBench } from './support/bench.ts'
import { chunk, stream, usageChunk } from './support/scripted-upstream.ts'

/** Endpoints of the product for orchestrators and Prometheus. */

let bench: Bench
const token = 'a-token-for-scrapers'

beforeAll(async () => {
  bench = await openBench({ METRICS_TOKEN: token, METRICS_NAMES: '2', MONITOR_PORT: '0', MONITOR_HOST: '127.0.0.1' })
})
afterAll(async () => {
  await bench?.close()
})

const get = async (url: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> => {
  const response = await fetch(url, { headers })
  return { status: response.status, text: await response.text() }
}

const scrape = async (): Promise<string> => {
  const { status, text } = await get(`${bench.site.url}/metrics`, { authorization: `Bearer ${token}` })
  expect(status).toBe(200)
  return text
}

/** The value of a series; undefined where it is not exported. */
const figureOf = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const monitorPort = (): string => /monitor_port[="':\s]+(\d+)/.exec(bench.site.output())?.[1] ?? 'none'

describe('a started node', () => {
  it('answers probes, and nothing below them', async () => {
    const { url } = bench.site
    for (const probe of ['livez', 'readyz', 'healthz']) {
      expect(await get(`${url}/${probe}`)).toEqual({ status: 200, text: 'ok\n' })
      expect((await get(`${url}/${probe}/anything`, { accept: 'text/html' })).status).toBe(404)
    }
    expect((await get(`${url}/readyz?verbose`)).text).toBe(
      '[+]process ok\n[+]journal ok\n[+]ledger ok\n[+]neighbours ok\n[+]database ok\nreadyz check passed\n',
    )
  })

  it('shows its metrics to those who know the token, and hides them from all others', async () => {
    const { url } = bench.site
    expect((await get(`${url}/metrics`)).status).toBe(404)
    expect((await get(`${url}/metrics`, { authorization: 'Bearer wrong' })).status).toBe(404)
    expect((await get(`${url}/metrics/x`, { authorization: `Bearer ${token}` })).status).toBe(404)
    expect(await scrape()).toContain('tollgate_build_info')
  })

  it('asks for the token on the port of its own, too, and serves nothing else there', async () => {
    const url = `http://127.0.0.1:${monitorPort()}`
    expect((await get(`${url}/metrics`)).status).toBe(404)
    expect((await get(`${url}/metrics`, { authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await get(`${url}/readyz`)).status).toBe(200)
    expect((await get(`${url}/v1/models`)).status).toBe(404)
  })

  it('counts calls, tokens, quota, attempts and refusals', async () => {
    bench.upstream.answer = stream(chunk({ content: 'Hello' }), usageChunk(20, 10))
    const { status } = await bench.ask({ body: { ...hello, stream: true } })
    expect(status).toBe(200)
    expect((await bench.ask({ key: 'sk-wrong' })).status).toBe(401)
    await expect.poll(async () => figureOf(await scrape(), 'tollgate_ledger_waiting')).toBe(0)
    const text = await scrape()
    expect(figureOf(text, 'tollgate_calls_total{model="gpt-4o",outcome="charged"}')).toBe(1)
    expect(figureOf(text, 'tollgate_tokens_total{model="gpt-4o",type="input"}')).toBe(20)
    expect(figureOf(text, 'tollgate_tokens_total{model="gpt-4o",type="output"}')).toBe(10)
    expect(figureOf(text, 'tollgate_quota_total{model="gpt-4o"}')).toBeGreaterThan(0)
    expect(figureOf(text, 'tollgate_first_token_seconds_count{model="gpt-4o"}')).toBe(1)
    expect(figureOf(text, 'tollgate_attempt_duration_seconds_count{channel="1",outcome="ok"}')).toBe(1)
    expect(figureOf(text, 'tollgate_upstream_first_token_seconds_count{channel="1"}')).toBe(1)
    expect(figureOf(text, 'tollgate_request_duration_seconds_count{route="relay",status="2xx"}')).toBe(1)
    expect(figureOf(text, 'tollgate_request_duration_seconds_count{route="relay",status="4xx"}')).toBe(1)
    expect(figureOf(text, 'tollgate_holds_open')).toBe(0)
    expect(figureOf(text, 'tollgate_holds_quota')).toBe(0)
    expect(figureOf(text, 'tollgate_calls_running')).toBe(0)
    expect(figureOf(text, 'tollgate_database_up')).toBe(1)
    expect(figureOf(text, 'tollgate_channel_up{channel="1"}')).toBe(1)
    expect(figureOf(text, 'tollgate_journal_bytes')).toBeGreaterThan(0)
  })

  it('has no series for names that clients make up', async () => {
    for (const model of ['made-up-1', 'made-up-2', 'made-up-3']) await bench.ask({ body: { ...hello, model } })
    const text = await scrape()
    expect(text).not.toContain('made-up')
    expect(figureOf(text, 'tollgate_calls_total{model="unknown",outcome="failed"}')).toBe(3)
  })
})
