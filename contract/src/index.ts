import { moduleContracts } from '../../modules/lists/contracts.ts'
import * as accessTokens from './accounts/access-tokens.ts'
import * as identityProviders from './accounts/identity-providers.ts'
import * as newUsers from './accounts/new-user.ts'
import * as preferences from './accounts/preferences.ts'
import * as registration from './accounts/registration.ts'
import * as secondFactor from './accounts/second-factor.ts'
import * as session from './accounts/session.ts'
import * as sessions from './accounts/sessions.ts'
import * as singleSignOn from './accounts/single-sign-on.ts'
import * as thirdParty from './accounts/third-party.ts'
import * as userPage from './accounts/user-page.ts'
import * as users from './accounts/users.ts'
import * as audit from './audit.ts'
import * as channelHealth from './channels/channel-health.ts'
import * as channelJobs from './channels/channel-jobs.ts'
import * as channelKeys from './channels/channel-keys.ts'
import * as channelModels from './channels/channel-models.ts'
import * as channelRouting from './channels/channel-routing.ts'
import * as channelRuns from './channels/channel-runs.ts'
import * as channels from './channels/channels.ts'
import * as routeExplain from './channels/route-explain.ts'
import * as routeHedging from './channels/route-hedging.ts'
import * as virtualModels from './channels/virtual-models.ts'
import * as content from './content.ts'
import type { Endpoint } from './endpoint.ts'
import * as groups from './groups.ts'
import * as limitStates from './limits/limit-states.ts'
import * as limits from './limits/limits.ts'
import * as notices from './notices.ts'
import * as offer from './offer.ts'
import * as optionEndpoints from './option-endpoints.ts'
import * as channelFences from './organisations/channel-fences.ts'
import * as organisationInvitations from './organisations/invitations.ts'
import * as organisations from './organisations/organisations.ts'
import * as ownProjectKeys from './organisations/own-keys.ts'
import * as projectKeys from './organisations/project-keys.ts'
import * as organisationStatements from './organisations/statements.ts'
import * as priceLists from './price-lists.ts'
import * as pricing from './pricing.ts'
import * as dashboard from './records/dashboard.ts'
import * as declaredUsage from './records/declared-usage.ts'
import * as figures from './records/figure-report.ts'
import * as logVolume from './records/log-volume.ts'
import * as logs from './records/logs.ts'
import * as models from './records/models.ts'
import * as storageRefunds from './records/storage-refunds.ts'
import * as status from './status.ts'
import * as system from './system.ts'
import * as tokens from './tokens/tokens.ts'
import * as wallet from './wallet.ts'

/** Schemas are asked for nothing that they are known not to have: the server makes them when something is asked of them. */
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' &&
  value !== null &&
  !('_zod' in value) &&
  'method' in value &&
  'path' in value &&
  'access' in value

/** Every endpoint of the console API; the OpenAPI document and the role tests read this list. */
export const endpoints: readonly Endpoint[] = [
  status,
  content,
  session,
  users,
  newUsers,
  accessTokens,
  userPage,
  groups,
  tokens,
  channels,
  channelHealth,
  channelJobs,
  channelKeys,
  channelRouting,
  channelModels,
  channelRuns,
  logs,
  logVolume,
  optionEndpoints,
  system,
  offer,
  audit,
  notices,
  preferences,
  secondFactor,
  sessions,
  thirdParty,
  identityProviders,
  singleSignOn,
  storageRefunds,
  registration,
  pricing,
  models,
  virtualModels,
  limits,
  limitStates,
  routeExplain,
  routeHedging,
  declaredUsage,
  priceLists,
  wallet,
  dashboard,
  figures,
  organisations,
  channelFences,
  organisationStatements,
  ownProjectKeys,
  organisationInvitations,
  projectKeys,
  ...moduleContracts,
].flatMap((noun) => Object.values<unknown>(noun).filter(isEndpoint))

export * from '../../modules/lists/contracts.ts'
export * from './accounts/access.ts'
export * from './accounts/access-tokens.ts'
export * from './accounts/account-rules.ts'
export * from './accounts/call-areas.ts'
export * from './accounts/identity-providers.ts'
export * from './accounts/new-user.ts'
export * from './accounts/own-areas.ts'
export * from './accounts/permissions.ts'
export * from './accounts/preferences.ts'
export * from './accounts/registration.ts'
export * from './accounts/scopes.ts'
export * from './accounts/second-factor.ts'
export * from './accounts/session.ts'
export * from './accounts/sessions.ts'
export * from './accounts/single-sign-on.ts'
export * from './accounts/third-party.ts'
export * from './accounts/user-page.ts'
export * from './accounts/users.ts'
export * from './audit.ts'
export * from './batches.ts'
export * from './channels/channel-cost.ts'
export * from './channels/channel-health.ts'
export * from './channels/channel-jobs.ts'
export * from './channels/channel-keys.ts'
export * from './channels/channel-models.ts'
export * from './channels/channel-passthrough.ts'
export * from './channels/channel-routing.ts'
export * from './channels/channel-runs.ts'
export * from './channels/channels.ts'
export * from './channels/route-choices.ts'
export * from './channels/route-explain.ts'
export * from './channels/route-hedging.ts'
export * from './channels/virtual-models.ts'
export * from './content.ts'
export * from './endpoint.ts'
export * from './errors/refusal.ts'
export * from './errors.ts'
export * from './facets.ts'
export * from './groups.ts'
export * from './limits/limit-choices.ts'
export * from './limits/limit-rule.ts'
export * from './limits/limit-states.ts'
export * from './limits/limits.ts'
export * from './list-prices.ts'
export * from './notices.ts'
export * from './offer.ts'
export * from './option-endpoints.ts'
export {
  isOptionKey,
  type OptionKey,
  type OptionValue,
  optionKeys,
  options,
  sections,
  tabs,
} from './options/index.ts'
export type { BilingualText, Control, Option, OptionReading, Section, Tab } from './options/kinds.ts'
export type { PayMethod } from './options/payment.ts'
export type { SessionLimits } from './options/rate-limit.ts'
export * from './organisations/channel-fences.ts'
export * from './organisations/invitations.ts'
export * from './organisations/organisations.ts'
export * from './organisations/own-keys.ts'
export * from './organisations/project-keys.ts'
export * from './organisations/statements.ts'
export * from './page.ts'
export * from './price-lists.ts'
export * from './pricing.ts'
export * from './records/dashboard.ts'
export * from './records/declared-usage.ts'
export * from './records/drawings.ts'
export * from './records/figure-report.ts'
export * from './records/figures.ts'
export * from './records/log-details.ts'
export * from './records/log-texts.ts'
export * from './records/log-volume.ts'
export * from './records/logs.ts'
export * from './records/models.ts'
export * from './records/receipt.ts'
export * from './records/session-trace.ts'
export * from './records/site-events.ts'
export * from './records/storage-refunds.ts'
export * from './records/tasks.ts'
export * from './sizes.ts'
export * from './status.ts'
export * from './system.ts'
export * from './tokens/tags.ts'
export * from './tokens/tokens.ts'
export * from './wallet.ts'
