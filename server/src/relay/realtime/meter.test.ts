import { describe, expect, it } from 'vitest'
import { promptTokens } from '../../billing/usage.ts'
import type { TokenCounter } from '../ports.ts'
import { Meter } from './meter.ts'

type Event = Readonly<Record<string, unknown>>

const characters: TokenCounter = { text: async (_, text) => text.length, prompt: async () => 0 }

const from = (...events: readonly (readonly ['client' | 'upstream', Event])[]): Meter => {
  const meter = new Meter()
  for (const [side, event] of events) {
    if (side === 'client') meter.fromClient(event)
    else meter.fromUpstream(event)
  }
  return meter
}
const totalOf = (meter: Meter) => meter.total('gpt-realtime', characters)
const client = (event: Event) => ['client', event] as const
const upstream = (event: Event) => ['upstream', event] as const

const sound = (bytes: number): string => Buffer.alloc(bytes).toString('base64')
const append = (bytes: number) => client({ type: 'input_audio_buffer.append', audio: sound(bytes) })
const done = (usage?: unknown, id = 'r') => upstream({ type: 'response.done', response: { id, usage } })
const begun = (id = 'r') => upstream({ type: 'response.created', response: { id } })
const says = (type: string, delta: string) => upstream({ type, delta })
const some = { total_tokens: 12, input_tokens: 7, output_tokens: 5 }

describe('audio without reported usage', () => {
  it.each([
    ['pcm16 unless it is said', undefined, 48_000],
    ['pcm16', { input_audio_format: 'pcm16', output_audio_format: 'pcm16' }, 48_000],
    ['telephone sound', { input_audio_format: 'g711_ulaw', output_audio_format: 'g711_alaw' }, 8000],
    [
      'telephone audio under the later event names',
      { audio: { input: { format: { type: 'audio/pcmu' } }, output: { format: { type: 'audio/pcma' } } } },
      8000,
    ],
    [
      'a rate of its own',
      {
        audio: {
          input: { format: { type: 'audio/pcm', rate: 16_000 } },
          output: { format: { type: 'audio/pcm', rate: 16_000 } },
        },
      },
      32_000,
    ],
  ])('counts by its seconds: %s', async (_, session, bytes) => {
    const settings = session === undefined ? [] : [upstream({ type: 'session.updated', session })]
    const meter = from(...settings, append(bytes), begun(), says('response.audio.delta', sound(bytes)), done())
    expect(await totalOf(meter)).toMatchObject({ usage: { audioInput: 27, audioOutput: 13 }, estimated: true })
  })

  it('adds up before it is rounded, so that small pieces count', async () => {
    const pieces = Array.from({ length: 50 }, () => append(960))
    expect(await totalOf(from(...pieces, done()))).toMatchObject({ usage: { audioInput: 27 } })
  })

  it('does not count where it was taken back', async () => {
    const meter = from(append(48_000), upstream({ type: 'input_audio_buffer.cleared' }), done())
    expect(await totalOf(meter)).toMatchObject({ usage: { audioInput: 0 } })
  })

  it('counts when the session ends without any report', async () => {
    expect(await totalOf(from(append(48_000)))).toMatchObject({ usage: { audioInput: 27 }, estimated: true })
  })

  it('is free behind the last response of an upstream that reports, as from an open microphone', async () => {
    const meter = from(begun(), done(some), append(4_800_000))
    expect(await totalOf(meter)).toMatchObject({ usage: { input: 7, output: 5, audioInput: 0 }, estimated: false })
    expect(meter.soFar).toMatchObject({ audioInput: 0 })
  })

  it('counts in a response that did not come to its end', async () => {
    const meter = from(
      ...[append(48_000), begun(), says('response.text.delta', 'abc'), done(some)],
      ...[append(48_000), begun('2'), says('response.output_audio.delta', sound(48_000))],
    )
    expect(await totalOf(meter)).toMatchObject({
      usage: { input: 7, output: 5, audioInput: 27, audioOutput: 13 },
      estimated: true,
    })
  })
})

describe('text without reported usage', () => {
  it.each([
    'response.text.delta',
    'response.output_text.delta',
    'response.audio_transcript.delta',
    'response.output_audio_transcript.delta',
    'response.function_call_arguments.delta',
  ])('counts as output in %s', async (type) => {
    expect(await totalOf(from(begun(), says(type, 'abc'), says(type, 'de'), done()))).toMatchObject({
      usage: { input: 0, output: 5 },
    })
  })

  it('counts as input where the client brings it: instructions, messages, results, but not twice', async () => {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }
    const meter = from(
      client({ type: 'session.update', session: { instructions: 'be kind' } }),
      client({ type: 'conversation.item.create', item }),
      upstream({ type: 'conversation.item.created', item }),
      client({ type: 'conversation.item.create', item: { type: 'function_call_output', output: '42' } }),
      client({ type: 'response.create', response: { instructions: 'now' } }),
      begun(),
      done(),
    )
    expect(await totalOf(meter)).toMatchObject({ usage: { input: 7 + 5 + 2 + 3, output: 0 } })
  })

  it('counts tools again with every later response', async () => {
    const tool = { type: 'function', name: 'f' }
    const meter = from(
      client({ type: 'session.update', session: { tools: [tool, tool] } }),
      ...[begun(), done(), begun(), done(), begun(), done()],
    )
    const each = 8 + JSON.stringify(tool).length
    expect(await totalOf(meter)).toMatchObject({ usage: { input: 2 * 2 * each } })
  })

  it('is stored up to a limit, and estimated by its length beyond', async () => {
    const long = 'x'.repeat(200 * 1024)
    const meter = from(begun(), ...Array.from({ length: 10 }, () => says('response.text.delta', long)), done())
    const { usage } = await totalOf(meter)
    expect(usage.output).toBe(200 * 1024 + (9 * 200 * 1024) / 4)
  })
})

describe('what is reported', () => {
  it('replaces what was counted', async () => {
    const meter = from(append(48_000), begun(), says('response.text.delta', 'abc'), done(some))
    expect(await totalOf(meter)).toEqual({
      usage: expect.objectContaining({ input: 7, output: 5, audioInput: 0 }),
      estimated: false,
    })
  })

  it('counts once where the upstream says it twice', async () => {
    const meter = from(begun('1'), done(some, '1'), done(some, '1'), begun('2'), done(some, '2'), done(some, '1'))
    expect(await totalOf(meter)).toMatchObject({ usage: { input: 14, output: 10 }, estimated: false })
    const heard = (item_id: string, content_index = 0) =>
      upstream({
        type: 'conversation.item.input_audio_transcription.completed',
        usage: { type: 'duration', seconds: 60 },
        item_id,
        content_index,
      })
    const { usage } = await totalOf(from(heard('a'), heard('a'), heard('a', 1), heard('b'), heard('b')))
    expect(usage.tools).toEqual({ input_transcription: 3000 })
  })

  it('may be nothing', async () => {
    const nothing = { total_tokens: 0, input_tokens: 0, output_tokens: 0 }
    const meter = from(append(48_000), begun(), says('response.text.delta', 'abc'), done(nothing))
    expect(promptTokens((await totalOf(meter)).usage)).toBe(0)
    expect((await totalOf(meter)).estimated).toBe(false)
  })

  it('is not believed where it cannot be', async () => {
    const meter = from(begun(), says('response.text.delta', 'abc'), done({ input_tokens: -1, output_tokens: 1e12 }))
    expect(await totalOf(meter)).toMatchObject({ usage: { output: 3 }, estimated: true })
  })

  it('does not count where it cannot be: what went to and fro does, and the report is disputed', async () => {
    const usage = { input_tokens: 4e8, output_tokens: 4, total_tokens: 4e8 + 4 }
    const meter = from(append(48_000), begun(), says('response.text.delta', 'abc'), done(usage), begun(), done(some))
    expect(await totalOf(meter)).toMatchObject({
      usage: { input: 7, audioInput: 27, output: 4 + 5, disputed: { prompt_tokens: 4e8 } },
      estimated: true,
    })
    expect(promptTokens(meter.soFar)).toBe(7 + 27)
  })

  it.each([
    { type: 'duration', seconds: 1e300 },
    { input_tokens: 4e8, output_tokens: 1 },
  ])('of a transcript cannot be any number: %j', async (usage) => {
    const type = 'conversation.item.input_audio_transcription.completed'
    const meter = from(append(48_000), upstream({ type, transcript: 'hi', usage }))
    const total = await totalOf(meter)
    expect(total.usage.tools?.input_transcription).toBeLessThan(100)
    expect(total).toMatchObject({ usage: { disputed: expect.anything() }, estimated: true })
  })

  it('of transcripts is a tool’s in a conversation, and the session’s own where there is none', async () => {
    const completed = (usage: Event) =>
      upstream({ type: 'conversation.item.input_audio_transcription.completed', transcript: 'hi', usage })
    const tokens = {
      type: 'tokens',
      input_tokens: 14,
      output_tokens: 6,
      total_tokens: 20,
      input_token_details: { audio_tokens: 10, text_tokens: 4 },
    }
    const seconds = { type: 'duration', seconds: 60 }
    expect((await totalOf(from(completed(tokens), completed(seconds)))).usage).toMatchObject({
      input: 0,
      tools: { input_transcription: 1020 },
    })
    const only = upstream({ type: 'session.created', session: { type: 'transcription' } })
    const { usage, estimated } = await totalOf(from(only, append(48_000), completed(tokens), completed(seconds)))
    expect(usage).toMatchObject({ input: 4 + 1000, audioInput: 10, output: 6 })
    expect(usage.tools).toBeUndefined()
    expect(estimated).toBe(false)
  })
})

it('knows when something is owed', () => {
  const meter = from(client({ type: 'response.create' }))
  expect(meter.owed).toBe(true)
  meter.fromUpstream({ type: 'error' })
  expect(meter.owed).toBe(false)
  for (const id of ['1', '2']) meter.fromUpstream({ type: 'response.created', response: { id } })
  meter.fromUpstream({ type: 'response.done', response: { id: '1' } })
  expect(meter.owed).toBe(true)
  meter.fromUpstream({ type: 'response.done', response: { id: '2' } })
  expect(meter.owed).toBe(false)
})

describe('two responses', () => {
  const word = (id: string, delta: string) =>
    upstream({ type: 'response.output_text.delta', response_id: id, item_id: 'i', delta })

  it.each([
    ['side by side', [begun('a'), begun('b'), word('a', 'said by a'), word('b', 'b'), done(some, 'b')]],
    [
      'of which the first ends with an error',
      [
        begun('a'),
        word('a', 'said by a'),
        upstream({ type: 'error', error: {} }),
        begun('b'),
        word('b', 'b'),
        done(some, 'b'),
      ],
    ],
    [
      'of which the second has no beginning and says nothing',
      [begun('a'), word('a', 'said by a'), done({ total_tokens: 12, input_tokens: 12, output_tokens: 0 }, 'b')],
    ],
  ])('%s: the report of one is not about what the other has said', async (_, events) => {
    const { usage, estimated } = await totalOf(from(...events))
    expect([usage.output - (usage.input === 7 ? 5 : 0), estimated]).toEqual(['said by a'.length, true])
  })
})

describe('reports that providers make in ways of their own', () => {
  const usage = { ...some, output_token_details: { text_tokens: 5 } }
  const beside = (more: object = {}) =>
    upstream({ type: 'response.done', response: { id: 'r', output: [], usage: {} }, usage: { ...usage, ...more } })

  it('count where they stand beside the response, as xAI’s do', async () => {
    expect(await totalOf(from(begun(), says('response.text.delta', 'a long answer'), beside()))).toEqual({
      usage: expect.objectContaining({ input: 7, output: 5 }) as unknown,
      estimated: false,
    })
  })

  it('are marked by what no table declares', async () => {
    const { usage: marked } = await totalOf(from(begun(), beside({ video_tokens_out: 9 })))
    expect(marked.unknown).toMatchObject([{ kind: 'usage', name: 'video_tokens_out', count: 9 }])
  })

  it('name tools that ran at the provider, known ones and others', async () => {
    const output = [
      { type: 'message' },
      { type: 'function_call', name: 'f' },
      { type: 'web_search_call', status: 'completed' },
      { type: 'video_search_call', status: 'completed' },
    ]
    const { usage: used } = await totalOf(
      from(begun(), upstream({ type: 'response.done', response: { id: 'r', output, usage: some } })),
    )
    expect(used).toMatchObject({ input: 7, output: 5, tools: { web_search: 1, video_search: 1 } })
  })
})
