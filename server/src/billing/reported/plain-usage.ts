import { ownMember } from '@tollgate/contract/own-member'
import { mostReported, noUsage, type Usage } from '../usage.ts'

/**
 * Reads the usage objects of plain answers in one pass over the members that are there: counts of text tokens that add up, with no tool, tier,
 * place, cost or undeclared member. Everything else is undefined here and read in the general way, which says the same of plain answers.
 */

/** Figures of a plain report, in tokens; 0 for those that it does not state. */
interface Counts {
  prompt: number
  completion: number
  total: number
  cached: number
  /** Written to a cache: of all lifetimes, for five minutes, and for one hour. */
  written: number
  written5m: number
  written1h: number
  reasoning: number
  /** The results of Google's own tools, which Gemini counts beside the prompt. */
  results: number
  /** 1 where the details of the prompt, or of the completion, were read: one report has them under one name. */
  promptDetails: number
  completionDetails: number
}

type PlainMember =
  | { readonly kind: 'count'; readonly slot: keyof Counts }
  /** A count that another member contains. */
  | { readonly kind: 'part' }
  /** A text of which these values change no price. */
  | { readonly kind: 'text'; readonly values: ReadonlySet<unknown> }
  /** An object, or a list of objects. */
  | { readonly kind: 'details'; readonly members: PlainMembers; readonly slot: keyof Counts | undefined }
  | { readonly kind: 'list'; readonly members: PlainMembers }

/** Members by name. A member that is not here makes its report one that is not plain. */
export type PlainMembers = ReadonlyMap<string, PlainMember>

const count = (slot: keyof Counts): PlainMember => ({ kind: 'count', slot })
const part: PlainMember = { kind: 'part' }
const text = (...values: readonly string[]): PlainMember => ({ kind: 'text', values: new Set(values) })
const table = (members: Readonly<Record<string, PlainMember>>): PlainMembers => new Map(Object.entries(members))
const details = (members: Readonly<Record<string, PlainMember>>, slot?: keyof Counts): PlainMember => ({
  kind: 'details',
  members: table(members),
  slot,
})

const standardTier = text('default', 'standard')

const openaiPrompt = details({ cached_tokens: count('cached'), text_tokens: part }, 'promptDetails')
const openaiCompletion = details(
  {
    reasoning_tokens: count('reasoning'),
    text_tokens: part,
    accepted_prediction_tokens: part,
    rejected_prediction_tokens: part,
  },
  'completionDetails',
)
const textOnly: PlainMember = {
  kind: 'list',
  members: table({ modality: text('TEXT'), tokenCount: part }),
}

/** Members of plain reports by dialect. A test compares them with the table of declared members. */
export const plainMembers: Readonly<Record<'openai' | 'anthropic' | 'gemini', PlainMembers>> = {
  openai: table({
    prompt_tokens: count('prompt'),
    input_tokens: count('prompt'),
    completion_tokens: count('completion'),
    output_tokens: count('completion'),
    total_tokens: count('total'),
    prompt_tokens_details: openaiPrompt,
    input_tokens_details: openaiPrompt,
    completion_tokens_details: openaiCompletion,
    output_tokens_details: openaiCompletion,
    // DeepSeek and Moonshot.
    prompt_cache_hit_tokens: count('cached'),
    prompt_cache_miss_tokens: part,
    cached_tokens: count('cached'),
    service_tier: standardTier,
  }),
  anthropic: table({
    input_tokens: count('prompt'),
    output_tokens: count('completion'),
    cache_read_input_tokens: count('cached'),
    cache_creation_input_tokens: count('written'),
    cache_creation: details({
      ephemeral_5m_input_tokens: count('written5m'),
      ephemeral_1h_input_tokens: count('written1h'),
    }),
    output_tokens_details: details({ thinking_tokens: count('reasoning') }),
    server_tool_use: details({}),
    service_tier: standardTier,
    speed: standardTier,
    inference_geo: text('global', 'not_available'),
  }),
  gemini: table({
    promptTokenCount: count('prompt'),
    candidatesTokenCount: count('completion'),
    responseTokenCount: count('completion'),
    thoughtsTokenCount: count('reasoning'),
    toolUsePromptTokenCount: count('results'),
    cachedContentTokenCount: count('cached'),
    totalTokenCount: count('total'),
    serviceTier: text('default', 'standard', 'STANDARD'),
    trafficType: text('ON_DEMAND'),
    promptTokensDetails: textOnly,
    candidatesTokensDetails: textOnly,
    responseTokensDetails: textOnly,
    cacheTokensDetails: textOnly,
    toolUsePromptTokensDetails: textOnly,
  }),
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Adds the members of a report to `counts`; false where one of them is not plain. */
const readInto = (counts: Counts, report: Json, members: PlainMembers): boolean => {
  for (const name in report) {
    const value = ownMember(report, name)
    // Zeros and nulls say nothing, whatever their name; only a cost of 0 is a statement.
    if (value === null || value === undefined || (value === 0 && name !== 'cost')) continue
    const member = members.get(name)
    if (member === undefined) return false
    if (typeof value === 'number') {
      const isPlain = Number.isInteger(value) && value > 0 && value <= mostReported
      if (!isPlain || (member.kind !== 'count' && member.kind !== 'part')) return false
      if (member.kind === 'part') continue
      // Two names of one count have to agree.
      const before = counts[member.slot]
      if (before !== 0 && before !== value) return false
      counts[member.slot] = value
    } else if (member.kind === 'text') {
      if (!member.values.has(value)) return false
    } else if (member.kind === 'list') {
      if (!Array.isArray(value)) return false
      for (const each of value as unknown[])
        if (!isObject(each) || !readInto(counts, each, member.members)) return false
    } else {
      if (member.kind !== 'details' || typeof value !== 'object' || Array.isArray(value)) return false
      if (member.slot !== undefined && counts[member.slot] !== 0) return false
      if (member.slot !== undefined) counts[member.slot] = 1
      if (!readInto(counts, value as Json, member.members)) return false
    }
  }
  return true
}

const countsIn = (report: unknown, members: PlainMembers): Counts | undefined => {
  if (typeof report !== 'object' || report === null || Array.isArray(report)) return undefined
  const counts: Counts = {
    prompt: 0,
    completion: 0,
    total: 0,
    cached: 0,
    written: 0,
    written5m: 0,
    written1h: 0,
    reasoning: 0,
    results: 0,
    promptDetails: 0,
    completionDetails: 0,
  }
  return readInto(counts, report as Json, members) ? counts : undefined
}

/** As `usageFromOpenai`: chat, completions, responses, embeddings and realtime; undefined for what is not plain. */
export const plainOpenaiUsage = (report: unknown): Usage | undefined => {
  const counts = countsIn(report, plainMembers.openai)
  if (counts === undefined) return undefined
  const { prompt, completion, total, cached, reasoning } = counts
  if (prompt + completion === 0 || total > prompt + completion || cached > prompt || reasoning > completion)
    return undefined
  return { ...noUsage, input: prompt - cached, cacheRead: cached, output: completion, reasoning }
}

/** As `readUsage` of Anthropic's dialect; undefined for what is not plain. */
export const plainAnthropicUsage = (report: unknown): Usage | undefined => {
  const counts = countsIn(report, plainMembers.anthropic)
  if (counts === undefined) return undefined
  const { prompt, completion, cached, written, written5m, written1h, reasoning } = counts
  return {
    ...noUsage,
    input: prompt,
    cacheRead: cached,
    cacheWrite: Math.max(written5m, written - written1h),
    cacheWrite1h: written1h,
    output: completion,
    reasoning,
  }
}

/** As `readUsage` of Gemini's dialect; undefined for what is not plain. */
export const plainGeminiUsage = (report: unknown): Usage | undefined => {
  const counts = countsIn(report, plainMembers.gemini)
  if (counts === undefined) return undefined
  const { prompt, results, completion, total, cached, reasoning } = counts
  const all = prompt + results
  if (prompt === 0 || cached > all || total > all + completion + reasoning) return undefined
  return { ...noUsage, input: all - cached, cacheRead: cached, output: completion + reasoning, reasoning }
}
