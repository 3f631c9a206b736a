import type { Migration } from 'kysely/migration'
import { ledgerHours } from './0016-ledger-hours.ts'
import { correctionTables } from './0017-corrections.ts'
import { reconciliation } from './0018-reconciliation.ts'
import { priceVersions } from './0019-price-versions.ts'
import { formerPrices } from './0024-former-prices.ts'
import { speedTables } from './0026-speed.ts'
import { exploreAlerts } from './0027-explore-alerts.ts'
import { callSessions, logSessions } from './0033-call-sessions.ts'
import { logArchives } from './0100-log-archives.ts'
import { earlyLogMigrations, earlyMigrations } from './early/index.ts'
import { callLimits, limitPaces } from './limits/call-limits.ts'
import {
  answerIds,
  callTags,
  endUsers,
  logEndUsers,
  logProviderIds,
  logTags,
  provisionalCalls,
} from './log/small-steps.ts'
import { identityProviders } from './signin/0151-identity-providers.ts'
import { givenRoles } from './signin/0166-given-roles.ts'
import { enforcedDomains } from './signin/0179-enforced-domains.ts'
import { domainHolders } from './signin/0182-domain-holders.ts'
import { accessTokens, guessWaits, ownerSignIn, singleLogout, staffPermissions } from './signin/small-steps.ts'
import { imports, ledgerTimes, logGaps, modelCards, reconciledCalls, virtualModels } from './small-steps.ts'
import { directBatches } from './stored/0221-direct-batches.ts'
import { keptFiles } from './stored/0240-kept-files.ts'
import { ownBatches } from './stored/0245-batches.ts'
import { videoJobs, videoNudges } from './stored/0250-video-jobs.ts'
import { batchCosts, batchParts, batchTokens, providerBatches } from './stored/0256-provider-batches.ts'
import { webhooks } from './stored/0270-webhooks.ts'
import { backgroundEvents } from './stored/0271-background-events.ts'
import { batchNudges, providerCalls } from './stored/0310-provider-calls.ts'
import { backgroundAnswers, filePlaces, madeObjects, storageRefunds, storedObjects } from './stored/small-steps.ts'
import { organisations } from './teams/0120-organisations.ts'
import { provisioning } from './teams/0155-provisioning.ts'
import { keySecrets } from './teams/0202-key-secrets.ts'
import { machineSecrets } from './teams/0212-machine-secrets.ts'
import { domainLooks, domainProof, fences, madeBy, userNotes } from './teams/small-steps.ts'
import { declaredUsage } from './usage/0207-declared-usage.ts'
import {
  abortedCalls,
  correctedCosts,
  costColumns,
  deadlineKeys,
  groupDays,
  hedgeHours,
  includeCost,
  sessionCosts,
} from './usage/small-steps.ts'
import { inspector } from './watch/0090-inspector.ts'
import { dualRuns } from './watch/0092-dual-runs.ts'
import { channelTestStatus } from './watch/0224-channel-test-status.ts'
import { keyEnds, todayCards } from './watch/0235-today.ts'
import { backupRuns, signsOfLife, usageSinks } from './watch/small-steps.ts'

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
  '0235-today-cards': todayCards,
  '0236-key-ends': keyEnds,
  '0240-kept-files': keptFiles,
  '0245-batches': ownBatches,
  '0250-video-jobs': videoJobs,
  '0255-background-answers': backgroundAnswers,
  '0256-provider-batches': providerBatches,
  '0257-batch-tokens': batchTokens,
  '0265-batch-costs': batchCosts,
  '0270-webhooks': webhooks,
  '0271-background-events': backgroundEvents,
  '0278-backup-runs': backupRuns,
  '0280-deadline-keys': deadlineKeys,
  '0285-batch-parts': batchParts,
  '0295-file-places': filePlaces,
  '0300-video-nudges': videoNudges,
  '0310-provider-calls': providerCalls,
  '0311-batch-nudges': batchNudges,
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
