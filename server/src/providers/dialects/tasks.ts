import type { Provider } from '../provider.ts'

/** APIs that start a task with one call and report its progress in others. */
export type TaskPlatform = 'midjourney' | 'suno'

/**
 * The authentication header of a task service: `mj-api-secret` for Midjourney proxies (github.com/novicezk/midjourney-proxy,
 * `mj.api-secret`), a bearer token for Suno.
 */
export const taskHeaders = (platform: TaskPlatform, key: string): Record<string, string> =>
  platform === 'midjourney' ? { 'mj-api-secret': key } : { authorization: `Bearer ${key}` }

/** Makes a provider that takes tasks and no other calls. */
export const taskService = (
  platform: TaskPlatform,
  description: Pick<Provider, 'type' | 'name' | 'console' | 'models' | 'owner'>,
): Provider => ({
  ...description,
  tasks: platform,
  // Every installation has its own address, so there is no default.
  baseUrl: '',
  streamOptions: false,
  languages: [],
  otherCalls: false,
  url: ({ channel, path, query }) => `${channel.baseUrl}${path}${query}`,
  headers: ({ key }) => taskHeaders(platform, key),
  modelList: undefined,
})

/** Makes a provider that makes videos and takes no other calls. */
export const videoService = (
  description: Pick<Provider, 'type' | 'name' | 'console' | 'baseUrl' | 'models' | 'owner' | 'headers'> &
    Partial<Pick<Provider, 'freshHead'>>,
): Provider => ({
  ...description,
  streamOptions: false,
  languages: [],
  otherCalls: false,
  billsLater: true,
  url: ({ channel, path, query }) => `${channel.baseUrl}${path}${query}`,
  modelList: undefined,
})

/** Input for the address of a Midjourney proxy; every installation has its own. */
export const drawingAddress: Provider['console']['fields'] = [
  {
    column: 'base_url',
    label: { zh: '私有部署地址（/mj 之前的部分）', en: 'Base URL (the part before /mj)' },
    required: true,
  },
]
