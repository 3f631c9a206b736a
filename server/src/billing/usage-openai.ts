import { unknownMembers } from './declared/unknown-members.ts'
import { splitCount, statedCount } from './reported/counts.ts'
import { plainOpenaiUsage } from './reported/plain-usage.ts'
import { statedInUsage } from './stated/stated-costs.ts'
import { mostReported, noUsage, type Usage, withMore, withStated, withUnknown } from './usage.ts'

/*
 * Parsed by hand instead of with a schema: this runs once per call, and a schema of twenty optional fields costs more time than
 * the rest of billing.
 */
type Json = Readonly<Record<string, unknown>>

/** JSON numbers like `1e999` parse to Infinity, which counts as a number of tokens. */
const isCount = (value: unknown): value is number =>
  (Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && (value as number) >= 0

/** An optional count: 0 when it is malformed. */
const optionalCount = (value: unknown): number => {
  const count = statedCount(value)
  return isCount(count) ? Math.min(count, mostReported) : 0
}

const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

/** The first count above 0; 0 without one. */
const firstPositive = (...counts: readonly unknown[]): number => {
  for (const each of counts) {
    const count = optionalCount(each)
    if (count > 0) return count
  }
  return 0
}

/** The larger of two members for one count, which should be equal. */
const largest = (one: unknown, other: unknown): number => Math.max(optionalCount(one), optionalCount(other))

const totals = ['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens'] as const

/** False when a total is malformed: the whole report is then ignored. */
const isSound = (usage: Json): boolean =>
  totals.every((name) => usage[name] === undefined || usage[name] === null || isCount(statedCount(usage[name])))

/**
 * Caches that the client requested, whose reads have their own price: Qwen's explicit cache, and the one of its sessions
 * (alibabacloud.com/help/en/model-studio/context-cache).
 */
const explicitCaches: ReadonlySet<unknown> = new Set(['ephemeral', 'session'])

/** Written tokens of all lifetimes: their sum, or the total beside it where that is larger. */
const allWritten = (sum: number, totals: readonly unknown[]): number => Math.max(sum, firstPositive(...totals))

/** Of a report with malformed totals, which are counted instead: what else stands in it that no table declares. */
const unknownBeside = (unknown: Usage['unknown']): Usage | undefined => {
  const beside = unknown?.filter(({ name }) => !totals.some((total) => total === name)) ?? []
  return beside.length === 0 ? undefined : withUnknown(noUsage, beside)
}

const countsOf = (usage: Json) => {
  const prompt =
    object(usage.prompt_tokens_details) ?? object(usage.input_tokens_details) ?? object(usage.input_token_details)
  const completion =
    object(usage.completion_tokens_details) ?? object(usage.output_tokens_details) ?? object(usage.output_token_details)
  const cached = object(prompt?.cached_tokens_details)
  const written = object(prompt?.cache_creation) ?? object(usage.cache_creation)
  // OpenAI's lifetimes (openai-node, ResponseUsage.InputTokensDetails.CacheWriteTokensDetails): its twelve hours are the longer one.
  const byLifetime = object(prompt?.cache_write_tokens_details)
  const forLonger = optionalCount(
    written?.ephemeral_1h_input_tokens ?? usage.claude_cache_creation_1_h_tokens ?? byLifetime?.ttl_12h_tokens,
  )
  const forShorter = optionalCount(written?.ephemeral_5m_input_tokens ?? byLifetime?.ttl_30m_tokens)
  return {
    isExplicit: prompt !== undefined && explicitCaches.has(prompt.cache_type),
    prompt: largest(usage.prompt_tokens, usage.input_tokens),
    completion: largest(usage.completion_tokens, usage.output_tokens),
    total: optionalCount(usage.total_tokens),
    cacheRead: firstPositive(
      prompt?.cached_tokens,
      // DeepSeek, Moonshot, Mistral, Databricks and Vercel, in this order.
      usage.prompt_cache_hit_tokens,
      usage.cached_tokens,
      usage.num_cached_tokens,
      usage.cache_read_input_tokens,
    ),
    cacheWrite1h: forLonger,
    cacheWrite: allWritten(forLonger + forShorter, [
      prompt?.cache_write_tokens,
      prompt?.cache_creation_tokens,
      // Qwen's explicit cache (alibabacloud.com/help/en/model-studio/context-cache).
      prompt?.cache_creation_input_tokens,
      usage.cache_creation_input_tokens,
    ]),
    audioInput: optionalCount(prompt?.audio_tokens),
    cachedAudio: optionalCount(cached?.audio_tokens),
    imageInput: optionalCount(prompt?.image_tokens),
    cachedImages: optionalCount(cached?.image_tokens),
    videoInput: optionalCount(prompt?.video_tokens),
    reasoning: optionalCount(completion?.reasoning_tokens),
    audioOutput: optionalCount(completion?.audio_tokens),
    imageOutput: optionalCount(completion?.image_tokens),
  }
}
type Counts = ReturnType<typeof countsOf>

/**
 * Marks parts that exceed their sums, where no total confirms the sums: some servers leave cached tokens out of the prompt, or reasoning
 * out of the completion.
 */
const withExcess = (unknown: Usage['unknown'], usage: Counts): Usage['unknown'] => {
  if (usage.total > 0) return unknown
  const cached = usage.cacheRead + usage.cacheWrite
  const excesses: readonly (readonly [string, number])[] = [
    ['prompt_tokens_details.cached_tokens', cached - usage.prompt],
    ['completion_tokens_details.reasoning_tokens', usage.reasoning - usage.completion],
  ]
  const figures = excesses.flatMap(([name, count]) =>
    count > 0 ? [{ kind: 'usage' as const, dialect: 'openai' as const, name, value: count, count }] : [],
  )
  return figures.length === 0 ? unknown : [...(unknown ?? []), ...figures]
}

/**
 * Tokens in the total that neither prompt nor completion contains. Mistral leaves audio out of the prompt, some proxies leave
 * cached tokens out. Otherwise reasoning is missing from the completion (xAI, Gemini).
 */
const missingTokens = (usage: Counts): { prompt: number; completion: number } => {
  const gap = Math.max(0, usage.total - usage.prompt - usage.completion)
  const isPrompt = gap !== usage.reasoning && (gap === usage.audioInput || gap === usage.cacheRead + usage.cacheWrite)
  return isPrompt ? { prompt: gap, completion: 0 } : { prompt: 0, completion: gap }
}

/**
 * Reads the usage object of OpenAI's chat, completions, embeddings, responses or realtime dialect and of compatible providers.
 * Parts never exceed the sums they belong to. Returns undefined for anything else, for malformed totals, and when prompt and
 * completion are both 0: the caller then counts tokens itself. Does not check whether a count is plausible.
 */
export const usageFromOpenai = (value: unknown): Usage | undefined => plainOpenaiUsage(value) ?? readOpenaiUsage(value)

/** The same in the general way, for reports of every kind. */
export const readOpenaiUsage = (value: unknown): Usage | undefined => {
  const report = object(value)
  if (report === undefined) return undefined
  const undeclared = unknownMembers('openai', report)
  if (!isSound(report)) return unknownBeside(undeclared)
  const usage = countsOf(report)
  const unknown = withExcess(undeclared, usage)
  const stated = statedInUsage(report)
  if (usage.prompt + usage.completion === 0) {
    // Undeclared members count even where the known counts are zero: they may contain all tokens. So does a cost.
    if (unknown === undefined && (stated === undefined || stated.amount === '0')) return undefined
    return withStated(withUnknown({ ...noUsage, input: usage.total }, unknown), stated)
  }

  const missing = missingTokens(usage)
  const prompt = usage.prompt + missing.prompt
  const completion = usage.completion + missing.completion
  const cached = splitCount(Math.min(usage.cacheRead, prompt), [usage.cachedAudio, usage.cachedImages])
  const [cacheRead, audioCacheRead = 0, imageCacheRead = 0] = cached
  const fresh = prompt - Math.min(usage.cacheRead, prompt)
  const [input, cacheWrite1h = 0, cacheWrite = 0, audioInput = 0, imageInput = 0, videoInput = 0] = splitCount(fresh, [
    usage.cacheWrite1h,
    usage.cacheWrite - usage.cacheWrite1h,
    usage.audioInput - usage.cachedAudio,
    usage.imageInput - usage.cachedImages,
    usage.videoInput,
  ])
  const [output, audioOutput = 0, imageOutput = 0] = splitCount(completion, [usage.audioOutput, usage.imageOutput])
  const read = {
    input,
    cacheRead: usage.isExplicit ? 0 : cacheRead,
    cacheWrite,
    cacheWrite1h,
    audioInput,
    output,
    audioOutput,
    reasoning: Math.min(usage.reasoning, output),
    ...withMore({
      explicit_cache_read: usage.isExplicit ? cacheRead : 0,
      audio_cache_read: audioCacheRead,
      image_cache_read: imageCacheRead,
      image_input: imageInput,
      video_input: videoInput,
      image_output: imageOutput,
    }),
  }
  const known = unknown === undefined ? read : withUnknown(read, unknown)
  return stated === undefined ? known : withStated(known, stated)
}

/** As `usageFromOpenai`, of vectors and reranking, whose total is the prompt. */
export const promptUsage = (value: unknown): Usage | undefined => {
  const report = object(value)
  if (report === undefined) return undefined
  const { total_tokens: total, ...rest } = report
  return usageFromOpenai({ ...rest, prompt_tokens: total ?? report.prompt_tokens, completion_tokens: 0 })
}

const isTokenCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/**
 * Tokens in llama.cpp's `timings`, which its last chunk has even if no usage was requested: `prompt_n` were read, `cache_n` were in its
 * cache. undefined for anything else, and for builds that omit the cached number, since their prompt would lack it.
 */
export const usageFromTimings = (value: unknown): Usage | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const { prompt_n: read, cache_n: cached, predicted_n: written } = value as Readonly<Record<string, unknown>>
  if (!isTokenCount(read) || !isTokenCount(cached) || !isTokenCount(written)) return undefined
  return usageFromOpenai({
    prompt_tokens: read + cached,
    completion_tokens: written,
    prompt_tokens_details: { cached_tokens: cached },
  })
}
