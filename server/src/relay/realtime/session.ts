import type { ErrorCode } from '@tollgate/contract'
import { isObject, type JsonObject, membersOf, parsedJson, textOf } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import type { UpstreamFailure } from '../ports.ts'
import type { Charged } from '../records/charged.ts'
import { networkCause } from '../upstream/network-failure.ts'
import { withoutKey } from '../upstream/redact.ts'
import type { UpstreamSocket } from '../upstream/upstream.ts'
import { MessageOrder } from './message-order.ts'
import type { ClientEvents, ClientSocket } from './ports.ts'
import type { CloseRefusal, SessionMeter, SessionProtocol } from './session-protocol.ts'

/** End of a session, and the messages for its two sides. */
export interface Ending {
  readonly end: Charged['end']
  /** True if the client caused it by a message, or by not reading. */
  readonly byClient?: true
  /** Failure for the client; absent after a normal end. */
  readonly failure?: CallFailure
  /** Failure of the channel. */
  readonly fault?: UpstreamFailure
  readonly close: { readonly code: number; readonly reason: string }
}

/** Handling of a refused event of the client: an error event, or the end of the session. */
export type EventRefusal = { readonly say: string } | { readonly stop: AppError }

interface SessionTimes {
  /** Milliseconds of silence that a pending response may have. */
  readonly idle: number
  /** Milliseconds that a client has to read waiting messages. */
  readonly stalled: number
}

export interface SessionParts {
  readonly upstream: UpstreamSocket
  readonly meter: SessionMeter
  readonly protocol: Pick<SessionProtocol, 'errorIn' | 'refusalIn'>
  readonly times: SessionTimes
  /** The channel's; never shown to clients. */
  readonly key: string
  readonly onClientGone: 'cancel' | 'finish'
  /** undefined for an event of the client that may go upstream. */
  refusalOf(event: JsonObject, message: string): EventRefusal | undefined
  /** The same, asynchronously, where additions must be held or counted first; undefined for nearly all. */
  admitted(event: JsonObject): Promise<EventRefusal | undefined> | undefined
  /** The client's event for the channel: `message` or another text. */
  outgoing(event: JsonObject, message: string): string
  /** The upstream's event for the client: `message` or another text. */
  forClient(event: JsonObject, message: string | Buffer): string | Buffer | Promise<string | Buffer>
  /** Queues messages behind one that `forClient` writes asynchronously. */
  readonly order: Pick<MessageOrder, 'wait'>
  /** A message was forwarded; `done` at the end of a response. */
  progressed(more: { readonly done: boolean }): void
  over(ending: Ending): void
}

/** Bytes that wait for one side at which the other is paused, and at which it resumes. */
const muchWaiting = 1024 * 1024
const littleWaiting = 256 * 1024
const lookAgainMs = 20
/** Bytes that may wait for the upstream without being counted. */
const countedWaiting = 64 * 1024
/** Factor of the allowed silence for an idle session. */
const patience = 10
const pingMs = 30_000

const byClient = { end: 'closed', byClient: true } as const
const normalClose = { code: 1000, reason: '' }
/** True for close codes that can be forwarded (RFC 6455 §7.4.1). */
const isPassedOn = (code: number): boolean =>
  code === 1000 || code === 1001 || code === 1003 || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999)
const isCalm = (code: number): boolean => code === 1000 || code === 1001 || code === 1005

/** Forwards messages between a client and an upstream until one of them closes. */
export class RealtimeSession implements ClientEvents {
  private readonly parts: SessionParts
  private client: ClientSocket | undefined
  private ended = false
  private clientGone = false
  private leaving = false
  /** A message for the client is being written. */
  private writing = false
  /** The last error event of the upstream. */
  private complaint: JsonObject | undefined
  private held: 'upstream' | undefined
  private looking: NodeJS.Timeout | undefined
  private counting: NodeJS.Timeout | undefined
  private stalled: NodeJS.Timeout | undefined
  private idleTicks = 0
  /** True while an event of the client waits for its admission. */
  private isAdmitting = false
  private readonly fromClient = new MessageOrder()
  private readonly idle: NodeJS.Timeout
  private readonly pinging: NodeJS.Timeout

  constructor(parts: SessionParts) {
    this.parts = parts
    this.idle = setInterval(() => this.checkIdle(), parts.times.idle)
    this.pinging = setInterval(() => parts.upstream.ping(), pingMs)
  }

  /** Begins; before that nothing can be sent to the client. */
  begin(client: ClientSocket): void {
    this.client = client
  }

  onMessage(message: string | undefined): void {
    this.fromClient.run(() => this.take(message))
  }

  private take(message: string | undefined): void {
    if (this.ended) return
    this.noteActivity()
    const event = message === undefined ? undefined : parsedJson(message)
    if (message === undefined || event === undefined) {
      const detail = 'a message is not JSON, or holds more than it may'
      this.stop(new AppError('invalid_text_request', { params: { detail } }), 1007, byClient)
      return
    }
    const members = membersOf(event)
    const refusal = this.parts.refusalOf(members, message)
    if (refusal !== undefined) {
      this.answer(refusal)
      return
    }
    const admitted = this.parts.admitted(members)
    if (admitted === undefined) {
      this.sendOn(members, message)
      return
    }
    this.isAdmitting = true
    this.client?.pause()
    this.fromClient.wait(
      admitted,
      (refused) => this.goOn(refused, members, message),
      () => this.stop(new AppError('internal_error'), 1011),
    )
  }

  /** Continues after an event was admitted or refused. */
  private goOn(refused: EventRefusal | undefined, members: JsonObject, message: string): void {
    this.isAdmitting = false
    if (this.ended) return
    if (this.looking === undefined) this.client?.resume()
    if (refused === undefined) this.sendOn(members, message)
    else this.answer(refused)
  }

  private answer(refusal: EventRefusal): void {
    if ('say' in refusal) this.refuse(refusal.say)
    else this.stop(refusal.stop, 1008, { end: 'stopped', byClient: true })
  }

  private sendOn(members: JsonObject, message: string): void {
    const { meter, upstream } = this.parts
    meter.fromClient(members)
    upstream.send(this.parts.outgoing(members, message))
    this.parts.progressed({ done: false })
    this.countWaiting(upstream)
    if (upstream.waiting > muchWaiting) this.holdClient(upstream)
  }

  onDrained(): void {
    const waiting = this.clientGone ? 0 : (this.client?.waiting ?? 0)
    if (this.held !== 'upstream' || waiting > littleWaiting) return
    this.held = undefined
    clearTimeout(this.stalled)
    this.noteActivity()
    this.parts.upstream.resume()
  }

  /** The client exceeds its memory share. */
  onRefused(error: AppError, code: number): void {
    this.stop(error, code, byClient)
  }

  /** Handles a close of the client, the normal end of a session; in the middle of a response it counts as leaving. */
  onClose(code: number): void {
    if (this.ended || this.clientGone) return
    this.clientGone = true
    const { meter, onClientGone } = this.parts
    if (meter.owed && onClientGone === 'finish') {
      this.onDrained()
      return
    }
    this.finish({ end: isCalm(code) && !meter.owed ? 'done' : 'client_gone', close: normalClose })
  }

  /** A message of the upstream. */
  fromUpstream(message: string | Buffer): void {
    if (this.ended) return
    this.noteActivity()
    const event = parsedJson(message.toString())
    if (!isObject(event)) {
      this.broken('bad_response_body', 'a message is not JSON')
      return
    }
    const { meter, protocol, key } = this.parts
    const done = meter.fromUpstream(event)
    const error = protocol.errorIn(event)
    this.complaint = error ?? this.complaint
    const { forClient, order } = this.parts
    const out = error === undefined ? forClient(event, message) : withoutKey(Buffer.from(message), key).toString()
    if (out instanceof Promise) {
      this.writing = true
      order.wait(
        out,
        (written) => this.forward(written, done),
        () => this.stop(new AppError('internal_error'), 1011),
      )
    } else this.forward(out, done)
  }

  private forward(message: string | Buffer, done: boolean): void {
    this.writing = false
    if (this.ended) return
    const { meter } = this.parts
    this.pass(message)
    this.parts.progressed({ done })
    if (!meter.owed && this.clientGone) this.finish({ end: 'client_gone', close: normalClose })
    else if (!meter.owed && this.leaving) this.dismiss()
  }

  /** The upstream has closed. */
  upstreamClosed(code: number, reason: string): void {
    const close = { code: isPassedOn(code) ? code : 1000, reason }
    const refusal = this.parts.protocol.refusalIn(code, reason)
    if (isCalm(code) && !this.parts.meter.owed) this.finish({ end: 'done', close })
    else if (this.complaint !== undefined) this.complained(this.complaint, close)
    else if (refusal !== undefined) this.refusedBy(refusal, close)
    else this.broken('upstream_broke', `the WebSocket was closed with ${code} ${reason}`.trim())
  }

  /** The connection to the upstream broke. */
  upstreamBroke(error: Error): void {
    this.broken('upstream_broke', networkCause(error))
  }

  /** Ends it with an error of the gateway; usage so far is charged. */
  stop(error: AppError, code: number, why: Pick<Ending, 'end' | 'byClient'> = { end: 'closed' }): void {
    const failure = failureOf(error)
    this.finish({ ...why, failure, close: { code, reason: error.code } })
  }

  /** Ends the session when the server stops: at once, or after a running response. */
  leave(how: 'soon' | 'now'): void {
    this.leaving = true
    if (how === 'now' || (!this.parts.meter.owed && !this.writing)) this.dismiss()
  }

  private dismiss(): void {
    this.stop(new AppError('shutting_down'), 1001)
  }

  private pass(message: string | Buffer): void {
    const { client } = this
    if (client === undefined || this.clientGone) return
    client.send(message)
    if (this.held !== undefined || client.waiting <= muchWaiting) return
    this.held = 'upstream'
    this.parts.upstream.pause()
    this.stalled = setTimeout(
      () => this.stop(new AppError('client_too_slow'), 1008, byClient),
      this.parts.times.stalled,
    )
  }

  /** Answers an event of the client itself; the session goes on. */
  private refuse(refusal: string): void {
    this.pass(refusal)
    const { client } = this
    if (client !== undefined && client.waiting > muchWaiting) this.holdClient(client)
  }

  /** Pauses the client until `side` has read its waiting bytes. */
  private holdClient(side: { readonly waiting: number }): void {
    if (this.looking !== undefined) return
    this.client?.pause()
    this.looking = setInterval(() => {
      if (side.waiting > littleWaiting) return
      clearInterval(this.looking)
      this.looking = undefined
      if (!this.isAdmitting) this.client?.resume()
    }, lookAgainMs)
  }

  /** Bytes that wait for the upstream count as the client's until they were sent. */
  private countWaiting(upstream: { readonly waiting: number }): void {
    if (upstream.waiting <= countedWaiting) return
    this.client?.keep(upstream.waiting)
    this.counting ??= setInterval(() => {
      const waiting = upstream.waiting > countedWaiting ? upstream.waiting : 0
      this.client?.keep(waiting)
      if (waiting > 0) return
      clearInterval(this.counting)
      this.counting = undefined
    }, lookAgainMs)
  }

  private noteActivity(): void {
    this.idleTicks = 0
    this.idle.refresh()
  }

  private checkIdle(): void {
    // The upstream is paused because the client reads slowly, so silence is expected.
    if (this.held === 'upstream') return
    this.idleTicks += 1
    if (this.parts.meter.owed) this.broken('upstream_timeout', 'a response did not go on')
    else if (this.idleTicks >= patience) this.stop(new AppError('session_idle'), 1000)
  }

  private broken(code: ErrorCode, cause: string): void {
    const failure = { ...failureOf(new AppError(code)), type: 'upstream_error', cause }
    const { status, type, message } = failure
    this.finish({
      end: 'upstream_broke',
      failure,
      fault: { status, type, code, message, cause },
      close: { code: 1011, reason: code },
    })
  }

  /** The upstream has sent the error event, and the client has received it. */
  private complained({ type, code, message }: JsonObject, close: Ending['close']): void {
    const fault = { status: 502, type: textOf(type), code: textOf(code), message: textOf(message) }
    this.finish({ end: 'upstream_broke', fault: { ...fault, cause: `the upstream closed: ${fault.message}` }, close })
  }

  /** The upstream has given the error as the reason of its close, which the client gets. */
  private refusedBy({ status, message }: CloseRefusal, close: Ending['close']): void {
    const reason = withoutKey(Buffer.from(close.reason), this.parts.key).toString()
    const fault = { status, type: 'upstream_error', code: String(close.code), message: reason }
    const blamed = status === 400 ? {} : { fault: { ...fault, cause: `the upstream closed: ${message}` } }
    this.finish({ end: 'upstream_broke', ...blamed, close: { ...close, reason } })
  }

  private finish(ending: Ending): void {
    if (this.ended) return
    this.ended = true
    clearInterval(this.idle)
    clearInterval(this.pinging)
    clearInterval(this.looking)
    clearInterval(this.counting)
    clearTimeout(this.stalled)
    this.parts.upstream.close(1000)
    this.parts.over(ending)
  }
}
