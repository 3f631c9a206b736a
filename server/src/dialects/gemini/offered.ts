import { caption, countCaption, embeddingsCaption, modelCaption, modelsCaption } from '../captions.ts'
import type { DialectPaths } from '../paths.ts'

const conversations = ['Gemini 客户端的对话接口', 'Conversations of Gemini clients'] as const

/** Gemini's calls on the home page. */
export const offered: DialectPaths['offered'] = [
  ['GET /v1beta/models', modelsCaption],
  ['POST /v1beta/models/{model}:generateContent', caption(['生成内容', 'Generate content'], conversations)],
  [
    'POST /v1beta/models/{model}:streamGenerateContent',
    caption(['流式生成内容', 'Generate content, streamed'], conversations),
  ],
  ['POST /v1beta/models/{model}:countTokens', countCaption],
  [
    'POST /v1beta/models/{model}:embedContent',
    caption(['向量', 'Embeddings'], ['一段文本的向量', 'The vector of one text']),
  ],
  ['POST /v1beta/models/{model}:batchEmbedContents', embeddingsCaption],
  ['GET /v1beta/models/{model}', modelCaption],
]
