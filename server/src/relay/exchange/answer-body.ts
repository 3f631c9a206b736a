import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { ownMember } from '@tollgate/contract/own-member'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { Prepared } from './request-edit.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

export const headerText = (headers: Headers, name: string): string => {
  const value = ownMember(headers, name)
  return (typeof value === 'string' ? value : value?.[0]) ?? ''
}

/** Some upstreams stream under another name; JSON and HTML never are streams. */
export const isStream = (headers: Headers, asked: boolean): boolean => {
  const type = headerText(headers, 'content-type').toLowerCase()
  return type.startsWith('text/event-stream') || (asked && !/application\/json|html/.test(type))
}

/** A refusal in a provider's own words as OpenAI would say it; undefined when it is none. */
export const ownError = (body: Buffer, prepared: Prepared): Buffer | undefined => {
  const json = parsedJson(body.toString())
  const error = isObject(json)
    ? (prepared.conversion?.upstream ?? prepared.retelling ?? prepared).errorOf?.(json)
    : undefined
  return error && Buffer.from(JSON.stringify({ error }))
}

const decoders = { gzip: promisify(gunzip), br: promisify(brotliDecompress), deflate: promisify(inflate) }

/** The bytes behind a content encoding; throws for one that nobody knows, and for more than `limit` bytes. */
export const decoded = async (bytes: Buffer, encoding: string, limit: number): Promise<Buffer> => {
  if (encoding === '' || encoding === 'identity') return bytes
  const decoder = Object.entries(decoders).find(([name]) => name === encoding)?.[1]
  if (decoder === undefined) throw new Error(`content encoding ${encoding}`)
  return decoder(bytes, { maxOutputLength: limit })
}
