import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, listOf, parsedJson } from '../../dialects/conversation/json.ts'
import type { ModelOptions, PromptCounts } from '../../providers/provider.ts'
import { askedModel, type RelayCall } from '../call.ts'
import type { RelayLimits } from '../exchange/exchange.ts'
import { withHeaderOverride } from '../exchange/header-override.ts'
import { translatedExchange } from '../exchange/translated.ts'
import type { RelayChannel } from '../ports.ts'
import { mappedModel } from '../routing/model-mapping.ts'
import { fetchJson } from '../upstream/fetch-json.ts'
import type { Upstream } from '../upstream/upstream.ts'

export interface EngineCountParts {
  readonly upstream: Upstream
  readonly limits: RelayLimits
  readonly models: ModelOptions
}

/** Milliseconds. Engines count in a few; a slower one is busy, and the gateway counts itself. */
const longestMs = 2000

const patience = ({ timeouts: { connect, firstByte } }: RelayLimits) => ({
  timeouts: { connect, firstByte: firstByte > 0 ? Math.min(firstByte, longestMs) : longestMs },
})

/** Members that determine the length of a prompt. */
const promptMembers: readonly string[] = ['model', 'messages', 'tools', 'chat_template_kwargs', 'reasoning_effort']

const modelAt = (call: RelayCall, channel: RelayChannel): string => mappedModel(channel.modelMapping, askedModel(call))

/** Ways in which an engine behind a channel may count a prompt; undefined for channels without one. */
const promptCountsOf = (call: RelayCall, channel: RelayChannel): PromptCounts | undefined =>
  channel.provider.promptCounts?.(modelAt(call, channel), channel)

/** True if the channel may have an engine that counts the prompt of a call. */
export const mayCountPrompt = (call: RelayCall, channel: RelayChannel): boolean =>
  promptCountsOf(call, channel) !== undefined

const prompt = (
  call: RelayCall,
  channel: RelayChannel,
  { language }: PromptCounts,
  models: ModelOptions,
): JsonObject => {
  const turn = { ...call, stream: false }
  const { dialect } = turn
  if (dialect === undefined) return {}
  const model = modelAt(turn, channel)
  const { request } = translatedExchange(turn, { channel, model, languages: [language] }, dialect, {
    models,
    cacheMarks: new Map(),
  })
  const written = parsedJson(request.body.toString())
  const members = isObject(written) ? Object.entries(written).filter(([name]) => promptMembers.includes(name)) : []
  return { ...Object.fromEntries(members), add_generation_prompt: true }
}

/** Prompt tokens counted by the engine behind a channel, including its template; undefined where it does not answer. Free, and never throws. */
export const countAtEngine = async (
  call: RelayCall,
  channel: RelayChannel,
  { upstream, limits, models }: EngineCountParts,
): Promise<number | undefined> => {
  const { provider } = channel
  try {
    const counts = promptCountsOf(call, channel)
    if (counts === undefined) return undefined
    const key = channel.keys[0] ?? ''
    const { path: chat } = counts.language
    const model = modelAt(call, channel)
    const asked = { channel, key, path: chat, query: '', model, stream: false, passed: {}, options: models }
    const url = provider.url(asked)
    // Other addresses do not tell where the server counts.
    if (!url.endsWith(chat)) return undefined
    const body = Buffer.from(JSON.stringify(prompt(call, channel, counts, models)))
    for (const { path, member } of counts.places) {
      const at = { ...asked, path }
      const headers = withHeaderOverride({ ...provider.headers(at), 'content-type': 'application/json' }, channel, key)
      const request = { method: 'POST', url: url.slice(0, -chat.length) + path, headers, body } as const
      const answer = await fetchJson(request, { upstream, channel, limits: patience(limits) }).catch(() => undefined)
      const count = answer?.status === 200 ? ownMember(answer.json, member) : undefined
      // llama.cpp's `/tokenize` counts no messages, and says 0.
      if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) return count
    }
  } catch {
    // A body that the engine cannot express is counted here.
  }
  return undefined
}

/** Tokens of a text counted by the engine behind a channel; undefined where it does not answer. Free, and never throws. */
export const countTextAtEngine = async (
  text: string,
  model: string,
  channel: RelayChannel,
  { upstream, limits, models }: EngineCountParts,
): Promise<number | undefined> => {
  const { provider } = channel
  const key = channel.keys[0] ?? ''
  const at = { channel, key, path: '/tokenize', query: '', model, stream: false, passed: {}, options: models }
  const headers = withHeaderOverride({ ...provider.headers(at), 'content-type': 'application/json' }, channel, key)
  // llama.cpp reads `content`, vLLM and SGLang `prompt`.
  const body = Buffer.from(JSON.stringify({ model, content: text, prompt: text, add_special_tokens: false }))
  const answer = await fetchJson(
    { method: 'POST', url: provider.url(at), headers, body },
    { upstream, channel, limits: patience(limits) },
  ).catch(() => undefined)
  if (answer?.status !== 200) return undefined
  const { count, tokens } = answer.json
  const counted = typeof count === 'number' ? count : listOf(tokens).length
  return Number.isSafeInteger(counted) && counted > 0 ? counted : undefined
}
