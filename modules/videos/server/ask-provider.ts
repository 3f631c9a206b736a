import { isObject, type JsonObject, parsedJson } from '#server/dialects/conversation/json.ts'
import { withHeaderOverride } from '#server/relay/exchange/header-override.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import { ask, type SmallAnswer } from '#server/relay/upstream/ask.ts'
import type { Upstream } from '#server/relay/upstream/upstream.ts'
import type { ProviderAsk, VideoProvider } from './providers/video-provider.ts'

/** A key of a channel, and the API that the channel speaks. */
export interface ProviderPlace {
  readonly provider: VideoProvider
  readonly channel: RelayChannel
  readonly key: string
}

export interface ProviderAnswer extends SmallAnswer {
  /** Empty where the body is no JSON object. */
  readonly json: JsonObject
}

/** Answers hold states and addresses, never a video. */
const mostBytes = 4 * 1024 * 1024

export const rootOf = ({ provider, channel }: Pick<ProviderPlace, 'provider' | 'channel'>): string =>
  provider.root?.(channel.baseUrl) ?? channel.baseUrl

/** Headers of a request to a provider, with the key and what the channel sets. */
export const providerHeaders = ({ provider, channel, key }: ProviderPlace, request: ProviderAsk) =>
  withHeaderOverride(
    {
      ...provider.headers(key, channel),
      ...request.headers,
      ...(request.body === undefined ? {} : { 'content-type': request.body.type }),
    },
    channel,
    key,
  )

/** One exchange with a provider, with the key and over the proxy of a channel. Rejects where no whole answer came. */
export const askProvider = async (
  place: ProviderPlace,
  request: ProviderAsk,
  { upstream, timeoutMs }: { readonly upstream: Upstream; readonly timeoutMs: number },
): Promise<ProviderAnswer> => {
  const answer = await ask(upstream, {
    method: request.method,
    url: `${rootOf(place)}${request.path}`,
    headers: providerHeaders(place, request),
    ...(request.body === undefined ? {} : { body: request.body.bytes }),
    proxy: place.channel.proxy,
    timeoutMs,
    maxBytes: mostBytes,
  })
  const json = parsedJson(answer.text)
  return { ...answer, json: isObject(json) ? json : {} }
}
