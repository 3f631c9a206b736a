import { type ChannelJobName, channelStatus, type DataOf, type getChannelJobs, type Language } from '@tollgate/contract'
import type { JobRun } from '../../../db/cluster-jobs.ts'
import { AppError } from '../../../lib/app-error.ts'
import { ownCause } from '../../../lib/json/stored-error.ts'
import { hasBalance } from '../balance.ts'
import type { ChannelDirectory } from '../directory.ts'
import { problemOf } from '../reasons.ts'
import type { ChannelName, ChannelStore } from '../store.ts'
import type { UpdateBalance } from './balances.ts'
import { type Done, type JobStates, jobKey, overChannels, toJob } from './job.ts'
import type { Tester } from './test-run.ts'

export interface ChannelJobsParts {
  readonly states: JobStates
  readonly store: Pick<ChannelStore, 'all'>
  check(channel: ChannelName, tester: Tester): Promise<Done>
  readonly updateBalance: UpdateBalance
  readonly directory: Pick<ChannelDirectory, 'snapshot' | 'disable'>
  /** `AutomaticDisableChannelEnabled` */
  disables(): boolean
  /** In whose name the server tests by itself. */
  root(): Promise<Tester | undefined>
  /** Called when a manually started test ends. */
  tested(): void
  /** Minutes between scheduled runs; absent for no schedule. */
  readonly everyMinutes: Readonly<Partial<Record<ChannelJobName, number>>>
  /** Milliseconds between channels. */
  readonly pauseMs: number
  warn(event: string, fields: Readonly<Record<string, unknown>>): void
}

export interface ChannelJobs {
  /** Begins a job and answers at once. Throws AppError when it runs already, on whatever node. */
  start(name: ChannelJobName, tester: Tester): Promise<void>
  /** Begins the jobs whose time has come; for a timer. */
  tick(): Promise<void>
  states(language: Language): Promise<DataOf<typeof getChannelJobs>>
  stop(name: ChannelJobName): Promise<void>
  /** Resolves when this node works on nothing. */
  idle(): Promise<void>
  /** Ends what this node does; resolves when it has. */
  close(): Promise<void>
}

const runningAlready = { test: 'channel_test_running', balance: 'balance_running' } as const

/** The test of all channels and the update of all balances: once for all nodes, in the background. */
export const createChannelJobs = (parts: ChannelJobsParts): ChannelJobs => {
  const under = new Set<Promise<void>>()
  let closing = false
  const how = { pauseMs: parts.pauseMs, closing: () => closing }

  const refreshBalance = async (channel: ChannelName): Promise<Done> => {
    try {
      const balance = await parts.updateBalance(channel.id)
      const relayed = parts.directory.snapshot().byId(channel.id)
      const isSpent = balance <= 0 && relayed?.autoBan === true && parts.disables()
      return { disabled: isSpent && parts.directory.disable(relayed, ownCause('channel_balance_spent')) }
    } catch (error) {
      if (error instanceof AppError) return { problem: problemOf(error) }
      throw error
    }
  }

  const work: Readonly<Record<ChannelJobName, (run: JobRun, tester: Tester) => Promise<void>>> = {
    test: async (run, tester) =>
      overChannels(run, await parts.store.all(), (channel) => parts.check(channel, tester), how),
    balance: async (run) => {
      const channels = (await parts.store.all()).filter(
        ({ status, type }) => status === channelStatus.enabled && hasBalance(type),
      )
      await overChannels(run, channels, refreshBalance, how)
    },
  }

  const inBackground = (name: ChannelJobName, run: JobRun, tester: Tester, ended: () => void): void => {
    const running = work[name](run, tester)
      .then(ended)
      .catch(async (error: unknown) => {
        parts.warn('channel_job_failed', { job: name, error })
        // It must not count as running for ever.
        await run
          .end(0, 0, {})
          .catch((cause: unknown) => parts.warn('channel_job_end_not_written', { job: name, error: cause }))
      })
      .finally(() => under.delete(running))
    under.add(running)
  }

  const idle = async (): Promise<void> => {
    await Promise.all(under)
  }

  const due = async (name: ChannelJobName, minutes: number): Promise<void> => {
    const root = await parts.root()
    const run = root && (await parts.states.beginIfDue(jobKey(name), minutes * 60))
    if (run) inBackground(name, run, root, () => undefined)
  }

  return {
    start: async (name, tester) => {
      const run = await parts.states.begin(jobKey(name))
      if (!run) throw new AppError(runningAlready[name])
      inBackground(name, run, tester, () => {
        if (name === 'test') parts.tested()
      })
    },
    tick: async () => {
      const { test, balance } = parts.everyMinutes
      if (test !== undefined) await due('test', test)
      if (balance !== undefined) await due('balance', balance)
    },
    states: async (language) => {
      const [test, balance] = await Promise.all([
        parts.states.state(jobKey('test')),
        parts.states.state(jobKey('balance')),
      ])
      return { test: toJob(test, language), balance: toJob(balance, language) }
    },
    stop: async (name) => {
      await parts.states.stop(jobKey(name))
    },
    idle,
    close: async () => {
      closing = true
      await idle()
    },
  }
}
