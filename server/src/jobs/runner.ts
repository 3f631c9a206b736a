import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import { reasonOf } from '../lib/reason-of.ts'
import { every } from './every.ts'
import { type KeyLimit, nextJobs, type Pauses, pauseAfter } from './job-policy.ts'
import type { Claim, JobStore, StoredJob } from './job-store.ts'

/** A job under way. */
export interface JobRun<C extends Claim> {
  readonly claim: C
  /** Aborted when the process stops, and when `aliveEveryMs` finds that another process has the job or that it is to stop. */
  readonly signal: AbortSignal
}

export interface RetryRules<J extends StoredJob> {
  readonly pauses: Pauses
  /** Attempts after which a job is given up; absent for never. */
  readonly mostAttempts?: number
  /** Called before a job that is given up ends. */
  gaveUp?(job: J, failure: { readonly attempts: number; readonly reason: string }): void
}

/** Parts of a runner that its owner passes on: when it looks, and where errors go. */
export interface JobTimes {
  /** Milliseconds between looks for due jobs; absent where only `wake` and `work` look. */
  readonly everyMs?: number | undefined
  /** Reports an error of the database, or of a job that has no retry rules. */
  failed(error: unknown): void
  readonly clock: Clock
}

export interface JobRunnerParts<J extends StoredJob, C extends Claim> extends JobTimes {
  failed(error: unknown, job?: J): void
  readonly store: JobStore<J, C>
  /** Does a job. It resolves when the job is done; it may have written the end itself, together with its results. */
  work(job: J, run: JobRun<C>): Promise<void>
  /** Jobs of this process at a time; 1 where it is not set. */
  readonly atOnce?: number
  readonly keys?: KeyLimit<J>
  /** Without them a failed job is reported, and tried again as its store says: at the end of the lease, or in the next period. */
  readonly retry?: RetryRules<J>
  /** Milliseconds between prolongations of leases; absent where leases outlast each job, or the work prolongs its own. */
  readonly aliveEveryMs?: number
}

export interface JobRunner<J extends StoredJob> {
  /** Looks for due jobs now; returns at once. For timers, for those who have added a job, and for notices of other nodes. */
  wake(): void
  /** The same; resolves when no due job is left to this process. Rejects when the database does not say what is due. */
  work(): Promise<void>
  /** Begins this job now, due or not, unless it runs somewhere; answers whether it has begun. */
  start(job: J): Promise<boolean>
  /** Resolves when this process works on nothing. */
  idle(): Promise<void>
  /** Begins nothing more, aborts the signals of what is under way, and resolves when it has ended. */
  stop(): Promise<void>
}

/** Due jobs that are read at a time, for each that may run. */
const readPerPlace = 8

/** Claims due jobs, does them, and ends, repeats or gives them up. Any number of processes may run the same store. */
export const openJobRunner = <J extends StoredJob, C extends Claim>(parts: JobRunnerParts<J, C>): JobRunner<J> => {
  const { store, keys, retry } = parts
  const atOnce = parts.atOnce ?? 1
  const most = atOnce * readPerPlace
  const stopping = new AbortController()
  const running = new Map<J['id'], Promise<void>>()
  /** Jobs of each key that run, or whose pace is not over. */
  const busy = new Map<string, number>()
  const paces = new Set<Promise<void>>()
  let pass: Promise<void> | undefined
  let isCalled = false
  let bell = Promise.withResolvers<void>()

  const failedAttempt = async (job: J, claim: C, error: unknown): Promise<void> => {
    const reason = reasonOf(error)
    const { attempts } = claim
    if (retry?.mostAttempts !== undefined && attempts >= retry.mostAttempts) {
      retry.gaveUp?.(job, { attempts, reason })
      await claim.done()
      return
    }
    const at = retry && unixSeconds(parts.clock) + pauseAfter(retry.pauses, attempts)
    try {
      await claim.fail({ at, reason })
    } finally {
      if (retry === undefined) parts.failed(error, job)
    }
  }

  const attempt = async (job: J, claim: C): Promise<void> => {
    const leaving = new AbortController()
    const signal = AbortSignal.any([stopping.signal, leaving.signal])
    const look = async (): Promise<void> => {
      if (!(await claim.keep())) leaving.abort()
    }
    const stopLooking = parts.aliveEveryMs === undefined ? undefined : every(parts.aliveEveryMs, look, parts.failed)
    try {
      await parts.work(job, { claim, signal }).finally(stopLooking)
    } catch (error) {
      return failedAttempt(job, claim, error)
    }
    await claim.done()
  }

  const track = (job: J, work: Promise<void>): void => {
    const tracked = work
      .catch((error: unknown) => parts.failed(error, job))
      .finally(() => {
        if (running.get(job.id) === tracked) running.delete(job.id)
      })
    running.set(job.id, tracked)
  }

  const occupy = ({ keyOf, paceMs }: KeyLimit<J>, job: J): void => {
    const key = keyOf(job)
    busy.set(key, (busy.get(key) ?? 0) + 1)
    const pace = sleep(paceMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    const over = Promise.all([running.get(job.id), pace]).then(() => {
      const left = (busy.get(key) ?? 1) - 1
      if (left === 0) busy.delete(key)
      else busy.set(key, left)
      paces.delete(over)
    })
    paces.add(over)
  }

  const begin = (job: J): void => {
    const claimed = store.claim(job).then((claim) => (claim === undefined ? undefined : attempt(job, claim)))
    track(job, claimed)
    if (keys !== undefined) occupy(keys, job)
  }

  const runDue = async (): Promise<void> => {
    let waiting: readonly J[] = []
    /** Jobs that this look has begun: what is due again at once waits for the next look. */
    let begun = new Set<J['id']>()
    let mayBeMore = false
    /** Jobs that were made due while they run here: they are looked for again when they have ended. */
    let early: readonly J[] = []
    for (;;) {
      if (stopping.signal.aborted) return
      isCalled ||= early.some(({ id }) => !running.has(id))
      if (isCalled || (mayBeMore && waiting.length === 0)) {
        if (isCalled) begun = new Set()
        isCalled = false
        bell = Promise.withResolvers()
        const due = await store.due(most)
        waiting = due.filter(({ id }) => !begun.has(id) && !running.has(id))
        early = due.filter(({ id }) => running.has(id))
        mayBeMore = due.length >= most && waiting.length > 0
      }
      const limits = keys && { limit: keys, busy }
      const next = stopping.signal.aborted ? [] : nextJobs(waiting, atOnce - running.size, limits)
      for (const job of next) {
        begun.add(job.id)
        begin(job)
      }
      waiting = waiting.filter(({ id }) => !begun.has(id))
      const isOver = waiting.length === 0 && running.size === 0
      if (isOver && !isCalled && !mayBeMore) return
      if (!isOver) await Promise.race([bell.promise, ...running.values(), ...(waiting.length > 0 ? paces : [])])
    }
  }

  const work = async (): Promise<void> => {
    isCalled = true
    bell.resolve()
    // A pass that was about to end has not seen the call.
    while (isCalled && !stopping.signal.aborted) {
      pass ??= runDue().finally(() => {
        pass = undefined
      })
      await pass
    }
  }

  const wake = (): void => void work().catch((error: unknown) => parts.failed(error))

  const idle = async (): Promise<void> => {
    while (pass !== undefined || running.size > 0)
      await Promise.all([pass?.catch(() => undefined), ...running.values()])
  }

  const timer = parts.everyMs === undefined ? undefined : setInterval(wake, parts.everyMs)
  timer?.unref()

  return {
    wake,
    work,
    async start(job) {
      const claim = stopping.signal.aborted ? undefined : await store.claim(job)
      if (claim === undefined) return false
      track(job, attempt(job, claim))
      return true
    },
    idle,
    async stop() {
      clearInterval(timer)
      stopping.abort()
      bell.resolve()
      await idle()
    },
  }
}
