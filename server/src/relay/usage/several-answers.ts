import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { isObject, listOf, textIn } from '../../dialects/conversation/json.ts'
import type { RelayCall } from '../call.ts'
import type { Answered, Used } from '../exchange/exchange.ts'
import type { RelayChannel, TokenCounter } from '../ports.ts'
import { countTextAtEngine, type EngineCountParts } from './engine-counts.ts'

export interface SeveralAnswersParts extends EngineCountParts {
  readonly counter: TokenCounter
}

/** Below this share of the count a report covers a single answer: of two answers it is a half. */
const wholeShare = 0.75
/** Tolerated share between a count of the joined texts and the sum of the answers. */
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

const isLlama = ({ answer }: Answered): boolean => {
  const { json } = answer
  return isObject(json) && (isObject(json.timings) || llamaBuild.test(textIn(json.system_fingerprint) ?? ''))
}

interface Corrected {
  readonly tokens: number
  readonly estimated: boolean
}

/** Correction of a report for several answers; undefined where `stated` covers all of `counted`. */
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
 * Usage of several answers. llama.cpp reports the tokens of one of them (github.com/ggml-org/llama.cpp/issues/27318), also for lists of
 * prompts. At engines the texts are therefore counted, by the engine's own tokenizer where it has an endpoint for it, and a report of a
 * single answer is corrected.
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
    countTextAtEngine(text, model, channel, parts),
    prompts.length > 1 ? countTextAtEngine(prompts.join('\n'), model, channel, parts) : undefined,
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

/** True if a call's report may cover a single answer. */
export const mayCountOne = (call: RelayCall, used: Used, channel: RelayChannel | undefined): channel is RelayChannel =>
  channel?.provider.engine !== undefined && !used.estimated && answersOf(call) > 1
