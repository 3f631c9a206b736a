import { receiptOf } from '../billing/cost.ts'
import type { Price } from '../billing/price.ts'
import { reservation } from '../billing/reserve.ts'
import { promptTokens } from '../billing/usage.ts'
import { anthropicMessages } from '../dialects/anthropic/dialect.ts'
import { eventsOf } from '../dialects/collect.ts'
import type { Answer } from '../dialects/conversation.ts'
import type { UpstreamDialect } from '../dialects/dialect.ts'
import { geminiContent } from '../dialects/gemini/dialect.ts'
import { writeEmbedContents } from '../dialects/gemini/embed-contents.ts'
import { heardAnswer } from '../dialects/heard.ts'
import { openaiResponses } from '../dialects/openai-responses/dialect.ts'
import { AppError } from '../lib/app-error.ts'
import { type AnswerCheck, wordIn } from './answer-guard.ts'
import { answerHeaders } from './answer-headers.ts'
import type { CallFacts, Client, RelayCall } from './call.ts'
import { clientDialectOf } from './conversion.ts'
import { expectedPrompt, maxTokensOf, spokenLength, tierAsked } from './expected-tokens.ts'
import { type CallFailure, failureOf } from './failure.ts'
import { type AnswerParts, type FirstAnswer, firstAnswer } from './first-answer.ts'
import { grantedHold } from './granted-hold.ts'
import { openKeepAlive } from './keep-alive.ts'
import { lostHeader } from './lost-header.ts'
import { oneShotStream } from './one-shot.ts'
import { dearestPictures } from './pictures.ts'
import { routedModel } from './plan.ts'
import type { Hold, Holds, Prices, RelayOptions, RequestRecord, TokenCounter } from './ports.ts'
import { streamHead } from './pump.ts'
import { type Charged, chargeRecord, emptyTrail, type Trail } from './record.ts'
import { recordFailure } from './record-failure.ts'
import { asksForUsage } from './request-edit.ts'
import { isSensitive } from './sensitive.ts'
import type { Retold } from './told.ts'
import { priceFor } from './unpriced.ts'
import { saidBy, type Used, usedBy } from './used.ts'

export interface RelayParts extends Omit<AnswerParts, 'keepAlive'> {
  readonly prices: Prices
  readonly holds: Holds
  readonly counter: TokenCounter
  readonly options: () => RelayOptions
  /** Milliseconds without a first byte after which a stream's client hears a comment; 0 for never. */
  readonly keepAliveMs: number
  /** False while calls cannot be recorded: none may begin. */
  readonly ready: () => boolean
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

export interface Relay {
  /**
   * Answers a call: hold, try, record, end. What comes back is a failure that the client still has to be told, as an answer
   * or, when its stream has begun, as an event in it. Money is settled or given back by then.
   */
  answer(call: RelayCall, client: Client): Promise<CallFailure | undefined>
  /** Records a call that was refused after its caller was known. */
  refuse(facts: CallFacts, failure: CallFailure): Promise<void>
}

type Answered = Exclude<FirstAnswer, { kind: 'failed' }>

/** Answers in the client's own dialect, which nobody had to understand so far. */
const readOwn = (endpoint: RelayCall['endpoint']): UpstreamDialect['readAnswer'] | undefined => {
  if (endpoint === 'messages') return anthropicMessages().readAnswer
  if (endpoint === 'responses') return openaiResponses.readAnswer
  return endpoint === 'gemini' ? geminiContent().readAnswer : undefined
}

/** For providers that name neither the answer nor its time. */
const nameOf = (answer: Answer, { id, startedAt }: RelayCall): Answer => ({
  ...answer,
  id: answer.id || id,
  created: answer.created || Math.floor(startedAt / 1000),
})

/** A whole answer where the client asked for a stream. */
const streamOf = (
  call: RelayCall,
  { json, answer, conversion }: Extract<Answered, { kind: 'body' }>,
  used: Used,
): string => {
  const client = clientDialectOf(call.endpoint)
  const whole = answer ?? readOwn(call.endpoint)?.(json)
  if (whole === undefined || client === undefined) return oneShotStream(json, { withUsage: asksForUsage(call) })
  const writer = client.openStream(conversion?.conversation ?? client.readRequest(call.body, call))
  const named = { ...nameOf(whole, call), usage: used.usage }
  return eventsOf(heardAnswer(named, client.name).answer)
    .map((event) => writer.write(event))
    .join('')
}

/** Clients rely on the member, also where a provider is silent. */
const retoldBody = ({ embeds }: RelayCall, { json }: Retold, { usage }: Used): object => {
  const tokens = promptTokens(usage)
  const whole = { ...json, usage: { prompt_tokens: tokens, total_tokens: tokens } }
  return embeds === undefined ? whole : writeEmbedContents(whole, embeds.action)
}

const bodyOf = (
  call: RelayCall,
  { answer, bytes, conversion, retold }: Extract<Answered, { kind: 'body' }>,
  used: Used,
): Buffer => {
  const tellsTokens = call.endpoint === 'embeddings' || call.endpoint === 'rerank'
  if (retold !== undefined && tellsTokens && (retold.usage === undefined || call.embeds !== undefined))
    return Buffer.from(JSON.stringify(retoldBody(call, retold, used)))
  if (answer === undefined || conversion === undefined) return bytes
  const { client, conversation } = conversion
  const named = { ...nameOf(answer, call), model: answer.model || conversation.model, usage: used.usage }
  return Buffer.from(JSON.stringify(client.writeAnswer(heardAnswer(named, client.name).answer, conversation)))
}

/** What of the question the provider could not be told, and what of the answer the client. */
const allLost = (asked: readonly string[], outcome: Answered): readonly string[] => {
  if (outcome.kind === 'body') return outcome.conversion?.lost ?? asked
  const lost = outcome.pump.lost?.() ?? []
  return lost.length === 0 ? asked : [...asked, ...lost].sort()
}

/** A call that somebody answered, and all that its end needs. */
interface AnsweredCall {
  readonly call: RelayCall
  readonly client: Client
  readonly price: Price
  readonly trail: Trail
  readonly outcome: Answered
  readonly check: AnswerCheck
}

interface Settlement {
  readonly record: RequestRecord
  /** Quota units. */
  readonly quota: number
  readonly failure: CallFailure | undefined
}

type Ending = Pick<Charged, 'end' | 'cause' | 'blockedWord'> & { readonly failure: CallFailure | undefined }

/** How an answer ended, and what its client has to hear of it. */
const endingOf = (call: RelayCall, client: Client, outcome: Answered, check: AnswerCheck): Ending => {
  if (outcome.kind === 'streamed') {
    const failure = 'failure' in outcome ? outcome.failure : undefined
    return { end: outcome.end, cause: failure?.cause, blockedWord: outcome.pump.guard?.found, failure }
  }
  const blockedWord = check.words.length === 0 ? undefined : wordIn(saidBy(outcome, call).text, check.words)
  if (blockedWord === undefined || !check.stop) {
    return { end: client.gone ? 'client_gone' : 'done', cause: undefined, blockedWord, failure: undefined }
  }
  const failure = failureOf(new AppError('sensitive_words_in_answer', { details: { word: blockedWord } }))
  return { end: 'stopped', cause: failure.cause, blockedWord, failure }
}

/** The rest of the answer: all of a body, the end of a stream. It goes out when the call is recorded. */
const finish = (call: RelayCall, client: Client, outcome: Answered, used: Used): void => {
  if (client.gone) return
  if (outcome.kind === 'streamed') {
    const { pump } = outcome
    if (!client.begun) client.head(200, streamHead)
    client.end(pump.ending(used, asksForUsage(call)))
    return
  }
  const lost = lostHeader(outcome.conversion ?? outcome.retold)
  if (call.stream) {
    if (!client.begun) client.head(200, [...streamHead, ...lost])
    client.end(streamOf(call, outcome, used))
    return
  }
  const bytes = bodyOf(call, outcome, used)
  const head = answerHeaders(outcome.headers, bytes.length)
  client.head(outcome.status, lost.length === 0 ? head : [...head, ...lost])
  client.end(bytes)
}

export const createRelay = (relayParts: RelayParts): Relay => {
  const parts = { ...relayParts, keepAlive: openKeepAlive(relayParts.keepAliveMs) }

  const holdFor = (call: RelayCall, price: Price, options: RelayOptions): Hold | Promise<Hold> => {
    const promptTokens = expectedPrompt(call)
    const maxTokens = maxTokensOf(call.body)
    const { preConsumedTokens } = options
    const answer = parts.holds.hold({
      userId: call.caller.userId,
      tokenId: call.caller.tokenId,
      tokenUnlimited: call.caller.tokenUnlimited,
      amount: reservation(
        {
          promptTokens,
          maxTokens,
          preConsumedTokens,
          tier: tierAsked(call.body),
          leastTokens: spokenLength(call),
          images: call.endpoint === 'images' ? dearestPictures(call) : undefined,
        },
        price,
      ),
    })
    return answer instanceof Promise
      ? answer.then((late) => grantedHold(late, options.amounts))
      : grantedHold(answer, options.amounts)
  }

  /** What the call costs, and how it ends once that is recorded. */
  const settlementOf = ({ call, client, price, trail, outcome, check }: AnsweredCall, used: Used): Settlement => {
    const receipt = receiptOf(used.usage, price, { estimated: used.estimated })
    const { failure, end, cause, blockedWord } = endingOf(call, client, outcome, check)
    const charged = { usage: used.usage, receipt, price, end, cause, blockedWord, note: used.note }
    trail.lost = allLost(trail.lost, outcome)
    return { record: chargeRecord(call, trail, charged, parts.clock()), quota: receipt.quota, failure }
  }

  const conclude = (
    { call, client, trail, outcome }: AnsweredCall,
    used: Used,
    { quota, failure }: Settlement,
  ): void => {
    remember(call, trail, outcome)
    parts.channels.charged?.(trail.channelId, routedModel(call.model), quota)
    if (failure === undefined) finish(call, client, outcome, used)
  }

  const refuse = (facts: CallFacts, failure: CallFailure, trail?: Trail): Promise<void> =>
    recordFailure(facts, failure, trail, parts)

  /** Providers keep responses unless they are told not to. */
  const remember = (call: RelayCall, trail: Trail, outcome: Answered): void => {
    if (call.endpoint !== 'responses' || call.body.store === false || parts.kept === undefined) return
    const own = outcome.kind === 'body' && outcome.answer === undefined ? outcome.json.id : undefined
    const id = outcome.kind === 'streamed' ? outcome.pump.answerId?.() : own
    if (typeof id === 'string') parts.kept.note(id, call.caller.userId, trail)
  }

  /** Who keeps what a call goes on from: only its channel can answer. */
  const continued = async (call: RelayCall): Promise<RelayCall> => {
    const { previous_response_id: id } = call.body
    if (typeof id !== 'string' || parts.kept === undefined) return call
    const kept = await parts.kept.find(id, call.caller.userId)
    return kept === undefined ? call : { ...call, kept }
  }

  // One function, not three that wait for each other: every wait costs each call.
  const answer = async (given: RelayCall, client: Client): Promise<CallFailure | undefined> => {
    const trail = emptyTrail()
    let call = given
    let hold: Hold | undefined
    try {
      const options = parts.options()
      if (!parts.ready()) throw new AppError('recording_failed')
      if (isSensitive(call, options.sensitiveWords)) throw new AppError('sensitive_words_detected')
      if (call.endpoint === 'responses') call = await continued(call)
      const price = priceFor(parts.prices, call)
      const wanted = holdFor(call, price, options)
      hold = wanted instanceof Promise ? await wanted : wanted
      const outcome = await firstAnswer(call, client, price, options, trail, parts)
      if (outcome.kind !== 'failed') {
        const counted = usedBy(outcome, call, trail.upstreamModel, parts.counter)
        const used = counted instanceof Promise ? await counted : counted
        const answered = { call, client, price, trail, outcome, check: options.answerCheck }
        const settlement = settlementOf(answered, used)
        await parts.recorder.end(settlement.record, hold)
        conclude(answered, used, settlement)
        return settlement.failure
      }
      await refuse(call, outcome.failure, trail)
      return outcome.failure
    } catch (error) {
      hold?.release()
      const ours = error instanceof AppError ? error : new AppError('internal_error', { cause: error })
      if (!(error instanceof AppError)) parts.log('a call failed', { request_id: call.id, error })
      const failure = failureOf(ours)
      await refuse(call, failure, trail)
      return failure
    } finally {
      hold?.release()
    }
  }

  return { answer, refuse: (facts, failure) => refuse(facts, failure) }
}
