import { compatible } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import models from './models.json' with { type: 'json' }
import { pictures } from './pictures.ts'

export const siliconflow: Provider = {
  ...compatible({
    type: 40,
    name: 'SiliconFlow',
    label: { zh: 'SiliconCloud', en: 'SiliconCloud' },
    color: 'purple',
    baseUrl: 'https://api.siliconflow.cn',
    owner: 'siliconflow',
    models,
  }),
  pictures,
  // docs.siliconflow.cn/en/userguide/capabilities/reasoning
  reasoningBeside: true,
}
