import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { RequestRecord } from '../../src/relay/ports.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { openTestRelay, testChannel } from '../support/relay/ports.ts'
import { patientTimeouts, quickTimeouts } from '../support/relay/timeouts.ts'
import {
  credentialsFailure,
  hasWire,
  type Recording,
  type Replay,
  refusesCredentials,
  startReplay,
} from '../support/relay/wire.ts'

/** Every recorded exchange that a channel of type 1 can carry. They are skipped where the recordings are absent. */

const paths: Readonly<Record<string, string>> = {
  'openai.chat': '/v1/chat/completions',
  'openai.completions': '/v1/completions',
  'openai.embeddings': '/v1/embeddings',
  'openai.moderations': '/v1/moderations',
}

const minimal: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'openai.chat': { messages: [{ role: 'user', content: 'hi' }] },
  'openai.completions': { prompt: 'hi' },
  'openai.embeddings': { input: 'hi' },
  'openai.moderations': { input: 'hi' },
}

/** How the upstream's bytes are cut, and how large an answer may be for that to be worth the time. */
const chunkings = [
  ['event', Number.POSITIVE_INFINITY],
  ['random:7', Number.POSITIVE_INFINITY],
  ['byte:1', 4000],
] as const

const bodyOf = ({ request, format, model, stream }: Recording): Record<string, unknown> => ({
  model: model ?? 'gpt-4o',
  ...(request.body ?? { ...minimal[format], ...(stream ? { stream } : {}) }),
})

const plain = (event: string): string => event.replaceAll('\r\n', '\n').trim()

const eventsOf = (text: string): string[] =>
  text
    .split(/\r?\n\r?\n/)
    .map(plain)
    .filter((event) => event !== '')

const isUsageOnly = (event: string): boolean => {
  if (!event.startsWith('data: {')) return false
  const json = JSON.parse(event.slice(6)) as { choices?: unknown[]; usage?: unknown }
  return json.choices?.length === 0 && json.usage !== null && json.usage !== undefined
}

const asksForUsage = (body: Record<string, unknown>): boolean =>
  (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true

const isError = (event: string): boolean => /^data: \{"error"/m.test(event)

/**
 * Events that the client must get: the recorded ones, without the usage event that it did not ask for, and an end mark or the error.
 */
const expectedEvents = ({ response }: Recording, body: Record<string, unknown>): string[] => {
  const events = (response.sse ?? []).map(plain).filter((event) => event !== '')
  const kept = events.filter((event) => asksForUsage(body) || !isUsageOnly(event))
  return kept.includes('data: [DONE]') || kept.some(isError) ? kept : [...kept, 'data: [DONE]']
}

interface Answered {
  readonly response: Response
  readonly text: string
  readonly body: Record<string, unknown>
  readonly record: RequestRecord | undefined
  readonly holdEnd: unknown
}

interface Bench {
  readonly replay: Replay
  call(recording: Recording, fault?: string): Promise<Answered>
  close(): Promise<void>
}

const openBench = async (chunking: string, timeouts = patientTimeouts): Promise<Bench> => {
  const replay = await startReplay(chunking)
  const { limits } = openTestRelay()
  const gateway: TestGateway = await openTestGateway({ relay: { limits: { ...limits, timeouts } } })
  const { channels, recorder, holds } = gateway.parts
  return {
    replay,
    async call(recording, fault) {
      const key = `wire-${recording.id}${fault === undefined ? '' : `+fault=${fault}`}`
      channels.list.splice(0, 1, testChannel({ baseUrl: replay.url, keys: [key] }))
      recorder.records.length = 0
      holds.ends.length = 0
      const body = bodyOf(recording)
      const response = await fetch(`${gateway.url}${paths[recording.format]}`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      return { response, text, body, record: recorder.records[0], holdEnd: holds.ends[0]?.end }
    },
    async close() {
      await gateway.close()
      await replay.close()
    },
  }
}

/** Mistral leaves audio out of the prompt and some leave reasoning out of the completion: then the total decides. */
const checkBill = ({ usage }: Recording, record: RequestRecord | undefined): void => {
  const { prompt, completion = 0, total } = usage
  expect(record).toMatchObject({ kind: 'charge', receipt: { estimated: prompt === undefined } })
  expect(record?.receipt?.disputed).toBeUndefined()
  if (record === undefined || prompt === undefined) return
  expect(record.promptTokens).toBe(
    prompt + (total === prompt + completion + (usage.audio_in ?? 0) ? (usage.audio_in ?? 0) : 0),
  )
  expect(record.promptTokens + record.completionTokens).toBe(total ?? prompt + completion)
}

describe.skipIf(!hasWire).each(chunkings)('recorded exchanges, cut by %s', (chunking, largest) => {
  let bench: Bench
  beforeAll(async () => {
    bench = await openBench(chunking)
  })
  afterAll(() => bench.close())

  const check = async (recording: Recording): Promise<void> => {
    const { response, text, body, record } = await bench.call(recording)
    const { status, sse, body: recorded } = recording.response
    if (refusesCredentials(recording.response)) {
      expect([response.status, JSON.parse(text)]).toMatchObject([502, { error: credentialsFailure }])
      expect(record).toMatchObject({ kind: 'error', quota: 0, other: { status: 502 } })
      return
    }
    expect(response.status).toBe(status)
    if (status >= 400) {
      expect(record).toMatchObject({ kind: 'error', quota: 0, other: { status } })
      const { error } = recorded as { error: { message?: string } }
      expect((JSON.parse(text) as { error: { message: string } }).error.message).toContain(error.message ?? '')
      return
    }
    if (sse === undefined) expect(JSON.parse(text)).toEqual(recorded)
    else expect(eventsOf(text)).toEqual(expectedEvents(recording, body))
    checkBill(recording, record)
  }

  it('come out as recorded, billed as reported', async () => {
    const recordings = bench.replay
      .ids()
      .map((id) => bench.replay.get(id))
      .filter(({ format, response }) => format in paths && JSON.stringify(response).length < largest)
    expect(recordings.length).toBeGreaterThan(100)
    const wrong: string[] = []
    for (const recording of recordings) {
      await check(recording).catch((error: unknown) => wrong.push(`${recording.id}: ${error}`))
    }
    expect(wrong).toEqual([])
  })
})

interface FaultCase {
  readonly fault: string
  readonly status: number
  /** In the error object of the answer, or of the event in the stream; empty for none. */
  readonly code: string
  readonly kind: 'charge' | 'error'
  readonly end?: string
  readonly estimated?: boolean
}

const plainFaults: readonly FaultCase[] = [
  { fault: '401', status: 502, code: 'credentials_failed', kind: 'error' },
  { fault: '429', status: 429, code: 'rate_limit_exceeded', kind: 'error' },
  { fault: '500', status: 500, code: '', kind: 'error' },
  { fault: 'html', status: 502, code: 'bad_response_status_code', kind: 'error' },
  { fault: 'reset', status: 502, code: 'do_request_failed', kind: 'error' },
  { fault: 'reset-mid-stream', status: 502, code: 'upstream_broke', kind: 'error' },
  { fault: 'hang', status: 504, code: 'upstream_timeout', kind: 'error' },
  { fault: 'hang-mid-stream', status: 504, code: 'upstream_timeout', kind: 'error' },
  { fault: 'truncated-json', status: 502, code: 'bad_response_body', kind: 'error' },
  { fault: 'empty', status: 502, code: 'bad_response_body', kind: 'error' },
  { fault: 'no-usage', status: 200, code: '', kind: 'charge', end: 'done', estimated: true },
]

const streamFaults: readonly FaultCase[] = [
  { fault: '429', status: 429, code: 'rate_limit_exceeded', kind: 'error' },
  { fault: 'html', status: 502, code: 'bad_response_status_code', kind: 'error' },
  { fault: 'reset', status: 502, code: 'do_request_failed', kind: 'error' },
  { fault: 'hang', status: 504, code: 'upstream_timeout', kind: 'error' },
  { fault: 'empty', status: 502, code: 'bad_response_body', kind: 'error' },
  {
    fault: 'reset-mid-stream',
    status: 200,
    code: 'upstream_broke',
    kind: 'charge',
    end: 'upstream_broke',
    estimated: true,
  },
  {
    fault: 'hang-mid-stream',
    status: 200,
    code: 'upstream_timeout',
    kind: 'charge',
    end: 'upstream_broke',
    estimated: true,
  },
  {
    fault: 'truncated-json',
    status: 200,
    code: 'upstream_broke',
    kind: 'charge',
    end: 'upstream_broke',
    estimated: true,
  },
  { fault: 'no-usage', status: 200, code: '', kind: 'charge', end: 'done', estimated: true },
  { fault: 'no-done', status: 200, code: '', kind: 'charge', end: 'done', estimated: false },
]

describe.skipIf(!hasWire)('an upstream with a fault', () => {
  const errorIn = (text: string): { code: unknown; message: string } | undefined => {
    const json = text.startsWith('{') ? text : (eventsOf(text).at(-1)?.slice(6) ?? '')
    return json.startsWith('{') ? (JSON.parse(json) as { error?: { code: unknown; message: string } }).error : undefined
  }

  const openFor = async (timeouts = patientTimeouts): Promise<Bench> => {
    const bench = await openBench('event', timeouts)
    onTestFinished(() => bench.close())
    return bench
  }

  const check = async (bench: Bench, id: string, expected: FaultCase): Promise<void> => {
    const { response, text, record, holdEnd } = await bench.call(bench.replay.get(id), expected.fault)
    expect(response.status).toBe(expected.status)
    const error = errorIn(text)
    expect(String(error?.code ?? '')).toBe(expected.code)
    if (error !== undefined) expect(error.message).toMatch(/ \(request id: \d{23}\w{8}\)$/)
    expect(record?.kind).toBe(expected.kind)
    expect(holdEnd).toBe(expected.kind === 'error' ? 'released' : record?.quota)
    if (expected.kind === 'error') {
      expect(record).toMatchObject({ quota: 0, other: { status: expected.status, admin_info: { use_channel: ['1'] } } })
      expect(record?.other).toMatchObject({ admin_info: { cause: expect.stringMatching(/./) } })
      return
    }
    expect(record).toMatchObject({ other: { end: expected.end }, receipt: { estimated: expected.estimated } })
    expect(record?.promptTokens).toBeGreaterThan(0)
    expect(record?.completionTokens).toBeGreaterThan(0)
    expect(text.includes('[DONE]')).toBe(expected.code === '' && text.startsWith('data:'))
  }

  it.each(plainFaults)('gives a plain call $status $code for $fault', async (expected) => {
    const bench = await openFor(expected.fault.startsWith('hang') ? quickTimeouts : patientTimeouts)
    await check(bench, 'openai-chat-049cadbb', expected)
  })

  it.each(streamFaults)('gives a stream $status $code for $fault', async (expected) => {
    const { streamIdle } = quickTimeouts
    const timeouts = { hang: quickTimeouts, 'hang-mid-stream': { ...patientTimeouts, streamIdle } }[expected.fault]
    await check(await openFor(timeouts), 'openai-chat-stream-e2f180e6', expected)
  })

  it('says that upstreams are busy and when to come back', async () => {
    const bench = await openFor()
    const { response, text } = await bench.call(bench.replay.get('openai-chat-049cadbb'), '429')
    expect(response.headers.get('retry-after')).toBe('1')
    expect(text).toContain('当前分组上游负载已饱和，请稍后再试 (request id: ')
  })
})
