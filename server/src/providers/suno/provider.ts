import { genericKeyHint } from '../dialects/openai.ts'
import { taskService } from '../dialects/tasks.ts'

/** Models that the console offers for a new channel of this type. */
const models: readonly string[] = ['suno_music', 'suno_lyrics']

/** Suno API: songs and lyrics are tasks. */
export const suno = taskService('suno', {
  type: 36,
  name: 'SunoAPI',
  console: {
    label: { zh: 'Suno API', en: 'Suno API' },
    color: 'purple',
    key_hint: genericKeyHint,
    fields: [
      {
        column: 'base_url',
        label: { zh: '私有部署地址（/suno 之前的部分）', en: 'Base URL (the part before /suno)' },
        required: true,
      },
    ],
  },
  models,
  owner: 'suno',
})
