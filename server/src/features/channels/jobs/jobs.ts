import { type ChannelJobName, channelStatus, type DataOf, type getChannelJobs, type Language } from '@tollgate/contract'
import type { NamedClaim, NamedJob, NamedJobs } from '../../../jobs/named-jobs.ts'
import { type JobRun, openJobRunner } from '../../../jobs/runner.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import { ownCause } from '../../../lib/json/stored-error.ts'
import { hasBalance } from '../balance.ts'
import type { ChannelDirectory } from '../directory.ts'
import { problemOf } from '../reasons.ts'
import type { ChannelName, ChannelStore } from '../store.ts'
import type { UpdateBalance } from './balances.ts'
import { type Done, jobKey, overChannels, toJob } from './job.ts'
import type { Tester } from './test-run.ts'

export interface ChannelJobsParts {
  readonly states: NamedJobs
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
  /** Milliseconds between looks whether a job is due; absent where only calls look. */
  readonly askEveryMs?: number
  readonly clock: Clock
  warn(event: string, fields: Readonly<Record<string, unknown>>): void
}

export interface ChannelJobs {
  /** Begins a job and answers at once. Throws AppError when it runs already, on whatever node. */
  start(name: ChannelJobName, tester: Tester): Promise<void>
  /** Begins the jobs whose time has come, and resolves when they have ended. */
  tick(): Promise<void>
  states(language: Language): Promise<DataOf<typeof getChannelJobs>>
  stop(name: ChannelJobName): Promise<void>
  /** Resolves when this node works on nothing. */
  idle(): Promise<void>
  /** Ends what this node does; resolves when it has. */
  close(): Promise<void>
}

const runningAlready = { test: 'channel_test_running', balance: 'balance_running' } as const

const channelJobNames = Object.keys(runningAlready) as readonly ChannelJobName[]
const aliveEveryMs = 30_000

interface ChannelWork extends NamedJob {
  readonly name: ChannelJobName
  /** The caller who has started it; absent where its time has come. */
  readonly tester?: Tester
}

/** The test of all channels and the update of all balances: once for all nodes, in the background. */
export const createChannelJobs = (parts: ChannelJobsParts): ChannelJobs => {
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

  const checkedBy = async (tester: Tester | undefined): Promise<Tester> => {
    const checker = tester ?? (await parts.root())
    if (checker === undefined) throw new AppError('user_not_found')
    return checker
  }

  const work: Readonly<Record<ChannelJobName, (run: JobRun<NamedClaim>, tester: Tester | undefined) => Promise<void>>> =
    {
      async test(run, tester) {
        const checker = await checkedBy(tester)
        const check = (channel: ChannelName): Promise<Done> => parts.check(channel, checker)
        await overChannels(run, await parts.store.all(), check, parts.pauseMs)
        if (tester !== undefined) parts.tested()
      },
      async balance(run) {
        const channels = (await parts.store.all()).filter(
          ({ status, type }) => status === channelStatus.enabled && hasBalance(type),
        )
        await overChannels(run, channels, refreshBalance, parts.pauseMs)
      },
    }

  const scheduled = channelJobNames.flatMap((name): ChannelWork[] => {
    const minutes = parts.everyMinutes[name]
    return minutes === undefined ? [] : [{ id: jobKey(name), name, everySeconds: minutes * 60 }]
  })
  const runner = openJobRunner({
    store: parts.states.store<ChannelWork>(scheduled, async () => (await parts.root()) !== undefined),
    work: ({ name, tester }, run) => work[name](run, tester),
    atOnce: channelJobNames.length,
    everyMs: parts.askEveryMs,
    aliveEveryMs,
    failed: (error, job) =>
      job === undefined
        ? parts.warn('channel_job_late', { error })
        : parts.warn('channel_job_failed', { job: job.name, error }),
    clock: parts.clock,
  })

  return {
    start: async (name, tester) => {
      if (!(await runner.start({ id: jobKey(name), name, tester }))) throw new AppError(runningAlready[name])
    },
    tick: runner.work,
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
    idle: runner.idle,
    close: runner.stop,
  }
}
