import {
  type ChannelJob,
  type ChannelJobName,
  type ErrorCode,
  errors,
  errorText,
  type Language,
} from '@tollgate/contract'
import type { ClusterJobs, JobRun, JobState } from '../../../db/cluster-jobs.ts'
import type { ChannelName } from '../store.ts'

/** Why a channel failed; in Chinese where the text is ours, whose code is then beside it. */
export type ChannelProblem = Pick<ChannelJob['problems'][number], 'reason' | 'code' | 'params'>

/** Result of a job at one channel. */
export interface Done {
  /** Absent when it did not fail. */
  readonly problem?: ChannelProblem
  readonly disabled?: boolean
  readonly enabled?: boolean
}

interface Tally {
  failed: number
  disabled: number
  enabled: number
  problems: ChannelJob['problems']
}

const mostProblems = 50
/** At once, where the operator asks for no pauses in between. */
const atOnce = 4

export const jobKey = (name: ChannelJobName): string => `channel.${name}`

const note = (tally: Tally, channel: ChannelName, { problem, disabled, enabled }: Done): void => {
  if (disabled) tally.disabled += 1
  if (enabled) tally.enabled += 1
  if (problem === undefined) return
  tally.failed += 1
  tally.problems = [...tally.problems, { channel_id: channel.id, name: channel.name, ...problem }].slice(-mostProblems)
}

export interface JobHow {
  /** Milliseconds between channels; above 0 they are done one after the other. */
  readonly pauseMs: number
  /** True when the server stops. */
  closing(): boolean
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs the same work for every channel and reports its progress; ends early when it is stopped. */
export const overChannels = async (
  run: JobRun,
  channels: readonly ChannelName[],
  work: (channel: ChannelName) => Promise<Done>,
  { pauseMs, closing }: JobHow,
): Promise<void> => {
  const tally: Tally = { failed: 0, disabled: 0, enabled: 0, problems: [] }
  const waiting = [...channels]
  let done = 0
  let goesOn = await run.progress(0, channels.length, { ...tally })
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next && goesOn && !closing(); next = waiting.shift()) {
      note(tally, next, await work(next))
      done += 1
      goesOn = (await run.progress(done, channels.length, { ...tally })) && goesOn
      if (pauseMs > 0 && waiting.length > 0 && goesOn) await pause(pauseMs)
    }
  }
  try {
    await Promise.all(Array.from({ length: pauseMs > 0 ? 1 : atOnce }, worker))
  } finally {
    await run.end(done, channels.length, { ...tally })
  }
}

const empty: Tally = { failed: 0, disabled: 0, enabled: 0, problems: [] }

const isErrorCode = (code: string | undefined): code is ErrorCode => code !== undefined && Object.hasOwn(errors, code)

const problemIn = (language: Language, problem: ChannelJob['problems'][number]): ChannelJob['problems'][number] => {
  const { code, params } = problem
  return isErrorCode(code) ? { ...problem, reason: errorText(code, language, params) } : problem
}

/** A job as the API shows it, its problems in the reader's language. */
export const toJob = (
  { running, startedTime, finishedTime, done, total, result }: JobState,
  language: Language,
): ChannelJob => {
  // Only `overChannels` writes it.
  const tally = { ...empty, ...(result as Partial<Tally>) }
  const problems = tally.problems.map((problem) => problemIn(language, problem))
  return { running, started_time: startedTime, finished_time: finishedTime, done, total, ...tally, problems }
}

export type JobStates = Pick<ClusterJobs, 'begin' | 'beginIfDue' | 'state' | 'stop'>
