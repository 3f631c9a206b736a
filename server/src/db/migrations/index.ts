import type { Migration } from 'kysely/migration'
import { logGaps } from './0013-log-gaps.ts'
import { abortedCalls } from './0014-aborted-calls.ts'
import { ledgerHours } from './0016-ledger-hours.ts'
import { correctionTables } from './0017-corrections.ts'
import { reconciliation } from './0018-reconciliation.ts'
import { priceVersions } from './0019-price-versions.ts'
import { costColumns } from './0021-costs.ts'
import { logProviderIds } from './0022-log-provider-ids.ts'
import { reconciledCalls } from './0023-reconciled-calls.ts'
import { formerPrices } from './0024-former-prices.ts'
import { correctedCosts } from './0025-corrected-costs.ts'
import { speedTables } from './0026-speed.ts'
import { exploreAlerts } from './0027-explore-alerts.ts'
import { modelCards } from './0029-model-cards.ts'
import { callSessions, logSessions } from './0033-call-sessions.ts'
import { virtualModels } from './0036-virtual-models.ts'
import { sessionCosts } from './0047-session-costs.ts'
import { hedgeHours } from './0050-hedge-hours.ts'
import { storedObjects } from './0055-stored-objects.ts'
import { imports } from './0065-imports.ts'
import { ledgerTimes } from './0070-ledger-times.ts'
import { logArchives } from './0100-log-archives.ts'
import { callLimits } from './0110-call-limits.ts'
import { earlyLogMigrations, earlyMigrations } from './early/index.ts'
import { limitPaces } from './limits/0158-limit-paces.ts'
import { answerIds } from './log/0216-answer-ids.ts'
import { endUsers, logEndUsers } from './log/0219-end-users.ts'
import { provisionalCalls } from './log/0223-provisional-calls.ts'
import { accessTokens } from './signin/0136-access-tokens.ts'
import { staffPermissions } from './signin/0150-staff-permissions.ts'
import { identityProviders } from './signin/0151-identity-providers.ts'
import { singleLogout } from './signin/0165-single-logout.ts'
import { givenRoles } from './signin/0166-given-roles.ts'
import { ownerSignIn } from './signin/0172-owner-sign-in.ts'
import { guessWaits } from './signin/0173-guess-waits.ts'
import { enforcedDomains } from './signin/0179-enforced-domains.ts'
import { domainHolders } from './signin/0182-domain-holders.ts'
import { storageRefunds } from './stored/0130-storage-refunds.ts'
import { madeObjects } from './stored/0174-made-objects.ts'
import { directBatches } from './stored/0221-direct-batches.ts'
import { organisations } from './teams/0120-organisations.ts'
import { fences } from './teams/0121-fences.ts'
import { callTags, logTags } from './teams/0122-call-tags.ts'
import { userNotes } from './teams/0133-user-notes.ts'
import { provisioning } from './teams/0155-provisioning.ts'
import { madeBy } from './teams/0160-made-by.ts'
import { domainProof } from './teams/0167-domain-proof.ts'
import { domainLooks } from './teams/0178-domain-looks.ts'
import { keySecrets } from './teams/0202-key-secrets.ts'
import { machineSecrets } from './teams/0212-machine-secrets.ts'
import { groupDays } from './usage/0177-group-days.ts'
import { declaredUsage } from './usage/0207-declared-usage.ts'
import { includeCost } from './usage/0218-include-cost.ts'
import { inspector } from './watch/0090-inspector.ts'
import { usageSinks } from './watch/0091-usage-sinks.ts'
import { dualRuns } from './watch/0092-dual-runs.ts'
import { signsOfLife } from './watch/0206-signs-of-life.ts'
import { channelTestStatus } from './watch/0224-channel-test-status.ts'

/** Steps from an empty database to `schema.ts`, in this order. A step that was released never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  ...earlyMigrations,
  '0013-log-gaps': logGaps,
  '0014-aborted-calls': abortedCalls,
  '0016-ledger-hours': ledgerHours,
  '0017-corrections': correctionTables,
  '0018-reconciliation': reconciliation,
  '0019-price-versions': priceVersions,
  '0021-costs': costColumns,
  '0024-former-prices': formerPrices,
  '0022-log-provider-ids': logProviderIds,
  '0023-reconciled-calls': reconciledCalls,
  '0025-corrected-costs': correctedCosts,
  '0026-speed': speedTables,
  '0027-explore-alerts': exploreAlerts,
  '0029-model-cards': modelCards,
  '0033-call-sessions': callSessions,
  '0036-virtual-models': virtualModels,
  '0047-session-costs': sessionCosts,
  '0050-hedge-hours': hedgeHours,
  '0055-stored-objects': storedObjects,
  '0065-imports': imports,
  '0070-ledger-times': ledgerTimes,
  '0090-inspector': inspector,
  '0091-usage-sinks': usageSinks,
  '0092-dual-runs': dualRuns,
  '0100-log-archives': logArchives,
  '0110-call-limits': callLimits,
  '0120-organisations': organisations,
  '0121-fences': fences,
  '0122-call-tags': callTags,
  '0130-storage-refunds': storageRefunds,
  '0133-user-notes': userNotes,
  '0136-access-tokens': accessTokens,
  '0150-staff-permissions': staffPermissions,
  '0151-identity-providers': identityProviders,
  '0155-provisioning': provisioning,
  '0158-limit-paces': limitPaces,
  '0160-made-by': madeBy,
  '0165-single-logout': singleLogout,
  '0166-given-roles': givenRoles,
  '0167-domain-proof': domainProof,
  '0172-owner-sign-in': ownerSignIn,
  '0173-guess-waits': guessWaits,
  '0174-made-objects': madeObjects,
  '0177-group-days': groupDays,
  '0178-domain-looks': domainLooks,
  '0179-enforced-domains': enforcedDomains,
  '0182-domain-holders': domainHolders,
  '0202-key-secrets': keySecrets,
  '0206-signs-of-life': signsOfLife,
  '0207-declared-usage': declaredUsage,
  '0212-machine-secrets': machineSecrets,
  '0216-answer-ids': answerIds,
  '0218-include-cost': includeCost,
  '0219-end-users': endUsers,
  '0221-direct-batches': directBatches,
  '0223-provisional-calls': provisionalCalls,
  '0224-channel-test-status': channelTestStatus,
}

/** The same for a database that only holds logs. */
export const logMigrations: Readonly<Record<string, Migration>> = {
  ...earlyLogMigrations,
  '0022-log-provider-ids': logProviderIds,
  '0033-call-sessions': logSessions,
  '0122-call-tags': logTags,
  '0216-answer-ids': answerIds,
  '0219-end-users': logEndUsers,
  '0223-provisional-calls': provisionalCalls,
}
