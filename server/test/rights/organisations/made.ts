import { openStoredObjects } from '../../../src/features/stored-responses/stored-objects.ts'
import { openStoredResponses } from '../../../src/features/stored-responses/stored-responses.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { openBus } from '../../../src/lib/redis/bus.ts'
import type { Answer, Ask, RightsSite } from '../site.ts'

/** One thing of every kind that the relay names by an id. */
export interface Made {
  readonly drawing: string
  readonly song: string
  readonly response: string
  readonly completion: string
  readonly conversation: string
  readonly item: string
  readonly content: string
  /** In the account of the channel that is called directly; `batchOutput` is a file that the batch made. */
  readonly file: string
  readonly batch: string
  readonly batchOutput: string
}

/** A recognisable text that only things of this key hold. */
export const madeText = (maker: string): string => `madeZ${maker}Z`

/** The keys whose things a text holds. */
export const makersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/madeZ([a-z0-9]+)Z/g)].map(([, maker = '']) => maker)),
]

/** Makes one thing of every kind with a key, by calls where a call can make it. `direct` is the beginning of direct calls. */
export const plantMade = async (
  site: RightsSite,
  maker: string,
  key: string,
  direct: string,
  call: (ask: Ask) => Promise<Answer>,
): Promise<Made> => {
  const { database, secrets } = site
  const text = madeText(maker)
  const { id: tokenId, user_id } = await database.query
    .selectFrom('tokens')
    .select(['id', 'user_id'])
    .where('key_hash', '=', secrets.digest('token_key', key))
    .executeTakeFirstOrThrow()
  const channel = await database.query
    .selectFrom('channels')
    .select('id')
    .where('name', '=', 'c')
    .executeTakeFirstOrThrow()
  const done = async (path: string, body: unknown): Promise<string> => {
    const answer = await call({ method: 'POST', path, body })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
    return String((answer.json as { id?: string }).id)
  }
  const seconds = Math.floor(Date.now() / 1000)
  const task = {
    user_id,
    token_id: tokenId,
    channel_id: channel.id,
    quota: 1,
    status: 'SUCCESS',
    progress: '100%',
    fail_reason: '',
    start_time: 0,
    finish_time: 0,
    key_hash: null,
  }
  const drawing = `drawing${tokenId}`
  await database.query
    .insertInto('midjourneys')
    .values({
      ...task,
      code: 1,
      action: 'IMAGINE',
      mj_id: drawing,
      prompt: text,
      prompt_en: '',
      description: '',
      state: '',
      submit_time: seconds * 1000,
      image_url: '',
      buttons: '',
      properties: '',
    })
    .execute()
  const song = `song${tokenId}`
  await database.query
    .insertInto('tasks')
    .values({
      ...task,
      task_id: song,
      platform: 'suno',
      action: 'MUSIC',
      created_at: seconds,
      updated_at: seconds,
      submit_time: seconds,
      properties: JSON.stringify({ input: text }),
      data: JSON.stringify([text]),
    })
    .execute()

  const content = `cachedContents/content${tokenId}`
  const parts = { database, secrets, clock: Date.now, warn: () => {} }
  const objects = openStoredObjects({ ...parts, bus: openBus({ nodeName: 'test', log: silentLog }) })
  const times = { createTime: new Date().toISOString(), expireTime: new Date(Date.now() + 3_600_000).toISOString() }
  objects.put(
    {
      kind: 'cached_content',
      id: content,
      owner: { userId: user_id, tokenId },
      thread: content,
      content: { name: content, model: 'models/gpt-4o', displayName: text, ...times },
    },
    1,
  )
  await objects.close()
  const places = openStoredResponses(parts)
  places.note(content, { userId: user_id, tokenId }, { channelId: channel.id, key: 'sk-c' })
  await places.close()

  const file = await done(`${direct}/v1/files`, { of: text })
  const input = await done(`${direct}/v1/files`, { of: text })
  const batch = await call({ method: 'POST', path: `${direct}/v1/batches`, body: { of: text, about: input } })
  const { id: batchId, output_file_id } = batch.json as { id?: string; output_file_id?: string }

  const user = { role: 'user', content: text }
  const conversation = await done('/v1/conversations', { items: [user], metadata: { of: text } })
  const items = await call({ method: 'GET', path: `/v1/conversations/${conversation}/items` })
  const { first_id } = items.json as { first_id?: string }
  return {
    drawing,
    song,
    content,
    file,
    batch: String(batchId),
    batchOutput: String(output_file_id),
    conversation,
    item: String(first_id),
    response: await done('/v1/responses', { model: 'gpt-4o', input: text }),
    completion: await done('/v1/chat/completions', { model: 'gpt-4o', messages: [user], store: true }),
  }
}
