import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, parsedJson, textOf } from '#server/dialects/conversation/json.ts'
import type { ModuleCall } from '#server/gateway/module-calls.ts'
import { makerOf } from '#server/relay/reader.ts'
import type { KeptFile, KeptFiles } from '#server/relay/stored/kept-files.ts'
import { contentTypeOf } from '../content-types.ts'
import { invalidUpload, streamedParts, textOfBytes } from '../forms/form-stream.ts'
import { withUpload } from '../forms/uploaded-bytes.ts'
import { idIn } from '../page-query.ts'
import type { UnfinishedUpload, UnfinishedUploads, UploadPlan } from '../uploads/unfinished-uploads.ts'
import { geminiFile } from './file-names.ts'

const purpose = 'user_data'
const longestMetadata = 64 * 1024
const longestName = 512

const headerOf = ({ context }: ModuleCall, name: string): string => {
  const value = ownMember(context.request.headers, name)
  return (typeof value === 'string' ? value : '').slice(0, longestName)
}

/** The `file` of the metadata. Throws AppError('invalid_file_upload') where it names the file itself. */
const metadataIn = (text: string): JsonObject => {
  if (text.trim() === '') return {}
  const body = parsedJson(text)
  if (!isObject(body)) throw invalidUpload('the metadata is no JSON object')
  const { file } = body
  const metadata = isObject(file) ? file : {}
  if (textOf(metadata.name) !== '') throw invalidUpload('file.name is chosen by the server')
  return metadata
}

const nameIn = (metadata: JsonObject, call: ModuleCall): string =>
  (textOf(metadata.displayName) || textOf(metadata.display_name) || headerOf(call, 'x-goog-upload-file-name')).slice(
    0,
    longestName,
  )

const typeIn = (metadata: JsonObject, stated: string, filename: string): string =>
  contentTypeOf(textOf(metadata.mimeType) || textOf(metadata.mime_type) || stated, filename)

const statusHead = (status: 'active' | 'final' | 'cancelled', received?: number): string[] => [
  'X-Goog-Upload-Status',
  status,
  ...(received === undefined ? [] : ['X-Goog-Upload-Size-Received', String(received)]),
]

const sizeOf = (parts: readonly KeptFile[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0)

/** Gemini's uploads: resumable in two or more calls, and in one call with several parts (ai.google.dev/api/files#method:-media.upload). */
export const geminiUploadCalls = (files: KeptFiles, uploads: UnfinishedUploads) => {
  const answer = ({ sendJson, address }: ModuleCall, file: KeptFile): void =>
    sendJson(200, JSON.stringify({ file: geminiFile(file, address()) }), statusHead('final'))

  const start = async (call: ModuleCall): Promise<void> => {
    const metadata = metadataIn((await call.body()).toString())
    const filename = nameIn(metadata, call)
    const announced = Number(headerOf(call, 'x-goog-upload-header-content-length') || Number.NaN)
    const plan: UploadPlan = {
      filename,
      purpose,
      contentType: typeIn(metadata, headerOf(call, 'x-goog-upload-header-content-type'), filename),
      bytes: Number.isSafeInteger(announced) ? announced : undefined,
    }
    const { key } = await uploads.begin(plan, call.caller)
    const url = `${call.address()}/upload/v1beta/files?upload_id=${key}&upload_protocol=resumable`
    call.sendJson(200, '{}', ['X-Goog-Upload-URL', url, ...statusHead('active')])
  }

  /** Takes the bytes of a call, and makes a file of all where they are the last. */
  const take = async (call: ModuleCall, upload: UnfinishedUpload, isLast: boolean): Promise<void> => {
    const { caller, context } = call
    const parts = await uploads.parts(upload, caller)
    const received = sizeOf(parts)
    const offset = Number(headerOf(call, 'x-goog-upload-offset') || '0')
    if (offset !== received) throw invalidUpload(`X-Goog-Upload-Offset must be ${received}`)
    await withUpload(context.request, async (bytes) => {
      if (!isLast) {
        const part = await uploads.addPart(upload, caller, bytes)
        call.sendJson(200, '{}', statusHead('active', received + part.bytes))
        return
      }
      let total = 0
      const all = async function* () {
        for await (const chunk of uploads.joined(parts)) {
          total += chunk.length
          yield chunk
        }
        for await (const chunk of bytes) {
          total += chunk.length
          yield chunk
        }
      }
      const { bytes: announced } = upload.plan
      const file = await uploads.finish(upload, caller, all(), () => {
        if (announced !== undefined && total !== announced)
          throw invalidUpload(`it has ${total} bytes, not ${announced} as announced`)
      })
      answer(call, file)
    })
  }

  const goOn = async (call: ModuleCall, key: string): Promise<void> => {
    const upload = await uploads.find(key, call.caller)
    const commands = headerOf(call, 'x-goog-upload-command')
      .toLowerCase()
      .split(',')
      .map((command) => command.trim())
    if (commands.includes('cancel')) {
      await uploads.cancel(upload, call.caller)
      call.sendJson(200, '{}', statusHead('cancelled'))
    } else if (commands.includes('query')) {
      call.sendJson(200, '{}', statusHead('active', sizeOf(await uploads.parts(upload, call.caller))))
    } else if (commands.includes('upload') || commands.includes('finalize')) {
      await take(call, upload, commands.includes('finalize'))
    } else throw invalidUpload('X-Goog-Upload-Command must be upload, finalize, query or cancel')
  }

  /** Metadata and bytes in one call (multipart/related), or the bytes alone. */
  const whole = async (call: ModuleCall): Promise<void> => {
    const { request } = call.context
    const contentType = request.headers['content-type'] ?? ''
    const maker = makerOf(call.caller)
    const file = await withUpload(request, async (bytes) => {
      if (!/^multipart\//i.test(contentType)) {
        const filename = nameIn({}, call)
        return files.create({ maker, filename, purpose, contentType: contentTypeOf(contentType, filename) }, bytes)
      }
      let metadata: JsonObject | undefined
      for await (const part of streamedParts(bytes, contentType)) {
        if (metadata === undefined)
          metadata = metadataIn(await textOfBytes(part.bytes, longestMetadata, 'the metadata'))
        else {
          const filename = nameIn(metadata, call)
          return files.create(
            { maker, filename, purpose, contentType: typeIn(metadata, part.type, filename) },
            part.bytes,
          )
        }
      }
      throw invalidUpload('metadata and a file are expected')
    })
    request.resume()
    answer(call, file)
  }

  return {
    async upload(call: ModuleCall): Promise<void> {
      const key = idIn(new URLSearchParams(call.context.query), 'upload_id')
      if (key !== undefined) await goOn(call, key)
      else if (/\bstart\b/i.test(headerOf(call, 'x-goog-upload-command'))) await start(call)
      else await whole(call)
    },
  }
}
