import { genericKeyHint } from '../dialects/openai.ts'
import { drawingAddress, taskService } from '../dialects/tasks.ts'
import { models } from './models.ts'

/** Midjourney Proxy (github.com/novicezk/midjourney-proxy): drawings are tasks. */
export const midjourney = taskService('midjourney', {
  type: 2,
  name: 'Midjourney',
  console: {
    label: { zh: 'Midjourney Proxy', en: 'Midjourney Proxy' },
    color: 'light-blue',
    key_hint: genericKeyHint,
    fields: drawingAddress,
  },
  models,
  owner: 'midjourney',
})
