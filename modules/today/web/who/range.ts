import type { Search } from '#web/lib/url/url-state.ts'

/** Values by which the ranking is split. */
export const rankings = ['user', 'key', 'model', 'channel'] as const
export type Ranking = (typeof rankings)[number]

/** Ranges of the ranking, as the address has them. */
export const spans = ['24h', '7d', '30d'] as const
export type Span = (typeof spans)[number]

const hours = { '24h': 24, '7d': 168, '30d': 720 } as const satisfies Record<Span, number>
const hourSeconds = 3_600

/** Rows of the ranking; the others are one row. */
const shownRows = 7

/** The choice in an address: users in 24 hours without one. */
export const readChoice = ({ who, span }: Search): { readonly by: Ranking; readonly span: Span } => ({
  by: rankings.find((each) => each === who) ?? 'user',
  span: spans.find((each) => each === span) ?? '24h',
})

/** Full hours of a range before a moment, in unix seconds. */
export const rangeBefore = (span: Span, now: number): { readonly from: number; readonly to: number } => {
  const to = now - (now % hourSeconds) + hourSeconds
  return { from: to - hours[span] * hourSeconds, to }
}

/** The question about figures that the ranking shows. */
export const rankingQuery = (
  by: Ranking,
  span: Span,
  { now, zone }: { readonly now: number; readonly zone: string },
) => {
  const { from, to } = rangeBefore(span, now)
  return {
    metric: 'spend',
    by,
    start_timestamp: from,
    end_timestamp: to - 1,
    rollup: span === '24h' ? 'hour' : 'day',
    zone,
    top: shownRows,
    compare: 'before',
    speed: 'none',
  } as const
}
