import type { Database } from '#server/db/database.ts'
import { openVideoScene, type SceneParts, videoPrices } from './video-scene.ts'

/** A channel of a kind whose model is sold by the second, and the steps of one video of it. */
export const openVideoRun = async (
  database: Database,
  { model, more = [], ...parts }: SceneParts & { readonly model: string; readonly more?: SceneParts['more'] },
) => {
  const scene = await openVideoScene(database, {
    prices: videoPrices([model]),
    ...parts,
    more,
    changes: { models: new Set([model]), ...parts.changes },
  })
  const node = await scene.node()
  const create = (body: object = {}) =>
    node.call('POST', '/v1/videos', { body: { model, prompt: 'a cat', seconds: '5', ...body } })
  return {
    scene,
    node,
    provider: scene.provider,
    create,
    /** Begins a video that its provider accepts; answers its id. */
    async begin(body: object = {}): Promise<string> {
      const { status, json } = await create(body)
      if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(json)}`)
      return String(json.id)
    },
    /** Asks the provider for the state of what is under way. */
    async look(): Promise<void> {
      scene.later(60_000)
      await node.following.work()
      await node.settled()
    },
    state: async (id: string): Promise<Record<string, unknown>> => (await node.call('GET', `/v1/videos/${id}`)).json,
    content: (id: string) => node.call('GET', `/v1/videos/${id}/content`),
    amounts: async (): Promise<number[]> => (await scene.charges()).map(({ amount }) => amount),
    close: () => scene.close(),
  }
}

export type VideoRun = Awaited<ReturnType<typeof openVideoRun>>
