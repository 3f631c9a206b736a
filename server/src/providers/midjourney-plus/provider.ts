import { genericKeyHint } from '../dialects/openai.ts'
import { drawingAddress, taskService } from '../dialects/tasks.ts'
import { models } from './models.ts'

/** Midjourney Proxy Plus (github.com/litter-coder/midjourney-proxy-plus): Midjourney Proxy with more actions. */
export const midjourneyPlus = taskService('midjourney', {
  type: 5,
  name: 'MidjourneyPlus',
  console: {
    label: { zh: 'Midjourney Proxy Plus', en: 'Midjourney Proxy Plus' },
    color: 'blue',
    key_hint: genericKeyHint,
    fields: drawingAddress,
  },
  models,
  owner: 'midjourney',
})
