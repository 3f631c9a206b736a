import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { call } from '../../../lib/api/api.ts'
import { type ChannelJob, type ChannelJobName, calls, channelJobNames } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint, useRefresh } from '../../../lib/query.ts'
import { useJobMessages } from './job-messages.ts'
import classes from './jobs.module.css'

const watchEveryMs = 1500
const lookEveryMs = 30_000
const aboutJobs = [calls.getChannelJobs, calls.browseChannels, calls.searchChannels] as const

const Running = ({ name, job, onStop }: { name: ChannelJobName; job: ChannelJob; onStop: () => void }) => {
  const say = useJobMessages()
  const title = say(name === 'test' ? 'testing' : 'asking')
  return (
    <div className={classes.strip} role="status">
      <span>{title}</span>
      <progress className={classes.bar} value={job.done} max={Math.max(1, job.total)} aria-label={title} />
      <span className="num">{say('progress', { done: job.done, total: job.total })}</span>
      {job.failed > 0 && <span className={classes.bad}>{say('failed', { count: job.failed })}</span>}
      <Button size="compact-sm" onClick={onStop}>
        {say('stop')}
      </Button>
    </div>
  )
}

const Over = ({ name, job, onClose }: { name: ChannelJobName; job: ChannelJob; onClose: () => void }) => {
  const say = useJobMessages()
  const [open, setOpen] = useState(false)
  return (
    <div className={classes.strip} role="status">
      <span>{say(name === 'test' ? 'tested' : 'asked', { done: job.done, total: job.total })}</span>
      {job.failed > 0 && <span className={classes.bad}>{say('failed', { count: job.failed })}</span>}
      {job.disabled > 0 && <span className={classes.bad}>{say('disabled', { count: job.disabled })}</span>}
      {job.enabled > 0 && <span>{say('enabled', { count: job.enabled })}</span>}
      {job.problems.length > 0 && (
        <button type="button" className="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {say('reasons')}
        </button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={onClose}>
        {say('dismiss')}
      </Button>
      {open && (
        <ul className={classes.problems}>
          {job.problems.map(({ channel_id, name: channel, reason }) => (
            <li key={channel_id}>
              {channel}：<span>{reason}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface ShownJob {
  readonly name: ChannelJobName
  readonly job: ChannelJob
}

export interface ChannelJobsView {
  /** Asks for confirmation, then starts the job. */
  ask: (name: ChannelJobName) => void
  isRunning: (name: ChannelJobName) => boolean
  /** The jobs that run, and those that ended while this page was open. */
  shown: readonly ShownJob[]
  /** The job that waits for confirmation. */
  pending: ChannelJobName | undefined
  close: () => void
  start: (name: ChannelJobName) => Promise<void>
  stop: (name: ChannelJobName) => void
  dismiss: (name: ChannelJobName) => void
}

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

/** How far the jobs are or how they ended, and the question before one starts. */
export const ChannelJobsStrip = (jobs: Omit<ChannelJobsView, 'ask' | 'isRunning'>) => {
  const say = useJobMessages()
  const { pending } = jobs
  return (
    <>
      {jobs.shown.map(({ name, job }) =>
        job.running ? (
          <Running key={name} name={name} job={job} onStop={() => jobs.stop(name)} />
        ) : (
          <Over key={name} name={name} job={job} onClose={() => jobs.dismiss(name)} />
        ),
      )}
      <ConfirmAction
        opened={pending !== undefined}
        onClose={jobs.close}
        title={say(pending === 'balance' ? 'balanceTitle' : 'testTitle')}
        effect={say(pending === 'balance' ? 'balanceEffect' : 'testEffect')}
        confirmLabel={say(pending === 'balance' ? 'balanceConfirm' : 'testConfirm')}
        onConfirm={() => jobs.start(pending ?? 'test')}
      />
    </>
  )
}
