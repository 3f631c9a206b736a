import type { Dialect, UpstreamDialect } from '../../../dialects/dialect.ts'
import { type BoundedCache, createBoundedCache } from '../../../lib/caches/bounded-cache.ts'
import type { PlainCheck, ProviderDialect } from '../../../providers/provider.ts'
import type { RelayCall } from '../../call.ts'
import type { RelayChannel } from '../../ports.ts'
import { mappedModel } from '../../routing/model-mapping.ts'
import type { WrittenHead } from '../exchange.ts'
import { languagesOf } from '../exchange-for.ts'
import { PassthroughExchange, type RequestSettings, streamOptions } from '../passthrough.ts'
import { withPlainMembers } from './plain-edit.ts'

type WaySettings = Pick<RequestSettings, 'models' | 'cacheMarks' | 'passThrough'>

/** How plain calls of one dialect, path and model go through a channel, with what that was decided from. */
interface PlainWay {
  readonly dialect: Dialect
  readonly settings: WaySettings
  /** After the channel's mapping. */
  readonly model: string
  /** Those that a body has to pass to go as it is; undefined where plain calls go the general way. */
  readonly checks: readonly PlainCheck[] | undefined
  readonly upstream?: UpstreamDialect
  readonly frames?: ProviderDialect['frames'] | undefined
  /** Undefined where an address or a head is good for one call only. */
  readonly heads?: WrittenHead[] | undefined
}

const isMarked = (
  { cacheMarks }: RelayChannel,
  upstream: UpstreamDialect,
  { cacheMarks: ofGroups }: WaySettings,
): boolean =>
  upstream.withCacheMarks !== undefined && (cacheMarks === undefined ? ofGroups.size > 0 : cacheMarks !== 'off')

/** Decides it as `exchangeFor` and `passthroughExchange` do for each call. */
const compile = (
  path: string,
  asked: string,
  dialect: Dialect,
  channel: RelayChannel,
  { models, cacheMarks, passThrough }: WaySettings,
): PlainWay => {
  const settings = { models, cacheMarks, passThrough }
  const { provider, baseUrl, paramOverride, systemPrompt } = channel
  const model = mappedModel(channel.modelMapping, asked)
  const general = { dialect, settings, model, checks: undefined }
  const own = languagesOf(channel, model).find(({ name }) => name === dialect.name)
  const changesBodies = passThrough || provider.envelope === true || paramOverride !== undefined
  if (own === undefined || changesBodies || systemPrompt !== undefined) return general
  const upstream = own.dialect(models)
  if (isMarked(channel, upstream, settings)) return general
  const checks = provider.adjust === undefined ? [] : provider.leavesPlain?.({ path, model, baseUrl, options: models })
  const isSigned = provider.sign !== undefined || provider.freshHead === true
  return { dialect, settings, model, checks, upstream, frames: own.frames, heads: isSigned ? undefined : [] }
}

/** Models of one channel, each in the dialects that it is asked in. */
const mostWays = 1000
const ways = new WeakMap<RelayChannel, BoundedCache<string, PlainWay>>()

const wayOf = (call: RelayCall, dialect: Dialect, channel: RelayChannel, settings: WaySettings): PlainWay => {
  let ofChannel = ways.get(channel)
  if (ofChannel === undefined) {
    ofChannel = createBoundedCache<string, PlainWay>({ entries: mostWays })
    ways.set(channel, ofChannel)
  }
  const asked = call.target?.model ?? call.model
  const name = `${call.path} ${asked}`
  const known = ofChannel.get(name)
  if (known !== undefined && known.dialect === dialect) {
    const { models, cacheMarks, passThrough } = known.settings
    const isCurrent = models === settings.models && cacheMarks === settings.cacheMarks
    if (isCurrent && passThrough === settings.passThrough) return known
  }
  const way = compile(call.path, asked, dialect, channel, settings)
  ofChannel.set(name, way)
  return way
}

/**
 * A plain call in a dialect that the channel's provider speaks, with the bytes that came, except for the model and what is asked of the
 * stream: the same exchange as `exchangeFor` makes. undefined where more has to change, and for calls that are not plain.
 */
export const plainExchange = (
  call: RelayCall,
  channel: RelayChannel,
  settings: RequestSettings,
): PassthroughExchange | undefined => {
  const { dialect, plain, body, raw, path, query, accept } = call
  if (plain === undefined || dialect === undefined) return undefined
  if (call.asIs === true || call.recalled !== undefined || call.unreadable !== undefined) return undefined
  const { checks, model, upstream, frames, heads } = wayOf(call, dialect, channel, settings)
  if (checks === undefined) return undefined
  for (const check of checks) if (!check(body)) return undefined
  const { passthrough: reader } = dialect
  const asksStream = call.stream || 'stream_options' in body
  const streaming = asksStream ? streamOptions(call, channel, reader, settings.forceStreamOption) : {}
  const members = model === body.model || dialect.modelInPath ? streaming : { model, ...streaming }
  let sent = raw
  for (const _ in members) {
    sent = withPlainMembers(raw, body, members)
    break
  }
  const { provider } = channel
  const request = { model, path, query, contentType: 'application/json', accept, body: sent, provider, heads }
  return new PassthroughExchange({
    call,
    channel,
    dialect: reader,
    request,
    stripUsage: streaming.stream_options !== undefined,
    frames,
    upstream,
    errorOf: upstream?.errorOf,
  })
}
