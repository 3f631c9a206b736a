import type { Gauge, Gauges } from '../../limits/call-limits.ts'

/** A time as Go writes it, e.g. `6m0s` or `120ms` (platform.openai.com/docs/guides/rate-limits). */
const durationOf = (ms: number): string => {
  if (ms < 1000) return `${Math.max(0, Math.ceil(ms))}ms`
  const seconds = Math.ceil(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = `${seconds % 60}s`
  if (hours > 0) return `${hours}h${minutes}m${rest}`
  return minutes > 0 ? `${minutes}m${rest}` : rest
}

/** Resets further away than this are treated as permanent. Milliseconds. */
const longest = 366 * 86_400_000

const headersOf = (name: string, gauge: Gauge | undefined, at: number): string[] => {
  if (gauge === undefined) return []
  const { most, left, freeAt } = gauge
  const stands = [`x-ratelimit-limit-${name}`, String(most), `x-ratelimit-remaining-${name}`, String(left)]
  return freeAt - at > longest ? stands : [...stands, `x-ratelimit-reset-${name}`, durationOf(freeAt - at)]
}

const closest = (gauges: readonly (Gauge | undefined)[]): Gauge | undefined =>
  gauges
    .filter((gauge) => gauge !== undefined)
    .toSorted((one, other) => one.left / one.most - other.left / other.most)[0]

/** OpenAI's clients know limits of requests and of tokens; those of input or output alone show as limits of tokens. */
export const openaiLimitHeaders = ({ at, requests, tokens, input, output }: Gauges): readonly string[] => [
  ...headersOf('requests', requests, at),
  ...headersOf('tokens', closest([tokens, input, output]), at),
]
