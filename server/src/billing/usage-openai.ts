import { mostReported, type Usage } from './usage.ts'

/*
 * Read by hand, not by a schema: this runs once per call, and a schema of twenty optional fields costs more than everything
 * else that is billed.
 */
type Json = Readonly<Record<string, unknown>>

/** JSON has numbers that are read as infinite. */
const isCount = (value: unknown): value is number =>
  (Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && (value as number) >= 0

/** An extra: what is broken is left out. */
const soft = (value: unknown): number => (isCount(value) ? Math.min(value, mostReported) : 0)

const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

/** The first of the places that states more than nothing. */
const firstStated = (...counts: readonly unknown[]): number => {
  for (const count of counts) if (isCount(count) && count > 0) return Math.min(count, mostReported)
  return 0
}

const totals = ['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens'] as const

/** A broken total makes the whole usage worthless. */
const isSound = (usage: Json): boolean =>
  totals.every((name) => usage[name] === undefined || usage[name] === null || isCount(usage[name]))

const stated = (usage: Json) => {
  const prompt =
    object(usage.prompt_tokens_details) ?? object(usage.input_tokens_details) ?? object(usage.input_token_details)
  const completion =
    object(usage.completion_tokens_details) ?? object(usage.output_tokens_details) ?? object(usage.output_token_details)
  return {
    prompt: firstStated(usage.prompt_tokens, usage.input_tokens),
    completion: firstStated(usage.completion_tokens, usage.output_tokens),
    total: soft(usage.total_tokens),
    cacheRead: firstStated(
      prompt?.cached_tokens,
      // DeepSeek, Moonshot, Mistral, Databricks and Vercel, in this order.
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
    audioInput: soft(prompt?.audio_tokens),
    cachedAudio: soft(object(prompt?.cached_tokens_details)?.audio_tokens),
    reasoning: soft(completion?.reasoning_tokens),
    audioOutput: soft(completion?.audio_tokens),
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
 * completion both 0), or states what is no count: the caller then counts. How large a count can be is not decided here.
 */
export const usageFromOpenai = (value: unknown): Usage | undefined => {
  const report = object(value)
  if (report === undefined || !isSound(report)) return undefined
  const usage = stated(report)
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
