import type { Provider } from '../provider.ts'

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
