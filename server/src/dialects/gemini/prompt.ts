import { imageTokens } from '../../billing/counting/image-tokens.ts'
import { audioTokens, fileTokens, type Pieces } from '../../billing/counting/inputs.ts'
import { type Json, listOf, printed, recordOf, textOf } from '../../billing/counting/json.ts'
import type { PromptReader } from '../../billing/counting/prompt.ts'

const mediaTokens = (model: string, mimeType: string): number => {
  if (mimeType.startsWith('image/')) return imageTokens(model, { url: '', detail: '' })
  return mimeType.startsWith('audio/') ? audioTokens : fileTokens
}

function* contentPieces(model: string, content: unknown): Pieces {
  for (const part of listOf(recordOf(content).parts).map(recordOf)) {
    yield textOf(part.text)
    yield printed(part.functionCall) + printed(part.functionResponse)
    const media = recordOf(part.inlineData ?? part.inline_data ?? part.fileData ?? part.file_data)
    const mimeType = textOf(media.mimeType) || textOf(media.mime_type)
    if (mimeType !== '') yield mediaTokens(model, mimeType)
  }
}

/** A request in Gemini's dialect: generateContent, or the contents of one or many embeddings. */
function* geminiPieces(model: string, body: Json): Pieces {
  for (const content of listOf(body.contents)) yield* contentPieces(model, content)
  for (const request of listOf(body.requests)) yield* contentPieces(model, recordOf(request).content)
  yield* contentPieces(model, body.content)
  yield* contentPieces(model, body.systemInstruction ?? body.system_instruction)
  for (const tool of listOf(body.tools)) yield printed(tool)
}

export const promptReader: PromptReader = { module: import.meta.url, read: (model, body) => geminiPieces(model, body) }
