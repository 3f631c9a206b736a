import type { Migration } from 'kysely/migration'
import { createTables } from './0001-first.ts'
import { createLogs } from './0001-logs.ts'
import { accountTables } from './0002-accounts.ts'
import { walletTables } from './0003-wallet.ts'
import { usageTables } from './0004-usage.ts'
import { channelTables } from './0005-channels.ts'
import { userPeriods } from './0008-user-periods.ts'
import { channelLimits, keptAnswers, logIndexes, preferenceTable, taskOrigins, tokenCharges } from './small-steps.ts'

/** The first steps, in this order. */
export const earlyMigrations: Readonly<Record<string, Migration>> = {
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
}

/** The same for a database that only holds logs. */
export const earlyLogMigrations: Readonly<Record<string, Migration>> = {
  '0001-first': createLogs,
  '0004-usage': logIndexes,
}
