import type { ExploreMetric } from '@tollgate/contract'
import {
  type CallFigures,
  cacheShare,
  callsOf,
  errorShare,
  type FigureSums,
  firstWithin,
  outputSpeed,
  totalWithin,
} from '../../ledger/figures/figures.ts'
import type { FigureOrder } from '../../ledger/figures/read-figures.ts'

interface Metric {
  /** undefined where there is nothing to measure. */
  readonly of: (figures: CallFigures) => number | undefined
  /** Which values are the largest ones. */
  readonly order: FigureOrder
  /** True if it needs the histograms. */
  readonly speed?: true
}

const sum = (of: (sums: FigureSums) => number, order: FigureOrder): Metric => ({ of: ({ sums }) => of(sums), order })
const first = (share: number): Metric => ({ of: (figures) => firstWithin(figures, share), order: 'calls', speed: true })
const total = (share: number): Metric => ({ of: (figures) => totalWithin(figures, share), order: 'calls', speed: true })

/** Computation of each metric. */
export const metrics: Readonly<Record<ExploreMetric, Metric>> = {
  spend: sum(({ quota }) => quota, 'quota'),
  calls: { of: callsOf, order: 'calls' },
  tokens: sum(({ prompt, completion }) => prompt + completion, 'tokens'),
  input_tokens: sum(({ prompt }) => prompt, 'tokens'),
  cached_tokens: sum(({ cached }) => cached, 'tokens'),
  cache_write_tokens: sum(({ cacheWrite }) => cacheWrite, 'tokens'),
  output_tokens: sum(({ completion }) => completion, 'tokens'),
  reasoning_tokens: sum(({ reasoning }) => reasoning, 'tokens'),
  cache_saved: sum(({ cacheSaved }) => cacheSaved, 'saved'),
  cache_lost: sum(({ cacheLost }) => cacheLost, 'lost'),
  missed_tokens: sum(({ missed }) => missed, 'lost'),
  cache_share: { of: cacheShare, order: 'tokens' },
  errors: sum(({ failures }) => Math.max(0, failures), 'failures'),
  error_share: { of: errorShare, order: 'failures' },
  first_p50: first(0.5),
  first_p95: first(0.95),
  first_p99: first(0.99),
  total_p50: total(0.5),
  total_p95: total(0.95),
  total_p99: total(0.99),
  output_speed: { of: outputSpeed, order: 'tokens' },
  cost: sum(({ cost }) => cost, 'cost'),
  // Calls of unknown cost are in neither cost nor margin.
  margin: sum(({ costedQuota, cost }) => costedQuota - cost, 'margin'),
}
