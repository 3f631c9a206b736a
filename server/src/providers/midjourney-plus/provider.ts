import { genericKeyHint } from '../dialects/openai.ts'
import { drawingAddress, taskService } from '../dialects/tasks.ts'

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = [
  'swap_face',
  'mj_imagine',
  'mj_variation',
  'mj_reroll',
  'mj_blend',
  'mj_upscale',
  'mj_describe',
  'mj_zoom',
  'mj_shorten',
  'mj_modal',
  'mj_inpaint',
  'mj_custom_zoom',
  'mj_high_variation',
  'mj_low_variation',
  'mj_pan',
  'mj_upload',
]

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
