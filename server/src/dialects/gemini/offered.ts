import { caption, countCaption, embeddingsCaption, modelCaption, modelsCaption } from '../captions.ts'
import type { DialectPaths } from '../paths.ts'

const conversations = { zh: 'Gemini 客户端的对话接口', en: 'Conversations of Gemini clients' }

/** Gemini's calls on the home page. */
export const offered: DialectPaths['offered'] = [
  ['GET /v1beta/models', modelsCaption],
  ['POST /v1beta/models/{model}:generateContent', caption({ zh: '生成内容', en: 'Generate content' }, conversations)],
  [
    'POST /v1beta/models/{model}:streamGenerateContent',
    caption({ zh: '流式生成内容', en: 'Generate content, streamed' }, conversations),
  ],
  ['POST /v1beta/models/{model}:countTokens', countCaption],
  [
    'POST /v1beta/models/{model}:embedContent',
    caption({ zh: '向量', en: 'Embeddings' }, { zh: '一段文本的向量', en: 'The vector of one text' }),
  ],
  ['POST /v1beta/models/{model}:batchEmbedContents', embeddingsCaption],
  ['GET /v1beta/models/{model}', modelCaption],
]
