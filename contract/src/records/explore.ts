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
export type ExploreUnit = 'quota' | 'count' | 'tokens' | 'share' | 'ms' | 'speed'

interface MetricKind {
  readonly unit: ExploreUnit
  /** True if values of parts add up to the value of the whole, so that they can be stacked. */
  readonly adds: boolean
  /** For operators only. */
  readonly operators?: true
}

const sum = (unit: ExploreUnit): MetricKind => ({ unit, adds: true })
const ratio = (unit: ExploreUnit): MetricKind => ({ unit, adds: false })

/** Every figure that can be explored; what it is made of is known to the server alone. */
export const exploreMetrics = {
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
export type ExploreMetric = keyof typeof exploreMetrics
export const exploreMetricNames = Object.keys(exploreMetrics) as [ExploreMetric, ...ExploreMetric[]]

interface DimensionKind {
  /** Values of `id` dimensions are numbers as text, with a name beside them. */
  readonly kind: 'id' | 'text' | 'status'
  /** For operators only. */
  readonly operators?: true
  /** For people of an organisation, too, about its own figures. */
  readonly organisations?: true
}

/** Everything that figures can be split and filtered by. */
export const exploreDimensions = {
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
export type ExploreDimension = keyof typeof exploreDimensions
export const exploreDimensionNames = Object.keys(exploreDimensions) as [ExploreDimension, ...ExploreDimension[]]

/** True if a figure is for operators only. */
export const isOperatorMetric = (metric: ExploreMetric): boolean => {
  const kind: MetricKind = exploreMetrics[metric]
  return kind.operators === true
}

/** True if a dimension is for operators only. */
export const isOperatorDimension = (dimension: ExploreDimension): boolean => {
  const kind: DimensionKind = exploreDimensions[dimension]
  return kind.operators === true
}

/** True if people of an organisation may split its figures by a dimension. */
export const isOrganisationDimension = (dimension: ExploreDimension): boolean => {
  const kind: DimensionKind = exploreDimensions[dimension]
  return kind.operators !== true || kind.organisations === true
}

/** Dimensions with sums of their own, which know none of the others. */
const named: readonly ExploreDimension[] = ['session', 'end_user', 'tag']

/** Metrics and dimensions that are not summed by session, end user or tag. */
const unknownByName: ReadonlySet<ExploreMetric | ExploreDimension> = new Set([
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
export const isKnownTogether = (metric: ExploreMetric, dimensions: readonly ExploreDimension[]): boolean => {
  const asked = named.filter((name) => dimensions.includes(name))
  return asked.length === 0 || (asked.length === 1 && ![metric, ...dimensions].some((name) => unknownByName.has(name)))
}

export const rollups = ['hour', 'day', 'week', 'month'] as const
export type Rollup = (typeof rollups)[number]

export const exploreForms = ['line', 'area', 'bar', 'table'] as const
export type ExploreForm = (typeof exploreForms)[number]

/** How many alerts one user may have. */
export const mostAlerts = 50
export const longestAlertName = 60

export const alertComparisons = ['above', 'below'] as const
export type AlertComparison = (typeof alertComparisons)[number]

/** Hours that a value is of, back from now. */
export const alertWindows = [1, 6, 24, 168] as const
export type AlertWindow = (typeof alertWindows)[number]
