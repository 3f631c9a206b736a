import figures from './call-figures.json' with { type: 'json' }
import { alwaysOff, type OptionalFeature, optionalFeatures } from './optional-features.ts'
import { commonTrace, figuresOf, type Trace, type TracedSite, type TraceFigures } from './traced-call.ts'

/** Files that a feature costs a plain call that does not use it. */
export interface FeatureFiles {
  /** Its own files that the call visits while it is off; 0 is the aim. */
  readonly off: number
  /** Files that the call visits more when it is on for others. */
  readonly on: number
}

export interface CallFigures {
  readonly plainCall: TraceFigures
  readonly features: Readonly<Record<string, FeatureFiles>>
}

/** The most that is allowed: `call-figures.json`, written by `npm run structure -- --keep`. Figures may only fall. */
export const allowedFigures: CallFigures = figures

const filesOf = (trace: Trace): ReadonlySet<string> => new Set(trace.map(([file]) => file))

const own = (trace: Trace, { own }: Pick<OptionalFeature, 'own'>): number =>
  [...filesOf(trace)].filter((file) => own.test(file)).length

const set = async ({ operator }: TracedSite, options: Readonly<Record<string, string>>): Promise<void> => {
  for (const [key, value] of Object.entries(options)) await operator.must('PUT', '/api/option/', { key, value })
}

/** Traces until nothing is over what is allowed, or so often that it is no chance. */
const settled = async <T>(site: TracedSite, read: (trace: Trace) => T, isFine: (read: T) => boolean): Promise<T> => {
  const traces: Trace[] = []
  for (const more of [2, 2, 3]) {
    traces.push(...(await site.trace(more)))
    const found = read(commonTrace(traces))
    if (isFine(found)) return found
  }
  return read(commonTrace(traces))
}

const measures = ['files', 'functions', 'returns'] as const

/** Figures of a plain call while every feature has the setting of a new site. */
export const plainFigures = (site: TracedSite, allowed: TraceFigures): Promise<TraceFigures> =>
  settled(site, figuresOf, (found) => measures.every((measure) => found[measure] <= allowed[measure]))

/** A plain call of a site on which every feature is off. */
const traceWithout = async (site: TracedSite): Promise<Trace> => {
  for (const feature of optionalFeatures) await set(site, feature.off)
  return commonTrace(await site.trace(3))
}

/** Files of each feature, by its name, that a plain call visits while every feature is off. The site is left so. */
export const filesWhileOff = async (site: TracedSite): Promise<ReadonlyMap<string, number>> => {
  const trace = await traceWithout(site)
  return new Map([...alwaysOff, ...optionalFeatures].map((feature) => [feature.name, own(trace, feature)]))
}

/** Files that each feature adds to a plain call that does not use it. The site is left with every feature off. */
export const featureFigures = async (
  site: TracedSite,
  allowed: CallFigures['features'],
): Promise<CallFigures['features']> => {
  const found: Record<string, FeatureFiles> = {}
  const none = await traceWithout(site)
  const before = filesOf(none)
  for (const { name, own: files } of alwaysOff) found[name] = { off: own(none, { own: files }), on: 0 }
  for (const feature of optionalFeatures) {
    await set(site, feature.on)
    const added = (trace: Trace): number => [...filesOf(trace)].filter((file) => !before.has(file)).length
    const on = await settled(site, added, (count) => count <= (allowed[feature.name]?.on ?? 0))
    await set(site, feature.off)
    found[feature.name] = { off: own(none, feature), on }
  }
  return found
}

/** Every figure by its name, for comparing. */
export const namedFigures = ({ plainCall, features }: CallFigures): ReadonlyMap<string, number> =>
  new Map([
    ...measures.map((measure) => [`${measure} of a plain call`, plainCall[measure]] as const),
    ...Object.entries(features).flatMap(([name, { off, on }]) => [
      [`files of "${name}" while it is off`, off] as const,
      [`files more while "${name}" is on for others`, on] as const,
    ]),
  ])

/** Figures above and below the allowed ones, in words. */
export const compareFigures = (
  found: CallFigures,
  allowed: CallFigures,
): { readonly above: readonly string[]; readonly below: readonly string[] } => {
  const limits = namedFigures(allowed)
  const entries = [...namedFigures(found)].map(([name, now]) => ({ name, now, most: limits.get(name) ?? 0 }))
  return {
    above: entries
      .filter(({ now, most }) => now > most)
      .map(({ name, now, most }) => `${name}: ${now}, at most ${most}`),
    below: entries
      .filter(({ now, most }) => now < most)
      .map(({ name, now, most }) => `${name}: ${now}, so ${most} can be lowered in call-figures.json`),
  }
}
