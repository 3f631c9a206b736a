import { measure } from '../../billing/counting/prompt.ts'
import type { Price } from '../../billing/price.ts'
import { reservation } from '../../billing/reserve.ts'
import { completionTokens, type Usage } from '../../billing/usage.ts'
import { isObject, listOf } from '../../dialects/conversation/json.ts'
import { requestedPlace, requestedTier } from '../../dialects/conversation/request-fields.ts'
import type { CallNeed } from '../../limits/call-limits.ts'
import type { RelayCall } from '../call.ts'
import type { Hold, HoldAnswer, HoldRequest, Holds, RelayOptions, TokenCounter } from '../ports.ts'
import { largePrompt } from '../usage/body-survey.ts'
import { promptReaderOf } from '../usage/prompt-reader.ts'
import type { UnsetMarks } from './channel-marks.ts'
import { type ExpectedCall, expectedCall, withMeasuredSound, withoutSound } from './expected-call.ts'
import { grantedHold, refusedHold, withoutBalance } from './granted-hold.ts'
import { expectedPlainCall, plainAmount } from './plain-call.ts'
import type { UsualOutput } from './usual-output.ts'

export interface PlaceHoldParts {
  readonly holds: Holds
  readonly counter: TokenCounter
  readonly usual: UsualOutput
  /** Caches of calls that set none; the prompts of such calls are not cached when absent. */
  readonly unsetMarks?: UnsetMarks
}

/** A call with its hold. */
export interface HeldCall {
  readonly hold: Hold
  readonly request: HoldRequest
  readonly expected: ExpectedCall
  /** True where the prompt was counted, false where `expected` has the bound. */
  readonly counted: boolean
}

/** A call before its hold. */
interface Wanted {
  readonly call: RelayCall
  readonly price: Price
  readonly options: RelayOptions
  readonly bounds: PromptBounds
  /** Maximum size of the call, with the upper bound of its prompt. */
  readonly expected: ExpectedCall
  readonly request: HoldRequest
}

export interface HoldPlacer {
  /**
   * Holds the maximum cost of a call. With an ample balance the prompt counts as one token per byte, synchronously; otherwise the
   * model's tokenizer counts it off the main thread. Throws AppError where the call cannot be paid for.
   */
  place(call: RelayCall, price: Price, options: RelayOptions): HeldCall | Promise<HeldCall>
  /** Amounts that limits reserve for the call; the prompt is counted where its upper bound does not fit. */
  need(call: RelayCall, held: HeldCall, price: Price): CallNeed
  /** Learns the length of an answer without a maximum. */
  learn(call: RelayCall, held: HeldCall, usage: Usage): void
}

type Prompted = Pick<RelayCall, 'raw' | 'body' | 'model' | 'form' | 'survey' | 'dialect'>

/** A picture or a file may be an address of few bytes and cost thousands of tokens. */
const isText = (part: unknown): boolean => !isObject(part) || typeof part.text === 'string'

const isTextMessage = (message: unknown): boolean => {
  if (!isObject(message)) return true
  const { content, parts, image_url: image } = message
  return image === undefined && listOf(content).every(isText) && listOf(parts).every(isText)
}

const isTextOnly = ({ body, dialect }: Prompted): boolean =>
  dialect === undefined
    ? listOf(body.messages).every(isTextMessage) &&
      listOf(body.input).every(isTextMessage) &&
      listOf(body.documents).every(isText)
    : listOf(dialect.requestRules.messages(body)).every(isTextMessage)

/** Providers read the query of a rerank call once beside each document, and bill that. */
const repetitionsOf = ({ query, documents }: RelayCall['body']): { readonly query: string; readonly times: number } =>
  typeof query === 'string' && Array.isArray(documents)
    ? { query, times: Math.max(0, documents.length - 1) }
    : { query: '', times: 0 }

/** People write fewer bytes than this for a token; only repetition of spaces and the like makes longer ones. */
const mostBytesPerToken = 16

/** Bounds of the prompt's tokens, computed synchronously. */
interface PromptBounds {
  /** No tokenizer exceeds it: a token is made of one byte at least. */
  readonly atMost: number
  readonly atLeast: number
}

const boundsOfBytes = (bytes: number, others = 0): PromptBounds => ({
  atMost: others + bytes,
  atLeast: others + Math.floor(bytes / mostBytesPerToken),
})

const promptBounds = (call: Prompted): PromptBounds => {
  const { query, times } = repetitionsOf(call.body)
  const again = times === 0 ? 0 : times * Buffer.byteLength(query)
  const { survey } = call
  // A large body was measured where it was parsed.
  if (survey?.model === call.model) return boundsOfBytes(survey.textBytes + again, survey.tokens)
  if (call.form === undefined && isTextOnly(call)) return boundsOfBytes(call.raw.length + again)
  const { texts, tokens } = measure(promptReaderOf(call), call.model, call.body)
  return boundsOfBytes(
    texts.reduce((sum, text) => sum + Buffer.byteLength(text), again),
    tokens,
  )
}

/** Prompt tokens by the model's tokenizer, off the main thread. Never rejects. */
const countPrompt = async (
  call: Pick<RelayCall, 'model' | 'body' | 'survey' | 'raw' | 'dialect'>,
  counter: TokenCounter,
): Promise<number> => {
  const { model, body } = call
  const { query, times } = repetitionsOf(body)
  const [once, ofQuery] = await Promise.all([
    counter.prompt(model, promptReaderOf(call), body, largePrompt(call)),
    times === 0 ? 0 : counter.text(model, query),
  ])
  return once + times * ofQuery
}

/** The region that an answer states and no table knows. */
const unknownPlace = ({ unknown }: Usage): string | undefined => {
  const value = unknown?.find(({ kind }) => kind === 'geo')?.value
  return value === undefined ? undefined : String(value)
}

/** The upper bound is held instead of the count if this multiple of it is available, so that other calls do not lack the rest. */
const ample = 4

const quickBytesPerToken = 4

/** Tokens of an impossibly long call: a price is free if even that costs nothing. */
const manyTokens = 1_000_000_000

const isFree = (expected: ExpectedCall, price: Price): boolean =>
  reservation({ ...expected, promptTokens: manyTokens, outputTokens: manyTokens }, price) === 0

const granted = (
  { request, expected }: Pick<Wanted, 'request' | 'expected'>,
  hold: Hold,
  counted = false,
): HeldCall => ({ hold, request, expected, counted })

export const createHoldPlacer = ({ holds, counter, usual, unsetMarks }: PlaceHoldParts): HoldPlacer => {
  /** Holds the counted prompt, where its upper bound could not be held. */
  const placeCounted = async (
    { call, price, options, bounds, expected, request }: Wanted,
    answer: HoldAnswer,
  ): Promise<HeldCall> => {
    if (answer.kind === 'held') return granted({ request, expected }, answer.hold)
    const { amounts, overdraft } = options
    const amountOf = (promptTokens: number, sent: ExpectedCall): number => reservation({ ...sent, promptTokens }, price)
    const silent = withoutSound(expected)
    const least = amountOf(bounds.atLeast, silent)
    // Refused without a count: a key without quota must not occupy the tokenizer.
    if (answer.remain <= 0 || answer.remain + overdraft < least) {
      const need = Math.max(least, amountOf(Math.ceil(bounds.atMost / quickBytesPerToken), silent))
      throw refusedHold({ ...answer, need }, amounts, call.caller.keyHint)
    }
    const counts = least !== request.amount
    const promptTokens = counts ? Math.min(bounds.atMost, await countPrompt(call, counter)) : bounds.atMost
    const measured = counts ? await withMeasuredSound(call, expected) : expected
    const exact = { ...request, amount: counts ? amountOf(promptTokens, measured) : least, spare: -overdraft }
    const hold = grantedHold(await holds.hold(exact), amounts, call.caller.keyHint)
    return granted({ request: exact, expected: { ...measured, promptTokens } }, hold, counts)
  }

  const wantedOf = (call: RelayCall, price: Price, options: RelayOptions): Wanted => {
    const { plain, caller } = call
    const outside = { options, usual: usual.of(call.model), marks: unsetMarks?.(call, options) }
    let bounds: PromptBounds
    let expected: ExpectedCall
    let amount: number
    if (plain !== undefined && call.survey === undefined) {
      const texts = expectedPlainCall(call, plain, outside)
      const bytes = call.raw.length
      bounds = { atMost: bytes, atLeast: Math.floor(bytes / mostBytesPerToken) }
      expected = texts
      amount = plainAmount(texts, price)
    } else {
      bounds = promptBounds(call)
      expected = expectedCall(call, bounds.atMost, outside)
      amount = reservation(expected, price)
    }
    const { userId, tokenId, tokenUnlimited, caps } = caller
    const needsNone = options.freeWithoutBalance === true && amount === 0 && isFree(expected, price)
    const request = needsNone
      ? { userId, tokenId, tokenUnlimited, caps, amount, ...withoutBalance }
      : { userId, tokenId, tokenUnlimited, caps, amount, spare: amount * (ample - 1) - options.overdraft }
    return { call, price, options, bounds, expected, request }
  }

  return {
    place(call, price, options) {
      const wanted = wantedOf(call, price, options)
      const { request, expected } = wanted
      const answer = holds.hold(request)
      if (answer instanceof Promise) return answer.then((late) => placeCounted(wanted, late))
      if (answer.kind === 'held') return { hold: answer.hold, request, expected, counted: false }
      return placeCounted(wanted, answer)
    },

    need(call, { expected, request, counted }, price) {
      const { promptTokens, outputTokens, answers } = expected
      const output = outputTokens * answers
      const count = async (): Promise<CallNeed> => {
        const input = Math.min(promptTokens, await countPrompt(call, counter))
        return { input, output, money: reservation({ ...expected, promptTokens: input }, price) }
      }
      return { input: promptTokens, output, money: request.amount, counted: counted ? undefined : count }
    },

    learn({ model, body, dialect, plain }, { expected }, usage) {
      const tokens = expected.unbounded ? completionTokens(usage) / expected.answers : 0
      const place = usage.place ?? (usage.unknown === undefined ? undefined : unknownPlace(usage))
      if (plain !== undefined) return usual.learn(model, { tokens, place, tier: usage.tier })
      // A region or tier that the call itself requests is not typical of others.
      const before = usual.of(model)
      const asked = (dialect?.requestRules.serviceTier ?? requestedTier)(body)
      usual.learn(model, {
        tokens,
        place: requestedPlace(body) === undefined ? place : before.place,
        tier: asked === undefined ? usage.tier : before.tier,
      })
    },
  }
}
