import {
  audioPromptTokens,
  cachedTokens,
  completionTokens,
  imagePromptTokens,
  promptTokens,
  type Usage,
} from '../../billing/usage.ts'
import type { JsonObject } from '../conversation/json.ts'

/** DeepSeek's names of cached tokens: its clients (@ai-sdk/deepseek) read no others. */
const deepseekWords = (prompt: number, cached: number): JsonObject =>
  cached > 0 ? { prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: Math.max(0, prompt - cached) } : {}

/** Writes usage in OpenAI's shape: prompt tokens include cached ones, completion tokens include reasoning. */
export const writeUsage = (usage: Usage): JsonObject => {
  const prompt = promptTokens(usage)
  const completion = completionTokens(usage)
  const written = usage.cacheWrite + usage.cacheWrite1h
  const [imagesIn, imagesOut] = [imagePromptTokens(usage), usage.more?.image_output ?? 0]
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...deepseekWords(prompt, cachedTokens(usage)),
    prompt_tokens_details: {
      cached_tokens: cachedTokens(usage),
      audio_tokens: audioPromptTokens(usage),
      ...(imagesIn > 0 ? { image_tokens: imagesIn } : {}),
      ...(written > 0 ? { cache_write_tokens: written } : {}),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.audioOutput,
      ...(imagesOut > 0 ? { image_tokens: imagesOut } : {}),
    },
  }
}
