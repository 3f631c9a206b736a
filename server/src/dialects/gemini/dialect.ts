import { sealReader, sealWriter } from '../conversation/seal.ts'
import { geminiCost } from '../cost/gemini.ts'
import type { Dialect, ModelList, UpstreamDialect } from '../dialect.ts'
import { pictureTypes } from '../facts/media-types.ts'
import { geminiFiles } from '../files/gemini-files.ts'
import { readAnswer, writeAnswer } from './answer.ts'
import { cachedContentIn } from './caching/cached-content.ts'
import { errors } from './errors.ts'
import { passthrough } from './passthrough.ts'
import { paths } from './paths.ts'
import { promptReader } from './prompt.ts'
import { readRequest } from './read-request.ts'
import { openReader } from './read-stream.ts'
import { requestRules } from './request-rules.ts'
import { type GeminiCapabilities, geminiCapabilities, writeRequest } from './write-request.ts'
import { openWriter } from './write-stream.ts'

const entry = (name: string): object => ({
  name: `models/${name}`,
  baseModelId: name,
  version: '1',
  displayName: name,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
})

/** ai.google.dev/api/models */
const modelList: ModelList = {
  isAskedFor: (headers) => headers['x-goog-api-key'] !== undefined,
  entry,
  list: (names) => ({ models: names.map(entry) }),
}

export const geminiDialect: Dialect = {
  name: 'gemini',
  support: { unsupported: new Set(), imageUrls: true, searches: false },
  readRequest,
  writeAnswer,
  openStream: (conversation) => sealWriter(openWriter(conversation)),
  paths,
  keys: { headers: ['x-goog-api-key'], query: 'key' },
  errors,
  requestRules,
  promptReader,
  passthrough,
  files: geminiFiles,
  costPlace: geminiCost,
  modelList,
  checkTranslatable: () => {},
  // ai.google.dev/api/tokens
  writeTokenCount: (tokens) => ({ totalTokens: tokens }),
  // Only the account that keeps a content knows it, and no other user may name it.
  storedResponses: {
    continuedFrom: cachedContentIn,
    unknown: 'cached_content_not_found',
    isStored: () => false,
    idOf: () => undefined,
  },
  // Google's client for Python takes a comment for JSON; an empty line ends an event that never began.
  keepAlive: '\n\n',
  modelInPath: true,
  keepsRateLimitText: true,
}

/** ai.google.dev/api/caching#FunctionDeclaration */
const toolNames = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/

/** generateContent of Google's AI Studio and of Vertex. */
export const geminiContent = (capabilities: Partial<GeminiCapabilities> = {}): UpstreamDialect => {
  const all = { ...geminiCapabilities, ...capabilities }
  return {
    name: 'gemini',
    toolNames,
    pictures: pictureTypes.gemini,
    documentUrls: true,
    toolLists: 'required',
    anySchema: true,
    bareEnums: true,
    writeRequest: (conversation, unsupported) => writeRequest(conversation, unsupported, all),
    readAnswer,
    openStream: () => sealReader(openReader()),
  }
}
