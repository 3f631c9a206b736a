import { genericKeyHint } from '../dialects/openai.ts'
import { drawingAddress, taskService } from '../dialects/tasks.ts'

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = [
  'mj_imagine',
  'mj_variation',
  'mj_reroll',
  'mj_blend',
  'mj_upscale',
  'mj_describe',
  'mj_upload',
]

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
