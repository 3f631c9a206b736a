import { compatible } from '../dialects/openai.ts'
import type { Adjustment, OutgoingRequest, Provider } from '../provider.ts'
import models from './models.json' with { type: 'json' }
import { pictures } from './pictures.ts'

const nameWithEffort = /^(grok-3-mini.*)-(high|medium|low)$/

/** Reads the reasoning effort from the end of the model name (`grok-3-mini-high`) or from the body. */
const grokEffort = ({ model, path, body }: OutgoingRequest): Adjustment | undefined => {
  if (!path.endsWith('/chat/completions') || !model.startsWith('grok-3-mini')) return undefined
  const [, name, effort] = nameWithEffort.exec(model) ?? []
  if (name !== undefined && effort !== undefined) return { model: name, effort, members: { reasoning_effort: effort } }
  const bodyEffort = body.reasoning_effort
  return typeof bodyEffort === 'string' && bodyEffort !== '' ? { effort: bodyEffort } : undefined
}

export const xai: Provider = {
  ...compatible({
    type: 48,
    name: 'Xai',
    responses: true,
    label: { zh: 'xAI', en: 'xAI' },
    color: 'blue',
    baseUrl: 'https://api.x.ai',
    owner: 'xai',
    models,
    streamOptions: true,
    adjust: grokEffort,
    leavesPlain: ({ model }) => (model.startsWith('grok-3-mini') ? undefined : []),
  }),
  pictures,
}
