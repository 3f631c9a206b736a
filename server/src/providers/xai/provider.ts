import { compatible } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import { grokEffort } from './effort.ts'
import { models } from './models.ts'
import { pictures } from './pictures.ts'

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
