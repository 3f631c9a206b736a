import { setTimeout as sleep } from 'node:timers/promises'
import type { Price } from '#server/billing/price.ts'
import { type VideoMeasure, videoReceipt } from '#server/billing/videos/video-receipt.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { BoundPlace } from '#server/relay/call.ts'
import { plannedPrice, unpriced } from '#server/relay/exchange/call-price.ts'
import type { CallFailure } from '#server/relay/failure.ts'
import type { CallPlan } from '#server/relay/plan/call-plan.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import { ownerOf } from '#server/relay/provider-jobs/job-owner.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import { makerOf } from '#server/relay/reader.ts'
import { mappedModel } from '#server/relay/routing/model-mapping.ts'
import { type TakenVideo, VideoAttempt } from './attempt.ts'
import { type NativeVideo, nativeText } from './native/read-native.ts'
import { videoProviderOf } from './providers/index.ts'
import type { VideoSpec } from './providers/video-provider.ts'
import type { ReadVideo } from './requests/read-request.ts'
import type { AcceptedVideo, VideoStore } from './store.ts'
import type { VideoCall, VideoRow } from './video.ts'

export interface SubmitParts {
  readonly store: VideoStore
  /** Address at which a provider may call about a video; undefined where the site has none. */
  readonly callbackUrl: (publicId: string) => string | undefined
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

export type BegunVideo =
  | { readonly row: VideoRow; readonly answer: TakenVideo['answer'] }
  | { readonly failure: CallFailure }

/** The account that has the video which is changed, and the public id of that video. */
export interface RemixOf {
  readonly place: BoundPlace
  readonly publicId: string
}

/** Differences of a video that is no plain request in the gateway's shape. */
export interface BeginsAs {
  readonly remix?: RemixOf
  /** The request in the shape of its provider, whose answer the client reads. */
  readonly native?: NativeVideo
}

/** Milliseconds that a client waits for the database; the video is written later then. */
const patienceMs = 10_000
const [firstPauseMs, longestPauseMs] = [100, 5_000]

const measureOf = ({ seconds, variants, tokens }: VideoSpec): VideoMeasure => ({
  ms: Math.round(seconds * 1000),
  variants,
  tokens,
})

/** The model as a channel names it. A mapping that is none is reported by the attempt at its channel. */
const upstreamModelOf = ({ modelMapping }: RelayChannel, model: string): string => {
  try {
    return mappedModel(modelMapping, model)
  } catch {
    return model
  }
}

/** Videos as the channels that may be asked would make them. */
const specsOf = (
  { model, request }: ReadVideo,
  plan: CallPlan,
  { remix, native }: BeginsAs = {},
): readonly VideoSpec[] => {
  const { channel } = remix?.place ?? {}
  const channels = channel !== undefined ? [channel] : plan.forced !== undefined ? [plan.forced] : plan.serving
  return channels.flatMap((one) => {
    const upstreamModel = native?.asIs ? model : upstreamModelOf(one, model)
    const provider = videoProviderOf(one, upstreamModel)
    if (provider === undefined || (native !== undefined && native.provider !== provider)) return []
    return provider.spec(request, upstreamModel)
  })
}

/** The most that a video may cost, with the length and size that it would have. */
export interface VideoPrice {
  /** Quota units. */
  readonly quota: number
  readonly seconds: number
  readonly size: string
}

export const openSubmissions = ({ store, callbackUrl, log }: SubmitParts) => {
  const closing = new AbortController()
  const writing = new Set<Promise<void>>()

  /** Writes that a provider has a video, however long the database is away: until then only this process knows its id there. */
  const persist = async (id: number, video: AcceptedVideo, calls: boolean): Promise<void> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        if (!(await store.accepted(id, video, calls))) log('video_not_written', { video: id, cause: 'it has ended' })
        return
      } catch (error) {
        log('video_not_written', { video: id, error })
        if (closing.signal.aborted) return
        await sleep(pauseMs)
      }
    }
  }

  return {
    /** The most that a video may cost: the same that is held when it begins. Throws AppError where it cannot begin. */
    price(call: VideoCall, read: ReadVideo): VideoPrice {
      const plan = call.admitted(read.model)
      const { model } = plan
      const price = plannedPrice(plan)
      const specs = specsOf(read, plan)
      if (specs.length === 0) throw new AppError('endpoint_not_served', { params: { model, path: '/v1/videos' } })
      const offers = specs.flatMap((spec) => {
        const receipt = videoReceipt(measureOf(spec), price)
        return receipt === undefined ? [] : [{ quota: receipt.quota, seconds: spec.seconds, size: spec.size }]
      })
      const [first, ...more] = offers
      if (first === undefined) throw unpriced(model, call.caller)
      return more.reduce((most, offer) => (offer.quota > most.quota ? offer : most), first)
    },
    /** Begins a video for a key. Throws AppError where the key may not call the model. */
    async begin(call: VideoCall, read: ReadVideo, jobs: ProviderJobs, as: BeginsAs = {}): Promise<BegunVideo> {
      const { remix, native } = as
      const { context, caller } = call
      const plan = call.admitted(read.model)
      const { model } = plan
      const { request } = read
      const { id, startedAt, ip, program, path } = context
      const facts = { id, startedAt, caller, ip, program, path, model, plan, stream: false as const }
      const specs = specsOf(read, plan, as)
      let price: Price | undefined
      let row: VideoRow | undefined
      let answer: TakenVideo['answer'] | undefined

      const receiptFor = (spec: VideoSpec) => price && videoReceipt(measureOf(spec), price)

      const acceptedOf = ({ provider, channel, key, upstreamId, upstreamModel }: TakenVideo): AcceptedVideo => {
        const spec = provider.spec(request, upstreamModel)
        const atProvider = jobs.costs?.of(channel, upstreamModel, startedAt)
        const cost = atProvider && videoReceipt(measureOf(spec), atProvider)
        return {
          provider: provider.name,
          channel_id: channel.id,
          key_hash: jobs.keyHashOf(key),
          upstream_id: upstreamId,
          upstream_model: upstreamModel,
          duration_ms: measureOf(spec).ms,
          size: spec.size,
          receipt: JSON.stringify(receiptFor(spec)),
          cost: cost === undefined ? '' : JSON.stringify(cost),
        }
      }

      const begun = await jobs.begin<TakenVideo>({
        call: {
          ...facts,
          raw: Buffer.from(request.prompt),
          body: { model },
          ...(remix === undefined ? {} : { place: remix.place }),
        },
        prompt: native === undefined ? request.prompt : nativeText(native),
        attempt: (attemptLog) => {
          const isPriced = (spec: VideoSpec): boolean => receiptFor(spec) !== undefined
          const address = row && callbackUrl(row.public_id)
          return new VideoAttempt({ request, model, path, isPriced, callbackUrl: address, native }, attemptLog, jobs)
        },
        most(asked) {
          price = asked
          if (specs.length === 0) throw new AppError('endpoint_not_served', { params: { model, path } })
          const amounts = specs.flatMap((spec) => receiptFor(spec)?.quota ?? [])
          if (amounts.length === 0) throw unpriced(model, caller)
          return Math.max(...amounts)
        },
        async write(held) {
          const [spec] = specs
          row = await store.add({
            maker: makerOf(caller),
            owner: ownerOf(caller, facts),
            model,
            prompt: request.prompt,
            durationMs: spec === undefined ? 0 : measureOf(spec).ms,
            size: spec?.size ?? '',
            remixedFrom: remix?.publicId ?? '',
            held,
          })
          return row.id
        },
        async accepted(rowId, taken) {
          const video = acceptedOf(taken)
          answer = taken.answer
          if (row !== undefined) row = { ...row, ...video, state: 'queued' }
          const written = persist(rowId, video, taken.calls).finally(() => writing.delete(written))
          writing.add(written)
          const patience = new AbortController()
          const waited = sleep(patienceMs, undefined, { signal: patience.signal }).catch(() => {})
          await Promise.race([written, waited])
          patience.abort()
        },
        refused: (rowId) => store.drop(rowId),
        async unknown(rowId, failure) {
          log('video_submission_unknown', { video: row?.public_id, model, cause: failure.cause })
          await store.fail(rowId, { code: 'submission_unknown', message: unknownText })
        },
      })
      if ('failure' in begun) return begun
      if (row === undefined || answer === undefined) throw new Error('a video that was begun has a row and an answer')
      return { row, answer }
    },
    /** Tries once more to write what was accepted, and gives up. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.all(writing)
    },
  }
}

export type Submissions = ReturnType<typeof openSubmissions>

/** Error of a video whose submission has no known outcome, as clients read it. */
export const unknownText = 'The provider did not confirm that it has begun this video. It was not charged.'
