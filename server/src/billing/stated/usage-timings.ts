import type { Usage } from '../usage.ts'
import { usageFromOpenai } from '../usage-openai.ts'

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/**
 * Tokens as llama.cpp states them in `timings`, which its last chunk has also where no usage was asked for: `prompt_n` were read,
 * `cache_n` were in its cache. undefined for anything else, and for builds that leave out how many were cached: their prompt would lack them.
 */
export const usageFromTimings = (value: unknown): Usage | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const { prompt_n: read, cache_n: cached, predicted_n: written } = value as Readonly<Record<string, unknown>>
  if (!isCount(read) || !isCount(cached) || !isCount(written)) return undefined
  return usageFromOpenai({
    prompt_tokens: read + cached,
    completion_tokens: written,
    prompt_tokens_details: { cached_tokens: cached },
  })
}
