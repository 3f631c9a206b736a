import { openBackups } from '../backup/scheduled-backups.ts'
import { amountText } from '../billing/amounts/amount-text.ts'
import { hookListeners } from '../features/job-hooks/channel-listener.ts'
import { joinThrottles } from '../features/limits/join-throttles.ts'
import { topUpEvents } from '../features/logs/events.ts'
import { openLogs } from '../features/logs/join.ts'
import { joinNotices } from '../features/notices/join.ts'
import { isPricedBy } from '../features/pricing/current-prices.ts'
import { joinTurnstile } from '../features/registration/join.ts'
import { joinSite } from '../features/site/join.ts'
import { joinStatus, openStatusSource } from '../features/status/join.ts'
import { openApiKeys } from '../features/tokens/join.ts'
import { joinWallet } from '../features/wallet/join.ts'
import { createRequestContexts } from '../http/request-context.ts'
import { createConsoleApi } from '../http/serve.ts'
import { limitKey } from '../lib/security/client-address.ts'
import { openMailer } from '../mail/mailer.ts'
import { openStoredSessionCounts } from '../relay/sessions/stored-counts.ts'
import type { Monitoring } from '../telemetry/monitoring.ts'
import { joinAccounts } from './console-accounts.ts'
import type { ConsoleApp } from './console-app.ts'
import { joinRouting } from './console-channels.ts'
import { joinLogsAndFigures } from './console-logs.ts'
import { joinSettling } from './console-money.ts'
import { joinSiteOrganisations } from './console-organisations.ts'
import { joinPeople } from './console-people.ts'
import { joinModelsAndGroups, joinPrices } from './console-prices.ts'
import { joinSettings } from './console-settings.ts'
import { joinModules } from './modules/join-modules.ts'
import type { FeatureKit, SharedParts } from './parts.ts'

/** Joins the console's API and its site. */
export const joinConsole = async (
  shared: SharedParts,
  monitoring: Pick<Monitoring, 'liveNodes' | 'channels'>,
): Promise<ConsoleApp> => {
  const { config, log, options } = shared
  const apiKeys = await openApiKeys(shared)
  /** Quota units of one unit of currency, 0 where the site shows quota units. */
  const unit = (): number => (options.get('DisplayInCurrencyEnabled') ? options.get('QuotaPerUnit') : 0)
  const { store: logStore, recordEvent } = openLogs(shared, unit)
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
  const status = openStatusSource(shared, accounts.providers.shown)
  const requestContexts = createRequestContexts({ trustedProxies: config.trustedProxies, log })
  const throttling = joinThrottles(shared)
  const { limiter } = throttling
  const api = createConsoleApi({
    callers: accounts.callers,
    assertConfirmed: accounts.accounts.confirmations.assert,
    limiter,
    apiLimit: config.rateLimits.api,
    basePath: config.basePath,
    requestContexts,
    log,
    demoSite: () => options.get('DemoSiteEnabled'),
    assertHuman: joinTurnstile(shared),
  })
  const kit: FeatureKit = { ...shared, on: api.on }
  const { on } = kit
  joinStatus(kit, status)
  accounts.routes(on)
  notices.routes(on)
  const routing = await joinRouting(kit, { logs: logStore, notices })
  const { virtualModels, limits } = routing
  const { directory: channels, lossWatch, attention } = routing.channels
  const people = joinPeople(kit, { accounts, apiKeys, limits, sendMail, limiter })
  const { tokens } = people
  const organisations = joinSiteOrganisations(kit, {
    tokens,
    // The log is joined after the modules that hold its older rows, and these build on organisations.
    logs: { list: (reader, query) => logs.logs.list(reader, query) },
    limiter: limits.limiter,
    sendMail,
    providers: accounts.providers,
    notices,
    userChanged: (id) => apiKeys.changed({ user: id }),
  })
  const readTablesAgain = async (): Promise<void> => {
    await channels.refresh()
    await virtualModels.refresh()
    apiKeys.changed({ token: 0 })
    await limits.refresh()
  }
  const models = await joinModelsAndGroups(kit, { channels, news: notices.news })
  const sessionCounts = openStoredSessionCounts(shared)
  const backups = openBackups({ ...shared, notifyFailed: notices.news.backupFailed })
  const { showUser, users, endSessions } = accounts
  const parts = { signIn: accounts.accounts.signIn, organisations: organisations.parts }
  const needs = { showUser, users, endSessions, apiKeys, limiter, requestContexts, ...parts }
  const modules = await joinModules({
    ...kit,
    ...needs,
    channels,
    readTablesAgain,
    notices,
    sessionCounts,
    monitoring,
    attention,
    channelHealth: routing.channelHealth,
    limitReads: limits.reads,
    tokens,
    modelCards: models.cards,
    modelEnd: models.endOf,
    isPriced: isPricedBy(shared.priceOptions),
    refreshVirtualModels: virtualModels.refresh,
    recordEvent,
    unit,
    siteCards: backups.cards,
  })
  const logs = joinLogsAndFigures(kit, { store: logStore, olderLogs: modules.olderLogs, apiKeys })
  const closePricing = joinPrices(kit, channels)
  joinSettings(kit, { channels, calls: modules.calls, backups })
  const closeWallet = joinWallet(kit, { amountText: quotaText, writeEvent: topUpEvents(recordEvent, log) })
  const settling = joinSettling(kit, {
    channels,
    news: notices.news,
    settlings: modules.settlings,
    unit,
    tokenChanged: (id) => apiKeys.changed({ token: id }),
  })
  const site = joinSite(shared, { status: status.statusObject, limiter, requestContexts })
  const hooks = hookListeners(shared, { limiter, requestContexts })
  const close = async (): Promise<void> => {
    backups.stop()
    await accounts.close()
    virtualModels.close()
    await limits.close()
    models.close()
    await settling.close()
    await people.close()
    await modules.close()
    await routing.close()
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
    channels,
    lossWatch,
    upstreamLimits: routing.upstreamLimits,
    avoidedModels: routing.avoidedModels,
    figures: virtualModels.figures,
    hedgeBudget: virtualModels.hedgeBudget,
    sessionCounts,
    limiter: limits.limiter,
    throttles: throttling.throttles,
    modelEnd: models.endOf,
    apiKeys,
    modules: { ...modules, served: [...hooks, ...modules.served] },
    playgroundSessions: accounts.playgroundSessions,
    refreshDrawing: settling.refreshDrawing,
    storageRefunds: settling.storageRefunds,
    mayAsk: (ip) => limiter.take(`GA${limitKey(ip)}`, config.rateLimits.api),
    close,
  }
}
