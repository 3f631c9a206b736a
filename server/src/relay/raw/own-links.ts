import { parsedJson } from '../../dialects/conversation/json.ts'
import type { Headers } from '../upstream/upstream.ts'

/** Addresses in answers of a provider's API, and their replacement. */
export interface OwnLinks {
  /** Addresses of the API, without a slash at their end. */
  readonly from: readonly string[]
  /** The gateway's address for calls to this API. */
  readonly to: string
}

/**
 * Members of answers whose addresses SDKs and programs follow with their key. Addresses that name an object in later requests, such as
 * Google's `uri` of a file, stay: the provider would not know the gateway's.
 */
const members = [
  // Anthropic's batches, and Google's files.
  ...['results_url', 'downloadUri', 'download_uri', 'download_url'],
  // The next page of a list.
  ...['next', 'previous', 'next_url', 'next_page_url', 'previous_page_url', 'nextLink', '@odata.nextLink'],
  // State and result of a job.
  ...['status_url', 'response_url', 'cancel_url', 'upload_url', 'uploadUrl', 'get', 'cancel', 'stream'],
]

/** Within JSON texts quotation marks are escaped, so each match is a member. */
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

/** JSON with its links to the gateway; the same buffer where there are none. */
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

/** The headers with their links to the gateway. */
export const withOwnLinkHeaders = (headers: Headers, links: OwnLinks): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? ownValue(name.toLowerCase(), value, links) : value,
    ]),
  )
