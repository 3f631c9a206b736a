import { z } from 'zod'

const mostListed = 100
const longestName = 200
const longestPath = 500
const dearest = 1_000_000

/** Access to a channel's provider under `/p/{channel}/…`, as the channel's settings hold it; absent for no access. */
export const channelPassthrough = z.strictObject({
  /** Groups, and ids of API keys, that may; one of them is enough. */
  groups: z.array(z.string().min(1).max(longestName)).max(mostListed).default([]),
  keys: z.array(z.int().positive()).max(mostListed).default([]),
  /** Beginnings of the paths that may be called, as `/v1/files`; empty for all. */
  paths: z.array(z.string().startsWith('/').max(longestPath)).max(mostListed).default([]),
  /** True where they all share what is in the account: files, batches and the like of all makers. */
  shared: z.boolean().default(false),
  /** Units of currency for a call whose usage cannot be read; absent where such calls are refused. Reading (GET) is free. */
  price: z.number().min(0).max(dearest).optional(),
})
export type ChannelPassthrough = z.output<typeof channelPassthrough>

/** Headers that a channel sets on every request; an empty value removes a header, `{api_key}` is replaced by the key. */
export const channelHeaders = z
  .record(
    z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/),
    z
      .string()
      .max(2000)
      .regex(/^[\t\x20-\x7e]*$/),
  )
  .refine((headers) => Object.keys(headers).length <= mostListed && Object.keys(headers).every(mayBeSet))

/** Names that belong to the connection, not to the request. */
const connectionHeaders: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive', 'upgrade', 'te'],
  ...['trailer', 'expect', 'proxy-authorization', 'proxy-connection'],
])

const mayBeSet = (name: string): boolean => !connectionHeaders.has(name.toLowerCase())
