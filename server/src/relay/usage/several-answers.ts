import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { isObject, listOf, textIn } from '../../dialects/conversation/json.ts'
import type { ModelOptions } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import type { Answered, RelayLimits, Used } from '../exchange/exchange.ts'
import { withHeaderOverride } from '../exchange/header-override.ts'
import type { RelayChannel, TokenCounter } from '../ports.ts'
import { fetchJson } from '../upstream/fetch-json.ts'
import type { Upstream } from '../upstream/upstream.ts'

export interface SeveralAnswersParts {
  readonly upstream: Upstream
  readonly limits: RelayLimits
  readonly counter: TokenCounter
  readonly models: ModelOptions
}

const longestMs = 5000
/** Below this share of what was counted a report is one of a single answer: of two answers it is a half. */
const wholeShare = 0.75
/** As far as a count of the joined texts may be from the sum of the answers. */
const nearShare = 0.15
/** `b11549-4f1c2d`, as llama.cpp names its builds. */
const llamaBuild = /^b\d+-/

const promptsOf = ({ body }: RelayCall): readonly string[] => {
  const prompts = listOf(body.prompt)
  return prompts.every((prompt) => typeof prompt === 'string') ? (prompts as readonly string[]) : []
}

const answersOf = (call: RelayCall): number => {
  const { n } = call.body
  const each = typeof n === 'number' && Number.isSafeInteger(n) && n > 1 ? n : 1
  return each * Math.max(1, promptsOf(call).length)
}

/** The tokens of a text at the engine; undefined where it does not say. */
const tokensAt = async (
  text: string,
  model: string,
  channel: RelayChannel,
  { upstream, limits, models }: SeveralAnswersParts,
): Promise<number | undefined> => {
  const { provider } = channel
  const key = channel.keys[0] ?? ''
  const at = { channel, key, path: '/tokenize', query: '', model, stream: false, passed: {}, options: models }
  const headers = withHeaderOverride({ ...provider.headers(at), 'content-type': 'application/json' }, channel, key)
  const { connect, firstByte } = limits.timeouts
  const timeouts = { connect, firstByte: firstByte > 0 ? Math.min(firstByte, longestMs) : longestMs }
  // llama.cpp reads `content`, vLLM and SGLang `prompt`.
  const body = Buffer.from(JSON.stringify({ model, content: text, prompt: text, add_special_tokens: false }))
  const answer = await fetchJson(
    { method: 'POST', url: provider.url(at), headers, body },
    { upstream, channel, limits: { timeouts } },
  ).catch(() => undefined)
  if (answer?.status !== 200) return undefined
  const { count, tokens } = answer.json
  const counted = typeof count === 'number' ? count : listOf(tokens).length
  return Number.isSafeInteger(counted) && counted > 0 ? counted : undefined
}

const isLlama = ({ answer }: Answered): boolean => {
  const { json } = answer
  return isObject(json) && (isObject(json.timings) || llamaBuild.test(textIn(json.system_fingerprint) ?? ''))
}

interface Corrected {
  readonly tokens: number
  readonly estimated: boolean
}

/** What several answers came to, where `stated` is `counted` of all, or only one of them. */
const corrected = (stated: number, counted: number, answers: number): Corrected | undefined => {
  if (stated >= counted * wholeShare) return undefined
  const sum = stated * answers
  return Math.abs(sum - counted) <= counted * nearShare
    ? { tokens: sum, estimated: false }
    : { tokens: counted, estimated: true }
}

const withOutput = (used: Used, { tokens, estimated }: Corrected): Used => {
  const more = tokens - completionTokens(used.usage)
  const usage: Usage = { ...used.usage, output: used.usage.output + more }
  return { ...used, usage, estimated: used.estimated || estimated }
}

/**
 * llama.cpp reports the tokens of one answer where several were asked for (github.com/ggml-org/llama.cpp/issues/27318), also for lists of
 * prompts. At engines the texts are therefore counted, by the engine's own tokenizer where it has an endpoint for it, and a report that
 * is one of a single answer becomes that of all.
 */
export const withAllAnswers = async (
  used: Used,
  {
    answered,
    call,
    channel,
    model,
  }: {
    readonly answered: Answered
    readonly call: RelayCall
    readonly channel: RelayChannel
    readonly model: string
  },
  parts: SeveralAnswersParts,
): Promise<Used> => {
  const answers = answersOf(call)
  const { text } = answered.answer.output()
  const stated = completionTokens(used.usage)
  const prompts = promptsOf(call)
  const [engine, ofPrompts] = await Promise.all([
    tokensAt(text, model, channel, parts),
    prompts.length > 1 ? tokensAt(prompts.join('\n'), model, channel, parts) : undefined,
  ])
  const output =
    engine === undefined && isLlama(answered)
      ? { tokens: stated * answers, estimated: true }
      : corrected(stated, engine ?? (await parts.counter.text(model, text)), answers)
  const result = output === undefined ? used : withOutput(used, output)
  if (ofPrompts === undefined || promptTokens(result.usage) >= ofPrompts * wholeShare) return result
  const missing = ofPrompts - promptTokens(result.usage)
  return { ...result, usage: { ...result.usage, input: result.usage.input + missing }, estimated: true }
}

/** Whether a call's report may be one of a single answer. */
export const mayCountOne = (call: RelayCall, used: Used, channel: RelayChannel | undefined): channel is RelayChannel =>
  channel?.provider.engine !== undefined && !used.estimated && answersOf(call) > 1
