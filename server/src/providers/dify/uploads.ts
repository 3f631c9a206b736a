import { randomUUID } from 'node:crypto'
import { type JsonObject, membersOf, objectsOf, parsedJson, textOf } from '../../dialects/conversation/json.ts'
import type { SigningTools } from '../provider.ts'

interface Upload {
  readonly url: string
  readonly authorization: string
  readonly user: string
}

const field = (boundary: string, head: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    body,
    Buffer.from('\r\n'),
  ])

/** Removes characters that could end the part header: names and types come from callers. */
const headerSafe = (text: string): string => text.replace(/[^\w.+/ -]/g, '_')

const formOf = (boundary: string, user: string, file: JsonObject): Buffer => {
  const type = headerSafe(textOf(file.media_type)) || 'application/octet-stream'
  const [, extension = 'bin'] = type.split('/')
  const name = headerSafe(textOf(file.filename))
  const filename = name.includes('.') ? name : `${name}.${extension}`
  return Buffer.concat([
    field(boundary, 'name="user"', Buffer.from(user)),
    field(
      boundary,
      `name="file"; filename="${filename}"\r\nContent-Type: ${type}`,
      Buffer.from(textOf(file.bytes), 'base64'),
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ])
}

const upload = async (
  file: JsonObject,
  { url, authorization, user }: Upload,
  { post }: SigningTools,
): Promise<JsonObject> => {
  if (file.bytes === undefined) return file
  const boundary = randomUUID()
  const headers = { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` }
  const { status, json } = await post({ url, headers, body: formOf(boundary, user, file) })
  const id = textOf(json.id)
  if (id === '') throw new Error(`the file was not taken: status ${status} ${textOf(json.message)}`)
  return { type: file.type, transfer_method: 'local_file', upload_file_id: id }
}

const hasBytes = (file: JsonObject): boolean => file.bytes !== undefined

/**
 * Uploads inline files and puts their ids into the body (docs.dify.ai/api-reference/files/file-upload). Throws when an upload
 * fails.
 */
export const withUploads = async (
  body: Buffer,
  { url, authorization }: Omit<Upload, 'user'>,
  tools: SigningTools,
): Promise<Buffer> => {
  if (!body.includes('"bytes"')) return body
  const json = membersOf(parsedJson(body.toString()))
  const files = objectsOf(json.files)
  if (!files.some(hasBytes)) return body
  const user = textOf(json.user)
  const sent = await Promise.all(files.map((file) => upload(file, { url, authorization, user }, tools)))
  return Buffer.from(JSON.stringify({ ...json, files: sent }))
}
