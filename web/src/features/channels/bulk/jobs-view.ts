import type { ChannelJob, ChannelJobName } from '../../../lib/api/contract.ts'

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
