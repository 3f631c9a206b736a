import { channelStatus, role } from '@tollgate/contract'
import type { LiveHealth, LogStore, NewLog, SiteNews } from '../../../app/noun-types.ts'
import type { SharedParts } from '../../../app/parts.ts'
import type { NamedJobs } from '../../../jobs/named-jobs.ts'
import { blankLog } from '../../../ledger/logs/sentence-row.ts'
import { unixSeconds } from '../../../lib/clock.ts'
import { newRequestId } from '../../../lib/ids.ts'
import type { ChannelDirectory } from '../directory.ts'
import type { ChannelKeys } from '../keys/keys.ts'
import type { ChannelName, ChannelStore } from '../store.ts'
import type { UpdateBalance } from './balances.ts'
import { type ChannelJobs, createChannelJobs } from './jobs.ts'
import { probe } from './probe.ts'
import { createChannelCheck } from './test-all.ts'
import { createTestRun, type ProbingParts, type TestChannel, type Tester, type TestLog } from './test-run.ts'

export interface RunParts {
  readonly probing: ProbingParts
  readonly news: Pick<SiteNews, 'channelEnabled' | 'channelsTested'>
  readonly store: ChannelStore
  readonly keys: ChannelKeys
  readonly directory: ChannelDirectory
  readonly live: Pick<LiveHealth, 'forgive'>
  readonly balance: UpdateBalance
  readonly states: NamedJobs
}

/** How often a node asks whether a job is due; which node gets it is decided in the database. */
const askEveryMs = 20_000

const testRow = (test: TestLog, now: number): NewLog => ({
  ...blankLog,
  created_at: now,
  request_id: newRequestId(),
  user_id: test.userId,
  username: test.username,
  type: test.type,
  content: test.content,
  token_name: test.tokenName,
  channel_id: test.channelId,
  group: test.group,
  model_name: test.model,
  quota: test.quota,
  prompt_tokens: test.promptTokens,
  completion_tokens: test.completionTokens,
  use_time: test.useTime,
  is_stream: test.isStream ? 1 : 0,
  other: JSON.stringify(test.other),
})

/** The super admin, in whose name the server tests by itself. */
const rootOf = async ({ database }: SharedParts): Promise<Tester | undefined> =>
  database.query
    .selectFrom('users')
    .select(['id', 'username', 'group'])
    .where('role', '=', role.root)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Parts that tests of saved and unsaved channels share. */
export const probingParts = (shared: SharedParts, logs: Pick<LogStore, 'insert'>): ProbingParts => {
  const { config, clock, upstream } = shared
  const limits = {
    timeouts: config.timeouts,
    maxResponseBytes: config.maxResponseBytes,
    defaultApiVersion: config.azureApiVersion,
  }
  return {
    probe: (channel, request) =>
      probe(channel, request, {
        upstream,
        limits,
        forceStreamOption: config.forceStreamOption,
        models: () => shared.relayOptions().models,
      }),
    prices: shared.prices,
    log: (test) => logs.insert(testRow(test, unixSeconds(clock))),
    clock,
  }
}

/** Joins the tests of channels, the jobs over all of them and what follows from both. */
export const joinChannelJobs = (shared: SharedParts, parts: RunParts): { test: TestChannel; jobs: ChannelJobs } => {
  const { config, options, log, audit } = shared
  const { store, keys, directory, balance, states, news } = parts
  const test = createTestRun({
    ...parts.probing,
    store,
    channelById: (id) => directory.snapshot().byId(id),
    worked: parts.live.forgive,
  })

  const enable = async (channel: ChannelName): Promise<boolean> => {
    if (!(await store.enable(channel.id))) return false
    await directory.changed([channel.id])
    await audit.record({
      actor: { id: 0, username: 'system' },
      action: 'channel.auto_enable',
      object: 'channel',
      objectId: channel.id,
      before: { status: channelStatus.autoDisabled },
      after: { status: channelStatus.enabled, name: channel.name },
      ip: '',
    })
    news.channelEnabled(channel)
    return true
  }

  const check = createChannelCheck({
    test,
    keys,
    directory,
    rules: () => ({
      disables: options.get('AutomaticDisableChannelEnabled'),
      enables: options.get('AutomaticEnableChannelEnabled'),
      slowest: Number(options.get('ChannelDisableThreshold')),
    }),
    enable,
  })
  const jobs = createChannelJobs({
    states,
    store,
    check,
    updateBalance: balance,
    directory,
    disables: () => options.get('AutomaticDisableChannelEnabled'),
    root: () => rootOf(shared),
    tested: news.channelsTested,
    everyMinutes: {
      ...(config.channelTestMinutes === undefined ? {} : { test: config.channelTestMinutes }),
      ...(config.channelUpdateMinutes === undefined ? {} : { balance: config.channelUpdateMinutes }),
    },
    pauseMs: config.pollingIntervalMs,
    askEveryMs,
    clock: shared.clock,
    warn: log.warn,
  })
  return { test, jobs }
}
