import { amountText } from '../billing/amounts/amount-text.ts'
import { dialects } from '../dialects/index.ts'
import { throttleOfCodes } from '../features/accounts/second-step-guesses.ts'
import { auditRoutes } from '../features/audit/routes.ts'
import { openAuditStore } from '../features/audit/store.ts'
import { storageRefundRoutes } from '../features/cached-contents/routes.ts'
import { openStorageRefunds, type StorageRefunds } from '../features/cached-contents/storage-refunds.ts'
import type { ChannelDirectory } from '../features/channels/directory.ts'
import type { LossWatch } from '../features/channels/loss-watch.ts'
import type { Drawings } from '../features/drawings/drawings.ts'
import { groupRoutes } from '../features/groups/routes.ts'
import { liveRoutes } from '../features/live/routes.ts'
import { eventRecorder } from '../features/logs/events.ts'
import { openPreferences } from '../features/preferences/preferences.ts'
import { preferenceRoutes } from '../features/preferences/routes.ts'
import { databaseHealth } from '../features/status/health.ts'
import { offerRoutes } from '../features/status/offer.ts'
import { statusRoutes } from '../features/status/routes.ts'
import { openStatus } from '../features/status/status.ts'
import { openCallerRows } from '../features/tokens/caller/caller-rows.ts'
import { openCallerDirectory, type TokenDirectory } from '../features/tokens/caller/directory.ts'
import { tokenRoutes } from '../features/tokens/routes.ts'
import { createTokenService } from '../features/tokens/service.ts'
import { openTokenStore } from '../features/tokens/store.ts'
import { createRoutes } from '../gateway/routes.ts'
import { createRequestContexts, type Fetch } from '../http/request-context.ts'
import { type ConsoleApi, createConsoleApi } from '../http/serve.ts'
import { every } from '../jobs/every.ts'
import { unixSeconds } from '../lib/clock.ts'
import { limitKey } from '../lib/security/client-address.ts'
import { openMailer } from '../mail/mailer.ts'
import type { HedgeBudget } from '../relay/routing/hedging/hedge-budget.ts'
import type { SessionCounts } from '../relay/sessions/session-counts.ts'
import { scheduleBackups } from './backups/scheduled-backups.ts'
import { type ChannelSide, joinChannels } from './channels/console-channels.ts'
import { joinVirtualModels, type VirtualModelSide } from './channels/console-virtual-models.ts'
import { type AccountSide, joinAccounts } from './console-accounts.ts'
import { joinCorrections } from './console-corrections.ts'
import { joinLimits, type LimitSide } from './console-limits.ts'
import { joinLogs, openLogs } from './console-logs.ts'
import { joinNotices } from './console-notices.ts'
import { joinRegistration, joinTurnstile } from './console-registration.ts'
import { joinSettings } from './console-settings.ts'
import { joinSite } from './console-site.ts'
import { joinTasks, type TaskSide } from './console-tasks.ts'
import { joinUserPage } from './console-user-page.ts'
import { joinWallet } from './console-wallet.ts'
import { type JoinedModules, joinModules } from './modules/join-modules.ts'
import { joinOrganisations } from './organisations/console-organisations.ts'
import { joinProvisioning } from './organisations/console-provisioning.ts'
import type { SharedParts } from './parts.ts'
import { joinModels, type ModelSide } from './pricing/console-models.ts'
import { joinPricing } from './pricing/console-pricing.ts'
import type { Monitoring } from './telemetry/monitoring.ts'
import { joinThrottles, type ThrottleSide } from './throttles.ts'
import { version } from './version.ts'

/** How often a node looks for refunds that are due. */
const lookForRefundsMs = 5000

export interface ConsoleApp {
  readonly api: Pick<ConsoleApi, 'fetch' | 'endpoints'>
  readonly site: { readonly fetch: Fetch }
  /** What identity providers call. */
  readonly scim: { readonly fetch: Fetch }
  readonly channels: ChannelDirectory
  readonly lossWatch: LossWatch
  readonly upstreamLimits: ChannelSide['upstreamLimits']
  readonly avoidedModels: ChannelSide['avoidedModels']
  readonly figures: VirtualModelSide['figures']
  readonly hedgeBudget: HedgeBudget
  readonly sessionCounts: SessionCounts
  readonly limiter: LimitSide['limiter']
  readonly throttles: ThrottleSide['throttles']
  readonly modelEnd: ModelSide['endOf']
  readonly apiKeys: TokenDirectory
  readonly playgroundSessions: AccountSide['playgroundSessions']
  /** Counts a call of this address to the console or the relay. */
  readonly mayAsk: (ip: string) => boolean | Promise<boolean>
  readonly refreshDrawing: TaskSide['refreshDrawing']
  readonly storageRefunds: StorageRefunds
  readonly drawingPicture: Drawings['publicPicture']
  readonly modules: Omit<JoinedModules, 'close'>
  /** Lets what is under way end; call it when nothing is charged any more. */
  close(): Promise<void>
}

const openApiKeys = ({ database, secrets, bus, log, clock }: SharedParts): Promise<TokenDirectory> =>
  openCallerDirectory({
    rows: openCallerRows(database, secrets),
    digest: (key) => secrets.digest('token_key', key),
    bus,
    warn: log.warn,
    clock,
  })

const createTokens = (shared: SharedParts, apiKeys: TokenDirectory) =>
  createTokenService({
    mostTokens: () => shared.options.get('MaxTokensPerUser'),
    database: shared.database,
    store: openTokenStore(shared.database),
    secrets: shared.secrets,
    ledger: shared.ledger.movements,
    groupUsable: (userGroup, group) => Object.hasOwn(shared.groups.usableGroups(userGroup), group),
    directory: apiKeys,
    audit: shared.audit,
    clock: shared.clock,
  })

/** Joins the console's API and its site. */
export const joinConsole = async (
  shared: SharedParts,
  monitoring: Pick<Monitoring, 'liveNodes' | 'channels'>,
): Promise<ConsoleApp> => {
  const { config, log, clock, options, groups, database } = shared
  const logStore = openLogs(shared)
  const apiKeys = await openApiKeys(shared)
  // A key that is used up is refused as such by its next call, and not when its row is read again.
  shared.ledger.whenSpent((ids) => {
    for (const token of ids) apiKeys.changed({ token })
  })
  /** Quota units of one unit of currency, 0 where the site shows quota units. */
  const unit = (): number => (options.get('DisplayInCurrencyEnabled') ? options.get('QuotaPerUnit') : 0)
  const recordEvent = eventRecorder(logStore, unit, clock)
  const quotaText = (quota: number): string =>
    amountText(quota, {
      inCurrency: options.get('DisplayInCurrencyEnabled'),
      quotaPerUnit: options.get('QuotaPerUnit'),
    })
  const accounts = await joinAccounts(shared, {
    writeEvent: recordEvent,
    userChanged: (id) => apiKeys.changed({ user: id }),
  })
  const sendMail = openMailer({ settings: options.snapshot, egress: shared.operatorEgress })
  const notices = joinNotices(shared, {
    sendMail,
    userChanged: (id) => apiKeys.changed({ user: id }),
  })
  const { statusObject } = openStatus({
    version,
    startTime: unixSeconds(clock),
    values: options.snapshot,
    identityProviders: accounts.providers.shown,
  })
  const requestContexts = createRequestContexts({ trustedProxies: config.trustedProxies, log })
  const throttling = joinThrottles(shared)
  const { limiter } = throttling
  const api = createConsoleApi({
    callers: accounts.callers,
    assertConfirmed: accounts.accounts.confirmations.assert,
    limiter,
    apiLimit: config.rateLimits.api,
    requestContexts,
    log,
    demoSite: () => options.get('DemoSiteEnabled'),
    assertHuman: joinTurnstile(shared),
  })
  const { on } = api
  statusRoutes(on, {
    statusObject,
    content: options.get,
    databaseAnswers: databaseHealth({ ping: () => database.ping(), clock }),
  })
  accounts.routes(on)
  notices.routes(on)
  const {
    directory: channels,
    lossWatch,
    upstreamLimits,
    stateOf,
    avoidedModels,
    close: closeChannels,
  } = await joinChannels(shared, { logs: logStore, notifyRoot: notices.notifyRoot }, on)
  const virtualModels = await joinVirtualModels(shared, { directory: channels, stateOf }, on)
  const limits = await joinLimits(shared, { ...notices, directory: channels }, on)
  const tokens = createTokens(shared, apiKeys)
  tokenRoutes(on, tokens)
  const closeRegistration = joinRegistration(
    shared,
    {
      users: accounts.users,
      tokens,
      sendMail,
      limiter,
      requiredWays: accounts.requiredWays,
      guesses: throttleOfCodes(accounts.guesses),
    },
    on,
  )
  preferenceRoutes(on, openPreferences({ database, audit: shared.audit, clock }))
  joinUserPage(shared, { ...accounts, tokens }, on)
  const readTablesAgain = async (): Promise<void> => {
    await channels.refresh()
    await virtualModels.refresh()
    apiKeys.changed({ token: 0 })
    await limits.refresh()
  }
  const modules = await joinModules({ ...shared, on, channels, showUser: accounts.showUser, readTablesAgain })
  const logs = joinLogs(
    shared,
    { store: logStore, olderLogs: modules.olderLogs, apiKeys, alertNotice: notices.alertNotice },
    on,
  )
  const organisations = joinOrganisations(
    shared,
    {
      tokens,
      logs: logs.logs,
      limiter: limits.limiter,
      sendMail,
      providers: accounts.providers,
      userNotice: notices.userNotice,
      userChanged: (id) => apiKeys.changed({ user: id }),
    },
    on,
  )
  const { users, endSessions } = accounts
  const scim = joinProvisioning(
    shared,
    { organisations: organisations.parts, users, endSessions, limiter, requestContexts },
    on,
  )
  const models = await joinModels(shared, channels, { tokens, notifyRoot: notices.notifyRoot }, on)
  groupRoutes(on, groups)
  const stopBackups = scheduleBackups({ ...shared, notifyRoot: notices.notifyRoot })
  const closePricing = joinPricing(shared, channels, on)
  joinSettings(shared, on)
  auditRoutes(on, openAuditStore(database))
  liveRoutes(on, { nodes: monitoring.liveNodes, channels: monitoring.channels, clock })
  offerRoutes(on, { calls: createRoutes(dialects).offered, models: () => channels.snapshot().models })
  const closeWallet = await joinWallet(shared, { recordEvent, amountText: quotaText }, on)
  const tokenChanged = (id: number): void => apiKeys.changed({ token: id })
  const closeCorrections = joinCorrections(
    shared,
    { tokenChanged, unit, notifyRoot: notices.notifyRoot, amountText: notices.amountText },
    on,
  )
  const tasks = joinTasks(shared, { channels, unit, tokenChanged })
  const storageRefunds = openStorageRefunds({
    ...shared,
    movements: shared.ledger.movements,
    flush: shared.ledger.flush,
    warn: shared.log.warn,
    unit,
    tokenChanged,
  })
  const stopRefunds = every(lookForRefundsMs, storageRefunds.look, (error) =>
    shared.log.warn('storage_refunds_late', { error }),
  )
  storageRefundRoutes(on, { refunds: storageRefunds, database, audit: (entry) => shared.audit.record(entry) })
  const site = joinSite(shared, { status: statusObject, limiter, requestContexts })
  const close = async (): Promise<void> => {
    stopBackups()
    await accounts.close()
    virtualModels.close()
    await limits.close()
    models.close()
    await tasks.close()
    stopRefunds()
    await storageRefunds.close()
    await closeCorrections()
    await closeRegistration()
    await modules.close()
    await closeChannels()
    await logs.close()
    await closeWallet()
    await organisations.close()
    await notices.close()
    closePricing()
    await throttling.close()
  }
  return {
    api,
    site,
    scim,
    channels,
    lossWatch,
    upstreamLimits,
    avoidedModels,
    figures: virtualModels.figures,
    hedgeBudget: virtualModels.hedgeBudget,
    sessionCounts: logs.sessionCounts,
    limiter: limits.limiter,
    throttles: throttling.throttles,
    modelEnd: models.endOf,
    apiKeys,
    modules,
    playgroundSessions: accounts.playgroundSessions,
    refreshDrawing: tasks.refreshDrawing,
    storageRefunds,
    drawingPicture: logs.drawings.publicPicture,
    mayAsk: (ip) => limiter.take(`GA${limitKey(ip)}`, config.rateLimits.api),
    close,
  }
}
