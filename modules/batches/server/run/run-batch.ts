import type { DeadlineCalls } from '#server/gateway/deadlines/deadline-calls.ts'
import type { OwnCalls } from '#server/gateway/own-calls/own-calls.ts'
import { every } from '#server/jobs/every.ts'
import type { RowClaim } from '#server/jobs/row-claims.ts'
import type { JobRun } from '#server/jobs/runner.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { createSerialQueue } from '#server/lib/serial-queue.ts'
import type { KeptFiles } from '#server/relay/stored/kept-files.ts'
import type { Batch } from '../forms/batch-form.ts'
import { forms } from '../forms/forms.ts'
import { openInput } from '../input/input-lines.ts'
import type { ProviderRuns } from '../provider/provider-runs.ts'
import type { BatchStore, EndState, Progress } from '../stored/batch-store.ts'
import { type BatchChunks, chunksOf } from '../stored/chunks.ts'
import type { BatchNudges } from '../stored/nudges.ts'
import { timedLines } from '../timed.ts'
import { callIdOf, createLineCalls } from './line-calls.ts'
import { writeResultFile } from './result-files.ts'
import { runLines } from './run-lines.ts'
import { openRunMode } from './run-mode.ts'
import type { Slots } from './slots.ts'
import { type BatchFault, validateInput } from './validate.ts'

export interface BatchRunParts {
  readonly store: BatchStore
  readonly chunks: BatchChunks
  readonly keptFiles: Pick<KeptFiles, 'create' | 'open'>
  readonly calls: OwnCalls
  readonly nudges: Pick<BatchNudges, 'wait'>
  /** Batches that providers run; absent for none. */
  readonly provider?: Pick<ProviderRuns, 'go'> | undefined
  /** Absent where calls have no deadlines. */
  readonly deadlines?: DeadlineCalls | undefined
  /** Places for lines of all batches of this process. */
  readonly slots: Slots
  readonly linesAtOnce: () => number
  readonly mostLines: () => number
  /** Bytes of the longest line. */
  readonly longestLine: number
  /** Milliseconds for which refused lines of a batch that was taken over wait for a charge in the journal of a process that died. */
  readonly journalMs: number
  readonly clock: Clock
  /** Reports an error of the database. */
  readonly failed: (error: unknown) => void
}

/** Milliseconds between looks for what was asked of a batch under way. */
const lookMs = 1_000
/** Seconds of the lease that are left when it is prolonged. */
const leastLease = 12

const endOf = ({ errors, cancelling_time, skipped, total }: Batch): EndState => {
  if (errors !== '[]') return 'failed'
  if (cancelling_time > 0) return 'cancelled'
  return skipped > 0 || total === 0 ? 'expired' : 'completed'
}

const inputGone: BatchFault = {
  code: 'input_unreadable',
  line: null,
  message: 'The input file could not be read to its end. It may have been deleted.',
  param: 'input_file_id',
}

/** Takes a batch from the state in which it is to its end, unless the process ends or another runner has it. */
export const runBatch = async (
  parts: BatchRunParts,
  job: Batch,
  { claim, signal }: Pick<JobRun<RowClaim>, 'claim' | 'signal'>,
): Promise<void> => {
  const { store, chunks, keptFiles, calls, clock, longestLine } = parts
  const form = forms[job.form]
  const mode = openRunMode()
  const leave = (): void => mode.set('left')
  const leaving = AbortSignal.any([signal, calls.ending])
  leaving.addEventListener('abort', leave)
  if (leaving.aborted) leave()
  /** Changes of the claim and changes that rest on it come one after the other. */
  const queue = createSerialQueue()

  const owned = async (change: () => Promise<boolean>): Promise<void> => {
    if (!(await queue.run(change))) leave()
  }

  const look = async (): Promise<void> => {
    await queue.run(async () => {
      if (claim.until - unixSeconds(clock) < leastLease && !(await claim.keep())) leave()
    })
    const row = await store.byId(job.id)
    if (row === undefined) leave()
    else if (row.cancelling_time > 0) mode.set('cancelled')
    else if (row.expires_time <= unixSeconds(clock)) mode.set('expired')
  }

  /** Without the database the lease ends, and another runner may go on. */
  const lookFailed = (error: unknown): void => {
    parts.failed(error)
    if (unixSeconds(clock) >= claim.until) leave()
  }

  const input = (from: number): AsyncIterable<Uint8Array> =>
    job.input_file === '' ? chunks.input(job.id, from) : keptFiles.open({ id: job.input_file }, from)

  const fresh = async (): Promise<Batch> => (await store.byId(job.id)) ?? job

  const failWith = (faults: readonly BatchFault[]): Promise<void> =>
    owned(() => store.change(job.id, claim, { errors: JSON.stringify(faults) }))

  const validate = async (): Promise<void> => {
    const goesOn = (): boolean => mode.current === 'run'
    const rules = { form, batch: job, longestLine, mostLines: parts.mostLines(), goesOn }
    const read = openInput(input)
    const { total, faults: found } = await validateInput(read.bytes(0), rules)
    const faults = read.isGone() ? [inputGone] : found
    if (mode.current === 'left') return
    if (faults.length > 0) await failWith(faults)
    const isOver = faults.length > 0 || !goesOn()
    const next = isOver ? 'finalizing' : 'in_progress'
    const now = unixSeconds(clock)
    const times = isOver ? { finalizing_time: now } : { started_time: now, total }
    await owned(() => store.change(job.id, claim, times, next))
  }

  const write = async (group: Progress, after: number): Promise<void> => {
    for (;;) {
      try {
        return await owned(() => store.progress(job.id, claim, group, after))
      } catch (error) {
        lookFailed(error)
        if (mode.current === 'left') throw error
        await new Promise((resolve) => setTimeout(resolve, lookMs))
      }
    }
  }

  const doLines = async (batch: Batch): Promise<void> => {
    const done = await chunks.doneLines(batch.id, batch.next_line)
    const lineCalls = createLineCalls({
      calls,
      batch,
      slots: parts.slots,
      mode,
      isResumed: claim.attempts > 1,
      journalMs: parts.journalMs,
      clock,
      timed: timedLines(batch, parts),
    })
    const read = openInput(input)
    let written = batch.chunks
    await runLines({
      form,
      batch,
      mode,
      input: ({ offset }) => read.bytes(offset),
      longestLine,
      done,
      atOnce: parts.linesAtOnce,
      make: lineCalls.make,
      async write(group) {
        await write(group, written)
        written += chunksOf(group.results)
      },
      idOf: (line) => callIdOf(batch, line),
    })
    if (mode.current === 'left') return
    if (read.isGone()) await failWith([inputGone])
    await owned(() => store.change(job.id, claim, { finalizing_time: unixSeconds(clock) }, 'finalizing'))
  }

  /** The provider's side of a batch: it goes on without this runner until its provider is asked again. */
  const goToProvider = (batch: Batch, provider: Pick<ProviderRuns, 'go'>): Promise<void> =>
    provider.go({
      batch,
      form,
      mode,
      input,
      write,
      change: (changes) => owned(() => store.change(job.id, claim, changes)),
      wait: (at) => owned(() => parts.nudges.wait(batch, claim, at)),
      finalize: () => owned(() => store.change(job.id, claim, { finalizing_time: unixSeconds(clock) }, 'finalizing')),
    })

  const finalize = async (batch: Batch): Promise<void> => {
    const isFile = batch.input_file !== ''
    const output_file = isFile ? await writeResultFile({ keptFiles, chunks }, batch, 'output') : ''
    const error_file = isFile && form.hasErrorFile ? await writeResultFile({ keptFiles, chunks }, batch, 'error') : ''
    await owned(() => store.end(batch, claim, endOf(batch), { output_file, error_file }))
  }

  const stopLooking = every(lookMs, look, lookFailed)
  try {
    await look()
    for (let batch = await fresh(); mode.current !== 'left'; batch = await fresh()) {
      if (batch.state === 'validating') await validate()
      else if (batch.state === 'in_progress' && batch.runner !== 'own' && parts.provider !== undefined)
        await goToProvider(batch, parts.provider)
      else if (batch.state === 'in_progress') await doLines(batch)
      else if (batch.state === 'finalizing') await finalize(batch)
      else break
    }
  } finally {
    stopLooking()
    leaving.removeEventListener('abort', leave)
    if (leaving.aborted) await queue.run(() => store.release(job.id, claim)).catch(parts.failed)
  }
}
