import { type StatedCost, statedSource } from '../../billing/stated/stated-costs.ts'
import { AppError } from '../../lib/app-error.ts'
import { isJsonType } from '../../lib/json/ndjson.ts'
import type { AnswerPlace } from '../../lib/memory/answer-memory.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import type { ModelOptions, ProviderCall, SigningTools } from '../../providers/provider.ts'
import type { Client } from '../call.ts'
import type { AttemptCapture, CallCapture } from '../call-capture.ts'
import { unreadIdle } from '../exchange/attempt-request.ts'
import type { RelayLimits } from '../exchange/exchange.ts'
import { withHeaderOverride } from '../exchange/header-override.ts'
import { answerHeaders, keptHeaders } from '../exchange/printed-answer.ts'
import type { RelayChannel } from '../ports.ts'
import { fetchJson } from '../upstream/fetch-json.ts'
import { networkCause, networkFailure } from '../upstream/network-failure.ts'
import { redact, withoutAccounts, withoutKey } from '../upstream/redact.ts'
import { requestIdOfHead } from '../upstream/request-id.ts'
import {
  type Headers,
  headerText,
  splitUrl,
  type Upstream,
  type UpstreamControl,
  type UpstreamEvents,
  type UpstreamRequest,
} from '../upstream/upstream.ts'
import { noAnswer, type Refusal, refusalOf } from '../upstream/upstream-failure.ts'
import { type OwnLinks, withOwnLinkHeaders, withOwnLinks } from './own-links.ts'
import { statedInAnswer } from './stated-in-answer.ts'

/** A raw request to a channel's provider. */
export interface RawRequest {
  readonly method: UpstreamRequest['method']
  readonly url: string
  /** Headers of the client that the provider may see. */
  readonly headers: Readonly<Record<string, string>>
  /** undefined for none. */
  readonly body: Buffer | undefined
  /** True where a successful answer must be read before its client gets any of it, whatever its type. */
  readonly whole?: boolean
  /** Replacement of API addresses in the answer; absent where they stay. */
  readonly links?: OwnLinks | undefined
  /** Recorder of the exchange; absent where the call is not inspected. */
  readonly capture?: CallCapture | undefined
  /** Called when the first bytes of an answer are forwarded. */
  readonly begun?: () => void
}

/** A buffered answer that was not sent yet. */
export interface WholeRaw {
  readonly status: number
  readonly head: readonly string[]
  readonly bytes: Buffer
}

export type RawEnd =
  | {
      readonly kind: 'answered'
      /** Set for JSON; other answers were forwarded except for their end. */
      readonly whole: WholeRaw | undefined
      readonly end: 'done' | 'upstream_broke' | 'client_gone'
      /** Cost that the answer states; set for calls that can cost something. */
      readonly stated?: StatedCost | undefined
    }
  /** `answer` is the provider's own, without secrets; undefined where the client must not see it, or there is none. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly answer: WholeRaw | undefined }
  | { readonly kind: 'client_gone' }

/** Result of a raw request, and the provider's id of it; empty for none. */
export type RawOutcome = RawEnd & { readonly requestId: string }

export interface RawExchangeParts {
  readonly upstream: Upstream
  readonly limits: RelayLimits
  readonly models: ModelOptions
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

const isJson = (headers: Headers): boolean => isJsonType(headerText(headers, 'content-type'))
const isText = (headers: Headers): boolean => /^text\/|json|xml/i.test(headerText(headers, 'content-type'))
const isSuccess = (status: number): boolean => status >= 200 && status <= 299
const nothing = Buffer.alloc(0)
/** Bytes. Smaller answers are not counted separately from their calls. */
const smallAnswer = 64 * 1024
const credentialsRefused: ReadonlySet<number> = new Set([401, 403])

/** One raw request. Resolves once; never rejects. */
class RawExchange implements UpstreamEvents {
  private readonly request: RawRequest
  private readonly channel: RelayChannel
  private readonly key: string
  private readonly client: Client
  private readonly parts: RawExchangeParts
  private readonly resolve: (outcome: RawOutcome) => void
  private control: UpstreamControl | undefined
  private capture: AttemptCapture | undefined
  private status = 0
  private headers: Headers = {}
  private chunks: Buffer[] = []
  private size = 0
  private place: AnswerPlace | undefined
  private begun = false
  private over = false

  constructor(
    request: RawRequest,
    place: { readonly channel: RelayChannel; readonly key: string },
    { client, resolve }: { readonly client: Client; readonly resolve: (outcome: RawOutcome) => void },
    parts: RawExchangeParts,
  ) {
    this.request = request
    this.channel = place.channel
    this.key = place.key
    this.client = client
    this.parts = parts
    this.resolve = resolve
  }

  start(call: ProviderCall): void {
    const { channel, request, client, parts } = this
    const { provider } = channel
    const own = withHeaderOverride(provider.headers(call), channel, this.key)
    const headers = { ...request.headers, ...own, 'accept-encoding': 'identity' }
    client.listen({
      drained: () => this.control?.resume(),
      gone: () => this.left(),
    })
    if (provider.sign === undefined) {
      this.send(request.url, headers, request.body)
      return
    }
    const tools: SigningTools = {
      now: parts.clock,
      post: (asked) =>
        fetchJson({ method: 'POST', ...asked }, { channel, upstream: parts.upstream, limits: parts.limits }),
    }
    const body = request.body ?? Buffer.alloc(0)
    provider.sign({ call, url: request.url, headers, body }, tools).then(
      (signed) => this.send(signed.url, signed.headers, signed.body ?? request.body),
      (reason: unknown) => this.fail('credentials_failed', `signing: ${reasonOf(reason)}`),
    )
  }

  private send(url: string, headers: Record<string, string>, body: Buffer | undefined): void {
    if (this.over) return
    const { timeouts } = this.parts.limits
    const { connect, firstByte } = timeouts
    const { origin, path } = splitUrl(url)
    const { channel, key, request } = this
    this.capture = request.capture?.sent({ channel, key, url, headers, body: body ?? nothing, unsupported: [] })
    this.control = this.parts.upstream.send(
      {
        method: this.request.method,
        origin,
        path,
        headers,
        body,
        proxy: this.channel.proxy,
        timeouts: { connect, firstByte, idle: unreadIdle(timeouts) },
      },
      this,
    )
  }

  onHead(status: number, headers: Headers): void {
    this.status = status
    this.headers = headers
    this.capture?.head(status, headers)
    if (this.over || !isSuccess(status) || isJson(headers) || this.request.whole === true) return
    this.begun = true
    this.request.begun?.()
    this.client.head(status, keptHeaders(this.linked(headers)))
  }

  onData(chunk: Buffer): void {
    if (this.over) return
    this.capture?.data(chunk)
    if (this.begun) {
      // Texts are searched chunk by chunk: a provider repeats a key within one of them.
      const bytes = isText(this.headers) ? withoutKey(chunk, this.key) : chunk
      if (!this.client.write(bytes)) this.control?.pause()
      return
    }
    this.size += chunk.length
    this.chunks.push(chunk)
    if (this.size > smallAnswer) {
      this.place ??= this.parts.limits.answerMemory?.enter({
        pause: () => this.control?.pause(),
        resume: () => this.control?.resume(),
      })
      this.place?.grow(this.size)
    }
    if (this.size <= this.parts.limits.maxResponseBytes) return
    this.control?.abort()
    this.fail('bad_response_body', `the answer is larger than ${this.parts.limits.maxResponseBytes} bytes`)
  }

  onEnd(): void {
    if (this.over) return
    if (this.begun) {
      this.settle({ kind: 'answered', whole: undefined, end: 'done', stated: this.stated(undefined) })
      return
    }
    const bytes = Buffer.concat(this.chunks)
    if (isSuccess(this.status))
      this.settle({
        kind: 'answered',
        whole: this.whole(withoutKey(bytes, this.key)),
        end: 'done',
        stated: this.stated(bytes),
      })
    else this.refuse(bytes)
  }

  onError(error: Error): void {
    if (this.over) return
    if (this.begun) this.settle({ kind: 'answered', whole: undefined, end: 'upstream_broke' })
    else this.fail(networkFailure(error, { began: this.status !== 0 }).code, networkCause(error))
  }

  private left(): void {
    if (this.over) return
    this.control?.abort()
    this.settle(this.begun ? { kind: 'answered', whole: undefined, end: 'client_gone' } : { kind: 'client_gone' })
  }

  /** Stated cost; not of a GET, whose answer repeats an earlier cost. */
  private stated(bytes: Buffer | undefined): StatedCost | undefined {
    const { channel, request, headers } = this
    const states = request.method !== 'GET' && statedSource(channel) !== undefined
    return states ? statedInAnswer(headers, bytes) : undefined
  }

  private whole(bytes: Buffer): WholeRaw {
    const { links } = this.request
    const own = links === undefined ? bytes : withOwnLinks(bytes, links)
    return { status: this.status, head: answerHeaders(this.linked(this.headers), own.length), bytes: own }
  }

  private linked(headers: Headers): Headers {
    const { links } = this.request
    return links === undefined ? headers : withOwnLinkHeaders(headers, links)
  }

  /** The provider's error without the operator's secrets; nothing where it refuses the operator's credentials. */
  private refuse(bytes: Buffer): void {
    const { channel, key, status } = this
    const retryAfter = headerText(this.headers, 'retry-after') || undefined
    const refusal = refusalOf({ status, body: bytes, retryAfter, native: true }, channel, key)
    const text = withoutAccounts(redact(bytes.toString(), { key, baseUrl: channel.baseUrl }), channel.organization)
    const answer = credentialsRefused.has(status) ? undefined : this.whole(Buffer.from(text))
    this.settle({ kind: 'refused', refusal, answer })
  }

  private fail(code: Parameters<typeof noAnswer>[0]['code'], cause: string): void {
    const refusal = noAnswer({ code, cause, status: 0 }, this.channel, this.key)
    this.settle({ kind: 'refused', refusal, answer: undefined })
  }

  private settle(end: RawEnd): void {
    if (this.over) return
    this.over = true
    const { place } = this
    if (place !== undefined) setImmediate(() => place.end())
    this.resolve({ ...end, requestId: requestIdOfHead(this.headers) })
  }
}

/** Sends a raw request to a channel. An answer that is not JSON is forwarded chunk by chunk, except for its end. */
export const rawExchange = (
  request: RawRequest,
  place: { readonly channel: RelayChannel; readonly key: string; readonly call: ProviderCall },
  client: Client,
  parts: RawExchangeParts,
): Promise<RawOutcome> =>
  new Promise((resolve) => {
    try {
      new RawExchange(request, place, { client, resolve }, parts).start(place.call)
    } catch (error) {
      const cause = `the request cannot be written: ${reasonOf(error)}`
      const code = error instanceof AppError ? error.code : 'credentials_failed'
      const refusal = noAnswer({ code, cause, status: 0 }, place.channel, place.key)
      resolve({ kind: 'refused', requestId: '', refusal, answer: undefined })
    }
  })
