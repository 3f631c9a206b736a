import type { JoinedModule, JoinModule, ModuleKit } from '#server/app/modules/module-kit.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { openOrganisationReaders } from '#server/features/organisations/scopes.ts'
import type { DeadlineCalls } from '#server/gateway/deadlines/deadline-calls.ts'
import type { GatewayKit } from '#server/gateway/module-side.ts'
import type { OwnCalls } from '#server/gateway/own-calls/own-calls.ts'
import { every } from '#server/jobs/every.ts'
import type { JobRunner } from '#server/jobs/runner.ts'
import type { Holding } from '#server/relay/provider-jobs/holding.ts'
import { openBatchRunner } from './batch-runner.ts'
import { anthropicCalls } from './calls/anthropic-calls.ts'
import { sharedCalls } from './calls/routes.ts'
import { openBatchFigures } from './console/batch-figures.ts'
import { createBatchReads } from './console/batch-reads.ts'
import { createRetry } from './console/retry.ts'
import { batchRoutes } from './console/routes.ts'
import { type BatchCreation, createBatches } from './creation.ts'
import type { Batch } from './forms/batch-form.ts'
import { openProviderBatchStore } from './provider/provider-batch-store.ts'
import { openProviderRuns } from './provider/provider-runs.ts'
import { openSlots } from './run/slots.ts'
import { type BatchStore, openBatchStore } from './stored/batch-store.ts'
import { type BatchChunks, openBatchChunks } from './stored/chunks.ts'
import { openBatchNudges } from './stored/nudges.ts'

const usualLookMs = 5_000
const purgeEveryMs = 3_600_000
const holdEveryMs = 30_000
const usualJournalMs = 20 * 60_000

/** Kind of these jobs in the addresses at which providers call, and topic of notices that one of them is due. */
const jobKind = 'batch'
const dueTopic = 'batch_due'

/** Answers to calls of these are no JSON. */
const soundCalls = /^\/v1\/audio\//

/** The parts of the server that batches need. */
export type BatchKit = Pick<
  ModuleKit,
  'database' | 'secrets' | 'clock' | 'keptFiles' | 'jobEnds' | 'jobFigures' | 'jobHooks' | 'channelHooks'
> & {
  readonly bus: Pick<ModuleKit['bus'], 'publish' | 'subscribe'>
  readonly config: Pick<ModuleKit['config'], 'isSlave' | 'maxRequestBytes' | 'nodeName'>
  readonly log: Pick<ModuleKit['log'], 'warn'>
  readonly options: Pick<ModuleKit['options'], 'get'>
  /** Milliseconds between looks for batches that are due. */
  readonly lookEveryMs?: number
  /** Milliseconds for which charges of processes that died are waited for. */
  readonly journalMs?: number
}

/** The module as it is joined; of the gateway it uses calls of its own and jobs at providers. */
export interface BatchModule extends Required<Pick<JoinedModule, 'calls' | 'close'>> {
  readonly store: BatchStore
  readonly chunks: BatchChunks
  readonly creation: BatchCreation
  useGateway(gateway: Pick<GatewayKit, 'ownCalls' | 'batchedCalls' | 'openProviderJobs' | 'deadlines'>): void
}

/** Opens the calls of clients, and the runner of lines once the gateway stands. */
export const openBatches = (kit: BatchKit): BatchModule => {
  const { config, database, secrets, clock, log, options, keptFiles, jobEnds, jobFigures, jobHooks, bus } = kit
  const chunks = openBatchChunks(database, secrets)
  const store = openBatchStore({ database, chunks, jobEnds, clock })
  const nudges = openBatchNudges(database, clock)
  jobFigures.add('batch', store.openJobs)
  const failed = (error: unknown): void => log.warn('batch_run_failed', { error })
  let calls: OwnCalls | undefined
  let deadlines: DeadlineCalls | undefined
  const lanes = (): DeadlineCalls | undefined => deadlines
  let runner: JobRunner<Batch> | undefined
  let holding: Holding | undefined
  let round: Promise<void> = Promise.resolve()
  let stopHolding = (): void => {}
  const takes = (path: string): boolean => calls?.takes(path) === true && !soundCalls.test(path)
  const mostLines = (): number => options.get('BatchMostLines')
  const provided = openProviderBatchStore({ database, holder: config.nodeName, clock })
  const channelIds = (): ReadonlySet<number> => new Set(options.get('BatchProviderChannels').map(Number))
  const creation = createBatches({
    store,
    chunks,
    mostOpen: () => options.get('BatchMostOpen'),
    runner: () => (channelIds().size > 0 ? 'any' : 'own'),
    clock,
    wake: () => runner?.wake(),
  })
  const nudge = async (objectId: string): Promise<boolean> => {
    const nudged = await nudges.nudge(objectId)
    if (nudged === 'due') bus.publish(dueTopic)
    return nudged !== 'unknown'
  }
  jobHooks.listen(jobKind, nudge)
  kit.channelHooks.listen(async (channelId, upstreamId) => {
    const objectId = await nudges.atProvider(channelId, upstreamId)
    return objectId !== undefined && nudge(objectId)
  })
  const stopListening = bus.subscribe(dueTopic, () => runner?.wake())
  const stopPurging = config.isSlave
    ? () => {}
    : every(
        purgeEveryMs,
        async () => {
          await store.purge()
          await provided.purge()
        },
        failed,
      )
  return {
    store,
    chunks,
    creation,
    calls: [
      ...sharedCalls({ store, chunks, creation, keptFiles, takes, mostLines, lanes }),
      ...anthropicCalls({ store, chunks, creation, mostLines, lanes }),
    ],
    useGateway({ ownCalls, batchedCalls, openProviderJobs, deadlines: joined }) {
      calls = ownCalls
      deadlines = joined
      const provider = openProviderRuns({
        store: provided,
        calls: batchedCalls,
        jobs: openProviderJobs(),
        chunks,
        channelIds,
        callbackUrl: (objectId) => jobHooks.addressOf(jobKind, objectId),
        deadlines: joined,
        linesAtOnce: () => options.get('BatchLinesAtOnce'),
        longestLine: config.maxRequestBytes,
        clock,
        log: (event, fields) => log.warn(event, fields),
      })
      holding = provider.holding
      round = holding.resume().catch(failed)
      stopHolding = every(holdEveryMs, () => (round = provider.holding.tick().catch(failed)), failed)
      const opened = openBatchRunner({
        store,
        nudges,
        chunks,
        keptFiles,
        calls: ownCalls,
        provider,
        deadlines,
        slots: openSlots(() => options.get('BatchProcessLinesAtOnce')),
        linesAtOnce: () => options.get('BatchLinesAtOnce'),
        mostLines,
        longestLine: config.maxRequestBytes,
        journalMs: kit.journalMs ?? usualJournalMs,
        clock,
        failed,
        everyMs: kit.lookEveryMs ?? usualLookMs,
      })
      runner = opened
      ownCalls.ending.addEventListener('abort', () => void opened.stop().catch(failed))
      opened.wake()
    },
    async close() {
      stopListening()
      stopPurging()
      await runner?.stop()
      stopHolding()
      await round
      await holding?.close().catch(failed)
    },
  }
}

/** Adds the calls of the console. */
export const openBatchConsole = (
  kit: BatchKit & Pick<ModuleKit, 'logDatabase' | 'audit' | 'on'>,
  { store, chunks, creation }: Pick<BatchModule, 'store' | 'chunks' | 'creation'>,
): void => {
  const { database, logDatabase, clock, keptFiles, audit, config, on } = kit
  const { organisationTasks } = openOrganisationReaders(database)
  const figures = openBatchFigures({ database, logDatabase, clock })
  batchRoutes(on, {
    reads: createBatchReads({ database, figures, names: namesOf(database) }),
    store,
    chunks,
    keptFiles,
    retry: createRetry({ chunks, keptFiles, creation, longestLine: config.maxRequestBytes }),
    audit,
    organisationTasks,
  })
}

/** Joins batches. */
export const join: JoinModule = (kit) => {
  const batches = openBatches(kit)
  openBatchConsole(kit, batches)
  return batches
}
