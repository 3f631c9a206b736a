import type { IncomingHttpHeaders } from 'node:http'
import { type JsonObject, membersOf, textIn } from '#server/dialects/conversation/json.ts'
import { isPending, storage } from '#server/dialects/openai-responses/storage.ts'
import type { DeadlineCalls, LaneStep } from '#server/gateway/deadlines/deadline-calls.ts'
import { CollectingClient } from '#server/gateway/own-calls/collecting-client.ts'
import type { OwnCalls } from '#server/gateway/own-calls/own-calls.ts'
import type { BackgroundCall, BackgroundCalls } from '#server/gateway/stored/background-calls.ts'
import { type EndedJob, jobOutcomes } from '#server/jobs/job-ends.ts'
import type { RowClaim } from '#server/jobs/row-claims.ts'
import { type JobRunner, openJobRunner } from '#server/jobs/runner.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Bus } from '#server/lib/redis/bus.ts'
import { makerOf } from '#server/relay/reader.ts'
import { newStoredId, type StoredObject, type StoredObjects, type StoredOwner } from '#server/relay/stored/ports.ts'
import type { EventStore } from './events/event-store.ts'
import { openChanges, replay } from './events/replay.ts'
import { firstEvents, openStreamOf } from './events/stream-of.ts'
import { type Outcome, outcomeOf, unfinished } from './responses.ts'
import type { BackgroundRequest, BackgroundRow, BackgroundStore } from './store.ts'

export interface BackgroundParts {
  readonly store: BackgroundStore
  readonly events: EventStore
  readonly storedObjects: StoredObjects
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  /** Records the end of a response for those who wait for it; a repeat changes nothing. */
  readonly ended: (end: EndedJob) => Promise<void>
  /** Days for which answers are stored. */
  readonly days: () => number
  readonly clock: Clock
  readonly everyMs?: number | undefined
  readonly failed: (error: unknown) => void
}

export interface Background extends BackgroundCalls {
  /** Begins to make answers; without `deadlines` they are made as soon as they can be. */
  useCalls(calls: OwnCalls, deadlines?: DeadlineCalls): void
  /** Resolves when no due response is left to this process. */
  work(): Promise<void>
  close(): Promise<void>
}

/** Responses that one process makes at a time, and that it makes for one user. */
const atOnce = 64
const ofUser = 16
/** Responses of a user that may wait. */
const mostOpen = 1000
/** Bytes of a request and of an answer: what can be stored. */
const mostBytes = 4 * 1024 * 1024
const aliveEveryMs = 10_000
/** Seconds between attempts of calls that a limit or a busy provider has refused. */
const pauses = [5, 15, 30, 60, 120, 300]
const mostAttempts = 10
/** Milliseconds between attempts of calls at once that have a deadline. */
const timedPauseMs = 5_000
const cancelledTopic = 'background_cancelled'

/** Headers of a request that say something about the call: betas, tags, end user, session, program and language. */
const passed = /^(x-|openai-|anthropic-|accept-language$|user-agent$|session|originator$|http-referer$|referer$)/
/** Of those, the ones that hold a key, tell of the way the request came, or count from its moment. */
const withheld = /^x-(api-key|goog-api-key|forwarded|real-ip|client-ip|tollgate-deadline$)/

const passedOn = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && passed.test(name) && !withheld.test(name) ? [[name, value]] : [],
    ),
  )

/** One attempt at a response. */
interface Attempt {
  readonly row: BackgroundRow
  readonly request: BackgroundRequest
  readonly claim: RowClaim
  /** How it is made by its deadline; undefined where it has none. */
  readonly step: LaneStep | undefined
}

/** A refusal that may pass: the runner tries again. */
class TryLater extends Error {}

/** Makes responses in the background: each is a row with a claim until it is over, and an ordinary call of its key. */
export const openBackground = (parts: BackgroundParts): Background => {
  const { store, storedObjects, bus, days, clock } = parts
  const running = new Map<string, CollectingClient>()
  const changes = openChanges()
  const leaving = new AbortController()
  let runner: JobRunner<BackgroundRow> | undefined
  let deadlines: DeadlineCalls | undefined

  const find = (owner: StoredOwner, id: string): Promise<StoredObject | undefined> =>
    storedObjects.find(owner, 'response', id)

  const rewrite = (response: StoredObject, content: JsonObject): Promise<boolean> =>
    storedObjects.putNow({ ...response, content: { ...response.content, ...content } }, days())

  /** Number of the last event before the end, for a response that was asked for as a stream. */
  const streamMembers = async ({ id, content }: StoredObject): Promise<JsonObject> =>
    content.streamed === true ? { streamed: true, events: await parts.events.last(id) } : {}

  const ended = async (response: StoredObject, { body }: BackgroundRequest, outcome: Outcome): Promise<void> => {
    const pending = membersOf(response.content.answer)
    const own = { id: response.id, created_at: pending.created_at, background: true }
    const stream = await streamMembers(response)
    const failWith = (code: string, message: string): Promise<boolean> =>
      rewrite(response, { ...stream, answer: { ...pending, status: 'failed', error: { code, message } } })
    if (outcome.kind === 'failed') {
      await failWith(outcome.code, outcome.message)
      return
    }
    const { answer } = outcome
    const inner = await find(response.owner, textIn(answer.id) ?? '')
    const output = storage.output(answer)
    const whole = { ...storage.stored(answer, body), ...own }
    // A response that its provider stores goes on there, under the provider's id; of others the thread goes on under ours.
    const content =
      inner === undefined
        ? { items: storage.items(body), output, previous: null, alias: textIn(answer.id) ?? '', answer: whole }
        : { ...inner.content, answer: whole }
    const thread = inner === undefined || inner.thread === inner.id ? response.id : inner.thread
    if (!(await storedObjects.putNow({ ...response, thread, content: { ...content, ...stream } }, days())))
      await failWith('server_error', 'The answer is too large to be stored')
    if (inner !== undefined) await storedObjects.remove(inner)
  }

  const cancelled = async (response: StoredObject): Promise<JsonObject> => {
    const answer = { ...membersOf(response.content.answer), status: 'cancelled' }
    await rewrite(response, { ...(await streamMembers(response)), answer })
    changes.fire(response.id)
    return answer
  }

  /** Makes the call of a response; its events are stored as they come where it was asked for as a stream. */
  const call = async (
    calls: OwnCalls,
    response: StoredObject,
    { request, claim, step }: Pick<Attempt, 'request' | 'claim' | 'step'>,
  ) => {
    const { requestId, owner, path, query, ip, headers, body, timed } = request
    const about = { ...membersOf(response.content.answer), id: response.id }
    const streamParts = { store: parts.events, changes, failed: parts.failed, mostBytes }
    const stream = response.content.streamed === true ? await openStreamOf(streamParts, about) : undefined
    const client = stream?.client ?? new CollectingClient(mostBytes)
    running.set(response.id, client)
    try {
      // The rate limit counted it when its client asked for it.
      const isRepeat = claim.attempts > 1
      const made = {
        id: requestId,
        tokenId: owner.tokenId,
        path,
        query,
        headers,
        ip,
        isCounted: true,
        isRepeat,
        client,
      }
      const lane = timed && step && { ...timed, lane: step.lane === 'flex' ? step.lane : ('standard' as const) }
      await calls.make({ ...made, lane, body: Buffer.from(JSON.stringify(body)) })
    } finally {
      running.delete(response.id)
      await stream?.end()
    }
    return { client, outcome: stream?.client.outcome() ?? outcomeOf(client.answer()) }
  }

  /** When a call that was refused is tried again before its deadline; undefined after it. */
  const nextTry = ({ lane, latestAt }: LaneStep, deadline: number, attempts: number) => {
    const now = clock()
    if (now >= deadline) return undefined
    if (lane === 'standard' || now >= latestAt) return { at: now + timedPauseMs, attempts: 0 }
    return { at: Math.min(deadlines?.askedAgainAt(now, attempts) ?? now, latestAt), attempts }
  }

  const make = async (calls: OwnCalls, response: StoredObject, attempt: Attempt): Promise<void> => {
    const { row, request, claim, step } = attempt
    const { owner, timed } = request
    const { attempts } = claim
    const { client, outcome } = await call(calls, response, attempt)
    if (outcome.kind === 'failed' && !client.gone) {
      const { isPassing, isRefused = false } = outcome
      const next = isPassing && timed && step ? nextTry(step, timed.deadline, attempts) : undefined
      if (next !== undefined) return store.postpone(row.id, claim, next)
      // It may be paid already, and its charge in the journal of a process that died, until that is back.
      const mayBePaid = isRefused && attempts > 1
      if ((isPassing || mayBePaid) && attempts < mostAttempts) throw new TryLater(outcome.message)
    }
    const now = await find(owner, response.id)
    if (now === undefined || !isPending(membersOf(now.content.answer))) return
    if (await store.beginEnd(row.id)) await ended(now, request, outcome)
    else await cancelled(now)
    changes.fire(response.id)
  }

  const takeToEnd = async (
    calls: OwnCalls,
    row: BackgroundRow,
    { request, claim }: Pick<Attempt, 'request' | 'claim'>,
  ): Promise<void> => {
    const { attempts } = claim
    const response = await find(request.owner, row.response_id)
    if (response === undefined) return
    const answer = membersOf(response.content.answer)
    if (!isPending(answer)) return
    if (row.state === 'cancelled') {
      await cancelled(response)
      return
    }
    const begun = { ...response, content: { ...response.content, answer: { ...answer, status: 'in_progress' } } }
    const { timed } = request
    const now = clock()
    const step = timed && deadlines?.next(timed, now)
    if (step !== undefined && step.startAt > now)
      return store.postpone(row.id, claim, { at: step.startAt, attempts: attempts - 1 })
    if (attempts > mostAttempts && (timed === undefined || now >= timed.deadline)) {
      const message = 'The answer could not be made'
      return ended(response, request, { kind: 'failed', code: 'server_error', message, isPassing: false })
    }
    await rewrite(response, begun.content)
    if (await store.isOpen(row.id)) await make(calls, begun, { row, request, claim, step })
    else await cancelled(begun)
  }

  /** The row goes after this: a process that dies before it leaves the end to the next one. */
  const announce = async ({ owner }: BackgroundRequest, id: string): Promise<void> => {
    const answer = membersOf((await find(owner, id))?.content.answer)
    const outcome = jobOutcomes.response.find((one) => one === answer.status)
    if (outcome !== undefined) await parts.ended({ kind: 'response', id, outcome, maker: makerOf(owner) })
  }

  const work = async (calls: OwnCalls, row: BackgroundRow, claim: RowClaim): Promise<void> => {
    const request = store.requestOf(row)
    if (request === undefined) return
    await takeToEnd(calls, row, { request, claim })
    await announce(request, row.response_id)
  }

  const openRunner = (calls: OwnCalls): JobRunner<BackgroundRow> =>
    openJobRunner({
      store: store.jobs,
      work: (row, { claim }) => work(calls, row, claim),
      atOnce,
      keys: { keyOf: ({ user_id }) => String(user_id), atOnce: ofUser, paceMs: 0 },
      retry: { pauses },
      aliveEveryMs,
      everyMs: parts.everyMs,
      failed: parts.failed,
      clock,
    })

  const unsubscribe = bus.subscribe(cancelledTopic, (notice) => {
    if (notice.kind === 'message') running.get(notice.message)?.leave()
  })

  const timedWork = ({ context, caller, model, turn }: BackgroundCall): Pick<BackgroundRequest, 'timed'> => {
    const { startedAt: arrivedAt, request } = context
    const deadline = deadlines?.deadlineOf(request.headers, turn.request, arrivedAt)
    if (deadline === undefined) return {}
    const { group, acceptsUnpricedModels: acceptsUnpriced } = caller
    const mayFlex = turn.request.service_tier === undefined
    return { timed: { model, group, acceptsUnpriced, arrivedAt, deadline, mayFlex } }
  }

  const requestOf = (call: BackgroundCall): BackgroundRequest => {
    const { context, turn } = call
    const { background: _, ...body } = turn.request
    const { id, path, query, ip, request } = context
    const own = { requestId: id, owner: turn.owner, path, query, ip, headers: passedOn(request.headers), body }
    return { ...own, ...timedWork(call) }
  }

  return {
    async queue(call) {
      const { caller, turn, model, context } = call
      const request = requestOf(call)
      if (Buffer.byteLength(JSON.stringify(request.body)) > mostBytes)
        throw new AppError('body_too_large', { params: { megabytes: mostBytes / 1024 / 1024 } })
      if ((await store.openOf(caller.userId)) >= mostOpen) throw new AppError('too_many_requests')
      const id = newStoredId('resp')
      const createdAt = Math.floor(context.startedAt / 1000)
      const answer = unfinished('queued', { id, model, createdAt, body: turn.request })
      const object = { kind: 'response', id, owner: turn.owner, thread: id } as const
      // The object comes first: without a row it is never paid for, while a row without its object would be.
      const streamed = turn.request.stream === true
      const content = { items: [], output: [], previous: null, answer, ...(streamed ? { streamed } : {}) }
      await storedObjects.putNow({ ...object, content }, days())
      if (streamed) await parts.events.add(id, firstEvents(answer))
      await store.add(id, request)
      runner?.wake()
      return answer
    },

    async cancel(response) {
      const answer = membersOf(response.content.answer)
      if (!isPending(answer) || !(await store.cancel(response.id)))
        return membersOf((await find(response.owner, response.id))?.content.answer ?? answer)
      const end = await cancelled(response)
      running.get(response.id)?.leave()
      bus.publish(cancelledTopic, response.id)
      runner?.wake()
      return end
    },

    events: ({ id, owner }, after, signal) =>
      replay({
        store: parts.events,
        find: () => find(owner, id),
        responseId: id,
        after,
        changed: () => changes.next(id),
        signal: AbortSignal.any([signal, leaving.signal]),
      }),

    useCalls(calls, lanes) {
      deadlines = lanes
      runner = openRunner(calls)
      calls.ending.addEventListener('abort', () => leaving.abort(), { once: true })
      runner.wake()
    },
    work: async () => runner?.work(),
    async close() {
      unsubscribe()
      leaving.abort()
      await runner?.stop()
    },
  }
}
