import { describe, expect, it } from 'vitest'
import { contents, gemini, question } from '../../../test/support/gateway/dialects.ts'
import {
  ask,
  gateway,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { chunk, done, stream } from '../../../test/support/gateway/upstream.ts'
import {
  type Answer,
  capped,
  claude,
  claudeStream,
  geminiStream,
  huge,
  openaiStream,
  usageChunks,
} from '../../../test/support/gateway/usage-reports.ts'

/** Streams that report their usage several times, in part implausibly: the best report counts, also while the stream is under way. */

useScene()

const messages = '/v1/messages'
const googleStream = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'

describe('several reports in a stream', () => {
  const good = { prompt_tokens: 50, completion_tokens: 20 }
  const of = (...reports: readonly object[]): Answer => openaiStream(...reports)
  const asStream = { ...capped, stream: true }

  it.each<readonly [string, Answer]>([
    ['one that cannot be comes later', of(good, { prompt_tokens: 50, completion_tokens: huge })],
    ['one beyond all counting comes later', of(good, { prompt_tokens: 1e15, completion_tokens: 1e15 })],
    ['a smaller one comes later', of(good, { prompt_tokens: 1, completion_tokens: 1 })],
    [
      'a smaller prompt comes later',
      of({ prompt_tokens: 50, completion_tokens: 1 }, { prompt_tokens: 2, completion_tokens: 20 }),
    ],
    ['nothing comes later', of(good, { prompt_tokens: 0, completion_tokens: 0 })],
    ['negative ones come later', of(good, { prompt_tokens: -5, completion_tokens: -5 })],
    [
      'all come at once',
      stream([chunk('Hello'), ...usageChunks(good, { prompt_tokens: 3, completion_tokens: huge }), done].join('')),
    ],
    ['they grow', of({ prompt_tokens: 50, completion_tokens: 1 }, { prompt_tokens: 50, completion_tokens: 9 }, good)],
  ])('the best counts when %s', async (_, answer) => {
    upstream.answer = answer
    await (await ask(asStream)).text()
    expect(lastRecord()).toMatchObject({ promptTokens: 50, completionTokens: 20, receipt: { estimated: false } })
  })

  it.each<readonly [string, string, Record<string, unknown>, () => void]>([
    ['Claude', messages, { ...question, stream: true }, () => useChannels(claude())],
    ['Claude, converted', '/v1/chat/completions', asStream, () => useChannels(claude())],
  ])('of %s, too', async (_, path, body, use) => {
    use()
    for (const last of [
      { input_tokens: 1, output_tokens: 2 },
      { output_tokens: huge },
      { input_tokens: huge, output_tokens: 1 },
    ]) {
      upstream.answer = claudeStream({ input_tokens: 50, output_tokens: 1 }, { output_tokens: 20 }, last)
      await (await ask(body, path)).text()
      expect(lastRecord()).toMatchObject({ promptTokens: 50, completionTokens: 20, receipt: { estimated: false } })
    }
  })

  it('of Gemini, too', async () => {
    useChannels(gemini())
    const best = { promptTokenCount: 50, candidatesTokenCount: 20, totalTokenCount: 70 }
    for (const last of [
      { ...best, candidatesTokenCount: 3 },
      { ...best, promptTokenCount: huge },
    ]) {
      upstream.answer = geminiStream(best, last)
      await (await ask(contents, googleStream)).text()
      expect(lastRecord()).toMatchObject({ promptTokens: 50, completionTokens: 20, receipt: { estimated: false } })
    }
  })
})

describe('marks of a stream under way', () => {
  it.each<readonly [string, object, object]>([
    ['nothing believed', { prompt_tokens: huge, completion_tokens: huge }, { output: 2 }],
    ['a prompt that cannot be', { prompt_tokens: huge, completion_tokens: 7 }, { output: 7 }],
    ['a completion that cannot be', { prompt_tokens: 7, completion_tokens: huge }, { input: 7, output: 2 }],
    ['all believed', { prompt_tokens: 7, completion_tokens: 8 }, { input: 7, output: 8 }],
  ])('count what was produced where a report is %s', async (_, usage, marked) => {
    let now = Date.now()
    await reopenGateway({ clock: () => now })
    const marks: { input: number }[] = []
    gateway.parts.recorder.progress = (_id, used) => marks.push(used)
    upstream.answer = ({ response: to }) => {
      to.writeHead(200, { 'content-type': 'text/event-stream' })
      to.write([chunk('Hello'), ...usageChunks(usage)].join(''))
      now += 2000
      setImmediate(() => to.end(chunk('!') + done))
    }
    await (await ask({ ...capped, stream: true })).text()
    expect(marks.at(-1)).toMatchObject(marked)
    expect(marks.at(-1)?.input).toBeGreaterThan(0)
    expect(marks.at(-1)?.input).toBeLessThan(100)
  })
})
