import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ChannelJob,
  type ChannelJobName,
  type ErrorCode,
  errors,
  errorText,
  type Language,
} from '@tollgate/contract'
import type { JobState, NamedClaim } from '../../../jobs/named-jobs.ts'
import type { JobRun } from '../../../jobs/runner.ts'
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

/**
 * Does the same work for every channel and reports its progress; ends early when it is stopped. Above 0, `pauseMs` is the time between
 * channels, which are then done one after the other.
 */
export const overChannels = async (
  { claim, signal }: JobRun<NamedClaim>,
  channels: readonly ChannelName[],
  work: (channel: ChannelName) => Promise<Done>,
  pauseMs: number,
): Promise<void> => {
  const tally: Tally = { failed: 0, disabled: 0, enabled: 0, problems: [] }
  const waiting = [...channels]
  let done = 0
  let goesOn = await claim.progress(0, channels.length, { ...tally })
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next && goesOn && !signal.aborted; next = waiting.shift()) {
      note(tally, next, await work(next))
      done += 1
      goesOn = (await claim.progress(done, channels.length, { ...tally })) && goesOn
      if (pauseMs > 0 && waiting.length > 0 && goesOn)
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: pauseMs > 0 ? 1 : atOnce }, worker))
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
