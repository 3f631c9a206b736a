import { promptTokens, type Usage } from '../../billing/usage.ts'

/** Tokens that need no doubt: providers and applications add prompts of their own, of which some recorded ones have 18,000 tokens. */
export const usualExtra = 50_000

/**
 * Members by which a request stands for more than its own text: pictures, sound and files, in it or elsewhere, and what the provider
 * keeps. Only our count of all of them could bound the prompt, and the model's context does.
 */
const standsForMore =
  /"(?:\w*(?:url|uri)|file|files|file_ids?|file_?data|input_(?:file|image|audio|video)|images?|audio|videos?|inline_?data|source|document|previous_response_id|conversation|cached_?content|container|prompt_id|vector_store_ids|data_sources|s3location|thread_id|assistant_id)"|"prompt"\s*:\s*\{/i

/**
 * Whether a prompt can be what was sent, where no token is shorter than a byte and all of it may be read so many `times`. The texts
 * are looked through only for a report above that, once.
 */
export const fitsIn = (texts: readonly (Buffer | undefined)[], times: number): ((usage: Usage) => boolean) => {
  const bytes = times * Math.max(0, ...texts.map((text) => text?.length ?? 0))
  let isOpen: boolean | undefined
  return (usage) => {
    if (promptTokens(usage) <= bytes + usualExtra) return true
    isOpen ??= texts.some((text) => text !== undefined && standsForMore.test(text.toString('latin1')))
    return isOpen
  }
}
