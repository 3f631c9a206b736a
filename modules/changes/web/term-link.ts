import type { ChangeReport, ChangeTermRow, ChangeTermShown, FigureMetric } from '#web/lib/api/contract.ts'
import { printRange } from '#web/lib/time/time-range.ts'
import type { FigureLink } from '#web/lib/url/figure-link.ts'

/** The figure that shows the cause of each kind of term. */
const metrics: Readonly<Record<ChangeTermShown['effect'], FigureMetric>> = {
  calls: 'calls',
  mix: 'spend',
  input: 'input_tokens',
  output: 'output_tokens',
  cache: 'cache_share',
  group: 'spend',
  price: 'spend',
  corrections: 'spend',
  other: 'spend',
}

/** The figures of a term, or of a row of it, in the period of its report. */
export const termLink = (
  { effect, by }: Pick<ChangeTermShown, 'effect' | 'by'>,
  { filters }: Pick<ChangeTermShown | ChangeTermRow, 'filters'>,
  { from, to }: Pick<ChangeReport, 'from' | 'to'>,
): FigureLink => ({
  metric: metrics[effect],
  by: effect === 'group' ? 'group' : (by ?? 'model'),
  range: printRange({ from, to: to - 1 }),
  filters,
})
