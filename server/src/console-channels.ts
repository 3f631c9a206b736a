import { channelStatus } from '@tollgate/contract'
import type { Trace } from './db/trace.ts'
import { type ChannelDirectory, openChannelDirectory } from './features/channels/directory.ts'
import { openChannelLists } from './features/channels/list-store.ts'
import { createChannelListing } from './features/channels/lists.ts'
import { probe } from './features/channels/probe.ts'
import { channelRoutes } from './features/channels/routes.ts'
import { createChannelService } from './features/channels/service.ts'
import { openChannelStore } from './features/channels/store.ts'
import { createTestRun, type TestLog } from './features/channels/test-run.ts'
import { channelTypeOf } from './features/channels/types.ts'
import { createUpstreamModels } from './features/channels/upstream-models.ts'
import { blankLog } from './features/logs/events.ts'
import type { LogStore, NewLog } from './features/logs/store.ts'
import { channelDisabled, type Notice } from './features/notices/texts.ts'
import type { On } from './http/route.ts'
import { unixSeconds } from './lib/clock.ts'
import { newRequestId } from './lib/ids.ts'
import type { SharedParts } from './parts.ts'
import { providerOf } from './providers/index.ts'

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
  other: JSON.stringify(test.other),
})

/** What the server does by itself is traced like what people do. */
const automaticDisabling = (channel: { id: number; name: string }, reason: string): Trace => ({
  actor: { id: 0, username: 'system' },
  action: 'channel.auto_disable',
  object: 'channel',
  objectId: channel.id,
  before: { status: channelStatus.enabled },
  after: { status: channelStatus.autoDisabled, name: channel.name, reason },
  ip: '',
})

export interface ChannelNeeds {
  readonly logs: LogStore
  tellRoot(notice: Notice): void
}

const openDirectory = (shared: SharedParts, tellRoot: ChannelNeeds['tellRoot']): Promise<ChannelDirectory> => {
  const { database, secrets, options, bus, log, clock, audit } = shared
  return openChannelDirectory({
    rows: openChannelStore(database),
    provider: providerOf,
    decrypt: (cipher) => secrets.decrypt('channel_key', cipher),
    autoDisable: () => ({
      enabled: options.get('AutomaticDisableChannelEnabled'),
      keywords: options.get('AutomaticDisableKeywords'),
    }),
    bus,
    onDisabled: (channel, reason) => {
      log.warn('a channel was switched off', { channel: channel.id, name: channel.name, reason })
      audit
        .record(automaticDisabling(channel, reason))
        .catch((error: unknown) => log.warn('a trace is lost', { error }))
      tellRoot(channelDisabled(channel, reason))
    },
    warn: (message, cause) => log.warn(message, { cause }),
    clock,
  })
}

/** Joins what operators do with channels, and the picture of them that the relay looks at. */
export const joinChannels = async (
  shared: SharedParts,
  { logs, tellRoot }: ChannelNeeds,
  on: On,
): Promise<ChannelDirectory> => {
  const { config, database, secrets, groups, audit, clock, upstream } = shared
  const store = openChannelStore(database)
  const directory = await openDirectory(shared, tellRoot)
  const limits = {
    timeouts: config.timeouts,
    maxResponseBytes: config.maxResponseBytes,
    defaultApiVersion: config.azureApiVersion,
  }
  channelRoutes(on, {
    channels: createChannelService({
      database,
      store,
      directory,
      audit,
      clock,
      secrets,
      typeOf: channelTypeOf,
      groupExists: groups.exists,
    }),
    listing: createChannelListing(openChannelLists(database), secrets),
    models: createUpstreamModels({ store, secrets, provider: providerOf, upstream, egress: shared.operatorEgress }),
    test: createTestRun({
      store,
      channelById: (id) => directory.snapshot().byId(id),
      probe: (channel, model) =>
        probe(channel, model, {
          upstream,
          limits,
          forceStreamOption: config.forceStreamOption,
          models: () => shared.relayOptions().models,
        }),
      prices: shared.prices,
      log: (test) => logs.insert(testRow(test, unixSeconds(clock))),
      clock,
    }),
  })
  return directory
}
