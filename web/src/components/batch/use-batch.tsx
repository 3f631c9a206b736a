import type { Callable } from 'virtual:contract'
import { useRef, useState } from 'react'
import type { BatchResult } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { notifyDone } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/query.ts'
import { errorText } from '../../lib/text/error-text.ts'
import type { Job } from './batch-dialogs.tsx'
import type { Chosen } from './chosen.ts'
import { useBatchMessages } from './messages.ts'
import type { BatchTexts } from './put-back.ts'
import { type BatchRows, type BatchTally, notBegun } from './tally.ts'

const Progress = onDemand(async () => (await import('./batch-dialogs.tsx')).Progress)
const Summary = onDemand(async () => (await import('./batch-dialogs.tsx')).Summary)

/** Loads the module that makes the calls and reports their result. */
const loadWork = () => import('./report-batch.ts')

export interface BatchRun<Act> {
  /** Runs the action, shows its progress and reports failures. Resolves when it has ended, also after a failure. */
  run: (chosen: Chosen, act: Act) => Promise<void>
  /** The action that runs or has failures to show. */
  job: Job<Act> | undefined
  stop: () => void
  /** Makes these calls of the failed action again; what succeeded before still counts. */
  again: (calls: readonly BatchRows[]) => void
  close: () => void
}

/**
 * Does the same to many rows, on the server, a batch at a time; says then what was done, and offers to undo it.
 * Render `<BatchDialogs {...batch} />` once.
 */
export const useBatch = <Act,>(
  send: (which: BatchRows, act: Act) => Promise<BatchResult>,
  refreshed: readonly Callable[],
  loadTexts: () => Promise<BatchTexts<Act>>,
): BatchRun<Act> => {
  const say = useBatchMessages()
  const refresh = useRefresh()
  const [job, setJob] = useState<Job<Act>>()
  const stopped = useRef(false)

  const report = async (chosen: Chosen, act: Act, tally: BatchTally): Promise<void> => {
    const parts = [loadWork(), loadTexts()] as const
    // Without the connection that the texts come over, the number is still said.
    const found = await Promise.all(parts).catch(() => undefined)
    if (!found) return notifyDone(say('doneMany', { count: tally.done }))
    const [{ reportBatch }, texts] = found
    reportBatch({ act, chosen, tally, texts, send, refresh: () => refresh(...refreshed) })
  }
  const work = async (chosen: Chosen, act: Act, start: BatchTally): Promise<void> => {
    stopped.current = false
    setJob({ act, chosen, tally: start, running: true })
    const tally = await loadWork()
      .then(({ runBatch }) =>
        runBatch(start, (which) => send(which, act), {
          goesOn: () => !stopped.current,
          onProgress: (so) => setJob({ act, chosen, tally: so, running: true }),
        }),
      )
      .catch((error: unknown) => ({ ...start, problem: errorText(error) }))
    await refresh(...refreshed)
    if (tally.failed.length > 0 || tally.left.length > 0) return setJob({ act, chosen, tally, running: false })
    setJob(undefined)
    chosen.clear()
    await report(chosen, act, tally)
  }
  return {
    run: (chosen, act) => work(chosen, act, notBegun(chosen.calls)),
    job,
    stop: () => {
      stopped.current = true
    },
    again: (calls) =>
      void (job && work(job.chosen, job.act, { ...notBegun(calls), done: job.tally.done, before: job.tally.before })),
    close: () => {
      setJob(undefined)
      // The part that succeeded can be taken back.
      if (job && job.tally.done > 0) void report(job.chosen, job.act, job.tally)
    },
  }
}

/** The progress of a long batch, and its failures. */
export const BatchDialogs = <Act,>({ job, stop, again, close }: Omit<BatchRun<Act>, 'run'>) => {
  if (!job) return null
  if (!job.running) return <Summary job={job} onClose={close} onAgain={again} />
  return (job.chosen.matching || job.chosen.calls.length > 1) && <Progress job={job} onStop={stop} />
}
