import type { ErrorCode } from '@tollgate/contract'
import { type StatedCost, statedInHead, statedSource } from '../../billing/stated/stated-costs.ts'
import type { FirstRequest } from '../../dialects/media/following.ts'
import { AppError } from '../../lib/app-error.ts'
import type { AnswerPlace } from '../../lib/memory/answer-memory.ts'
import { reasonOf } from '../../lib/reason-of.ts'
import type { Client, ClientListeners } from '../call.ts'
import type { AttemptCapture } from '../call-capture.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import type { Running } from '../routing/hedging/race.ts'
import type { AnswerCheck } from '../stream/answer-guard.ts'
import { endedEarly } from '../stream/early-end.ts'
import type { StreamPatience, WatchedStream } from '../stream/first-content.ts'
import { decodeBody } from '../upstream/decode-body.ts'
import { signingTools } from '../upstream/fetch-json.ts'
import { networkCause, networkFailure } from '../upstream/network-failure.ts'
import { plainRequestId, receiptOfHead, requestIdInStream } from '../upstream/request-id.ts'
import { type HeadFacts, readHead } from '../upstream/response-head.ts'
import { statusOfError } from '../upstream/status-of-code.ts'
import { type Headers, headerText, splitUrl, type UpstreamControl, type UpstreamEvents } from '../upstream/upstream.ts'
import { bodyOfError, noAnswer, refusalOf } from '../upstream/upstream-failure.ts'
import { type AttemptParts, attemptRequest, patienceFor, timeoutsFor, writtenHead } from './attempt-request.ts'
import type {
  AnswerEnd,
  Connection,
  Ended,
  Network,
  Outcome,
  ProviderAnswer,
  Reading,
  ResponseHead,
  RunningStream,
  StreamForwarder,
  StreamTarget,
  WrittenHead,
} from './exchange.ts'

const largestRefusal = 1024 * 1024

/** The status of an overload, where the client's dialect has no other. */
const usualOverload = 503

/** As in `BadResponse`. */
interface StatedStatus {
  readonly status: number | undefined
  readonly mayAskAgain?: true | undefined
}
/** Bytes. Smaller answers are not counted separately from their calls. */
const smallAnswer = 64 * 1024
const noResponse: ResponseHead = { status: 0, headers: {} }
const saidNothing: HeadFacts = readHead({})
const notSent: FirstRequest = { url: '', headers: {} }

/**
 * Sends one request and receives its response in any dialect: head, bytes, timeouts, back-pressure, content encodings, early ends. The
 * exchange reads the bytes.
 */
class Transport implements UpstreamEvents, ClientListeners, RunningStream, StreamTarget, Connection, WatchedStream {
  sent: FirstRequest = notSent
  private readonly parts: AttemptParts
  private readonly resolve: (outcome: Outcome) => void
  private control: UpstreamControl | undefined
  private head = noResponse
  /** The facts of `head`. */
  private said = saidNothing
  private isSuccess = false
  private forwarder: StreamForwarder | undefined
  private chunks: Buffer[] = []
  private size = 0
  /** Memory of a buffered answer that is not small. */
  private place: AnswerPlace | undefined
  private over = false
  private paused = false
  private isFull = false
  heard = false
  private unwatch: (() => void) | undefined
  private requestId = ''
  /** Set where the call is inspected. */
  private capture: AttemptCapture | undefined

  constructor(parts: AttemptParts, resolve: (outcome: Outcome) => void) {
    this.parts = parts
    this.resolve = resolve
  }

  get network(): Network {
    return this.parts
  }

  get client(): Client {
    return this.parts.client
  }

  get largestEvent(): number {
    return this.parts.limits.maxResponseBytes
  }

  get key(): string {
    return this.parts.key
  }

  get answerCheck(): AnswerCheck | undefined {
    return this.parts.answerCheck
  }

  get holdsOpening(): boolean {
    return this.parts.holdsOpening === true
  }

  get patience(): StreamPatience {
    return patienceFor(this.parts.exchange.request.model, this.parts.limits, this.parts.channel)
  }

  get isHeldUp(): boolean {
    return this.paused || this.isFull
  }

  get hasHead(): boolean {
    return this.head.status !== 0
  }

  get isForwarding(): boolean {
    return this.forwarder !== undefined
  }

  get hasContent(): boolean {
    return this.forwarder?.hasContent === true
  }

  tooSilent(why: 'no_content' | 'stopped'): void {
    if (this.over) return
    this.control?.abort()
    this.fail('upstream_timeout', why === 'stopped' ? 'the stream stopped in the middle' : 'no content came in time')
  }

  send(): void {
    const written = writtenHead(this.parts)
    if (written !== undefined) {
      this.parts.client.listen(this)
      this.dispatch(written.url, written.headers, this.parts.exchange.request.body, written)
      return
    }
    const unsigned = attemptRequest(this.parts)
    this.parts.client.listen(this)
    const { provider } = this.parts.channel
    if (provider.sign === undefined) {
      this.dispatch(unsigned.url, unsigned.headers, unsigned.body)
      return
    }
    provider.sign(unsigned, signingTools(this.parts)).then(
      (signed) => this.dispatch(signed.url, signed.headers, signed.body ?? unsigned.body),
      (reason) => this.fail('credentials_failed', `signing: ${reasonOf(reason)}`),
    )
  }

  private dispatch(url: string, headers: Readonly<Record<string, string>>, body: Buffer, written?: WrittenHead): void {
    if (this.over) return
    this.sent = { url, headers }
    const { call, channel, key, limits, upstream, exchange } = this.parts
    const { unsupported } = exchange
    this.capture = call.capture?.sent({ channel, key, url, headers, body, unsupported })
    const { isLast } = channel.provider
    const address = written ?? splitUrl(url)
    if (call.stream) this.unwatch = this.parts.firstContentWatch?.watch(this)
    const isWatched = this.unwatch !== undefined
    const writtenTimeouts = isWatched ? written?.watchedTimeouts : written?.timeouts
    this.control = upstream.send(
      {
        method: 'POST',
        origin: address.origin,
        path: address.path,
        headers,
        body,
        proxy: channel.proxy,
        timeouts: writtenTimeouts ?? timeoutsFor(isWatched, limits, channel),
        isRepeatable: true,
        isLast,
      },
      this,
    )
  }

  onHead(status: number, headers: Headers): void {
    const { call, exchange, answered } = this.parts
    const said = readHead(headers)
    this.head = { status, headers }
    this.said = said
    this.isSuccess = status >= 200 && status <= 299
    this.capture?.head(status, headers)
    if (said.saysLimits) answered?.(headers)
    this.requestId = said.requestId
    // A response to a call without a stream is whole if it is JSON.
    const isWhole = !call.stream && said.type.startsWith('application/json')
    if (this.isSuccess && !isWhole) this.forwarder = exchange.openStream(this.head, this)
  }

  onData(chunk: Buffer): void {
    if (this.over) return
    this.heard = true
    this.capture?.data(chunk)
    if (this.forwarder === undefined) this.collect(chunk)
    else this.forward(this.forwarder, chunk)
  }

  onEnd(): void {
    if (this.over) return
    if (this.forwarder === undefined) this.readBody()
    else this.endStream(this.forwarder)
  }

  onError(error: Error): void {
    if (this.over) return
    const began = this.head.status !== 0
    const { code } = networkFailure(error, { began })
    this.fail(code, networkCause(error))
  }

  whenFull(): void {
    this.isFull = true
    this.control?.pause()
  }

  drained(): void {
    this.isFull = false
    if (!this.paused) this.control?.resume()
  }

  pause(): void {
    this.paused = true
    this.control?.pause()
  }

  resume(): void {
    this.paused = false
    if (!this.over) this.control?.resume()
  }

  stop(failure: CallFailure, end: 'out_of_quota' | 'closed'): void {
    const { forwarder } = this
    if (this.over || forwarder === undefined) return
    this.control?.abort()
    this.settle(endedEarly(forwarder, end, failure))
  }

  /** Aborts the request, whatever has arrived. */
  cancel(): void {
    if (this.over) return
    this.control?.abort()
    this.settle({ kind: 'client_gone', sent: this.isSent })
  }

  gone(): void {
    if (this.over) return
    if (this.parts.onClientGone === 'finish' && this.control !== undefined) {
      this.drained()
      return
    }
    if (this.parts.exchange.leave()) return
    this.control?.abort()
    const { forwarder } = this
    // The opening of an answer is free, unless its upstream has stated the prompt's usage.
    if (forwarder?.started && (forwarder.hasContent || forwarder.usage() !== undefined))
      this.answered(forwarder, 'client_gone')
    else this.settle({ kind: 'client_gone', sent: this.isSent })
  }

  /** True if the provider may have received the request. A request that still waits for its connection is not billed by the provider. */
  private get isSent(): boolean {
    return this.control?.sent === true
  }

  private settle(ended: Ended): void {
    if (this.over) return
    this.over = true
    this.unwatch?.()
    const { place } = this
    // By then the client's connection counts its bytes.
    if (place !== undefined) setImmediate(() => place.end())
    const { requestId } = this
    const receipt = this.said.hasReceipt ? receiptOfHead(this.head.headers) : undefined
    if (ended.kind !== 'answered') {
      this.resolve({ ...ended, requestId, receipt })
      return
    }
    const answerId = plainRequestId(ended.answer.ownId?.() ?? '')
    const stated = this.said.saysCost ? this.statedCost() : undefined
    this.resolve({
      ...ended,
      receipt,
      requestId: requestId || answerId,
      ...(answerId === '' || requestId === '' || answerId === requestId ? {} : { answerId }),
      ...(stated === undefined ? {} : { stated }),
    })
  }

  /** Cost stated in the headers; read only for providers that state it. */
  private statedCost(): StatedCost | undefined {
    return statedSource(this.parts.channel) === undefined ? undefined : statedInHead(this.head.headers)
  }

  private answered(answer: ProviderAnswer, end: AnswerEnd, failure?: CallFailure): void {
    this.settle({ kind: 'answered', answer, end, failure })
  }

  private forward(forwarder: StreamForwarder, chunk: Buffer): void {
    const before = forwarder.started
    const progress = forwarder.push(chunk)
    if (progress !== 'flowing') {
      this.control?.abort()
      if (progress === 'too_large') this.fail('upstream_broke', 'an event is larger than the limit')
      else if (progress === 'refused') this.refuseByForwarder(forwarder)
      else if (progress === 'declined') this.decline()
      else if (progress === 'broken') this.breakOff(forwarder)
      else this.stopAtWord(forwarder)
      return
    }
    if (forwarder.started && !before) {
      this.requestId ||= requestIdInStream(chunk)
      this.parts.started()
    }
    if (forwarder.started) this.parts.progressed(forwarder, chunk.length, this)
  }

  private endStream(forwarder: StreamForwarder): void {
    const isWhole = forwarder.finish()
    const { started, refusal } = forwarder
    if (forwarder.stoppedAtWord) this.stopAtWord(forwarder)
    else if (refusal !== undefined && started) this.breakOff(forwarder)
    else if (refusal !== undefined) this.refuseByForwarder(forwarder)
    else if (!started) this.fail('bad_response_body', 'the stream held no event')
    else if (isWhole) this.answered(forwarder, 'done')
    else this.fail('upstream_broke', 'the stream ended in the middle of the answer')
  }

  private collect(chunk: Buffer): void {
    this.size += chunk.length
    this.chunks.push(chunk)
    const { maxResponseBytes, answerMemory } = this.parts.limits
    if (this.size > smallAnswer) {
      this.place ??= answerMemory?.enter(this)
      this.place?.grow(this.size)
    }
    if (this.isSuccess && this.size > maxResponseBytes) {
      this.control?.abort()
      this.fail('bad_response_body', `the answer is larger than ${maxResponseBytes} bytes`)
    }
    if (!this.isSuccess && this.size > largestRefusal) {
      this.control?.abort()
      this.refuse(Buffer.concat(this.chunks))
    }
  }

  private readBody(): void {
    const [only] = this.chunks
    const raw = this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks)
    this.chunks = []
    const { encoding } = this.said
    try {
      const late =
        encoding === ''
          ? this.read(raw)
          : decodeBody(raw, encoding, this.parts.limits.maxResponseBytes).then((bytes) => this.read(bytes))
      late?.catch((reason: unknown) => this.unreadable(reason))
    } catch (reason) {
      this.unreadable(reason)
    }
  }

  /** Reads the answer; synchronous unless it has to be polled or is large. */
  private read(bytes: Buffer): Promise<void> | undefined {
    if (!this.isSuccess) {
      this.refuse(bytes)
      return undefined
    }
    const reading = this.parts.exchange.readResponse(this.head, bytes, this)
    if (reading instanceof Promise) return reading.then((late) => this.conclude(late))
    this.conclude(reading)
    return undefined
  }

  private conclude(reading: Reading): void {
    const { passesOnDeclined } = this.parts.call
    if (reading.kind === 'answer' && passesOnDeclined && reading.isDeclined?.()) this.decline()
    else if (reading.kind === 'answer') this.answered(reading, 'done')
    else if (reading.kind === 'error') this.refuseByContent(reading.json, reading)
    else if (reading.kind === 'broken') this.fail(reading.code, reading.cause)
    else this.settle({ kind: 'client_gone', sent: true })
  }

  private unreadable(reason: unknown): void {
    const code = reason instanceof AppError ? reason.code : 'bad_response_body'
    this.fail(code, `the answer cannot be read: ${reasonOf(reason)}`)
  }

  private refuse(bytes: Buffer): void {
    const { channel, key, exchange } = this.parts
    const { status, headers } = this.head
    const { body, native } = exchange.readError(bytes)
    const retryAfter = headerText(headers, 'retry-after') || undefined
    const { overloadStatus } = this.parts.call.dialect?.errors ?? {}
    const refused = { status, body, retryAfter, native, overloadStatus, model: this.parts.call.model }
    this.settle({ kind: 'refused', refusal: refusalOf(refused, channel, key) })
  }

  private refuseByForwarder({ refusal, refusalStatus: status, mayAskAgain }: StreamForwarder): void {
    this.refuseByContent(refusal, { status, mayAskAgain })
  }

  /** A success that holds an error has the status of that error. */
  private refuseByContent(json: unknown, { status, mayAskAgain }: StatedStatus): void {
    const { channel, key } = this.parts
    const retryAfter = headerText(this.head.headers, 'retry-after') || undefined
    const { overloadStatus } = this.parts.call.dialect?.errors ?? {}
    const stated = { status: status ?? this.statusOf(json), body: bodyOfError(json), retryAfter, overloadStatus }
    const refused = { ...stated, inAnswer: true, mayAskAgain, model: this.parts.call.model }
    this.settle({ kind: 'refused', refusal: refusalOf(refused, channel, key) })
  }

  private statusOf(json: unknown): number {
    return statusOfError(json, this.parts.call.dialect?.errors.overloadStatus ?? usualOverload)
  }

  /** The provider's own error in the middle of its stream. */
  private breakOff(forwarder: StreamForwarder): void {
    const { channel, key } = this.parts
    const { refusal } = forwarder
    const status = forwarder.refusalStatus ?? this.statusOf(refusal)
    const { answer } = refusalOf({ status, body: bodyOfError(refusal), retryAfter: undefined }, channel, key)
    const stated = { ...answer, inAnswer: true as const }
    const failure = forwarder.passesRefusal ? { ...stated, passed: true as const } : stated
    this.settle(endedEarly(forwarder, 'upstream_broke', failure))
  }

  private stopAtWord(forwarder: StreamForwarder): void {
    const word = forwarder.blockedWord(this.answerCheck?.words ?? [])
    this.answered(forwarder, 'stopped', failureOf(new AppError('sensitive_words_in_answer', { details: { word } })))
  }

  /** No other channel of the model would answer: the response's own status decides about a retry. */
  private decline(): void {
    const { channel, key } = this.parts
    const { status } = this.head
    const cause = 'the provider did not want to answer'
    const refusal = { ...noAnswer({ code: 'answer_declined', cause, status }, channel, key), status }
    this.settle({ kind: 'refused', refusal })
  }

  /** True for a channel's own limit for the first content, after which another channel may answer. */
  private isOwnLimit(code: ErrorCode): boolean {
    const { call, channel } = this.parts
    return code === 'upstream_timeout' && call.stream && channel.firstContentMs !== undefined
  }

  /** Handles an unusable or interrupted answer. */
  private fail(code: ErrorCode, cause: string): void {
    const { channel, key } = this.parts
    const refusal = noAnswer({ code, cause, status: this.isSuccess ? this.head.status : 0 }, channel, key)
    const { forwarder } = this
    if (forwarder?.started) this.settle(endedEarly(forwarder, 'upstream_broke', refusal.answer))
    else this.settle({ kind: 'refused', refusal: this.isOwnLimit(code) ? { ...refusal, status: 503 } : refusal })
  }
}

/** Makes one attempt. Resolves when the answer is complete, refused or broken off; never rejects. */
export const attempt = (parts: AttemptParts): Promise<Outcome> => {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  new Transport(parts, resolve).send()
  return promise
}

/** The same for an attempt that can be cancelled: it ends as if its client had left. */
export const cancellableAttempt = (parts: AttemptParts): Running<Outcome> => {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const transport = new Transport(parts, resolve)
  transport.send()
  return { outcome: promise, cancel: () => transport.cancel() }
}
