import { type ErrorCode, errors } from '@tollgate/contract'
import { isObject, type Members } from '../../dialects/conversation/json.ts'
import type { Begun, FollowTools } from '../../dialects/media/following.ts'
import { AppError } from '../../lib/app-error.ts'
import type { ClientListeners } from '../call.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import { type Following, openFollowing } from '../media/follow-tools.ts'
import type { Retelling } from '../media/told.ts'
import { openPump } from '../stream/open-pump.ts'
import type { Pump } from '../stream/pump.ts'
import { SoundPump } from '../stream/sound-pump.ts'
import { networkCause, networkFailure } from '../upstream/network-failure.ts'
import { redact } from '../upstream/redact.ts'
import { splitUrl, type UpstreamControl, type UpstreamEvents, type UpstreamRequest } from '../upstream/upstream.ts'
import { bodyOfError, refusalOf, statusNamedIn } from '../upstream/upstream-failure.ts'
import { decoded, type Headers, headerText, isStream, ownError } from './answer-body.ts'
import { answerJson } from './answer-json.ts'
import { nothingTold, understood } from './conversion.ts'
import type { AttemptParts, Outcome, RelayLimits, RunningStream } from './outcome.ts'
import { passthroughOf } from './passthrough.ts'
import { signingTools } from './signing-tools.ts'
import { streamedAnswer } from './streamed-answer.ts'

const largestRefusal = 1024 * 1024
/** Models that think before they speak get twice the time between chunks. */
const thinksLong = (model: string): boolean => model.startsWith('o1') || model.startsWith('o3')

/** A plain answer may pause as long as it may take to begin; one length for both also saves a timer per call. */
const timeoutsFor = (stream: boolean, model: string, { timeouts }: RelayLimits): UpstreamRequest['timeouts'] => {
  const { connect, firstByte, streamIdle } = timeouts
  if (!stream && firstByte > 0) return { connect, firstByte, idle: firstByte }
  return { connect, firstByte, idle: thinksLong(model) ? streamIdle * 2 : streamIdle }
}

class Exchange implements UpstreamEvents, ClientListeners, RunningStream {
  private readonly parts: AttemptParts
  private readonly resolve: (outcome: Outcome) => void
  private control: UpstreamControl | undefined
  private status = 0
  private headers: Headers = {}
  private pump: Pump | undefined
  private chunks: Buffer[] = []
  private size = 0
  private over = false
  private paused = false
  private begun: Begun = { url: '', headers: {} }
  private following: Following | undefined

  constructor(parts: AttemptParts, resolve: (outcome: Outcome) => void) {
    this.parts = parts
    this.resolve = resolve
  }

  send(): void {
    const { call, channel, key, prepared, client, limits, models } = this.parts
    const { stream, passed } = call
    const { model, body, path } = prepared
    // What a client adds to an address of its own language means nothing in another.
    const query = prepared.conversion === undefined ? call.query : ''
    const { defaultApiVersion } = limits
    const asked = {
      channel,
      key,
      path,
      query,
      model,
      stream,
      passed,
      defaultApiVersion,
      options: models,
      origin: call.model,
    }
    const { provider } = channel
    const url = provider.url(asked)
    const headers = provider.headers(asked)
    headers['content-type'] = prepared.contentType ?? 'application/json'
    const accept = prepared.conversion === undefined ? call.accept : undefined
    headers.accept = accept ?? (stream ? 'text/event-stream' : 'application/json')
    headers['accept-encoding'] = 'identity'
    client.listen(this)
    if (provider.sign === undefined) {
      this.dispatch(url, headers)
      return
    }
    provider.sign({ call: asked, url, headers, body }, signingTools(this.parts)).then(
      (signed) => this.dispatch(signed.url, signed.headers, signed.body),
      (error) => this.fail('credentials_failed', `signing: ${error instanceof Error ? error.message : error}`),
    )
  }

  private dispatch(url: string, headers: Record<string, string>, body = this.parts.prepared.body): void {
    if (this.over) return
    this.begun = { url, headers }
    const { call, channel, limits, upstream, prepared } = this.parts
    const { isLast } = channel.provider
    const address = splitUrl(url)
    this.control = upstream.send(
      {
        method: 'POST',
        origin: address.origin,
        path: address.path,
        headers,
        body,
        proxy: channel.proxy,
        timeouts: timeoutsFor(call.stream, prepared.model, limits),
        isLast,
      },
      this,
    )
  }

  onHead(status: number, headers: Headers): void {
    this.status = status
    this.headers = headers
    if (!this.isSuccess || this.isCollected || this.parts.prepared.retelling !== undefined) return
    if (this.isSound)
      this.pump = new SoundPump({ client: this.parts.client, headers, whenFull: () => this.control?.pause() })
    if (!isStream(headers, this.parts.call.stream)) return
    this.pump = openPump(this.parts, () => this.control?.pause())
  }

  /** The client wants no stream, and somebody understands it. */
  private get isCollected(): boolean {
    return !this.parts.call.stream && this.parts.prepared.conversion !== undefined
  }

  /** An error, or events, would come as text. */
  private get isSound(): boolean {
    const type = headerText(this.headers, 'content-type')
    return this.parts.call.endpoint === 'speech' && !/json|^text\//i.test(type)
  }

  onData(chunk: Buffer): void {
    if (this.over) return
    if (this.pump === undefined) this.collect(chunk)
    else this.carry(this.pump, chunk)
  }

  onEnd(): void {
    if (this.over) return
    if (this.pump === undefined) this.readBody()
    else this.endStream(this.pump)
  }

  onError(error: Error): void {
    if (this.over) return
    const began = this.status !== 0
    const { code } = networkFailure(error, { began })
    this.fail(code, networkCause(error))
  }

  drained(): void {
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
    const { pump } = this
    if (this.over || pump === undefined) return
    this.control?.abort()
    this.settle({ kind: 'streamed', pump, end, failure })
  }

  gone(): void {
    if (this.over) return
    if (this.parts.onClientGone === 'finish' && this.control !== undefined) {
      this.drained()
      return
    }
    if (this.following !== undefined) {
      this.following.leave()
      return
    }
    this.control?.abort()
    const { pump } = this
    this.settle(
      pump?.started
        ? { kind: 'streamed', pump, end: 'client_gone' }
        : { kind: 'gone', sent: this.control !== undefined },
    )
  }

  private get isSuccess(): boolean {
    return this.status >= 200 && this.status <= 299
  }

  private settle(outcome: Outcome): void {
    if (this.over) return
    this.over = true
    this.resolve(outcome)
  }

  private carry(pump: Pump, chunk: Buffer): void {
    const before = pump.started
    const answer = pump.push(chunk)
    if (answer === 'too_large') {
      this.control?.abort()
      this.fail('upstream_broke', 'an event is larger than the limit')
      return
    }
    if (answer === 'refused') {
      this.control?.abort()
      this.refuseByContent(pump.refusal, pump.refusalStatus)
      return
    }
    if (answer === 'broken') {
      this.control?.abort()
      this.breakWith(pump.refusal)
      return
    }
    if (answer === 'stopped') {
      this.control?.abort()
      this.stopAtWord(pump)
      return
    }
    if (pump.started && !before) this.parts.started()
    if (pump.started) this.parts.progressed(pump, chunk.length, this)
  }

  private endStream(pump: Pump): void {
    const isWhole = pump.finish()
    if (pump.guard?.stopped) this.stopAtWord(pump)
    else if (pump.refusal !== undefined && pump.started) this.breakWith(pump.refusal)
    else if (pump.refusal !== undefined) this.refuseByContent(pump.refusal, pump.refusalStatus)
    else if (!pump.started) this.fail('bad_response_body', 'the stream held no event')
    else if (isWhole) this.settle({ kind: 'streamed', pump, end: 'done' })
    else this.fail('upstream_broke', 'the stream ended in the middle of the answer')
  }

  private collect(chunk: Buffer): void {
    this.size += chunk.length
    this.chunks.push(chunk)
    if (this.isSuccess && this.size > this.parts.limits.maxResponseBytes) {
      this.control?.abort()
      this.fail('bad_response_body', `the answer is larger than ${this.parts.limits.maxResponseBytes} bytes`)
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
    const encoding = headerText(this.headers, 'content-encoding').toLowerCase()
    try {
      const late =
        encoding === ''
          ? this.read(raw)
          : decoded(raw, encoding, this.parts.limits.maxResponseBytes).then((bytes) => this.read(bytes))
      late?.catch((error: unknown) => this.unreadable(error)).finally(() => this.following?.stop())
    } catch (error) {
      this.unreadable(error)
    }
  }

  /** At once, unless the answer has to be followed. */
  private read(bytes: Buffer): Promise<void> | undefined {
    if (!this.isSuccess) this.refuse(bytes)
    else if (isStream(this.headers, false)) this.answerOfStream(bytes)
    else return this.answer(bytes)
    return undefined
  }

  private unreadable(error: unknown): void {
    if (this.following?.tools.isLeft && !this.following.isLate()) {
      this.settle({ kind: 'gone', sent: true })
      return
    }
    const code = error instanceof AppError ? error.code : 'bad_response_body'
    const words = `the answer cannot be read: ${error instanceof Error ? error.message : error}`
    this.fail(this.following?.isLate() ? 'upstream_timeout' : code, words)
  }

  private answer(bytes: Buffer): Promise<void> | undefined {
    const { call, prepared } = this.parts
    const json = answerJson(bytes, headerText(this.headers, 'content-type'), this.parts)
    const { conversion, retelling } = prepared
    const own = (conversion?.upstream ?? retelling ?? prepared).errorOf?.(json)
    const failed = conversion === undefined ? passthroughOf(call).isError(json) : isObject(json.error)
    if (own !== undefined || failed) {
      this.refuseByContent(own === undefined ? json : { error: own }, own?.status)
      return undefined
    }
    if (retelling !== undefined) return this.retell(json, retelling)
    const { status, headers } = this
    const { answer, conversion: heard } =
      conversion === undefined ? nothingTold : understood(conversion.upstream.readAnswer(json), conversion)
    this.settle({ kind: 'body', status, headers, bytes, json, answer, conversion: heard })
    return undefined
  }

  private answerOfStream(bytes: Buffer): void {
    const { conversion } = this.parts.prepared
    if (conversion === undefined) throw new Error('a stream that nobody asked for')
    const told = streamedAnswer(bytes, conversion)
    if (told.kind === 'failed') this.refuseByContent({ error: told.error }, told.error.status)
    else if (told.kind === 'broken') this.fail('upstream_broke', 'the stream ended in the middle of the answer')
    else {
      const { status } = this
      const headers = { ...this.headers, 'content-type': 'application/json' }
      this.settle({ kind: 'body', status, headers, bytes, json: {}, ...understood(told.answer, conversion) })
    }
  }

  private async retell(first: Members, retelling: Retelling): Promise<void> {
    const { headers, status } = this
    const { follow, complete, errorOf, lost } = retelling
    if (follow !== undefined || complete !== undefined) this.following = openFollowing(this.parts)
    const { tools } = this.following ?? {}
    const json = tools === undefined ? first : ((await follow?.(first, this.begun, tools)) ?? first)
    const error = json === first ? undefined : errorOf?.(json)
    if (error !== undefined) {
      this.refuseByContent({ error }, error.status)
      return
    }
    const read = retelling.read(json, (name) => headerText(headers, name))
    const more = tools === undefined ? undefined : await complete?.(read, tools).catch(unlessLeft(tools))
    const retold = { ...read, ...more, lost }
    const bytes = retold.plain?.bytes ?? Buffer.from(JSON.stringify(retold.json))
    const type = retold.plain?.type ?? 'application/json'
    const head = { ...headers, 'content-type': type }
    this.settle({ kind: 'body', status, headers: head, bytes, json: retold.json, ...nothingTold, retold })
  }

  private refuse(body: Buffer): void {
    const { channel, key, prepared } = this.parts
    const own = ownError(body, prepared)
    const retryAfter = headerText(this.headers, 'retry-after') || undefined
    const native = prepared.conversion === undefined
    this.settle({
      kind: 'refused',
      refusal: refusalOf({ status: this.status, body: own ?? body, retryAfter, native }, channel, key),
    })
  }

  /** A success that holds an error is a failed upstream, unless it says what status it means. */
  private refuseByContent(json: unknown, status = statusNamedIn(json) ?? 502): void {
    const { channel, key } = this.parts
    const body = bodyOfError(json)
    this.settle({ kind: 'refused', refusal: refusalOf({ status, body, retryAfter: undefined }, channel, key) })
  }

  /** An error in the upstream's own words, in the middle of its stream. */
  private breakWith(json: unknown): void {
    const { channel, key } = this.parts
    const status = statusNamedIn(json) ?? 502
    const { answer } = refusalOf({ status, body: bodyOfError(json), retryAfter: undefined }, channel, key)
    const { pump } = this
    const failure = pump?.passesRefusal ? { ...answer, passed: true as const } : answer
    if (pump !== undefined) this.settle({ kind: 'streamed', pump, end: 'upstream_broke', failure })
  }

  private stopAtWord(pump: Pump): void {
    const failure = failureOf(new AppError('sensitive_words_in_answer', { details: { word: pump.guard?.found } }))
    this.settle({ kind: 'streamed', pump, end: 'stopped', failure })
  }

  /** The upstream gave no usable answer, or broke off in the middle of one. */
  private fail(code: ErrorCode, words: string): void {
    const { channel, key } = this.parts
    const cause = redact(words, { key, baseUrl: channel.baseUrl })
    const answer = { ...failureOf(new AppError(code)), type: 'upstream_error', cause }
    const { pump } = this
    if (pump?.started) {
      this.settle({ kind: 'streamed', pump, end: 'upstream_broke', failure: answer })
      return
    }
    const failure = {
      status: this.isSuccess ? this.status : 0,
      type: answer.type,
      code,
      message: answer.message,
      cause,
    }
    this.settle({ kind: 'refused', refusal: { failure, answer, status: errors[code].status } })
  }
}

/** What was made is paid for; the rest of the answer is nothing to whoever has gone. */
const unlessLeft =
  (tools: FollowTools) =>
  (error: unknown): undefined => {
    if (!tools.isLeft) throw error
  }

/** Asks one channel. Resolves when the answer is complete, refused or broken off; never rejects. */
export const attempt = (parts: AttemptParts): Promise<Outcome> =>
  new Promise((resolve) => new Exchange(parts, resolve).send())
