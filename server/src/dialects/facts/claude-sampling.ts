import type { ClaudeFacts } from './model-facts.ts'

/** Sampling settings as Anthropic names them. */
export interface ClaudeSampling {
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  readonly top_k?: number | undefined
}

type SamplingName = keyof ClaudeSampling

/** Values that change nothing: a setting that is left out with one of them is no loss. */
const defaults: ClaudeSampling = { temperature: 1, top_p: 1 }

const names: readonly SamplingName[] = ['temperature', 'top_p', 'top_k']

/**
 * The settings of a call that its model takes: newer models take none, models since Claude 4.1 take temperature or `top_p`, and
 * thinking forbids temperature, `top_k` and a `top_p` below 0.95 (platform.claude.com/docs: extended thinking, migration guide).
 */
const takenBy = (
  { temperature, top_p = 1 }: ClaudeSampling,
  { sampling, bothSamplings }: Pick<ClaudeFacts, 'sampling' | 'bothSamplings'>,
  thinks: boolean,
): Readonly<Record<SamplingName, boolean>> => {
  const free = sampling && !thinks
  const one = bothSamplings || !free || temperature === undefined
  return { temperature: free, top_k: free, top_p: sampling && one && (!thinks || top_p >= 0.95) }
}

/** The settings that the model refuses, and which of them are lost for that: those that are not at their default. */
export const refusedSampling = (
  asked: ClaudeSampling,
  facts: Pick<ClaudeFacts, 'sampling' | 'bothSamplings'>,
  thinks: boolean,
): { readonly refused: readonly SamplingName[]; readonly lost: readonly SamplingName[] } => {
  const taken = takenBy(asked, facts, thinks)
  const refused = names.filter((name) => asked[name] !== undefined && !taken[name])
  return { refused, lost: refused.filter((name) => asked[name] !== defaults[name]) }
}
