import { z } from 'zod'
import type { Usage } from './usage.ts'

const most = 1_000_000_000
const count = z.int().min(0).max(most).nullish()
const softCount = count.catch(undefined)

/** The details are extras: a broken one is left out, a broken total makes the whole usage worthless. */
const promptDetails = z
  .object({
    cached_tokens: softCount,
    cached_tokens_details: z.object({ audio_tokens: softCount }).nullish().catch(undefined),
    cache_write_tokens: softCount,
    cache_creation_tokens: softCount,
    audio_tokens: softCount,
  })
  .nullish()
  .catch(undefined)

const completionDetails = z.object({ reasoning_tokens: softCount, audio_tokens: softCount }).nullish().catch(undefined)

const openaiUsage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  input_tokens: count,
  output_tokens: count,
  total_tokens: softCount,
  prompt_tokens_details: promptDetails,
  input_tokens_details: promptDetails,
  input_token_details: promptDetails,
  completion_tokens_details: completionDetails,
  output_tokens_details: completionDetails,
  output_token_details: completionDetails,
  // DeepSeek, Moonshot, Mistral, Databricks and Vercel, in this order.
  prompt_cache_hit_tokens: softCount,
  cached_tokens: softCount,
  num_cached_tokens: softCount,
  cache_read_input_tokens: softCount,
  cache_creation_input_tokens: softCount,
})
type OpenaiUsage = z.output<typeof openaiUsage>

type Count = number | null | undefined
const firstStated = (...counts: readonly Count[]): number => counts.find((value) => (value ?? 0) > 0) ?? 0

const stated = (usage: OpenaiUsage) => {
  const prompt = usage.prompt_tokens_details ?? usage.input_tokens_details ?? usage.input_token_details
  const completion = usage.completion_tokens_details ?? usage.output_tokens_details ?? usage.output_token_details
  return {
    prompt: firstStated(usage.prompt_tokens, usage.input_tokens),
    completion: firstStated(usage.completion_tokens, usage.output_tokens),
    total: usage.total_tokens ?? 0,
    cacheRead: firstStated(
      prompt?.cached_tokens,
      usage.prompt_cache_hit_tokens,
      usage.cached_tokens,
      usage.num_cached_tokens,
      usage.cache_read_input_tokens,
    ),
    cacheWrite: firstStated(
      prompt?.cache_write_tokens,
      prompt?.cache_creation_tokens,
      usage.cache_creation_input_tokens,
    ),
    audioInput: prompt?.audio_tokens ?? 0,
    cachedAudio: prompt?.cached_tokens_details?.audio_tokens ?? 0,
    reasoning: completion?.reasoning_tokens ?? 0,
    audioOutput: completion?.audio_tokens ?? 0,
  }
}
type Stated = ReturnType<typeof stated>

/**
 * Tokens that the total knows and neither sum contains. Mistral leaves audio out of the prompt, some proxies leave cached
 * tokens out; otherwise it is reasoning left out of the completion (xAI, Gemini).
 */
const leftOut = (usage: Stated): { prompt: number; completion: number } => {
  const gap = Math.max(0, usage.total - usage.prompt - usage.completion)
  const isPrompt = gap !== usage.reasoning && (gap === usage.audioInput || gap === usage.cacheRead + usage.cacheWrite)
  return isPrompt ? { prompt: gap, completion: 0 } : { prompt: 0, completion: gap }
}

/**
 * Reads the usage object of OpenAI's chat, completions, embeddings, responses or realtime dialect, and of those who speak it
 * with an accent. Parts never exceed the sums they belong to. undefined when it is no usage, states nothing (prompt and
 * completion both 0), or states what cannot be: the caller then counts (relay reference §8.12, M-10, M-11).
 */
export const usageFromOpenai = (value: unknown): Usage | undefined => {
  const parsed = openaiUsage.safeParse(value)
  if (!parsed.success) return undefined
  const usage = stated(parsed.data)
  if (usage.prompt + usage.completion === 0) return undefined

  const more = leftOut(usage)
  const prompt = usage.prompt + more.prompt
  const completion = usage.completion + more.completion
  const cacheRead = Math.min(usage.cacheRead, prompt)
  const cacheWrite = Math.min(usage.cacheWrite, prompt - cacheRead)
  const audioInput = Math.min(Math.max(0, usage.audioInput - usage.cachedAudio), prompt - cacheRead - cacheWrite)
  const audioOutput = Math.min(usage.audioOutput, completion)
  const output = completion - audioOutput
  return {
    input: prompt - cacheRead - cacheWrite - audioInput,
    cacheRead,
    cacheWrite,
    cacheWrite1h: 0,
    audioInput,
    output,
    audioOutput,
    reasoning: Math.min(usage.reasoning, output),
  }
}
