import type { IncomingHttpHeaders } from 'node:http'
import { errors as anthropicErrors } from '#server/dialects/anthropic/errors.ts'
import { errors as geminiErrors } from '#server/dialects/gemini/errors.ts'
import { openaiErrors } from '#server/dialects/openai-chat/errors.ts'
import type { ModuleCall, ModuleRoute } from '#server/gateway/module-calls.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { KeptFiles } from '#server/relay/stored/kept-files.ts'
import { fileCaption } from '../module.ts'
import { anthropicFileCalls } from './anthropic/file-calls.ts'
import { geminiFileCalls } from './gemini/file-calls.ts'
import { geminiUploadCalls } from './gemini/upload-calls.ts'
import { openaiFileCalls } from './openai/file-calls.ts'
import { openaiUploadCalls } from './openai/upload-calls.ts'
import { ownFile } from './own-file.ts'
import { sendContent } from './send-content.ts'
import { openUnfinishedUploads } from './uploads/unfinished-uploads.ts'

type Answer = ModuleRoute['answer']

const errors = { openai: openaiErrors, anthropic: anthropicErrors, gemini: geminiErrors }

/** Every client of Anthropic sends its version, every one of Gemini's new packages its key in a header of its own. */
const clientOf = (headers: IncomingHttpHeaders): keyof typeof errors => {
  if (headers['anthropic-version'] !== undefined) return 'anthropic'
  return headers['x-goog-api-key'] === undefined ? 'openai' : 'gemini'
}

/** A path that several APIs have. */
const shared = (
  answers: Readonly<Record<keyof typeof errors, Answer>>,
): Pick<ModuleRoute, 'errors' | 'errorsFor' | 'answer'> => ({
  errors: openaiErrors,
  errorsFor: (headers) => errors[clientOf(headers)],
  answer: (call: ModuleCall) => answers[clientOf(call.context.request.headers)](call),
})

/** The calls of clients about files. */
export const fileRoutes = (files: KeptFiles, clock: Clock): readonly ModuleRoute[] => {
  const openai = openaiFileCalls(files)
  const anthropic = anthropicFileCalls(files)
  const gemini = geminiFileCalls(files)
  const uploads = openUnfinishedUploads(files, clock)
  const parts = openaiUploadCalls(uploads, clock)
  const { upload } = geminiUploadCalls(files, uploads)
  const content: Answer = async ({ context, caller, params: [id = ''] }) =>
    sendContent(context.client, await ownFile(files, id, caller), files)
  const ofOpenai = (method: ModuleRoute['method'], path: RegExp, answer: Answer): ModuleRoute => ({
    method,
    path,
    errors: openaiErrors,
    answer,
  })
  const ofGemini = (method: ModuleRoute['method'], path: RegExp, answer: Answer): ModuleRoute => ({
    method,
    path,
    errors: geminiErrors,
    answer,
  })
  return [
    {
      method: 'POST',
      path: /^\/v1\/files$/,
      ...shared({ openai: openai.create, anthropic: anthropic.create, gemini: upload }),
      offered: [
        { method: 'POST', path: '/v1/files', dialect: 'OpenAI', caption: fileCaption },
        { method: 'POST', path: '/v1/files', dialect: 'Anthropic', caption: fileCaption },
      ],
    },
    {
      method: 'GET',
      path: /^\/v1\/files$/,
      ...shared({ openai: openai.list, anthropic: anthropic.list, gemini: gemini.list }),
    },
    {
      method: 'GET',
      path: /^\/v1\/files\/([^/:]+)$/,
      ...shared({ openai: openai.get, anthropic: anthropic.get, gemini: gemini.get }),
    },
    {
      method: 'GET',
      path: /^\/v1\/files\/([^/:]+)\/content$/,
      ...shared({ openai: content, anthropic: content, gemini: content }),
    },
    {
      method: 'DELETE',
      path: /^\/v1\/files\/([^/:]+)$/,
      ...shared({ openai: openai.remove, anthropic: anthropic.remove, gemini: gemini.remove }),
    },
    ofOpenai('POST', /^\/v1\/uploads$/, parts.create),
    ofOpenai('POST', /^\/v1\/uploads\/([^/]+)\/parts$/, parts.addPart),
    ofOpenai('POST', /^\/v1\/uploads\/([^/]+)\/complete$/, parts.complete),
    ofOpenai('POST', /^\/v1\/uploads\/([^/]+)\/cancel$/, parts.cancel),
    {
      ...ofGemini('POST', /^\/(?:resumable\/)?upload\/v1(?:beta)?\/files$/, upload),
      offered: [{ method: 'POST', path: '/upload/v1beta/files', dialect: 'Gemini', caption: fileCaption }],
    },
    ofGemini('GET', /^\/v1beta\/files$/, gemini.list),
    ofGemini('GET', /^\/v1beta\/files\/([^/:]+)$/, gemini.get),
    ofGemini('GET', /^(?:\/download)?\/v1(?:beta)?\/files\/([^/:]+):download$/, gemini.download),
    ofGemini('DELETE', /^\/v1beta\/files\/([^/:]+)$/, gemini.remove),
  ]
}
