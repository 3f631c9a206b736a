import type { PriceRow } from '../price-table.ts'
import { recentRows } from './recent/index.ts'

/** Names the tables in receipts. */
export const tablesVersion = 'tables 2026-11'

/** Models that the catalogue lacks. */
export const priceRows: readonly PriceRow[] = [...recentRows]
