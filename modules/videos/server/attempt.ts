import { ownMember } from '@tollgate/contract/own-member'
import { InexpressibleError } from '#server/dialects/conversation/gaps/inexpressible.ts'
import { type JsonObject, membersOf, parsedJson } from '#server/dialects/conversation/json.ts'
import { isStorable } from '#server/lib/bounded-text.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import type { JobOutcome } from '#server/relay/provider-jobs/begin-job.ts'
import type { AttemptLog } from '#server/relay/records/attempt-log.ts'
import type { AttemptResult, ChannelAttempt } from '#server/relay/routing/channel-attempt.ts'
import { mappedModel } from '#server/relay/routing/model-mapping.ts'
import { networkCause, neverSent } from '#server/relay/upstream/network-failure.ts'
import { withoutKey } from '#server/relay/upstream/redact.ts'
import { statusOfError } from '#server/relay/upstream/status-of-code.ts'
import { noAnswer, refusalOf } from '#server/relay/upstream/upstream-failure.ts'
import { askProvider, type ProviderNetwork, UnusableKey } from './ask-provider.ts'
import { type NativeVideo, nativeBody } from './native/read-native.ts'
import { videoProviderOf } from './providers/index.ts'
import type { ProviderAsk, VideoProvider, VideoRequest, VideoSpec } from './providers/video-provider.ts'

/** A video that a provider has accepted. */
export interface TakenVideo {
  readonly provider: VideoProvider
  readonly channel: RelayChannel
  readonly key: string
  readonly upstreamId: string
  readonly upstreamModel: string
  /** True where the provider was asked to call when the state changes. */
  readonly calls: boolean
  /** The provider's answer, without the key. */
  readonly answer: { readonly status: number; readonly bytes: Buffer }
}

export interface VideoToMake {
  readonly request: VideoRequest
  readonly model: string
  /** Path of the client's call. */
  readonly path: string
  /** False where the model has no price for such a video. */
  readonly isPriced: (spec: VideoSpec) => boolean
  /** Address at which a provider may call; undefined where the site has none. */
  readonly callbackUrl: string | undefined
  /** Set where the client speaks the API of a provider. */
  readonly native?: NativeVideo | undefined
}

type Outcome = JobOutcome<TakenVideo>

const timeoutMs = 60_000
/** Longer ids are of no provider. */
const longestId = 1_000
const overloadStatus = 503

/** Sets top-level members of a JSON body; undefined takes one away. */
const withMembers = (ask: ProviderAsk, changes: JsonObject): ProviderAsk => {
  const { body } = ask
  if (Object.keys(changes).length === 0 || body?.type !== 'application/json') return ask
  const members = { ...membersOf(parsedJson(body.bytes.toString())), ...changes }
  return { ...ask, body: { ...body, bytes: Buffer.from(JSON.stringify(members)) } }
}

const nativeAsk = (native: NativeVideo, upstreamModel: string): ProviderAsk => ({
  method: 'POST',
  path: native.begin.path,
  body: { type: 'application/json', bytes: nativeBody(native, upstreamModel) },
})

interface Prepared {
  readonly provider: VideoProvider
  readonly ask: ProviderAsk
  /** True where the request names an address at which the provider calls. */
  readonly calls: boolean
  /** The same request without the address, for a provider that may refuse a video for it. */
  readonly uncalled?: ProviderAsk | undefined
}

/** Submissions of a video to one channel after the other. */
export class VideoAttempt implements ChannelAttempt<Outcome> {
  private readonly video: VideoToMake
  private readonly log: AttemptLog
  private readonly network: ProviderNetwork
  private prepared: Prepared | undefined

  constructor(video: VideoToMake, log: AttemptLog, network: ProviderNetwork) {
    this.video = video
    this.log = log
    this.network = network
  }

  prepare(channel: RelayChannel): void {
    const { request, model, path, isPriced, callbackUrl, native } = this.video
    const upstreamModel = native?.asIs ? model : mappedModel(channel.modelMapping, model)
    const provider = videoProviderOf(channel, upstreamModel)
    const isOther = native !== undefined && native.provider !== provider
    if (provider === undefined || isOther || !isPriced(provider.spec(request, upstreamModel)))
      throw new InexpressibleError('endpoint_not_served', { params: { model, path } })
    this.log.upstreamModel = upstreamModel
    if (native !== undefined) {
      // The address in such a request is its client's.
      const ask = nativeAsk(native, upstreamModel)
      this.prepared = { provider, ask: native.asIs ? ask : withMembers(ask, channel.paramOverride ?? {}), calls: false }
      return
    }
    const { callback = '' } = provider
    const own = ownMember(channel.paramOverride ?? {}, callback)
    const calls = callback !== '' && own === undefined && callbackUrl !== undefined
    // The channel sets members as in the JSON bodies of other calls; an empty address is none.
    const address = calls ? { [callback]: callbackUrl } : own === '' ? { [callback]: undefined } : {}
    const created = provider.create(request, upstreamModel)
    const ask = withMembers(created, { ...channel.paramOverride, ...address })
    const mayFail = calls && provider.triesCallback === true
    this.prepared = {
      provider,
      ask,
      calls,
      ...(mayFail && { uncalled: withMembers(created, channel.paramOverride ?? {}) }),
    }
  }

  async send(channel: RelayChannel, key: string): Promise<Outcome> {
    if (this.prepared === undefined) throw new Error('a channel is prepared before it is asked')
    const { provider, ask, uncalled } = this.prepared
    const { network } = this
    const { native, request } = this.video
    const idIn = native?.begin.idIn ?? ((known) => provider.idIn(known, request))
    try {
      const account = { provider, channel, key, origin: this.video.model }
      const submit = async (asked: ProviderAsk) => {
        const answer = await askProvider(account, asked, { network, timeoutMs })
        return { ...answer, id: answer.status < 300 ? idIn(answer.json) : undefined }
      }
      const first = await submit(ask)
      const isRefusedForIt = uncalled !== undefined && first.id === undefined && first.status < 500
      const { status, json, text, retryAfter, id } = isRefusedForIt ? await submit(uncalled) : first
      const calls = this.prepared.calls && !isRefusedForIt
      if (id !== undefined && id !== '' && isStorable(id, longestId)) {
        const upstreamModel = this.log.upstreamModel
        const raw = { status, bytes: withoutKey(Buffer.from(text), key) }
        return { kind: 'taken', taken: { provider, channel, key, upstreamId: id, upstreamModel, calls, answer: raw } }
      }
      const refused = status < 300 ? statusOfError(json, overloadStatus) : status
      const body = Buffer.from(text)
      return { kind: 'refused', refusal: refusalOf({ status: refused, body, retryAfter }, channel, key) }
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      if (cause instanceof UnusableKey) {
        const refusal = noAnswer({ code: 'credentials_failed', cause: cause.message, status: 0 }, channel, key)
        return { kind: 'refused', refusal }
      }
      const unsent = neverSent(cause)
      const code = unsent ? 'do_request_failed' : 'upstream_timeout'
      const refusal = noAnswer({ code, cause: networkCause(cause), status: 0 }, channel, key)
      return { kind: unsent ? 'refused' : 'unknown', refusal }
    }
  }

  resultOf(outcome: Outcome): AttemptResult {
    if (outcome.kind === 'taken') return { kind: 'answered', status: 200, error: '' }
    const { failure, status } = outcome.refusal
    const result = { kind: 'refused', status: failure.status, error: failure.cause, fault: failure } as const
    return outcome.kind === 'unknown' ? result : { ...result, retryStatus: status }
  }
}
