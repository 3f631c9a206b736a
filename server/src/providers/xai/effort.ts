import type { Adjustment, Ask } from '../provider.ts'

const named = /^(grok-3-mini.*)-(high|medium|low)$/

/** Some clients say the effort with the name of the model: `grok-3-mini-high`. */
export const grokEffort = ({ model, path, body }: Ask): Adjustment | undefined => {
  if (!path.endsWith('/chat/completions') || !model.startsWith('grok-3-mini')) return undefined
  const [, name, effort] = named.exec(model) ?? []
  if (name !== undefined && effort !== undefined) return { model: name, effort, members: { reasoning_effort: effort } }
  const asked = body.reasoning_effort
  return typeof asked === 'string' && asked !== '' ? { effort: asked } : undefined
}
