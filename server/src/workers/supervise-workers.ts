import cluster, { type Worker } from 'node:cluster'
import type { Config } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { leastShare, memoryLimit, shareVariable, workerShare } from '../lib/memory/memory-limit.ts'
import { memorySettings } from '../lib/memory/memory-settings.ts'
import { type MessageLink, openMessageLink } from '../lib/workers/message-link.ts'
import { pipeToWorker } from '../lib/workers/process-pipes.ts'
import { workerVariable } from '../lib/workers/worker-variable.ts'
import { connectionsService, metricsService, recallService, servingTopic, stopTopic } from './primary-link.ts'
import { createPrimaryServices } from './primary-services.ts'
import { workersWithLeftovers } from './workers-with-leftovers.ts'

/** A worker that lived at least so long is replaced at once. Milliseconds. */
const soundMs = 10_000
const firstPauseMs = 500
const longestPauseMs = 30_000
const metricsWaitMs = 2_000

const rejectAfter = (ms: number): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('no answer in time')), ms).unref())

interface Running {
  readonly process: Worker
  readonly link: MessageLink
  serves: boolean
  /** Connections of clients, as it said last. */
  connections: number
}

/** True if what was asked of Node by the operator decides about memory already. */
const isMemoryFlag = (flag: string): boolean => /^--max[-_](semi|old)[-_]space[-_]size/.test(flag)

/**
 * Starts `workers` processes of `program`, a file, that serve, and does for all of them what must be one: balances with what is pending in
 * them, limits, notices between them. A worker that ends is replaced by one of the same number, which finds its journal.
 * Resolves when the first one serves. When this process ends, the workers end with it.
 */
export const superviseWorkers = async (config: Config, log: Log, program: string): Promise<void> => {
  const services = createPrimaryServices(systemClock, await workersWithLeftovers(config))
  const share = workerShare(memoryLimit(), config.workers)
  const { flags, environment } = memorySettings(share)
  if (share < leastShare) log.warn('workers_short_of_memory', { share_mb: Math.floor(share / 2 ** 20) })
  // The operator's variables take precedence.
  const own = { ...environment, ...process.env, [shareVariable]: String(share) }
  const running = new Map<number, Running>()
  let stopping = false

  // Workers accept connections themselves: passed on by this process, one that is on its way to a worker that is killed
  // would get no answer; so it waits for another worker.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: program,
    args: process.argv.slice(2),
    execArgv: [...flags, ...process.execArgv.filter((flag) => !isMemoryFlag(flag))],
  })

  /** Metrics of the other workers; one that does not answer in time is left out. */
  const metricsBeside = async (asking: Worker): Promise<readonly unknown[]> => {
    const others = [...running.values()].filter(({ process: worker, serves }) => serves && worker !== asking)
    const answers = await Promise.allSettled(
      others.map(({ link }) => Promise.race([link.ask(metricsService, []), rejectAfter(metricsWaitMs)])),
    )
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  }

  /** Of the workers that serve, with what one of them has now. */
  const averageConnections = (asking: Worker, open: number): number => {
    const serving = [...running.values()].filter(({ serves }) => serves)
    for (const each of serving) if (each.process === asking) each.connections = open
    return serving.reduce((sum, { connections }) => sum + connections, 0) / Math.max(1, serving.length)
  }

  /** Resolves when it serves, or with its exit code when it ended before. */
  const startWorker = (number: number, failures: number): Promise<number | undefined> => {
    if (stopping) return Promise.resolve(undefined)
    const startedAt = performance.now()
    const up = Promise.withResolvers<number | undefined>()
    const worker = cluster.fork({ ...own, [workerVariable]: String(number) })
    const { services: ofWorker, ended } = services.openFor((accounts) => {
      // One that has just ended has nothing to return.
      link.ask(recallService, [accounts]).catch(() => undefined)
    })
    const link = openMessageLink({
      pipe: pipeToWorker(worker),
      services: new Map<string, (...values: never[]) => unknown>([
        ...ofWorker,
        [metricsService, () => metricsBeside(worker)],
        [connectionsService, (open: number) => averageConnections(worker, open)],
      ]),
      onNotice(topic, text) {
        if (topic === servingTopic) {
          entry.serves = true
          up.resolve(undefined)
          return
        }
        for (const other of running.values()) if (other.process !== worker) other.link.notify(topic, text)
      },
    })
    const entry: Running = { process: worker, link, serves: false, connections: 0 }
    running.set(number, entry)
    worker.on('error', (error) => log.warn('worker_message_lost', { worker: number, error }))
    worker.on('exit', (code, signal) => {
      link.close()
      ended()
      running.delete(number)
      if (stopping) return
      up.resolve(code ?? 1)
      // The first one says why the node cannot start.
      if (number === 1 && !entry.serves && failures === 0) return
      const sound = performance.now() - startedAt >= soundMs
      const next = sound ? 1 : failures + 1
      const pauseMs = sound ? 0 : Math.min(firstPauseMs * 2 ** failures, longestPauseMs)
      log.error('worker_ended', { worker: number, code, signal, replaced_in_ms: pauseMs })
      setTimeout(() => void startWorker(number, next), pauseMs)
    })
    return up.promise
  }

  const stop = (): void => {
    if (stopping) {
      for (const { process: worker } of running.values()) worker.process.kill('SIGKILL')
      process.exit(1)
    }
    stopping = true
    void stopAll()
  }
  const stopAll = async (): Promise<void> => {
    const ended = [...running.values()].map(
      ({ process: worker }) => new Promise<void>((resolve) => worker.once('exit', () => resolve())),
    )
    // One that has just started and does not listen for notices yet has nothing under way.
    for (const { link, serves, process: worker } of running.values()) {
      if (serves) link.notify(stopTopic, '')
      else worker.process.kill('SIGTERM')
    }
    await Promise.all(ended)
    await log.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)

  // It brings the schema up to date and makes what is missing; the others find it.
  const exitCode = await startWorker(1, 0)
  if (exitCode !== undefined) process.exit(exitCode)
  for (let number = 2; number <= config.workers; number += 1) void startWorker(number, 0)
}
