import { createHash } from 'node:crypto'
import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, parsedJson } from '#server/dialects/conversation/json.ts'
import type { ModuleCall } from '#server/gateway/module-calls.ts'
import type { Clock } from '#server/lib/clock.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import type { KeptFile } from '#server/relay/stored/kept-files.ts'
import { contentTypeOf } from '../content-types.ts'
import { invalidUpload, streamedParts } from '../forms/form-stream.ts'
import { withUpload } from '../forms/uploaded-bytes.ts'
import type { UnfinishedUpload, UnfinishedUploads } from '../uploads/unfinished-uploads.ts'
import { checkedPurpose, endAfter, openaiFile } from './create-file.ts'

const uploadPrefix = 'upload_'
const partPrefix = 'part_'
const longestName = 512

type Status = 'pending' | 'completed' | 'cancelled'

const shown = ({ key, plan, createdAt, expiresAt }: UnfinishedUpload, status: Status, file?: KeptFile) => ({
  id: uploadPrefix + key,
  object: 'upload',
  bytes: plan.bytes,
  created_at: createdAt,
  filename: plan.filename,
  purpose: plan.purpose,
  status,
  expires_at: expiresAt,
  mime_type: plan.contentType,
  file: file === undefined ? null : openaiFile(file),
})

const bodyOf = async (call: ModuleCall): Promise<JsonObject> => {
  const body = parsedJson((await call.body()).toString())
  if (!isObject(body)) throw invalidUpload('the body is no JSON object')
  return body
}

const textIn = (body: JsonObject, name: string): string => {
  const text = ownMember(body, name)
  if (typeof text !== 'string' || text === '' || text.length > longestName)
    throw invalidUpload(`${name} must be a text of at most ${longestName} characters`)
  return text
}

const sizeIn = ({ bytes }: JsonObject): number => {
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0)
    throw invalidUpload('bytes must be a whole number')
  return bytes
}

/** Seconds that the finished file lives; undefined where the client states none. */
const secondsIn = ({ expires_after: after }: JsonObject, now: number): number | undefined => {
  if (after === undefined || after === null) return undefined
  const { anchor, seconds } = isObject(after) ? after : {}
  const end = endAfter(anchor ?? '', seconds, now)
  return end === undefined ? undefined : end - now
}

/** The parts that a client names, in its order; all must belong to the upload. */
const chosenParts = ({ part_ids: ids }: JsonObject, parts: readonly KeptFile[]): readonly KeptFile[] => {
  if (!Array.isArray(ids) || ids.length === 0) throw invalidUpload('part_ids must name the parts')
  const byId = new Map(parts.map((part) => [part.id.replace('file-', partPrefix), part]))
  return ids.map((id) => {
    const part = byId.get(String(id))
    if (part === undefined) throw invalidUpload('part_ids names a part that is none of this upload')
    return part
  })
}

/** OpenAI's calls about uploads in parts (platform.openai.com/docs/api-reference/uploads). */
export const openaiUploadCalls = (uploads: UnfinishedUploads, clock: Clock) => {
  const uploadOf = ({ params: [id = ''], caller }: ModuleCall): Promise<UnfinishedUpload> =>
    uploads.find(id.startsWith(uploadPrefix) ? id.slice(uploadPrefix.length) : '', caller)

  return {
    async create(call: ModuleCall): Promise<void> {
      const body = await bodyOf(call)
      const filename = textIn(body, 'filename')
      const plan = {
        filename,
        bytes: sizeIn(body),
        contentType: contentTypeOf(textIn(body, 'mime_type'), filename),
        purpose: checkedPurpose(body.purpose),
        seconds: secondsIn(body, unixSeconds(clock)),
      }
      call.sendJson(200, JSON.stringify(shown(await uploads.begin(plan, call.caller), 'pending')))
    },

    async addPart(call: ModuleCall): Promise<void> {
      const upload = await uploadOf(call)
      const { context, caller } = call
      const part = await withUpload(context.request, async (bytes) => {
        for await (const { name, bytes: data } of streamedParts(bytes, context.request.headers['content-type'] ?? ''))
          if (name === 'data') return uploads.addPart(upload, caller, data)
        throw invalidUpload('the field data is missing')
      })
      const id = part.id.replace('file-', partPrefix)
      const answer = { id, object: 'upload.part', created_at: part.createdAt, upload_id: uploadPrefix + upload.key }
      call.sendJson(200, JSON.stringify(answer))
    },

    async complete(call: ModuleCall): Promise<void> {
      const upload = await uploadOf(call)
      const body = await bodyOf(call)
      const parts = chosenParts(body, await uploads.parts(upload, call.caller))
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
      if (bytes !== upload.plan.bytes) throw invalidUpload(`the parts have ${bytes} bytes, not ${upload.plan.bytes}`)
      const hash = createHash('md5')
      const hashed = async function* () {
        for await (const chunk of uploads.joined(parts)) {
          hash.update(chunk)
          yield chunk
        }
      }
      const file = await uploads.finish(upload, call.caller, hashed(), () => {
        if (typeof body.md5 === 'string' && body.md5.toLowerCase() !== hash.digest('hex'))
          throw invalidUpload('md5 is that of other bytes')
      })
      call.sendJson(200, JSON.stringify(shown(upload, 'completed', file)))
    },

    async cancel(call: ModuleCall): Promise<void> {
      const upload = await uploadOf(call)
      await uploads.cancel(upload, call.caller)
      call.sendJson(200, JSON.stringify(shown(upload, 'cancelled')))
    },
  }
}
