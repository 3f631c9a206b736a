import { useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/api/api.ts'
import { type ChannelJobName, calls, channelJobNames } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useAction, useEndpoint, useRefresh } from '../../../lib/query.ts'
import { useJobMessages } from './job-messages.ts'
import type { ChannelJobsView, JobsStripProps } from './jobs-strip.tsx'

const JobsStrip = onDemand<JobsStripProps>(async () => (await import('./jobs-strip.tsx')).JobsStrip)

const watchEveryMs = 1500
const lookEveryMs = 30_000
const aboutJobs = [calls.getChannelJobs, calls.browseChannels, calls.searchChannels] as const

/**
 * The test of all channels and the update of all balances, which go on without this page. Render
 * `<ChannelJobsStrip {...jobs} />` once, above the table.
 */
export const useChannelJobs = (): ChannelJobsView => {
  const say = useJobMessages()
  const refresh = useRefresh()
  const [pending, setPending] = useState<ChannelJobName>()
  /** Jobs that this page saw running; results of earlier jobs are not shown. */
  const [watched, setWatched] = useState<ReadonlySet<ChannelJobName>>(new Set())
  const [busy, setBusy] = useState(false)
  const jobs = useEndpoint(
    calls.getChannelJobs,
    {},
    { refreshEveryMs: busy ? watchEveryMs : lookEveryMs, staleTimeMs: 0 },
  )
  const running = channelJobNames.filter((name) => jobs.data?.[name].running)
  const runningText = running.join()
  // A job may begin and end between two polls, so a change since the last poll counts.
  const state =
    jobs.data && channelJobNames.map((name) => `${jobs.data[name].done} ${jobs.data[name].finished_time}`).join()
  const before = useRef<string>(undefined)

  useEffect(() => {
    setBusy(runningText !== '')
    if (runningText !== '')
      setWatched((jobNames) => new Set([...jobNames, ...(runningText.split(',') as ChannelJobName[])]))
  }, [runningText])
  useEffect(() => {
    if (before.current !== undefined && before.current !== state)
      void refresh(calls.browseChannels, calls.searchChannels)
    before.current = state
  }, [state, refresh])

  const start = useAction(
    (name: ChannelJobName) => call(name === 'test' ? calls.testAllChannels : calls.updateAllBalances),
    {
      done: (_, name) => say(name === 'test' ? 'testBegan' : 'balanceBegan'),
      onDone: (_, name) => setWatched((jobNames) => new Set([...jobNames, name])),
      refresh: aboutJobs,
      refreshAfterFailure: aboutJobs,
    },
  )
  const stop = useAction(calls.stopChannelJob, {
    refresh: [calls.getChannelJobs],
    refreshAfterFailure: [calls.getChannelJobs],
  })
  const dismiss = (name: ChannelJobName): void => setWatched(new Set([...watched].filter((other) => other !== name)))
  const shown = channelJobNames.flatMap((name) => {
    const job = jobs.data?.[name]
    return job && (job.running || (watched.has(name) && job.finished_time > 0)) ? [{ name, job }] : []
  })
  return {
    ask: setPending,
    isRunning: (name) => jobs.data?.[name].running === true,
    shown,
    pending,
    close: () => setPending(undefined),
    start: start.submit,
    stop: (name) => void stop.run({ body: { job: name } }),
    dismiss,
  }
}

/** How far the jobs are or how they ended, and the question before one starts: loaded once there is something to show. */
export const ChannelJobsStrip = (jobs: JobsStripProps) => {
  const isNeeded = jobs.shown.length > 0 || jobs.pending !== undefined
  const [used, setUsed] = useState(isNeeded)
  if (isNeeded && !used) setUsed(true)
  return used && <JobsStrip {...jobs} />
}
