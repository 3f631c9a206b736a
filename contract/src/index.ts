import * as audit from './audit.ts'
import * as batches from './batches.ts'
import * as channelHealth from './channel-health.ts'
import * as channelJobs from './channel-jobs.ts'
import * as channelKeys from './channel-keys.ts'
import * as channelRuns from './channel-runs.ts'
import * as channels from './channels.ts'
import * as content from './content.ts'
import * as dashboard from './dashboard.ts'
import * as drawings from './drawings.ts'
import type { Endpoint } from './endpoint.ts'
import * as facets from './facets.ts'
import * as invitations from './invitations.ts'
import * as logs from './logs.ts'
import * as notices from './notices.ts'
import * as offer from './offer.ts'
import * as optionEndpoints from './option-endpoints.ts'
import * as passkeys from './passkeys.ts'
import * as preferences from './preferences.ts'
import * as pricing from './pricing.ts'
import * as redemptions from './redemptions.ts'
import * as refusedRecords from './refused-records.ts'
import * as registration from './registration.ts'
import * as secondFactor from './second-factor.ts'
import * as session from './session.ts'
import * as sessions from './sessions.ts'
import * as status from './status.ts'
import * as system from './system.ts'
import * as tasks from './tasks.ts'
import * as thirdParty from './third-party.ts'
import * as tokens from './tokens.ts'
import * as userPage from './user-page.ts'
import * as users from './users.ts'
import * as wallet from './wallet.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every endpoint of the console API; the OpenAPI document and the role tests read this list. */
export const endpoints: readonly Endpoint[] = [
  status,
  content,
  session,
  users,
  userPage,
  tokens,
  channels,
  channelHealth,
  channelJobs,
  channelKeys,
  channelRuns,
  logs,
  optionEndpoints,
  system,
  offer,
  audit,
  invitations,
  notices,
  preferences,
  secondFactor,
  passkeys,
  sessions,
  thirdParty,
  refusedRecords,
  registration,
  redemptions,
  pricing,
  wallet,
  dashboard,
  drawings,
  tasks,
  facets,
  batches,
].flatMap((noun) => Object.values<unknown>(noun).filter(isEndpoint))

export * from './access.ts'
export * from './audit.ts'
export * from './batches.ts'
export * from './channel-health.ts'
export * from './channel-jobs.ts'
export * from './channel-keys.ts'
export * from './channel-runs.ts'
export * from './channels.ts'
export * from './console-pages.ts'
export * from './content.ts'
export * from './dashboard.ts'
export * from './drawings.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export * from './facets.ts'
export * from './invitations.ts'
export * from './log-texts.ts'
export * from './logs.ts'
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
export type { Control, Option, Reading, Section, Tab, Words } from './options/kinds.ts'
export * from './page.ts'
export * from './passkeys.ts'
export * from './preferences.ts'
export * from './pricing.ts'
export * from './redemptions.ts'
export * from './refused-records.ts'
export * from './registration.ts'
export * from './second-factor.ts'
export * from './session.ts'
export * from './sessions.ts'
export * from './status.ts'
export * from './system.ts'
export * from './tasks.ts'
export * from './third-party.ts'
export * from './tokens.ts'
export * from './user-page.ts'
export * from './users.ts'
export * from './wallet.ts'
