import type { Gauge, Gauges } from '../../limits/gauges.ts'

/** What is free again later than in so many milliseconds has no end that a client could wait for. */
const longest = 366 * 86_400_000

const headersOf = (name: string, gauge: Gauge | undefined, at: number): string[] => {
  if (gauge === undefined) return []
  const { most, left, freeAt } = gauge
  const prefix = `anthropic-ratelimit-${name}`
  const stands = [`${prefix}-limit`, String(most), `${prefix}-remaining`, String(left)]
  if (freeAt - at > longest) return stands
  return [...stands, `${prefix}-reset`, new Date(Math.ceil(freeAt / 1000) * 1000).toISOString().replace('.000', '')]
}

/** Limits as Anthropic's clients read them (docs.claude.com/en/api/rate-limits#response-headers). */
export const limitHeaders = ({ at, requests, tokens, input, output }: Gauges): readonly string[] => [
  ...headersOf('requests', requests, at),
  ...headersOf('tokens', tokens, at),
  ...headersOf('input-tokens', input, at),
  ...headersOf('output-tokens', output, at),
]
