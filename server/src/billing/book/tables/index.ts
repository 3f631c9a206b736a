import type { PriceRow } from '../price-table.ts'
import chinese from './chinese.json' with { type: 'json' }
import pageCorrections from './corrections.json' with { type: 'json' }
import embeddings from './embeddings.json' with { type: 'json' }
import hosts from './hosts.json' with { type: 'json' }
import pictures from './pictures.json' with { type: 'json' }
import { readRows } from './read-rows.ts'
import rerank from './rerank.json' with { type: 'json' }
import retired from './retired.json' with { type: 'json' }
import { secondSource } from './second-source.ts'
import speech from './speech.json' with { type: 'json' }
import videos from './videos.json' with { type: 'json' }

/** Names the tables in receipts. */
export const tablesVersion = 'tables 2026-11'

/** Models that the catalogue lacks. Of rows for one model the first counts, so what providers' pages state comes first. */
export const priceRows: readonly PriceRow[] = [
  ...readRows(pictures, speech, videos, rerank, embeddings, chinese, hosts).added,
  ...secondSource.added,
  ...readRows(retired).added,
]

/** Prices that the catalogue has wrong or outdated: those of providers' pages, then those of the second source. They come before the catalogue. */
export const corrections: readonly PriceRow[] = [...readRows(pageCorrections).added, ...secondSource.corrections]
