import type { Callable } from 'virtual:contract'
import { useRef, useState } from 'react'
import type { BatchResult } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { notifyDone } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/query.ts'
import type { Job } from './batch-dialogs.tsx'
import type { Chosen } from './chosen.ts'
import { useBatchMessages } from './messages.ts'
import { runBatch, type Tally, type Which } from './run-batch.ts'

const Progress = onDemand(async () => (await import('./batch-dialogs.tsx')).Progress)
const Summary = onDemand(async () => (await import('./batch-dialogs.tsx')).Summary)

export interface Batch<Act> {
  /** Runs the action, shows its progress and reports failures. Resolves when it has ended, also after a failure. */
  run: (chosen: Chosen, act: Act) => Promise<void>
  /** The action that runs or has failures to show. */
  job: Job<Act> | undefined
  stop: () => void
  /** Runs the calls of the failed action again. */
  again: (calls: readonly Which[]) => void
  close: () => void
}

/** Does the same to many rows, on the server, a batch at a time. Render `<BatchDialogs {...batch} />` once. */
export const useBatch = <Act,>(
  send: (which: Which, act: Act) => Promise<BatchResult>,
  refreshed: readonly Callable[],
): Batch<Act> => {
  const say = useBatchMessages()
  const refresh = useRefresh()
  const [job, setJob] = useState<Job<Act>>()
  const stopped = useRef(false)

  const work = async (chosen: Chosen, act: Act, calls: readonly Which[]): Promise<void> => {
    stopped.current = false
    const empty: Tally = { done: 0, failed: [], left: calls }
    setJob({ act, chosen, tally: empty, running: true })
    const tally = await runBatch(calls, (which) => send(which, act), {
      goesOn: () => !stopped.current,
      onProgress: (so) => setJob({ act, chosen, tally: so, running: true }),
    })
    await refresh(...refreshed)
    if (tally.failed.length > 0 || tally.left.length > 0) return setJob({ act, chosen, tally, running: false })
    setJob(undefined)
    chosen.clear()
    notifyDone(chosen.done ?? say('doneMany', { count: tally.done }))
  }
  return {
    run: (chosen, act) => work(chosen, act, chosen.calls),
    job,
    stop: () => {
      stopped.current = true
    },
    again: (calls) => void (job && work(job.chosen, job.act, calls)),
    close: () => setJob(undefined),
  }
}

/** The progress of a long batch, and its failures. */
export const BatchDialogs = <Act,>({ job, stop, again, close }: Omit<Batch<Act>, 'run'>) => {
  if (!job) return null
  if (!job.running) return <Summary job={job} onClose={close} onAgain={again} />
  return (job.chosen.matching || job.chosen.calls.length > 1) && <Progress job={job} onStop={stop} />
}
