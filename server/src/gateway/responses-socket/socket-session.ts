import { type JsonObject, textIn } from '../../dialects/conversation/json.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { newRequestId } from '../../lib/ids.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import type { ReservedMemory } from '../../lib/memory/reserved-memory.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import { failureOf } from '../../relay/failure.ts'
import type { Caller, RelayOptions } from '../../relay/ports.ts'
import type { ClientEvents, ClientSocket } from '../../relay/realtime/ports.ts'
import type { Relay } from '../../relay/relay.ts'
import { newStoredId, type StoredObjects } from '../../relay/stored/ports.ts'
import { admitBody } from '../auth/admit.ts'
import type { AdmitParts } from '../auth/admit-parts.ts'
import type { Authentication } from '../auth/authentication.ts'
import type { DeadlineCalls } from '../deadlines/deadline-calls.ts'
import type { ArrivedRequest, RequestContext } from '../request-context.ts'
import type { FailureSender } from '../response/send-failure.ts'
import { RecordingClient } from '../stored/recording-client.ts'
import { createStoredTurns, mayStore, type StoredTurn, type StoredTurnParts } from '../stored/stored-turns.ts'
import { rememberingClient, withRecalled } from '../thoughts/remembered-call.ts'
import type { ThoughtMemory } from '../thoughts/thought-memory.ts'
import { createSocketMemory, type SocketMemory } from './socket-memory.ts'
import { TurnClient } from './turn-client.ts'

export interface SocketSessionParts extends Omit<AdmitParts, 'turns'>, StoredTurnParts {
  readonly relay: Relay
  readonly authentication: Authentication
  readonly failures: FailureSender
  readonly storedObjects: StoredObjects
  readonly thoughts: ThoughtMemory
  /** Absent where calls have no deadlines. */
  readonly deadlines?: Pick<DeadlineCalls, 'assertStated'> | undefined
  readonly keptMemory: ReservedMemory
  readonly options: () => RelayOptions
  readonly clock: () => number
  /** Delays the end of the process until the turn has ended. */
  readonly track: (turn: Promise<void>) => void
}

/** Turns of one socket that wait for their turn. */
const mostWaiting = 16

/** Fields of an event that are not those of a request. */
const eventFields = { type: undefined, stream_id: undefined, generate: undefined, background: undefined }

const unknownEvent = (type: unknown): AppError => {
  const detail = `events of the type ${shortText(textIn(type) ?? 'none', 100)} are not supported; send response.create`
  return new AppError('invalid_text_request', { params: { detail } })
}

/** A response of a turn that only prepares the next one. */
const preparedResponse = (body: JsonObject, now: number): JsonObject => ({
  id: newStoredId('resp'),
  object: 'response',
  created_at: Math.floor(now / 1000),
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: body.model,
  output: [],
  usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
})

/** The dialect of its turns, and the callback at the end of the session. */
export interface SessionKind {
  readonly dialect: Dialect
  readonly over: () => void
}

/**
 * Responses over one WebSocket (developers.openai.com/api/docs/guides/websocket-mode): each `response.create` is a call like
 * one over HTTP, one after the other, with its own price, hold and record. What its answers were, the socket remembers.
 */
export class SocketSession implements ClientEvents {
  private readonly queue = createSerialQueue()
  private readonly arrived: ArrivedRequest
  private readonly dialect: Dialect
  private readonly parts: SocketSessionParts
  private readonly over: () => void
  private readonly turns
  private socket: ClientSocket | undefined
  private running: TurnClient | undefined
  private waiting = 0
  /** Bytes of the turns that wait, and of the one that runs. */
  private kept = 0
  private refused = false
  /** The handshake counts as the call of the first turn. */
  private counted = true
  private leaving = false
  private readonly memory: SocketMemory
  private caller: Caller

  constructor(arrived: ArrivedRequest, caller: Caller, { dialect, over }: SessionKind, parts: SocketSessionParts) {
    this.arrived = arrived
    this.caller = caller
    this.dialect = dialect
    this.parts = parts
    this.over = over
    this.memory = createSocketMemory(
      parts.storedObjects,
      parts.keptMemory.share(caller.userId),
      ({ content, kind }) =>
        mayStore(this.caller, parts.options()) && (kind !== 'response' || content.unstored !== true),
    )
    this.turns = createStoredTurns({ ...parts, storedObjects: this.memory, all: true })
  }

  begin(socket: ClientSocket): void {
    this.socket = socket
  }

  onMessage(message: string | undefined): void {
    if (this.socket === undefined || this.refused) return
    if (message === undefined || this.waiting >= mostWaiting) {
      this.socket.close(
        message === undefined ? 1007 : 1008,
        message === undefined ? 'invalid_message' : 'too_many_turns',
      )
      return
    }
    this.waiting += 1
    const bytes = Buffer.from(message)
    this.keep(bytes.length)
    this.parts.track(
      this.queue.run(async () => {
        this.waiting -= 1
        if (!this.refused) await this.take(bytes)
        this.keep(-bytes.length)
        if (this.leaving) this.leave('soon')
      }),
    )
  }

  onDrained(): void {
    this.running?.drained()
  }

  /** Sent like the failure of a turn, beside the running one. */
  onRefused(error: AppError, code: number): void {
    const { socket, parts } = this
    if (socket === undefined || this.refused) return
    this.refused = true
    const context = this.contextFor(new TurnClient(socket))
    context.caller = this.caller
    const failure = failureOf(error)
    parts.failures.send(context, failure)
    socket.close(code, error.code)
    parts.track(parts.authentication.noteRefusal(context, error, failure))
  }

  onClose(): void {
    this.running?.leave()
    this.memory.forget()
    this.over()
  }

  /** Closes the socket: `soon` after the turn that runs, or at once. */
  leave(how: 'soon' | 'now'): void {
    this.leaving = true
    if (how === 'now' || this.running === undefined) this.socket?.close(1001, 'going_away')
  }

  private keep(more: number): void {
    this.kept += more
    this.socket?.keep(this.kept)
  }

  private async take(bytes: Buffer): Promise<void> {
    const { socket, arrived, parts } = this
    if (socket === undefined || this.leaving) return
    const client = new TurnClient(socket)
    this.running = client
    const context = this.contextFor(client)
    try {
      await this.turn(context, client, bytes)
    } catch (thrown) {
      const error = thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown })
      const failure = failureOf(error)
      await parts.authentication.noteRefusal(context, thrown, failure)
      parts.failures.afterRecord(context, () => parts.failures.send(context, failure))
    } finally {
      this.running = undefined
      if (arrived.request.socket.destroyed) client.leave()
    }
  }

  private contextFor(client: TurnClient): RequestContext {
    const { arrived, dialect, parts } = this
    const route = {
      kind: 'relay',
      endpoint: 'conversation',
      dialect,
      errors: dialect.errors,
      playground: false,
      model: '',
      stream: true,
    } as const
    return {
      ...arrived,
      id: newRequestId(),
      startedAt: parts.clock(),
      client,
      route,
      caller: undefined,
      model: '',
      stream: true,
    }
  }

  private async turn(context: RequestContext, client: TurnClient, bytes: Buffer): Promise<void> {
    const { parts } = this
    const caller = await parts.authentication.callerOf(context)
    context.caller = caller
    this.caller = caller
    // Turns of a socket have no lanes.
    if (caller.deadlineOnly === true) parts.deadlines?.assertStated()
    const { rateLimit } = parts.options()
    if (!this.counted) await parts.authentication.rateLimited(caller, rateLimit)
    this.counted = false
    const parsed = await parts.bodies.parsed(context, bytes)
    const { type, stream_id: streamId, generate, background: _, ...rest } = parsed.body
    client.streamId = textIn(streamId)
    if (type !== 'response.create') throw unknownEvent(type)
    const body = { ...rest, stream: true }
    const raw = editMembers(parsed.raw, { ...eventFields, stream: 'true' })
    if (generate === false) {
      await this.prepare(context, client, body)
      return
    }
    const { call: received, turn } = await admitBody(
      context,
      caller,
      { ...parsed, raw, body, text: undefined },
      { ...parts, turns: this.turns },
    )
    const call = await withRecalled(received, parts.thoughts)
    const recorder = turn && new RecordingClient(client, turn.rules.collect())
    const remembering = rememberingClient(recorder ?? client, call, parts.thoughts)
    const failure = await parts.relay.answer(call, remembering, (why) => parts.failures.print(context, why))
    parts.failures.afterRecord(context, () => {
      if (failure !== undefined) parts.failures.send(context, failure)
      else parts.authentication.succeeded(caller, rateLimit)
      const answer = failure === undefined ? recorder?.answer() : undefined
      if (answer !== undefined && turn !== undefined) this.turns.store(turn, answer, caller)
    })
  }

  /** Stores the input of a turn without a call, which the next one continues. */
  private async prepare(context: RequestContext, client: TurnClient, body: JsonObject): Promise<void> {
    const { caller } = context
    const { dialect, parts } = this
    if (caller === undefined) return
    const goingOn = await this.turns.continued(body, caller, dialect)
    const turn: StoredTurn | undefined = goingOn?.turn
    const response = preparedResponse(body, parts.clock())
    if (turn !== undefined) this.turns.store(turn, response, caller)
    client.head(200, ['content-type', 'text/event-stream'])
    for (const type of ['response.created', 'response.completed'])
      client.write(`data: ${JSON.stringify({ type, response })}\n\n`)
  }
}
