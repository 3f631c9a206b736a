import { expect, it } from 'vitest'
import { bedrockConverse } from '../../src/dialects/bedrock/dialect.ts'
import { collect } from '../../src/dialects/conversation/collect.ts'
import type { Finish } from '../../src/dialects/conversation/conversation.ts'
import type { JsonObject } from '../../src/dialects/conversation/json.ts'
import type { UpstreamDialect } from '../../src/dialects/dialect.ts'
import { geminiContent } from '../../src/dialects/gemini/dialect.ts'
import { openaiChat } from '../../src/dialects/openai-chat/dialect.ts'

/** A truncated answer is never written as a complete one. */

const finishOf = (upstream: UpstreamDialect, json: JsonObject): Finish | undefined =>
  upstream.readAnswer(json).choices[0]?.finish

const streamed = (upstream: UpstreamDialect, chunk: JsonObject): Finish | undefined => {
  const reader = upstream.openStream()
  return collect([...reader.read(JSON.stringify(chunk), ''), ...reader.end()]).choices[0]?.finish
}

it.each([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['MALFORMED_FUNCTION_CALL', 'failed'],
  ['UNEXPECTED_TOOL_CALL', 'failed'],
  ['TOO_MANY_TOOL_CALLS', 'failed'],
  ['MALFORMED_RESPONSE', 'failed'],
  ['MISSING_THOUGHT_SIGNATURE', 'failed'],
  ['NO_IMAGE', 'content_filter'],
  ['OTHER', 'content_filter'],
  ['SOMETHING_NEW', 'content_filter'],
] as const)('Gemini’s %s is %s', (finishReason, finish) => {
  const json = { candidates: [{ content: { parts: [{ text: 'Well' }] }, finishReason, index: 0 }] }
  expect(finishOf(geminiContent(), json)).toBe(finish)
  expect(streamed(geminiContent(), json)).toBe(finish)
})

it.each([
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['insufficient_system_resource', 'length'],
  ['sensitive', 'content_filter'],
  ['error', 'failed'],
  ['network_error', 'failed'],
] as const)('%s of compatible providers is %s', (finish_reason, finish) => {
  const choice = { index: 0, finish_reason }
  expect(finishOf(openaiChat(), { choices: [{ ...choice, message: { content: 'Well' } }] })).toBe(finish)
  expect(streamed(openaiChat(), { choices: [{ ...choice, delta: { content: 'Well' } }] })).toBe(finish)
})

it('Bedrock’s malformed calls are no ends', () => {
  const output = { message: { content: [{ text: 'Well' }] } }
  expect(finishOf(bedrockConverse, { output, stopReason: 'malformed_tool_use' })).toBe('failed')
})
