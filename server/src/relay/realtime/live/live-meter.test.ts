import { expect, it } from 'vitest'
import { hasWire, recordings } from '../../../../test/support/relay/wire.ts'
import { completionTokens, noUsage, promptTokens } from '../../../billing/usage.ts'
import { LiveMeter } from './live-meter.ts'

/** Usage of Gemini Live sessions. */

const counter = { text: async (_: string, text: string) => text.length, prompt: async () => 0 }
const total = (meter: LiveMeter) => meter.total('gemini-live', counter as never)

const report = (promptTokenCount: number, responseTokenCount: number) => ({
  usageMetadata: { promptTokenCount, responseTokenCount, totalTokenCount: promptTokenCount + responseTokenCount },
})
const says = (text: string) => ({ serverContent: { modelTurn: { parts: [{ text }] } } })
const over = { serverContent: { turnComplete: true } }

it('adds up turns, and of several reports on one turn takes the largest', async () => {
  const meter = new LiveMeter()
  meter.fromClient({ clientContent: { turns: [], turnComplete: true } })
  expect(meter.owed).toBe(true)
  for (const message of [says('a'), report(100, 1), says('b'), { ...over, ...report(100, 9) }])
    meter.fromUpstream(message)
  expect(meter.owed).toBe(false)
  meter.fromUpstream(says('c'))
  meter.fromUpstream({ ...over, ...report(150, 5) })
  expect(await total(meter)).toEqual({ usage: { ...noUsage, input: 250, output: 14 }, estimated: false })
})

it('takes a report that comes behind its turn for that turn', async () => {
  const meter = new LiveMeter()
  meter.fromUpstream(says('a long answer'))
  expect(meter.fromUpstream(over)).toBe(true)
  meter.fromUpstream(report(100, 4))
  meter.fromClient({ realtimeInput: { text: 'more' } })
  expect(await total(meter)).toEqual({ usage: { ...noUsage, input: 100, output: 4 }, estimated: false })
})

it('counts a turn once whose report comes again', async () => {
  const meter = new LiveMeter()
  const end = { ...over, ...report(100, 9) }
  for (const message of [
    says('a'),
    end,
    report(100, 9),
    end,
    says('b'),
    { ...over, ...report(120, 9) },
    report(120, 9),
  ])
    meter.fromUpstream(message)
  expect((await total(meter)).usage).toEqual({ ...noUsage, input: 220, output: 18 })
})

it('counts turns without a report, and a turn that is cut off', async () => {
  const meter = new LiveMeter()
  meter.fromClient({ setup: { systemInstruction: { parts: [{ text: '12345' }] } } })
  meter.fromClient({ client_content: { turns: [{ parts: [{ text: '678' }] }], turn_complete: true } })
  for (const message of [says('ab'), over, says('c')]) meter.fromUpstream(message)
  expect(meter.owed).toBe(true)
  const { usage, estimated } = await total(meter)
  expect([usage.input, usage.output, estimated]).toEqual([8, 3, true])
})

it('does not charge an open microphone that led to nothing, where turns are reported', async () => {
  const meter = new LiveMeter()
  meter.fromUpstream(says('hi'))
  meter.fromUpstream({ ...over, ...report(10, 1) })
  const audio = { data: Buffer.alloc(64_000).toString('base64'), mimeType: 'audio/pcm;rate=16000' }
  meter.fromClient({ realtimeInput: { audio } })
  expect((await total(meter)).usage).toEqual({ ...noUsage, input: 10, output: 1 })
})

it('does not believe a report beyond the model’s size', async () => {
  const meter = new LiveMeter({ prompt: 1000, completion: 1000 })
  meter.fromClient({ client_content: { turns: [{ parts: [{ text: 'hello there' }] }], turn_complete: true } })
  meter.fromUpstream(says('hi'))
  meter.fromUpstream({ ...over, ...report(50_000_000, 5) })
  const { usage, estimated } = await total(meter)
  expect([promptTokens(usage) < 100, usage.output, estimated]).toEqual([true, 5, true])
  expect(usage.disputed).toEqual({ prompt_tokens: 50_000_000 })
})

it('counts Google’s searches once for each query of a turn', async () => {
  const meter = new LiveMeter()
  const searched = { serverContent: { groundingMetadata: { webSearchQueries: ['a', 'b'] } } }
  for (const message of [says('x'), searched, searched, { ...over, ...report(10, 1) }]) meter.fromUpstream(message)
  expect((await total(meter)).usage.tools).toEqual({ google_search: 1, google_search_query: 2 })
})

const sessions = recordings(({ format }) => format === 'gemini.live')

it.skipIf(!hasWire).each(sessions.map((session) => [session.id, session] as const))(
  'reads the recorded session %s',
  async (_, session) => {
    const meter = new LiveMeter()
    const { ws = [] } = session.response as { ws?: { from?: string; data: Record<string, unknown> }[] }
    for (const { from, data } of ws) {
      if (from === 'client') meter.fromClient(data)
      else meter.fromUpstream(data)
    }
    const { usage, estimated } = await total(meter)
    const { prompt = 0, completion = 0, reasoning = 0 } = session.usage
    expect([promptTokens(usage), completionTokens(usage), estimated]).toEqual([prompt, completion + reasoning, false])
    expect(usage.audioOutput).toBeGreaterThan(0)
  },
)

it.each([
  ['is cut', []],
  ['is over', [over]],
])('counts what a turn has said of which the prompt alone was reported, and which %s', async (_, end) => {
  const meter = new LiveMeter()
  meter.fromClient({ clientContent: { turns: [], turnComplete: true } })
  const prompt = { usageMetadata: { promptTokenCount: 100, totalTokenCount: 100 } }
  for (const message of [prompt, says('a long answer'), ...end]) meter.fromUpstream(message)
  expect(meter.soFar.output).toBeGreaterThan(0)
  meter.withhold()
  expect(await total(meter)).toEqual({ usage: { ...noUsage, input: 100, output: 13 }, estimated: true })
})

it('keeps turns of another tier apart, whatever came first', async () => {
  const meter = new LiveMeter()
  const turn = (promptTokenCount: number, trafficType: string) => ({
    ...over,
    usageMetadata: { ...report(promptTokenCount, 1).usageMetadata, trafficType },
  })
  for (const message of [
    turn(10, 'ON_DEMAND_WARP'),
    turn(20, 'ON_DEMAND'),
    turn(40, 'ON_DEMAND_WARP'),
    turn(80, 'ON_DEMAND'),
  ])
    for (const each of [says('a'), message]) meter.fromUpstream(each)
  const { usage } = await total(meter)
  expect(usage).toMatchObject({ tier: 'warp', input: 50, output: 2 })
  expect(usage.models?.others).toMatchObject([{ asked: true, usage: { input: 100, output: 2 } }])
})
