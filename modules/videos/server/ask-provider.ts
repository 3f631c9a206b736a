import { isObject, type JsonObject, parsedJson } from '#server/dialects/conversation/json.ts'
import { withHeaderOverride } from '#server/relay/exchange/header-override.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import { ask, type SmallAnswer } from '#server/relay/upstream/ask.ts'
import type { Upstream } from '#server/relay/upstream/upstream.ts'
import { videoProviderNamed } from './providers/index.ts'
import type { ProviderAsk, VideoProvider } from './providers/video-provider.ts'
import type { VideoRow } from './video.ts'

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

/** The account that has a video: the key that made it, else another one of its channel. undefined where the channel is gone. */
export const placeOf = (
  row: Pick<VideoRow, 'channel_id' | 'key_hash' | 'provider'>,
  { channels, keyHashOf }: Pick<ProviderJobs, 'channels' | 'keyHashOf'>,
): ProviderPlace | undefined => {
  const channel = channels.snapshot().byId(row.channel_id)
  const provider = videoProviderNamed(row.provider)
  const key = channel?.keys.find((one) => keyHashOf(one) === row.key_hash) ?? channel?.keys[0]
  return channel === undefined || provider === undefined || key === undefined ? undefined : { provider, channel, key }
}
