import { type Cause, channelStatus, type LearnedKeyLimits } from '@tollgate/contract'
import { bareAmountText } from '../../billing/amounts/amount-text.ts'
import { openClusterJobs } from '../../db/cluster-jobs.ts'
import type { Trace } from '../../db/trace.ts'
import { openEngineProbe } from '../../features/channel-health/engine-probe.ts'
import { createHealthService } from '../../features/channel-health/health.ts'
import { type LiveHealth, openLiveHealth } from '../../features/channel-health/live.ts'
import { healthRoutes } from '../../features/channel-health/routes.ts'
import { openHealthStore } from '../../features/channel-health/store.ts'
import { type ChannelDirectory, openChannelDirectory } from '../../features/channels/directory.ts'
import { createBalances } from '../../features/channels/jobs/balances.ts'
import { openKeyStore } from '../../features/channels/keys/key-store.ts'
import { createChannelKeys } from '../../features/channels/keys/keys.ts'
import { createLossWatch, type LossWatch } from '../../features/channels/loss-watch.ts'
import { openChannelLists } from '../../features/channels/models/list-store.ts'
import { createChannelListing } from '../../features/channels/models/lists.ts'
import { createUpstreamModels } from '../../features/channels/models/upstream-models.ts'
import { channelRoutes } from '../../features/channels/routes.ts'
import { endOf } from '../../features/channels/rules.ts'
import { createChannelService } from '../../features/channels/service.ts'
import { openChannelStore } from '../../features/channels/store.ts'
import { channelTypeOf } from '../../features/channels/types.ts'
import { channelDisabled, channelKeyDisabled, soldBelowCost } from '../../features/notices/texts.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import { causeIn } from '../../lib/json/stored-error.ts'
import { providerOf } from '../../providers/index.ts'
import { type KnownLimits, openUpstreamLimits, type UpstreamLimits } from '../../relay/routing/upstream-limits.ts'
import type { SharedParts } from '../parts.ts'
import { joinChannelJobs, type RunParts } from './console-channel-jobs.ts'

export type ChannelNeeds = Pick<RunParts, 'logs' | 'notifyRoot'>

export interface ChannelSide {
  readonly directory: ChannelDirectory
  readonly lossWatch: LossWatch
  readonly upstreamLimits: UpstreamLimits
  readonly stateOf: LiveHealth['stateOf']
  readonly avoidedModels: LiveHealth['avoidedModels']
  /** Lets what is under way end and writes down what happened; call it when no call is relayed any more. */
  close(): Promise<void>
}

const flushEveryMs = 20_000
const purgeEveryMs = 3_600_000
/** How often nodes tell each other what is left of providers' limits. */
const tellEveryMs = 3000

/** Automatic changes get audit entries like manual ones. */
const automatic = (action: string, channel: { id: number; name: string }, { text: reason }: Cause): Trace => ({
  actor: { id: 0, username: 'system' },
  action: `channel.${action}`,
  object: 'channel',
  objectId: channel.id,
  before: { status: channelStatus.enabled },
  after: { status: channelStatus.autoDisabled, name: channel.name, reason },
  ip: '',
})

const openDirectory = (
  shared: SharedParts,
  health: LiveHealth,
  notifyRoot: ChannelNeeds['notifyRoot'],
): Promise<ChannelDirectory> => {
  const { database, secrets, options, bus, log, clock, audit } = shared
  const store = openChannelStore(database)
  const leaveTrace = (trace: Trace): void => {
    audit.record(trace).catch((error: unknown) => log.warn('audit_entry_lost', { error }))
  }
  return openChannelDirectory({
    rows: { relayRows: store.relayRows, disable: store.disable, disableKey: openKeyStore(database).disable },
    provider: providerOf,
    decrypt: (cipher) => secrets.decrypt('channel_key', cipher),
    digest: (key) => secrets.digest('channel_key', key),
    autoDisable: () => ({
      enabled: options.get('AutomaticDisableChannelEnabled'),
      keywords: options.get('AutomaticDisableKeywords'),
    }),
    bus,
    health,
    redrawn: shared.sources.bump,
    onDisabled: (channel, cause) => {
      log.warn('channel_disabled', { channel: channel.id, name: channel.name, reason: causeIn(cause, 'en').text })
      leaveTrace(automatic('auto_disable', channel, cause))
      notifyRoot(channelDisabled(channel, cause))
    },
    onKeyDisabled: (channel, key, cause) => {
      log.warn('channel_key_disabled', { channel: channel.id, name: channel.name, reason: causeIn(cause, 'en').text })
      leaveTrace(automatic('auto_disable_key', channel, cause))
      notifyRoot(channelKeyDisabled(channel, endOf(key), cause))
    },
    warn: log.warn,
    clock,
  })
}

const seconds = (ms: number): number => Math.ceil(ms / 1000)

const printedLimits = ({ model, limits, usedUpUntil }: KnownLimits): LearnedKeyLimits => ({
  model,
  used_up_until: seconds(usedUpUntil),
  limits: limits.map(({ kind, most, left, resetAt }) => ({ kind, most, left, resets_at: seconds(resetAt) })),
})

/** Warns in the log and with a notice. */
const lossWatchOf = (
  { options, log, clock }: SharedParts,
  directory: ChannelDirectory,
  notifyRoot: ChannelNeeds['notifyRoot'],
): LossWatch =>
  createLossWatch({
    enabled: () => options.get('LossWarningEnabled'),
    clock,
    warn({ requestId, channelId, model, quota, cost }) {
      log.warn('call_below_cost', { request_id: requestId, channel: channelId, model, quota, cost })
      const name = directory.snapshot().byId(channelId)?.name ?? ''
      const quotaPerUnit = options.get('QuotaPerUnit')
      const style = { inCurrency: options.get('DisplayInCurrencyEnabled'), quotaPerUnit }
      const [paid, taken] = [bareAmountText(quota, style), bareAmountText(cost, style)]
      notifyRoot(soldBelowCost({ id: channelId, name }, model, { quota: paid, cost: taken }))
    },
  })

/** Joins what operators do with channels, what is known of their health, and the picture of them that the relay looks at. */
export const joinChannels = async (
  shared: SharedParts,
  { logs, notifyRoot }: ChannelNeeds,
  on: On,
): Promise<ChannelSide> => {
  const { database, secrets, groups, audit, clock, upstream, log, bus, operatorEgress: egress } = shared
  const store = openChannelStore(database)
  const keyStore = openKeyStore(database)
  const upstreamLimits = openUpstreamLimits({ clock, bus })
  const live = openLiveHealth({ clock, bus, forgiven: upstreamLimits.forget, probe: openEngineProbe(upstream) })
  const health = createHealthService({ store: openHealthStore(database), live, clock })
  const directory = await openDirectory(shared, live, notifyRoot)
  const keys = createChannelKeys({
    database,
    store,
    keys: keyStore,
    secrets,
    directory,
    restsUntil: live.keyRestsUntil,
    limitsOf: (channelId, seed) => upstreamLimits.of(channelId, seed).map(printedLimits),
    audit,
    clock,
  })
  const balance = createBalances({ store, secrets, provider: providerOf, upstream, egress, clock })
  const states = openClusterJobs(database, clock)
  const { test, jobs } = joinChannelJobs(shared, { logs, notifyRoot, store, keys, directory, live, balance, states })
  channelRoutes(on, {
    channels: createChannelService({
      database,
      store,
      keys: keyStore,
      directory,
      audit,
      clock,
      secrets,
      typeOf: channelTypeOf,
      groupExists: groups.exists,
    }),
    listing: createChannelListing(openChannelLists(database), keyStore, secrets),
    models: createUpstreamModels({ store, secrets, provider: providerOf, upstream, egress }),
    keys,
    test,
    balance,
    jobs,
    routing: { snapshot: directory.snapshot, stateOf: live.stateOf },
  })
  healthRoutes(on, { health, modelsOf: store.modelsOf })
  const late = (error: unknown): void => log.warn('channel_health_not_written', { error })
  const stops = [
    every(flushEveryMs, health.flush, late),
    every(purgeEveryMs, health.purge, late),
    every(tellEveryMs, async () => upstreamLimits.flush(), late),
  ]
  return {
    directory,
    stateOf: live.stateOf,
    avoidedModels: live.avoidedModels,
    upstreamLimits,
    lossWatch: lossWatchOf(shared, directory, notifyRoot),
    close: async () => {
      for (const stop of stops) stop()
      await jobs.close()
      live.close()
      upstreamLimits.close()
      await health.flush().catch(late)
    },
  }
}
