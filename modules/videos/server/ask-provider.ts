import { isObject, type JsonObject, parsedJson } from '#server/dialects/conversation/json.ts'
import { withHeaderOverride } from '#server/relay/exchange/header-override.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import { ask, type SmallAnswer } from '#server/relay/upstream/ask.ts'
import { signingTools } from '#server/relay/upstream/fetch-json.ts'
import { openStringCutter } from './long-strings.ts'
import { videoProviderNamed } from './providers/index.ts'
import type { ProviderAsk, VideoProvider } from './providers/video-provider.ts'
import type { VideoRow } from './video.ts'

/** A key of a channel, and the API that the channel speaks. */
export interface ProviderPlace {
  readonly provider: VideoProvider
  readonly channel: RelayChannel
  readonly key: string
  /** As in `VideoAccount`. */
  readonly origin?: string
}

export interface ProviderAnswer extends SmallAnswer {
  /** Empty where the body is no JSON object. */
  readonly json: JsonObject
}

/** Answers hold states and addresses; content in them is cut. */
const mostBytes = 4 * 1024 * 1024
const signingMs = 20_000

/** A key without which nothing can be asked: nothing was sent. */
export class UnusableKey extends Error {}

/** The network and the clock of requests to providers. */
export type ProviderNetwork = Pick<ProviderJobs, 'upstream' | 'clock'>

/** Address that a path at a provider is below. Throws where the channel states none that can be. */
export const rootOf = (place: ProviderPlace, { path, root }: Pick<ProviderAsk, 'path' | 'root'>): string =>
  root ?? place.provider.root?.(place, path) ?? place.channel.baseUrl

export interface ProviderTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Address of a request to a provider, and its headers with the credentials and what the channel sets. Rejects with UnusableKey. */
export const targetOf = async (
  place: ProviderPlace,
  request: ProviderAsk,
  { upstream, clock }: ProviderNetwork,
): Promise<ProviderTarget> => {
  const { provider, channel, key } = place
  const limits = { timeouts: { connect: signingMs, firstByte: signingMs } }
  try {
    const url = `${rootOf(place, request)}${request.path}`
    const credentials = await provider.headers(place, signingTools({ upstream, channel, limits, clock }))
    const type = request.body === undefined ? {} : { 'content-type': request.body.type }
    return { url, headers: withHeaderOverride({ ...credentials, ...request.headers, ...type }, channel, key) }
  } catch (error) {
    throw new UnusableKey(`signing: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** One exchange with a provider, over the proxy of a channel. Rejects where no whole answer came; with UnusableKey where nothing was sent. */
export const askProvider = async (
  place: ProviderPlace,
  request: ProviderAsk,
  { network, timeoutMs }: { readonly network: ProviderNetwork; readonly timeoutMs: number },
): Promise<ProviderAnswer> => {
  const { url, headers } = await targetOf(place, request, network)
  const answer = await ask(network.upstream, {
    method: request.method,
    url,
    headers,
    ...(request.body === undefined ? {} : { body: request.body.bytes }),
    proxy: place.channel.proxy,
    timeoutMs,
    maxBytes: mostBytes,
    reduce: place.provider.holdsContent && openStringCutter(),
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
