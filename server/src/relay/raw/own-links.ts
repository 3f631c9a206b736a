import { parsedJson } from '../../dialects/conversation/json.ts'
import type { Headers } from '../upstream/upstream.ts'

/** Addresses in answers of a provider's API that lead to it, and what stands in their place. */
export interface OwnLinks {
  /** Addresses of the API, without a slash at their end. */
  readonly from: readonly string[]
  /** The gateway's address for calls to this API. */
  readonly to: string
}

/**
 * Members of answers whose addresses SDKs and programs follow with their key. Addresses that name an object in later requests, as Google's
 * `uri` of a file, stay the provider's: it would not know the gateway's.
 */
const members = [
  // Anthropic's batches, and Google's files.
  ...['results_url', 'downloadUri', 'download_uri', 'download_url'],
  // The next page of a list.
  ...['next', 'previous', 'next_url', 'next_page_url', 'previous_page_url', 'nextLink', '@odata.nextLink'],
  // What becomes of a job.
  ...['status_url', 'response_url', 'cancel_url', 'upload_url', 'uploadUrl', 'get', 'cancel', 'stream'],
]

/** Within texts of JSON a quotation mark has a backslash before it: what matches is a member. */
const addressMember = new RegExp(`("(?:${members.join('|')})"\\s*:\\s*)("https?:(?:[^"\\\\]|\\\\.)*")`, 'g')

const addressHeaders: ReadonlySet<string> = new Set([
  ...['location', 'content-location', 'operation-location', 'azure-asyncoperation'],
  ...['x-goog-upload-url', 'x-goog-upload-control-url'],
])

/** The address at the gateway; undefined for one that leads elsewhere. */
const ownAddress = (address: string, { from, to }: OwnLinks): string | undefined => {
  const base = from.find((one) => address.startsWith(`${one}/`))
  return base === undefined ? undefined : `${to}${address.slice(base.length)}`
}

/** JSON whose links lead to the gateway; the same buffer where there are none. All else stays as it came. */
export const withOwnLinks = (bytes: Buffer, links: OwnLinks): Buffer => {
  if (!members.some((member) => bytes.includes(`"${member}"`))) return bytes
  const text = bytes.toString()
  const own = text.replace(addressMember, (whole, name: string, value: string) => {
    const address = parsedJson(value)
    const at = typeof address === 'string' ? ownAddress(address, links) : undefined
    return at === undefined ? whole : `${name}${JSON.stringify(at)}`
  })
  return own === text ? bytes : Buffer.from(own)
}

const ownValue = (name: string, value: string, links: OwnLinks): string => {
  if (addressHeaders.has(name)) return ownAddress(value, links) ?? value
  // `<address>; rel="next"`, several of them separated by commas.
  if (name === 'link')
    return value.replace(/<([^<>]*)>/g, (whole, address: string) => {
      const at = ownAddress(address, links)
      return at === undefined ? whole : `<${at}>`
    })
  return value
}

/** Headers whose links lead to the gateway. */
export const withOwnLinkHeaders = (headers: Headers, links: OwnLinks): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? ownValue(name.toLowerCase(), value, links) : value,
    ]),
  )
