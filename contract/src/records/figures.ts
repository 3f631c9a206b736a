/** Why calls fail: `invalid` requests were refused as such, `cancelled` ones were left by their clients. */
export const errorClasses = [
  'invalid',
  'auth',
  'quota',
  'rate_limited',
  'timeout',
  'server_error',
  'cancelled',
  'other',
] as const
export type ErrorClass = (typeof errorClasses)[number]

/** Values of the dimension `status`. */
export const callStatuses = ['success', ...errorClasses] as const
export type CallStatus = (typeof callStatuses)[number]

/** Unit of a metric: `quota` units, whole `count`s and `tokens`, a `share` of 1, milliseconds, tokens per second. */
export type FigureUnit = 'quota' | 'count' | 'tokens' | 'share' | 'ms' | 'speed'

interface MetricKind {
  readonly unit: FigureUnit
  /** True if values of parts add up to the value of the whole, so that they can be stacked. */
  readonly adds: boolean
  /** For operators only. */
  readonly operators?: true
}

const sum = (unit: FigureUnit): MetricKind => ({ unit, adds: true })
const ratio = (unit: FigureUnit): MetricKind => ({ unit, adds: false })

/** Every figure of calls; the sums that each is made of are in the server (`features/figures/metrics.ts`). */
export const figureMetrics = {
  spend: sum('quota'),
  calls: sum('count'),
  tokens: sum('tokens'),
  input_tokens: sum('tokens'),
  cached_tokens: sum('tokens'),
  cache_write_tokens: sum('tokens'),
  output_tokens: sum('tokens'),
  reasoning_tokens: sum('tokens'),
  cache_saved: sum('quota'),
  cache_lost: sum('quota'),
  missed_tokens: sum('tokens'),
  cache_share: ratio('share'),
  errors: sum('count'),
  error_share: ratio('share'),
  first_p50: ratio('ms'),
  first_p95: ratio('ms'),
  first_p99: ratio('ms'),
  total_p50: ratio('ms'),
  total_p95: ratio('ms'),
  total_p99: ratio('ms'),
  output_speed: ratio('speed'),
  cost: { ...sum('quota'), operators: true },
  margin: { ...sum('quota'), operators: true },
} as const satisfies Record<string, MetricKind>
export type FigureMetric = keyof typeof figureMetrics
export const figureMetricNames = Object.keys(figureMetrics) as [FigureMetric, ...FigureMetric[]]

interface DimensionKind {
  /** Values of `id` dimensions are numbers as text, with a name beside them. */
  readonly kind: 'id' | 'text' | 'status'
  /** For operators only. */
  readonly operators?: true
  /** For people of an organisation, too, about its own figures. */
  readonly organisations?: true
}

/** Everything that figures can be split and filtered by. */
export const figureDimensions = {
  model: { kind: 'text' },
  channel: { kind: 'id', operators: true },
  key: { kind: 'id' },
  user: { kind: 'id', operators: true },
  organisation: { kind: 'id', operators: true },
  team: { kind: 'id', operators: true, organisations: true },
  project: { kind: 'id', operators: true, organisations: true },
  /** The person of a project's key; 0 for machines, and for keys without a project. */
  member: { kind: 'id', operators: true, organisations: true },
  group: { kind: 'text' },
  status: { kind: 'status' },
  session: { kind: 'text' },
  /** The customer of the caller for whom a call is made. */
  end_user: { kind: 'text' },
  /** `name=value`; a call with several tags counts for each of them. */
  tag: { kind: 'text' },
} as const satisfies Record<string, DimensionKind>
export type FigureDimension = keyof typeof figureDimensions
export const figureDimensionNames = Object.keys(figureDimensions) as [FigureDimension, ...FigureDimension[]]

/** True if a figure is for operators only. */
export const isOperatorMetric = (metric: FigureMetric): boolean => {
  const kind: MetricKind = figureMetrics[metric]
  return kind.operators === true
}

/** True if a dimension is for operators only. */
export const isOperatorDimension = (dimension: FigureDimension): boolean => {
  const kind: DimensionKind = figureDimensions[dimension]
  return kind.operators === true
}

/** True if people of an organisation may split its figures by a dimension. */
export const isOrganisationDimension = (dimension: FigureDimension): boolean => {
  const kind: DimensionKind = figureDimensions[dimension]
  return kind.operators !== true || kind.organisations === true
}

/** Dimensions with sums of their own, which know none of the others. */
const named: readonly FigureDimension[] = ['session', 'end_user', 'tag']

/** Metrics and dimensions that are not summed by session, end user or tag. */
const unknownByName: ReadonlySet<FigureMetric | FigureDimension> = new Set([
  'first_p50',
  'first_p95',
  'first_p99',
  'total_p50',
  'total_p95',
  'total_p99',
  'group',
  'status',
])

/**
 * True if sums exist for this combination: speed, groups and results are not summed by session, end user or tag, nor one of these by
 * another.
 */
export const isKnownTogether = (metric: FigureMetric, dimensions: readonly FigureDimension[]): boolean => {
  const asked = named.filter((name) => dimensions.includes(name))
  return asked.length === 0 || (asked.length === 1 && ![metric, ...dimensions].some((name) => unknownByName.has(name)))
}

export const rollups = ['hour', 'day', 'week', 'month'] as const
export type Rollup = (typeof rollups)[number]
