import type { ModelList } from '../model-list.ts'

const entry = (name: string): object => ({
  name: `models/${name}`,
  baseModelId: name,
  version: '1',
  displayName: name,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
})

/** ai.google.dev/api/models */
export const modelList: ModelList = {
  isAskedFor: (headers) => headers['x-goog-api-key'] !== undefined,
  entry,
  list: (names) => ({ models: names.map(entry) }),
}
