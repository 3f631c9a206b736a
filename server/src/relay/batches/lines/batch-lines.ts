import { cost } from '../../../billing/cost.ts'
import { estimatePrompt } from '../../../billing/counting/prompt.ts'
import type { Price } from '../../../billing/price.ts'
import { noUsage } from '../../../billing/usage.ts'
import { InexpressibleError } from '../../../dialects/conversation/gaps/inexpressible.ts'
import { maxTokensOf } from '../../../dialects/conversation/request-fields.ts'
import { AppError } from '../../../lib/app-error.ts'
import { LimitRefusal } from '../../../limits/call-limits.ts'
import type { ProviderCall } from '../../../providers/provider.ts'
import type { RelayCall } from '../../call.ts'
import { attemptRequest } from '../../exchange/attempt-request.ts'
import { priceFor } from '../../exchange/call-price.ts'
import { exchangeFor } from '../../exchange/exchange-for.ts'
import { withHeaderOverride } from '../../exchange/header-override.ts'
import { failureOf } from '../../failure.ts'
import { createHoldPlacer } from '../../holds/place-hold.ts'
import { openUsualOutput } from '../../holds/usual-output.ts'
import { whateverIsLeft } from '../../holds/whatever-is-left.ts'
import type { Caller, RelayChannel } from '../../ports.ts'
import { recordFailure } from '../../records/record-failure.ts'
import type { Relay } from '../../relay.ts'
import type { RelayedCallParts, RelayParts } from '../../relayed-call-parts.ts'
import { isSensitive } from '../../sensitive.ts'
import { openFirstContentWatch } from '../../stream/first-content.ts'
import { openKeepAlive } from '../../stream/keep-alive.ts'
import { openSlots } from '../../upstream/slots.ts'
import { withHold } from '../../with-hold.ts'
import { inBatchTier } from '../billing/answer-usage.ts'
import { answeredUpstream, type LineAnswer } from './answered-upstream.ts'
import { BatchLineCall } from './batch-line-call.ts'

/** Account at a provider that runs a batch. */
export interface LinePlace {
  readonly channel: RelayChannel
  readonly key: string
}

/** The request that a line is at its provider. */
export interface PreparedLine extends LinePlace {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The model as the gateway knows it, whose price the line has. */
  readonly model: string
  /** The model as the provider knows it. */
  readonly upstreamModel: string
  readonly price: Price
  /** The most that it may cost in the tier of batches, in quota units. */
  readonly most: number
  readonly caller: Caller
}

/** Chooses the account for a line among the channels that the key may use for its model; undefined for none. */
export type ChooseLinePlace = (channels: readonly RelayChannel[]) => LinePlace | undefined

/** A provider's answer, and the prices that models had when their lines were prepared. */
export interface PricedAnswer extends LineAnswer {
  readonly priceOf: (model: string) => Price
}

/** The two halves of a call whose provider answers hours later, as lines of its batches. Each stands in for the relay. */
export interface BatchedLines {
  /**
   * Checks calls as any others, and builds their requests for an account instead of sending them. `take` is not called where the call fails,
   * or where a batch cannot have it: then nothing is written to its client.
   */
  preparing(choose: ChooseLinePlace, take: (line: PreparedLine) => void): Relay['answer']
  /**
   * Reads, prints and charges the answer that a provider's batch has for a call, at the price that it had when it was prepared. What has
   * been done is charged whatever is left of balances and limits. `reached` is called for a call that its checks let through.
   */
  answering(answer: PricedAnswer, place: LinePlace, reached: () => void): Relay['answer']
  /** Headers of requests about batches, with the key and what the channel sets. */
  headersFor(place: LinePlace, path: string): Readonly<Record<string, string>>
}

const usualOutput = 500
const nothingReserved = { input: 0, output: 0, money: 0 } as const
/** Quota units of a line whose answer is as long as it may be. */
const mostOf = ({ raw, body, dialect }: RelayCall, price: Price): number => {
  const output = (dialect?.requestRules.maxTokens ?? maxTokensOf)(body) || usualOutput
  return cost(inBatchTier({ ...noUsage, input: estimatePrompt(raw.length), output, calls: 1 }), price)
}

const nothing = (): void => {}

export const openBatchedLines = (relayParts: RelayParts): BatchedLines => {
  const { figures: _, firstContents: __, sessionPlaces: ___, upstreamLimits: ____, ...own } = relayParts
  const { channels, counter } = own
  const lenient = whateverIsLeft(own)
  const { holds } = lenient
  const parts: Omit<RelayedCallParts, 'upstream'> = {
    ...own,
    // Answers of batches say nothing about how a channel is doing.
    channels: {
      snapshot: () => channels.snapshot(),
      report: nothing,
      ...(channels.charged && { charged: (...charge) => channels.charged?.(...charge) }),
    },
    ...lenient,
    keepAlive: openKeepAlive(0),
    firstContentWatch: openFirstContentWatch(),
    slots: openSlots(),
    placer: createHoldPlacer({ holds, counter, usual: openUsualOutput() }),
  }

  const requestOf = (call: RelayCall, { channel, key }: LinePlace, price: Price): PreparedLine | undefined => {
    const options = call.plan?.options ?? own.options()
    const { passThrough, models, cacheMarks, strictGroups } = options
    const settings = { passThrough, models, cacheMarks, forceStreamOption: own.forceStreamOption }
    const exchange = exchangeFor(call, channel, settings)
    if (exchange.unsupported.length > 0 && strictGroups.has(call.caller.group)) return undefined
    const { limits } = own
    const { url, headers, body } = attemptRequest({
      call,
      channel,
      key,
      exchange,
      limits,
      models,
      client: noClient,
      upstream: own.upstream,
      clock: own.clock,
      onClientGone: 'finish',
      answerCheck: options.answerCheck,
      started: nothing,
      progressed: nothing,
    })
    const { model } = call
    return {
      channel,
      key,
      url,
      headers,
      body,
      model,
      price,
      upstreamModel: exchange.request.model,
      most: mostOf(call, price),
      caller: call.caller,
    }
  }

  /** Limits that are used up now are waited for by others. */
  const fitsLimits = async (call: RelayCall): Promise<boolean> => {
    try {
      const entry = await own.callLimits?.enter(call, nothingReserved)
      entry?.settle(undefined)
      return true
    } catch (error) {
      if (error instanceof LimitRefusal) return false
      throw error
    }
  }

  return {
    preparing: (choose, take) => async (call) => {
      const { plan, route, named, stream, form } = call
      if (plan === undefined || route !== undefined || named !== undefined || stream || form !== undefined)
        return undefined
      try {
        if (isSensitive(call, plan.options.sensitiveWords)) throw new AppError('sensitive_words_detected')
        const price = priceFor(own.prices, call)
        const place = choose(plan.forced === undefined ? plan.serving : [plan.forced])
        const line = place && (await fitsLimits(call)) ? requestOf(call, place, price) : undefined
        if (line !== undefined) take(line)
        return undefined
      } catch (error) {
        if (!(error instanceof AppError) || error instanceof InexpressibleError) return undefined
        const failure = failureOf(error)
        await recordFailure(call, failure, {}, parts)
        return failure
      }
    },

    answering: (answer, place, reached) => (call, client, print) => {
      reached()
      const { plan } = call
      const here: RelayCall = {
        ...call,
        place,
        ...(plan && {
          plan: {
            ...plan,
            price: answer.priceOf(call.model),
            options: { ...plan.options, sensitiveWords: [], retryTimes: 0 },
          },
        }),
      }
      const ownParts = { ...parts, upstream: answeredUpstream(answer) }
      return withHold(new BatchLineCall(here, client, print, ownParts), ownParts)
    },

    headersFor({ channel, key }, path) {
      const call: ProviderCall = {
        channel,
        key,
        path,
        query: '',
        model: '',
        stream: false,
        passed: {},
        options: own.options().models,
        defaultApiVersion: own.limits.defaultApiVersion,
      }
      return withHeaderOverride(channel.provider.headers(call), channel, key)
    },
  }
}

/** A request that is only built writes to no client. */
const noClient = {
  gone: false,
  begun: false,
  head: nothing,
  write: () => true,
  end: nothing,
  abandon: nothing,
  listen: nothing,
}
