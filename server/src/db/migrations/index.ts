import type { Migration } from 'kysely/migration'
import { createTables } from './0001-first.ts'
import { createLogs } from './0001-logs.ts'
import { accountTables } from './0002-accounts.ts'
import { walletTables } from './0003-wallet.ts'
import { usageTables } from './0004-usage.ts'
import { logIndexes } from './0004-usage-logs.ts'
import { channelTables } from './0005-channels.ts'
import { keptAnswers } from './0006-kept-answers.ts'
import { channelLimits } from './0007-channel-limits.ts'
import { userPeriods } from './0008-user-periods.ts'
import { taskOrigins } from './0009-task-origins.ts'
import { preferenceTable } from './0010-preferences.ts'
import { tokenCharges } from './0011-token-charges.ts'
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
import { modelCards } from './0029-model-cards.ts'

/** Steps from an empty database to `schema.ts`, in this order. A step that was released never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': createTables,
  '0002-accounts': accountTables,
  '0003-wallet': walletTables,
  '0004-usage': usageTables,
  '0005-channels': channelTables,
  '0006-kept-answers': keptAnswers,
  '0007-channel-limits': channelLimits,
  '0008-user-periods': userPeriods,
  '0009-task-origins': taskOrigins,
  '0010-preferences': preferenceTable,
  '0011-token-charges': tokenCharges,
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
  '0029-model-cards': modelCards,
}

/** The same for a database that only holds logs. */
export const logMigrations: Readonly<Record<string, Migration>> = {
  '0001-first': createLogs,
  '0004-usage': logIndexes,
  '0022-log-provider-ids': logProviderIds,
}
