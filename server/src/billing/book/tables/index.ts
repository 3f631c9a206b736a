import type { PriceRow } from '../price-table.ts'
import { chineseRows } from './chinese.ts'
import { embeddingRows } from './embeddings.ts'
import { hostRows } from './hosts.ts'
import { pictureRows } from './pictures.ts'
import { rerankRows } from './rerank.ts'
import { retiredRows } from './retired.ts'
import { secondSourceRows } from './second-source/index.ts'
import { speechRows } from './speech.ts'

/** Names the tables in receipts. */
export const tablesVersion = 'tables 2026-11'

/** Models that the catalogue lacks. Of rows for one model the first counts, so what providers' pages state comes first. */
export const priceRows: readonly PriceRow[] = [
  ...pictureRows,
  ...speechRows,
  ...rerankRows,
  ...embeddingRows,
  ...chineseRows,
  ...hostRows,
  ...secondSourceRows,
  ...retiredRows,
]
