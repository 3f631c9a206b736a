import type { Adjustment, OutgoingRequest } from '../provider.ts'

const nameWithEffort = /^(grok-3-mini.*)-(high|medium|low)$/

/** Reads the reasoning effort from the end of the model name (`grok-3-mini-high`) or from the body. */
export const grokEffort = ({ model, path, body }: OutgoingRequest): Adjustment | undefined => {
  if (!path.endsWith('/chat/completions') || !model.startsWith('grok-3-mini')) return undefined
  const [, name, effort] = nameWithEffort.exec(model) ?? []
  if (name !== undefined && effort !== undefined) return { model: name, effort, members: { reasoning_effort: effort } }
  const bodyEffort = body.reasoning_effort
  return typeof bodyEffort === 'string' && bodyEffort !== '' ? { effort: bodyEffort } : undefined
}
