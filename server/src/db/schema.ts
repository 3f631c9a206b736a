import type { AccountTables } from './schema/accounts.ts'
import type { ChannelTables } from './schema/channels.ts'
import type { DeclaredUsageTables } from './schema/declared-usage.ts'
import type { KeptFileTables } from './schema/kept-files.ts'
import type { LedgerRowTables } from './schema/ledger.ts'
import type { LimitTables } from './schema/limits.ts'
import type { LogTables } from './schema/logs.ts'
import type { ModelTables } from './schema/models.ts'
import type { OrganisationTables } from './schema/organisations.ts'
import type { PaymentTables } from './schema/payments.ts'
import type { SiteTables } from './schema/site.ts'
import type { SpeedTables } from './schema/speed.ts'
import type { StoredTables } from './schema/stored.ts'
import type { TaskTables } from './schema/tasks.ts'
import type { TokenTables } from './schema/tokens.ts'
import type { UsageTables } from './schema/usage.ts'

export type {
  AccessTokensTable,
  ChallengesTable,
  NoticeDeliveriesTable,
  SecondFactorsTable,
  SessionsTable,
  UserRow,
  UsersTable,
} from './schema/accounts.ts'
export type { ChannelHealthTable, ChannelKeysTable, ChannelsTable } from './schema/channels.ts'
export type { LedgerQuota } from './schema/columns.ts'
export type { LedgerEntriesTable, LedgerHoursTable } from './schema/ledger.ts'
export type { LogPurgesTable, LogsTable } from './schema/logs.ts'
export type { PriceVersionsTable } from './schema/models.ts'
export type { PaymentCallbacksTable, RedemptionsTable, TopUpsTable } from './schema/payments.ts'
export type { AuditTable } from './schema/site.ts'
export type { SpeedCounts } from './schema/speed.ts'
export type { StorageRefundsTable } from './schema/stored.ts'
export type { MidjourneysTable, TasksTable } from './schema/tasks.ts'
export type { TokensTable } from './schema/tokens.ts'
export type { UsageHoursTable } from './schema/usage.ts'

/**
 * Every table, of one database or of two: `logs` may live in one of its own (`LOG_SQL_DSN`). Modules add theirs by
 * augmentation (`modules/<name>/server/tables.ts`); the migrations that make them are one history, in `db/migrations`.
 */
export interface Tables
  extends AccountTables,
    TokenTables,
    ChannelTables,
    PaymentTables,
    LogTables,
    LedgerRowTables,
    UsageTables,
    DeclaredUsageTables,
    SpeedTables,
    TaskTables,
    StoredTables,
    KeptFileTables,
    ModelTables,
    LimitTables,
    SiteTables,
    OrganisationTables {}
