import type { Provider } from '../provider.ts'

/** Whose tasks are begun with one call and asked after with others. */
export type TaskPlatform = 'midjourney' | 'suno'

/**
 * What proves who asks a task service, whatever type of channel stands for it: Midjourney proxies read `mj-api-secret`
 * (github.com/novicezk/midjourney-proxy, `mj.api-secret`), Suno's a bearer token.
 */
export const taskHeaders = (platform: TaskPlatform, key: string): Record<string, string> =>
  platform === 'midjourney' ? { 'mj-api-secret': key } : { authorization: `Bearer ${key}` }

/** A provider that takes tasks and nothing else: no conversation reaches it. */
export const taskService = (
  platform: TaskPlatform,
  facts: Pick<Provider, 'type' | 'name' | 'console' | 'models' | 'owner'>,
): Provider => ({
  ...facts,
  tasks: platform,
  // The reference's addresses for these types are leftovers of other services.
  baseUrl: '',
  streamOptions: false,
  languages: [],
  otherCalls: false,
  url: ({ channel, path, query }) => `${channel.baseUrl}${path}${query}`,
  headers: ({ key }) => taskHeaders(platform, key),
  modelList: undefined,
})

/** The address of a drawing service; every installation has its own. */
export const drawingAddress: Provider['console']['fields'] = [
  {
    column: 'base_url',
    label: { zh: '私有部署地址（/mj 之前的部分）', en: 'Address before /mj' },
    required: true,
  },
]
