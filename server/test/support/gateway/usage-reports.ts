import { generated, message, named, response } from './dialects.ts'
import { channel, hi } from './scene.ts'
import { chunk, completion, done, json, stream } from './upstream.ts'

/** Answers of upstreams that hold the usage that a test wants, in each dialect. */

export type Answer = ReturnType<typeof json>

/** More tokens than any call can use. */
export const huge = 400_000_000
/** A chat call of at most 100 output tokens. */
export const capped = { ...hi, max_tokens: 100 }
export const claude = () => channel({ type: 14 })

export const usageChunks = (...reports: readonly object[]): string[] =>
  reports.map(
    (usage) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [], usage })}\n\n`,
  )

export const openaiStream = (...reports: readonly object[]) => stream(chunk('Hello'), ...usageChunks(...reports), done)

export const claudeStream = (start: object, ...deltas: readonly object[]) =>
  stream(
    named('message_start', { message: { ...message, content: [], stop_reason: null, usage: start } }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
    named('content_block_stop', { index: 0 }),
    ...deltas.map((usage) => named('message_delta', { delta: { stop_reason: 'end_turn' }, usage })),
    named('message_stop', {}),
  )

export const geminiStream = (...reports: readonly object[]) =>
  stream(...reports.map((usageMetadata) => `data: ${JSON.stringify({ ...generated, usageMetadata })}\r\n\r\n`))

export const responsesStream = (usage: object) =>
  stream(
    named('response.created', { response: { ...response, output: [], usage: null } }),
    named('response.output_text.delta', { output_index: 0, delta: 'Hello' }),
    named('response.completed', { response: { ...response, usage } }),
  )

export const openaiBody = (usage: object): Answer => json({ ...completion('Hello'), usage })
