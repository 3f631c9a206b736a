import type { Channel } from '@tollgate/contract'
import type { Stage } from './agent.ts'

/**
 * Offers another name for the model of the stage while `play` runs: agents do for some names what they do for no others. Only
 * the channel of the stage has it, and it costs what the model costs.
 */
export const withMappedModel = async <T>(
  { context: { operator }, kind, model }: Stage,
  name: string,
  play: () => Promise<T>,
): Promise<T> => {
  const channels = await operator.must<Channel[]>('GET', '/api/channel/?p=0&page_size=100')
  const channel = channels.find((one) => one.name === kind)
  if (channel === undefined) throw new Error(`there is no channel ${kind}`)
  const { id, models, model_mapping } = channel
  await operator.must('PUT', '/api/channel/', {
    id,
    models: `${models},${name}`,
    model_mapping: JSON.stringify({ [name]: model }),
  })
  try {
    return await play()
  } finally {
    await operator.must('PUT', '/api/channel/', { id, models, model_mapping })
  }
}
