import {
  type Cause,
  type ChannelHealth,
  channelStatus,
  type LearnedKeyLimits,
  type RoutingRow,
} from '@tollgate/contract'
import type { LiveHealth, SiteNews } from '../../app/noun-types.ts'
import type { FeatureKit, SharedParts } from '../../app/parts.ts'
import { bareAmountText } from '../../billing/amounts/amount-text.ts'
import type { Trace } from '../../db/trace.ts'
import { every } from '../../jobs/every.ts'
import { openNamedJobs } from '../../jobs/named-jobs.ts'
import { causeIn } from '../../lib/json/stored-error.ts'
import { providerOf } from '../../providers/index.ts'
import type { KnownLimits, UpstreamLimits } from '../../relay/routing/upstream-limits.ts'
import { type Attention, createAttention } from './attention.ts'
import { type ChannelDirectory, openChannelDirectory } from './directory.ts'
import { type ExplainedModel, explainRoutingOf } from './explain-routing.ts'
import { createBalances } from './jobs/balances.ts'
import { joinChannelJobs, probingParts } from './jobs/join-jobs.ts'
import { createUnsavedTest } from './jobs/unsaved-test.ts'
import { openKeyStore } from './keys/key-store.ts'
import { createChannelKeys } from './keys/keys.ts'
import { createLossWatch, type LossWatch } from './loss-watch.ts'
import { openChannelLists } from './models/list-store.ts'
import { createChannelListing } from './models/lists.ts'
import { createUpstreamModels } from './models/upstream-models.ts'
import { channelRoutes } from './routes.ts'
import { endOf } from './rules.ts'
import { createChannelService } from './service.ts'
import { type ChannelStore, openChannelStore } from './store.ts'
import { channelTypeOf } from './types.ts'

export interface ChannelNeeds {
  readonly logs: Parameters<typeof probingParts>[1]
  /** Health of channels: as this node sees it, and the last 24 hours of all nodes. */
  readonly health: {
    readonly live: LiveHealth
    list(ids: readonly number[]): Promise<readonly ChannelHealth[]>
  }
  readonly upstreamLimits: UpstreamLimits
  readonly news: SiteNews
  readonly isPriced: (model: string) => boolean
}

export interface ChannelSide {
  readonly directory: ChannelDirectory
  readonly lossWatch: LossWatch
  readonly attention: Attention
  /** Names of the models of a channel. */
  readonly modelsOf: ChannelStore['modelsOf']
  /** Explains how the relay would choose a channel now. */
  explainRouting(asked: ExplainedModel): RoutingRow[]
  /** Lets what is under way end; call it when no call is relayed any more. */
  close(): Promise<void>
}

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

const openDirectory = (shared: SharedParts, health: LiveHealth, news: SiteNews): Promise<ChannelDirectory> => {
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
      news.channelDisabled(channel, cause)
    },
    onKeyDisabled: (channel, key, cause) => {
      log.warn('channel_key_disabled', { channel: channel.id, name: channel.name, reason: causeIn(cause, 'en').text })
      leaveTrace(automatic('auto_disable_key', channel, cause))
      news.channelKeyDisabled(channel, endOf(key), cause)
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
const lossWatchOf = ({ options, log, clock }: SharedParts, directory: ChannelDirectory, news: SiteNews): LossWatch =>
  createLossWatch({
    enabled: () => options.get('LossWarningEnabled'),
    clock,
    warn({ requestId, channelId, model, quota, cost }) {
      log.warn('call_below_cost', { request_id: requestId, channel: channelId, model, quota, cost })
      const name = directory.snapshot().byId(channelId)?.name ?? ''
      const quotaPerUnit = options.get('QuotaPerUnit')
      const style = { inCurrency: options.get('DisplayInCurrencyEnabled'), quotaPerUnit }
      const [paid, taken] = [bareAmountText(quota, style), bareAmountText(cost, style)]
      news.soldBelowCost({ id: channelId, name }, model, { quota: paid, cost: taken })
    },
  })

/** Joins what operators do with channels, and the picture of them that the relay looks at. */
export const joinChannels = async (
  kit: FeatureKit,
  { logs, health, upstreamLimits, news, isPriced }: ChannelNeeds,
): Promise<ChannelSide> => {
  const { database, secrets, groups, audit, clock, upstream, log, on, operatorEgress: egress } = kit
  const { live } = health
  const store = openChannelStore(database)
  const keyStore = openKeyStore(database)
  const directory = await openDirectory(kit, live, news)
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
  const attention = createAttention({
    database,
    all: () => directory.snapshot().all(),
    health: () => health.list([]),
    avoidedModels: live.avoidedModels,
    isPriced,
    quotaPerUnit: () => kit.options.get('QuotaPerUnit'),
  })
  const states = openNamedJobs(database, clock)
  const probing = probingParts(kit, logs)
  const { test, jobs } = joinChannelJobs(kit, { probing, news, store, keys, directory, live, balance, states })
  const fields = { secrets, typeOf: channelTypeOf, groupExists: groups.exists }
  channelRoutes(on, {
    channels: createChannelService({
      database,
      store,
      keys: keyStore,
      directory,
      audit,
      clock,
      ...fields,
    }),
    listing: createChannelListing(openChannelLists(database), keyStore, secrets, attention),
    attention,
    models: createUpstreamModels({ store, secrets, provider: providerOf, upstream, egress }),
    keys,
    test,
    testUnsaved: createUnsavedTest({ ...probing, ...fields, store, provider: providerOf, egress }),
    balance,
    jobs,
    routing: { snapshot: directory.snapshot, stateOf: live.stateOf },
    webhookOf: kit.channelHooks.addressOf,
  })
  const late = (error: unknown): void => log.warn('channel_health_not_written', { error })
  const stopTelling = every(tellEveryMs, async () => upstreamLimits.flush(), late)
  return {
    directory,
    modelsOf: store.modelsOf,
    explainRouting: (asked) => explainRoutingOf({ snapshot: directory.snapshot, stateOf: live.stateOf }, asked),
    attention,
    lossWatch: lossWatchOf(kit, directory, news),
    close: async () => {
      stopTelling()
      await jobs.close()
      upstreamLimits.close()
    },
  }
}
