import type { IncomingHttpHeaders } from 'node:http'
import { errors as geminiErrors } from '#server/dialects/gemini/errors.ts'
import { openaiErrors } from '#server/dialects/openai-chat/errors.ts'
import { type GeminiCallParts, geminiCalls } from './gemini-calls.ts'
import { type OpenaiCallParts, openaiCalls } from './openai-calls.ts'
import type { ModuleRoute } from './request.ts'

type Answer = ModuleRoute['answer']

/** Google's clients send their key in a header of their own. */
const isGoogles = (headers: IncomingHttpHeaders): boolean => headers['x-goog-api-key'] !== undefined

/** A call that OpenAI's clients and, in version 1 of its API, Google's make at one path. */
const byClient = (openai: Answer, gemini: Answer): Pick<ModuleRoute, 'errors' | 'errorsFor' | 'answer'> => ({
  errors: openaiErrors,
  errorsFor: (headers) => (isGoogles(headers) ? geminiErrors : openaiErrors),
  answer: (call) => (isGoogles(call.context.request.headers) ? gemini(call) : openai(call)),
})

/** Calls of OpenAI's and Gemini's clients, which share paths. */
export const sharedCalls = (parts: OpenaiCallParts & GeminiCallParts): readonly ModuleRoute[] => {
  const openai = openaiCalls(parts)
  const gemini = geminiCalls(parts)
  const ofOpenai = { errors: openaiErrors }
  const ofGemini = { errors: geminiErrors }
  const googles = /^\/v1(?:beta)?\/batches\/([^/:]+)$/
  return [
    { method: 'POST', path: /^\/v1\/batches$/, ...ofOpenai, answer: openai.create },
    { method: 'GET', path: /^\/v1\/batches$/, ...byClient(openai.list, gemini.list) },
    { method: 'GET', path: /^\/v1\/batches\/([^/]+)$/, ...byClient(openai.retrieve, gemini.retrieve) },
    { method: 'POST', path: /^\/v1\/batches\/([^/]+)\/cancel$/, ...ofOpenai, answer: openai.cancel },
    {
      method: 'POST',
      path: /^\/v1(?:beta)?\/models\/([^:]+):(batchGenerateContent|asyncBatchEmbedContent)$/,
      ...ofGemini,
      answer: gemini.create,
    },
    { method: 'GET', path: /^\/v1beta\/batches$/, ...ofGemini, answer: gemini.list },
    { method: 'GET', path: googles, ...ofGemini, answer: gemini.retrieve },
    { method: 'DELETE', path: googles, ...ofGemini, answer: gemini.remove },
    { method: 'POST', path: /^\/v1(?:beta)?\/batches\/([^/:]+):cancel$/, ...ofGemini, answer: gemini.cancel },
  ]
}
