import type { PriceKind } from '@tollgate/contract'

/** Meaning of a member of LiteLLM's table. */
export type FieldMeaning =
  /** Dollars per token of a kind, perhaps for prompts of more than `above` tokens or in a service tier. */
  | { readonly as: 'tokens'; readonly kind: PriceKind; readonly above?: number; readonly tier?: string }
  /** Prices by the length of the prompt, as a list of ranges. */
  | { readonly as: 'ranges' }
  /** A price that this reader leaves to others, and why. */
  | { readonly as: 'left'; readonly why: string }
  | { readonly as: 'not a price'; readonly why: string }

/** LiteLLM's names for the price of one token of a kind. */
const kindOf: ReadonlyMap<string, PriceKind> = new Map([
  ['input_cost_per_token', 'input'],
  ['output_cost_per_token', 'output'],
  ['cache_read_input_token_cost', 'cache_read'],
  // DeepSeek's word for the same.
  ['input_cost_per_token_cache_hit', 'cache_read'],
  ['explicit_cache_read_input_token_cost', 'explicit_cache_read'],
  ['cache_creation_input_token_cost', 'cache_write'],
  ['input_cost_per_audio_token', 'audio_input'],
  ['output_cost_per_audio_token', 'audio_output'],
  ['cache_read_input_audio_token_cost', 'audio_cache_read'],
  ['output_cost_per_reasoning_token', 'reasoning'],
  ['input_cost_per_image_token', 'image_input'],
  ['output_cost_per_image_token', 'image_output'],
  ['cache_read_input_image_token_cost', 'image_cache_read'],
  ['input_cost_per_video_token', 'video_input'],
  ['output_cost_per_video_token', 'video_output'],
])

/**
 * Lifetimes of cache writes that are sold beside the usual one. Anthropic sells an hour, OpenAI twelve: no model has both, and every
 * dialect reads and writes the two as the same longer lifetime.
 */
const lifetimes: readonly string[] = ['_above_1hr', '_above_12hr']

/** Service tiers that have columns. */
const tiers: readonly string[] = ['priority', 'flex', 'batches', 'ultrafast']

const measures =
  'Sold by another measure than tokens: models of this kind are priced by our own tables, which name the page.'
const tools = 'A tool of the provider: the option ToolPrices has its price.'
const videos = 'Videos are priced by our own tables, which name the page.'

/** Prices that are no price of a token, by the beginning of the member's name: the longest that fits counts. */
const left: readonly (readonly [string, string])[] = [
  ['input_cost_per_second', measures],
  ['output_cost_per_second', measures],
  ['output_cost_per_second_', videos],
  ['cost_per_second', 'Capacity that is paid by the second, whatever is called.'],
  ['input_cost_per_audio_per_second', measures],
  ['input_cost_per_video_per_second', measures],
  ['output_cost_per_video_per_second', videos],
  ['input_cost_per_character', measures],
  ['output_cost_per_character', measures],
  ['input_cost_per_image', measures],
  ['output_cost_per_image', measures],
  ['input_cost_per_pixel', measures],
  ['output_cost_per_pixel', measures],
  ['input_cost_per_query', measures],
  ['input_cost_per_request', measures],
  ['input_cost_per_text_message', 'Realtime sessions that are sold by messages are not priced.'],
  ['ocr_cost_per_page', measures],
  ['annotation_cost_per_page', measures],
  ['search_context_cost_per_query', tools],
  ['google_maps_grounding_cost_per_query', tools],
  ['code_interpreter_cost_per_session', tools],
  ['guardrail_cost_per_unit', 'Guardrails of Bedrock are billed to who set them up.'],
  ['citation_cost_per_token', 'Perplexity states what an answer cost, citations included.'],
  ['cache_creation_input_audio_token_cost', 'No provider reports sound that is written to a cache apart from text.'],
]

const decisions = 'A price of decisions, which are no calls that are relayed; answers would be free at it.'

const notPrices: ReadonlyMap<string, string> = new Map([
  ['deprecation_date', 'A day.'],
  ['max_input_tokens', 'A size.'],
  ['max_output_tokens', 'A size.'],
  ['mode', 'What the model is for.'],
  ['provider', 'A name.'],
  ['litellm_provider', 'A name.'],
  ['source', 'An address.'],
])

const inTier = new RegExp(`^(.+)_(${tiers.join('|')})$`)
const aboveTokens = /^(.+)_above_(\d{1,6})k_tokens$/
/** Sizes and lengths of what is not sold by tokens, and the batches of it. */
const measureSuffix = /^(?:_above_\d+k_tokens|_above_\d+s_interval|_batches|_\d+p|_\dk)?$/

const tokensOf = (field: string): FieldMeaning | undefined => {
  const [, plain = field, tier] = inTier.exec(field) ?? []
  const [, base = plain, thousands] = aboveTokens.exec(plain) ?? []
  const lifetime = lifetimes.find((suffix) => base.endsWith(suffix))
  const kind = kindOf.get(lifetime === undefined ? base : base.slice(0, -lifetime.length))
  // Only writes have a lifetime.
  if (kind === undefined || (lifetime !== undefined && kind !== 'cache_write')) return undefined
  return {
    as: 'tokens',
    kind: lifetime === undefined ? kind : 'cache_write_1h',
    ...(thousands === undefined ? {} : { above: Number(thousands) * 1000 }),
    ...(tier === undefined ? {} : { tier }),
  }
}

const leftOf = (field: string): FieldMeaning | undefined => {
  if (field.endsWith('_decisions') && tokensOf(field.slice(0, -'_decisions'.length)) !== undefined)
    return { as: 'left', why: decisions }
  const found = left
    .filter(([start]) =>
      start.endsWith('_') ? field.startsWith(start) : measureSuffix.test(field.slice(start.length)),
    )
    .filter(([start]) => field.startsWith(start))
    .sort(([one], [other]) => other.length - one.length)[0]
  return found === undefined ? undefined : { as: 'left', why: found[1] }
}

/** Meaning of a member; undefined for an unknown one, which may be an unbilled price. */
export const fieldMeaning = (field: string): FieldMeaning | undefined => {
  if (field === 'tiered_pricing') return { as: 'ranges' }
  const why = notPrices.get(field)
  if (why !== undefined) return { as: 'not a price', why }
  return tokensOf(field) ?? leftOf(field)
}
