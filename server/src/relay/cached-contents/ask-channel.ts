import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { withHeaderOverride } from '../exchange/header-override.ts'
import { failureOf } from '../failure.ts'
import type { RelayChannel, RelayOptions } from '../ports.ts'
import { rawAddress } from '../raw/raw-address.ts'
import { ask, type Question } from '../upstream/ask.ts'
import { signingTools } from '../upstream/fetch-json.ts'
import { networkCause, networkFailure } from '../upstream/network-failure.ts'
import { requestIdOfHead } from '../upstream/request-id.ts'
import { noAnswer, type Refusal, refusalOf } from '../upstream/upstream-failure.ts'
import type { CachedAnswer } from './cached-content-call.ts'
import type { CachedContentParts } from './ports.ts'

export interface CachedQuestion {
  readonly method: NonNullable<Question['method']>
  /** As its client wrote it: `/v1beta/cachedContents/{id}` */
  readonly path: string
  readonly query: string
  /** The model as the client names it. */
  readonly origin: string
  readonly model: string
  /** The id of the content; empty for a new one. */
  readonly id: string
  /** Body of the request, for the channel's name of the model. */
  readonly body?: (written: WrittenBody) => Buffer
}

/** Differences between channels in the body of a new content. */
export interface WrittenBody {
  readonly model: string
  adjust(body: JsonObject): JsonObject | undefined
}

export type ChannelAnswer =
  | Extract<CachedAnswer, { kind: 'answered' }>
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly requestId: string }

/** Bytes. Answers do not contain the cached content. */
const maxBytes = 1024 * 1024
/** Milliseconds; long contents are processed before they are stored. */
const leastMs = 120_000

const credentialsFailed = (cause: unknown): never => {
  throw new AppError('credentials_failed', { cause })
}

/** Asks the provider of one channel. Never rejects. */
export const askChannel = async (
  { method, path, query, origin, model, id, body: write }: CachedQuestion,
  { channel, key }: { readonly channel: RelayChannel; readonly key: string },
  { models }: Pick<RelayOptions, 'models'>,
  { upstream, limits, clock }: Pick<CachedContentParts, 'upstream' | 'limits' | 'clock'>,
): Promise<ChannelAnswer> => {
  const { provider } = channel
  const providerCall = { channel, key, path, query, model, origin, stream: false, passed: {}, options: models }
  try {
    const place = provider.cachesContents?.address(providerCall, id)
    if (provider.cachesContents === undefined || place === undefined) {
      throw new AppError('endpoint_not_served', { params: { model: origin, path } })
    }
    const { model: nameOf, adjust = () => undefined } = provider.cachesContents
    const body = write?.({ model: nameOf(providerCall), adjust })
    const headers = withHeaderOverride(
      {
        ...provider.headers(providerCall),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      channel,
      key,
    )
    const timeoutMs = Math.max(leastMs, limits.timeouts.firstByte)
    const url = rawAddress(place.baseUrl, place.path, query, { fenced: true })
    const unsigned = { call: providerCall, url, headers, body: body ?? Buffer.alloc(0) }
    const signing = provider.sign?.(unsigned, signingTools({ upstream, limits, clock, channel }))
    const signed = (await signing?.catch(credentialsFailed)) ?? unsigned
    const question = { method, url: signed.url, headers: signed.headers, proxy: channel.proxy, timeoutMs, maxBytes }
    const answer = await ask(upstream, body === undefined ? question : { ...question, body: signed.body ?? body })
    const requestId = requestIdOfHead(answer.headers)
    if (answer.status < 300) return { kind: 'answered', headers: answer.headers, text: answer.text, requestId }
    const refused = { ...answer, body: Buffer.from(answer.text), native: true, model: origin }
    return { kind: 'refused', refusal: refusalOf(refused, channel, key), requestId }
  } catch (error) {
    const broken = error instanceof Error ? error : new Error(String(error))
    const isOurs = error instanceof AppError
    const code = isOurs ? error.code : networkFailure(broken, { began: false }).code
    const refusal = noAnswer({ code, cause: networkCause(broken), status: 0 }, channel, key)
    return { kind: 'refused', refusal: isOurs ? { ...refusal, answer: failureOf(error) } : refusal, requestId: '' }
  }
}
