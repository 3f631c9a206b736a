import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { useHeld } from '../../../components/form/held.ts'
import type { ChannelJob, ChannelJobName } from '../../../lib/api/contract.ts'
import { refusalText } from '../../../lib/text/refusal-text.ts'
import classes from './jobs.module.css'
import { useJobsStripMessages } from './jobs-strip-messages.ts'

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

/** Props of the strip above the list. */
export type JobsStripProps = Omit<ChannelJobsView, 'ask' | 'isRunning'>

const Running = ({ name, job, onStop }: { name: ChannelJobName; job: ChannelJob; onStop: () => void }) => {
  const say = useJobsStripMessages()
  const held = useHeld()
  const title = say(name === 'test' ? 'testing' : 'asking')
  return (
    <div className={classes.strip} role="status">
      <span>{title}</span>
      <progress className={classes.bar} value={job.done} max={Math.max(1, job.total)} aria-label={title} />
      <span className="num">{say('progress', { done: job.done, total: job.total })}</span>
      {job.failed > 0 && <span className={classes.bad}>{say('failed', { count: job.failed })}</span>}
      <Button size="compact-sm" onClick={onStop} {...held}>
        {say('stop')}
      </Button>
    </div>
  )
}

const Over = ({ name, job, onClose }: { name: ChannelJobName; job: ChannelJob; onClose: () => void }) => {
  const say = useJobsStripMessages()
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
          {job.problems.map((problem) => (
            <li key={problem.channel_id}>
              {problem.name}：<span>{refusalText(problem.reason, problem)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** How far the jobs are or how they ended, and the question before one starts. */
export const JobsStrip = (jobs: JobsStripProps) => {
  const say = useJobsStripMessages()
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
