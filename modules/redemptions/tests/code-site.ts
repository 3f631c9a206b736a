import type { Database } from '#server/db/database.ts'
import { openWalletSite } from '#server-test/support/features/wallet.ts'
import { joinRedemptions } from '../server/join.ts'

/** Top-ups and redemption codes on two nodes. */
export const openCodeSite = (database: Database) => openWalletSite(database, joinRedemptions)
