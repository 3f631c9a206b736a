import type { Client, RelayCall } from '../call.ts'
import type { AttemptParts } from '../exchange/attempt-request.ts'
import type { RelayLimits } from '../exchange/exchange.ts'
import { exchangeFor, takesAsIs } from '../exchange/exchange-for.ts'
import { attempt } from '../exchange/transport.ts'
import { servingOfCall } from '../plan/planned-channels.ts'
import type { Channels, RelayChannel, RelayOptions, TokenCounter } from '../ports.ts'
import { targetOrder } from '../routing/virtual/route-of-call.ts'
import { channelsFor } from '../routing/virtual/target-channels.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { largePrompt } from './body-survey.ts'
import { countAtEngine, mayCountPrompt } from './engine-counts.ts'
import { promptReaderOf } from './prompt-reader.ts'

export interface CountParts {
  readonly channels: Channels
  readonly upstream: Upstream
  readonly counter: TokenCounter
  readonly limits: RelayLimits
  readonly forceStreamOption: boolean
  readonly options: () => RelayOptions
  readonly clock: () => number
  readonly random: () => number
}

export interface CountTokens {
  /** Tokens of the prompt in the shape of the client's dialect. Costs nothing and is not recorded. */
  count(call: RelayCall): Promise<Readonly<Record<string, unknown>>>
}

/** The answer goes to the caller of `count`, not to a client. */
const noClient: Client = {
  gone: false,
  begun: false,
  head: () => {},
  write: () => true,
  end: () => {},
  abandon: () => {},
  listen: () => {},
}

/** Asks a provider that takes the client's dialect as it is and counts tokens, or an engine; without one they are counted here. */
export const openCountTokens = (parts: CountParts): CountTokens => {
  const ask = async (
    call: RelayCall,
    channel: RelayChannel,
  ): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const { options, forceStreamOption, upstream, limits, clock, random } = parts
    const { models } = call.plan?.options ?? options()
    const keys = channel.keys
    const counting: AttemptParts = {
      call,
      client: noClient,
      channel,
      key: keys[Math.floor(random() * keys.length)] ?? '',
      exchange: exchangeFor(call, channel, { passThrough: false, forceStreamOption, models, cacheMarks: new Map() }),
      upstream,
      limits,
      models,
      clock,
      onClientGone: 'cancel',
      started: () => {},
      progressed: () => {},
    }
    const outcome = await attempt(counting)
    return outcome.kind === 'answered' ? outcome.answer.json : undefined
  }

  return {
    async count(received) {
      const { route } = received
      const drawn =
        route && targetOrder(route, { now: parts.clock(), random: parts.random, hash: received.session?.hash })
      const target = drawn?.[0]
      const call = target === undefined ? received : { ...received, target }
      const serving = servingOfCall(call, parts.channels.snapshot())
      const candidates = channelsFor(target, serving)
      const native = candidates.find((channel) => channel.provider.countsTokens && takesAsIs(channel, call.dialect))
      const counted = native && (await ask(call, native))
      if (counted !== undefined) return counted
      const engine = candidates.find((channel) => mayCountPrompt(call, channel))
      const { upstream, limits, options } = parts
      const { models } = call.plan?.options ?? options()
      const exact = engine && (await countAtEngine(call, engine, { upstream, limits, models }))
      const tokens =
        exact ?? (await parts.counter.prompt(call.model, promptReaderOf(call), call.body, largePrompt(call)))
      return call.dialect?.writeTokenCount(tokens) ?? { input_tokens: tokens }
    },
  }
}
